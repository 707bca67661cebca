"""Interval evaluations per second in Python: a degree-8 polynomial by Horner's rule, exp and erfc. The same jobs as
`cargo bench -p theorycheck-numeric --bench interval`: intervals of width 2^-10 with centres spread over [-1, 1] (polynomial) or [-4, 4].

usage: interval.py [--count K] [--repeats R]
  python-flint  arb balls at 53 bits; the polynomial also as one arb_poly
  mpmath        mpmath.iv at 53 bits (it has no erfc)
Prints evaluations per second, the fastest repetition. One thread. Needs: pip install python-flint mpmath
"""
import argparse
import time
import tomllib
from pathlib import Path

sizes = tomllib.loads((Path(__file__).parent / "../benchmarks/sizes.toml").read_text())

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--count", type=int, default=sizes["interval"]["count"])
parser.add_argument("--repeats", type=int, default=7)
options = parser.parse_args()
coefficients = [(-1) ** k / (k + 1) for k in range(8, -1, -1)]
radius = 2.0**-11


def centres(scale):
    return [(((i * 2_654_435_761) % 2**32 >> 12) / 2**19 - 1) * scale for i in range(options.count)]


def rate(work):
    best = float("inf")
    for _ in range(options.repeats):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return options.count / best


def horner(xs, cs):
    for x in xs:
        y = cs[0]
        for c in cs[1:]:
            y = y * x + c


def show(name, job, figure):
    print(f"{name} {job}: {figure:.4g} /s", flush=True)


import flint
import mpmath

flint.ctx.prec = 53
balls, wide = ([flint.arb(c, radius) for c in centres(scale)] for scale in (1.0, 4.0))
cs = [flint.arb(c) for c in coefficients]
poly = flint.arb_poly(cs[::-1])
name = f"python-flint {flint.__version__}"
show(name + " arb", "horner", rate(lambda: horner(balls, cs)))
show(name + " arb_poly", "horner", rate(lambda: [poly(x) for x in balls]))
show(name + " arb", "exp", rate(lambda: [x.exp() for x in wide]))
show(name + " arb", "erfc", rate(lambda: [x.erfc() for x in wide]))
mpmath.iv.prec = 53
intervals, wide = ([mpmath.iv.mpf([c - radius, c + radius]) for c in centres(scale)] for scale in (1.0, 4.0))
cs = [mpmath.iv.mpf(c) for c in coefficients]
name = f"mpmath {mpmath.__version__} iv"
show(name, "horner", rate(lambda: horner(intervals, cs)))
show(name, "exp", rate(lambda: [mpmath.iv.exp(x) for x in wide]))
