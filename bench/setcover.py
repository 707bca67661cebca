"""Exact covering numbers per second with SciPy's HiGHS (optimize.milp): integer points of the plane, closed balls around the points, coverage decided on
integers. The same instances as `cargo bench -p theorycheck-learning --bench slt`; HiGHS gives no proof that a second program could check.

usage: setcover.py [--instances K] [--repeats R]
Prints instances per second, the fastest repetition, and on standard error the covering numbers. One thread. Needs: pip install numpy scipy
"""
import argparse
import os
import sys
import time
import tomllib
from pathlib import Path

sizes = tomllib.loads((Path(__file__).parent / "../benchmarks/sizes.toml").read_text())["setcover"]

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--instances", type=int, default=sizes["instances"])
parser.add_argument("--repeats", type=int, default=5)
options = parser.parse_args()


def points(count, seed):
    """The generator of the bench."""
    state = (seed * 0x9E3779B97F4A7C15) % 2**64 | 1

    def draw():
        nonlocal state
        state ^= state << 13 & 2**64 - 1
        state ^= state >> 7
        state ^= state << 17 & 2**64 - 1
        return (state >> 24) % 10_000

    return np.array([[draw(), draw()] for _ in range(count)])


def covering(x, radius):
    d = x[:, None] - x[None]
    within = ((d * d).sum(axis=2) <= radius**2).astype(float)
    ones = np.ones(len(x))
    found = milp(ones, integrality=ones, bounds=Bounds(0, 1), constraints=LinearConstraint(within, lb=1))
    if found.status != 0:
        raise ArithmeticError(found.message)
    return round(found.fun)


for count in sizes["points"]:
    data = [points(count, seed) for seed in range(1, options.instances + 1)]
    best, numbers = float("inf"), []
    for _ in range(options.repeats):
        start = time.perf_counter()
        numbers = [covering(x, sizes["radius"]) for x in data]
        best = min(best, time.perf_counter() - start)
    print(f"HiGHS, {count} points: {len(data) / best:.4g} /s", flush=True)
    print(f"{count} points: {numbers}, sum {sum(numbers)}", file=sys.stderr)
