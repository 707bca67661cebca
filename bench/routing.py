"""Simulated sparse routing in NumPy: the same job as `cargo bench -p theorycheck-compression --bench moe`.

usage: routing.py [--repeats R]
  routed steps   scaled random-K SGD on ||x||^2/2, M blocks, K active: many runs advanced together; the K-subset by argpartition of uniform keys, noise +-1 by random
                 bits, the average of ||x||^2 kept
Prints steps of one run a second, the fastest repetition. One thread. Needs: pip install numpy
"""
import argparse
import os
import time
import tomllib
from pathlib import Path

sizes = tomllib.loads((Path(__file__).parent / "../benchmarks/sizes.toml").read_text())["routing"]

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
import numpy as np

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--repeats", type=int, default=3)
options = parser.parse_args()
M, K, T, runs = sizes["experts"], sizes["active"], sizes["steps"], sizes["peer_runs"]
gain = 0.0625 * M / K
rng = np.random.default_rng(1)


def run():
    x, total = np.ones((runs, M)), np.zeros(runs)
    keys = np.empty((runs, M), dtype=np.float32)
    for _ in range(T):
        total += np.einsum("ij,ij->i", x, x)
        rng.random(out=keys, dtype=np.float32)
        active = np.argpartition(keys, K - 1, axis=1)[:, :K]
        noise = 2.0 * rng.integers(0, 2, size=(runs, K), dtype=np.int8) - 1.0
        picked = np.take_along_axis(x, active, axis=1)
        np.put_along_axis(x, active, picked - gain * (picked + noise), axis=1)
    return (total / T).mean()


best = float("inf")
for _ in range(options.repeats):
    start = time.perf_counter()
    run()
    best = min(best, time.perf_counter() - start)
print(f"routed steps: {runs * T / best:.4g} /s", flush=True)
