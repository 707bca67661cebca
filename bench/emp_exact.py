"""The exact mass check on short integer vectors in Python: nu = floor(S1^2/S2), and whether the nu largest weigh at least A(q, nu, N) (A(q, 1, 2) for
nu = 1), squared so that no root is left. The same job as the first benches of `cargo bench -p theorycheck-compression --bench emp`.

usage: emp_exact.py [--count K] [--repeats R]
  python  one vector at a time, Python's integers
  numpy   all vectors at once, int64 (these entries are too small to overflow it)
Vectors of eight heavy-tailed integers below 1000 are made before the clock starts; sorting is timed apart. Prints instances per second, the fastest
repetition; all instances must hold. One thread.
"""
import argparse
import os
import time
import tomllib
from pathlib import Path

sizes = tomllib.loads((Path(__file__).parent / "../benchmarks/sizes.toml").read_text())

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
import numpy as np

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--count", type=int, default=sizes["exact"]["peer_vectors"])
parser.add_argument("--repeats", type=int, default=7)
options = parser.parse_args()

N = 8
rng = np.random.default_rng(1)
# The bit length is uniform up to ten; at least one entry is not zero.
vectors = rng.integers(0, 1 << 10, (options.count, N)) >> rng.integers(0, 11, (options.count, N))
vectors[vectors.sum(axis=1) == 0, 0] = 1


def sort(values):
    return -np.sort(-values, axis=1)


def check_numpy(values):
    s1 = values.sum(axis=1)
    s2 = (values * values).sum(axis=1)
    nu = s1 * s1 // s2
    top = np.take_along_axis(np.cumsum(values, axis=1), nu[:, None] - 1, axis=1)[:, 0]
    excess = 2 * top - s1
    one = (excess >= 0) & (excess * excess >= 2 * s2 - s1 * s1)
    gain = N * top - nu * s1
    many = gain * gain * (N - 1) >= (N - nu) ** 2 * (N * s2 - s1 * s1)
    return int(np.count_nonzero(np.where(nu == 1, one, many) | (nu == N)))


def check_python(values):
    holds = 0
    for vector in values:
        s1 = sum(vector)
        s2 = sum(value * value for value in vector)
        nu = s1 * s1 // s2
        top = sum(vector[:nu])
        if nu == N:
            holds += 1
        elif nu == 1:
            excess = 2 * top - s1
            holds += excess >= 0 and excess * excess >= 2 * s2 - s1 * s1
        else:
            gain = N * top - nu * s1
            holds += gain * gain * (N - 1) >= (N - nu) ** 2 * (N * s2 - s1 * s1)
    return holds


def report(name, job, count):
    best, result = float("inf"), None
    for _ in range(options.repeats):
        start = time.perf_counter()
        result = job()
        best = min(best, time.perf_counter() - start)
    assert result == count, f"{result} of {count} hold"
    print(f"{name}: {count / best:.4g} /s")


ordered = sort(vectors)
few = ordered[: max(1, options.count // 10)].tolist()
report("python, sorted", lambda: check_python(few), len(few))
report("numpy, sorted", lambda: check_numpy(ordered), options.count)
report("numpy, sorting included", lambda: check_numpy(sort(vectors)), options.count)
