"""Draws and simulation steps per second in NumPy: the same jobs as `cargo bench -p theorycheck-simd --bench paths`.

usage: paths.py [--paths P] [--steps T] [--repeats R]
  normals, exponentials   Generator(PCG64), refilling one block of 16384 numbers
  signed Pareto           sign exp(E/1.7), E from the exponential ziggurat, eight signs from each random byte: the fastest of the ways that NumPy has
  SGD                     x -= x + xi on P paths at once, fresh normal noise, arrays allocated before the clock starts
  AdaGrad                 v += g^2, x -= g/(1 + sqrt v), g = tanh x + signed Pareto noise, and the sum of |tanh x|
  straight-through        16 runs of d = 400 coordinates advanced together: quantizer, e = x.(w* - phi(w)) + noise, w += (eta/d) e x
Prints one line a job, the fastest repetition. One thread. Needs: pip install numpy
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
parser.add_argument("--paths", type=int, default=sizes["paths"]["peer_paths"])
parser.add_argument("--steps", type=int, default=sizes["paths"]["peer_steps"])
parser.add_argument("--repeats", type=int, default=5)
options = parser.parse_args()
P, T = options.paths, options.steps
rng = np.random.default_rng(1)
signs_of_byte = 1.0 - 2.0 * np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)


def show(name, count, work):
    best = float("inf")
    for _ in range(options.repeats):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    print(f"{name}: {count / best:.4g} /s", flush=True)


def pareto(out, signs):
    rng.standard_exponential(out=out)
    np.multiply(out, 1 / 1.7, out=out)
    np.exp(out, out=out)
    np.take(signs_of_byte, rng.integers(0, 256, size=len(signs), dtype=np.uint8), axis=0, out=signs, mode="clip")
    np.multiply(out, signs.reshape(-1)[: len(out)], out=out)


block, block_signs = np.empty(sizes["draws"]["block"]), np.empty((sizes["draws"]["block"] // 8, 8))
rounds = 200
show("normals", rounds * len(block), lambda: [rng.standard_normal(out=block) for _ in range(rounds)])
show("exponentials", rounds * len(block), lambda: [rng.standard_exponential(out=block) for _ in range(rounds)])
show("signed Pareto 1.7", rounds * len(block), lambda: [pareto(block, block_signs) for _ in range(rounds)])

noise, g, scratch, signs = np.empty(P), np.empty(P), np.empty(P), np.empty(((P + 7) // 8, 8))


def sgd():
    x = np.full(P, 1.0)
    for _ in range(T):
        rng.standard_normal(out=noise)
        np.add(noise, x, out=noise)
        np.subtract(x, noise, out=x)
    return x


def adagrad():
    x, v, slopes = np.full(P, 5.0), np.zeros(P), np.zeros(P)
    for _ in range(T):
        pareto(noise, signs)
        np.tanh(x, out=g)
        np.abs(g, out=scratch)
        np.add(slopes, scratch, out=slopes)
        np.add(g, noise, out=g)
        np.multiply(g, g, out=scratch)
        np.add(v, scratch, out=v)
        np.sqrt(v, out=scratch)
        np.add(scratch, 1.0, out=scratch)
        np.divide(g, scratch, out=g)
        np.subtract(x, g, out=x)
    return slopes


show("SGD, normal noise", P * T, sgd)
show("AdaGrad on ln cosh, signed Pareto noise", P * T, adagrad)

R, D, S = (sizes["straight_through"][key] for key in ("runs", "dimension", "steps"))


def straight_through():
    w = np.tile(np.arange(D) / 100.0 - 2.0, (R, 1))
    gap = np.empty((R, D))
    steps = 40
    for _ in range(S // steps):
        xs, xi = rng.standard_normal((steps, R, D)), rng.standard_normal((steps, R)) * 0.1 * D**0.5
        for x, e0 in zip(xs, xi):
            np.multiply(w, 0.75, out=gap)
            np.floor(gap, out=gap)
            np.multiply(gap, -4 / 3, out=gap)
            np.add(gap, 1 - 2 / 3, out=gap)
            np.minimum(gap, 3.0, out=gap)
            np.maximum(gap, -1.0, out=gap)
            e = np.einsum("ij,ij->i", x, gap) + e0
            np.multiply(x, (0.1 / D * e)[:, None], out=gap)
            np.add(w, gap, out=w)


show("straight-through updates, d = 400", R * D * S, straight_through)
