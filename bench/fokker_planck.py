"""The mean-field limit in SciPy: the same job as `cargo bench -p theorycheck-learning --bench ste`.

usage: fokker_planck.py [--repeats R]
  cell steps   Scharfetter-Gummel fluxes on nodes that contain the thresholds of the quantizer mid-rise(2, 2), Crank-Nicolson with the risk at the half step by
               predicting and correcting (two solves a step, the first four steps backward Euler), tridiagonal systems by LAPACK's gtsv, arrays allocated before
Prints cells times steps a second, the fastest repetition, and on standard error the risk at time 80. One thread. Needs: pip install numpy scipy
"""
import argparse
import os
import sys
import time
import tomllib
from pathlib import Path

sizes = tomllib.loads((Path(__file__).parent / "../benchmarks/sizes.toml").read_text())["fokker_planck"]

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
import numpy as np
from scipy.linalg.lapack import dgtsv

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--repeats", type=int, default=3)
options = parser.parse_args()
cells, steps, horizon, eta, sigma2, teacher = sizes["cells"], sizes["steps"], 80.0, 0.1, 0.01, 1.0
h, dt, nodes = 16.0 / cells, horizon / steps, cells + 1
levels = np.array([-2.0, -2.0 / 3.0, 2.0 / 3.0, 2.0])
edges = np.array([0, cells // 2 - cells // 12, cells // 2, cells // 2 + cells // 12, cells])
cost = teacher**2 - 2 * teacher * levels + levels**2
weight = np.empty(nodes)
for k in range(4):
    weight[edges[k] : edges[k + 1]] = cost[k]
weight[-1] = cost[3]
for k in range(1, 4):
    weight[edges[k]] = (cost[k - 1] + cost[k]) / 2
lower, upper, diagonal = np.empty(cells), np.empty(cells), np.empty(nodes)
forth, back, flux = np.empty(cells), np.empty(cells), np.empty(cells)


def bernoulli(z):
    return z / np.expm1(z) if z else 1.0


def move(p, risk, theta, rhs):
    diffusion = eta**2 * risk / 2
    for k in range(4):
        z = eta * (teacher - levels[k]) * h / diffusion
        forth[edges[k] : edges[k + 1]] = dt * diffusion / h**2 * bernoulli(-z)
        back[edges[k] : edges[k + 1]] = dt * diffusion / h**2 * bernoulli(z)
    diagonal[:] = 1.0
    diagonal[:-1] += theta * forth
    diagonal[1:] += theta * back
    np.multiply(forth, -theta, out=lower)
    np.multiply(back, -theta, out=upper)
    rhs[:] = p
    if theta < 1.0:
        np.multiply(back, p[1:], out=flux)
        np.subtract(forth * p[:-1], flux, out=flux)
        np.multiply(flux, 1.0 - theta, out=flux)
        rhs[:-1] -= flux
        rhs[1:] += flux
    return dgtsv(lower, diagonal, upper, rhs, overwrite_dl=1, overwrite_d=1, overwrite_du=1, overwrite_b=1)[3]


def run():
    grid = (np.arange(nodes) - cells // 2) * h
    p = np.exp(-(grid**2) / 2)
    p /= p.sum()
    trial, other = np.empty(nodes), np.empty(nodes)
    risk = sigma2 + weight @ p
    for step in range(steps):
        theta = 1.0 if step < 4 else 0.5
        guess = sigma2 + weight @ move(p, risk, theta, trial)
        p, other = move(p, guess if theta == 1.0 else (risk + guess) / 2, theta, other), p
        risk = sigma2 + weight @ p
    return risk


best = float("inf")
for _ in range(options.repeats):
    start = time.perf_counter()
    risk = run()
    best = min(best, time.perf_counter() - start)
print(f"R(80) = {risk:.6f}", file=sys.stderr)
print(f"cell steps: {cells * steps / best:.4g} /s", flush=True)
