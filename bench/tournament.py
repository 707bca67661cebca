"""Row sums of the score matrix for many sources in NumPy: the same job as `cargo bench -p theorycheck-optimization --bench lie_bracket`, without error bounds.

usage: tournament.py [--repeats R]
  two passes       G.sum(0), Q.sum(0), then G @ Q.sum(0) - Q @ G.sum(0): one pass for the sums, one for the products; float64, BLAS for the products
  score matrix     the same scores from the N x N matrix G Q' - Q G' and its row sums, N = 2000 (per element of one array, so smaller figures are slower)
Prints one line a job, elements of one array a second, the fastest repetition. One thread. Needs: pip install numpy
"""
import argparse
import os
import time
import tomllib
from pathlib import Path

sizes = tomllib.loads((Path(__file__).parent / "../benchmarks/sizes.toml").read_text())["tournament"]

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
import numpy as np

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--repeats", type=int, default=5)
options = parser.parse_args()
n, d = sizes["sources"], sizes["dimension"]
rng = np.random.default_rng(1)
G, Q = rng.uniform(-1, 1, (n, d)), rng.uniform(-1, 1, (n, d))


def show(name, count, work):
    best = float("inf")
    for _ in range(options.repeats):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    print(f"{name}: {count / best:.4g} /s", flush=True)


def two_passes(G, Q):
    gam, big = G.sum(0), Q.sum(0)
    return np.argsort(G @ big - Q @ gam, kind="stable")


def matrix(G, Q):
    return np.argsort((G @ Q.T - Q @ G.T).sum(1), kind="stable")


show("two passes", n * d, lambda: two_passes(G, Q))
show("score matrix", 2000 * d, lambda: matrix(G[:2000], Q[:2000]))
