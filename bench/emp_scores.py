"""NumPy on a score file: what a practitioner writes for N_eff, the retained count and the preserved mass.

usage: emp_scores.py FILE.npy {mass,mask} [--save OUT.npy] [--repeats K]
       emp_scores.py --make COUNT {mass,mask}    on a temporary file of that many single-precision scores
  mass  np.partition: threshold and mass only
  mask  np.argpartition: the kept indices too; --save writes them with np.save (counted)
Prints the seconds of each repetition; the file should be in the page cache. One thread. The floor is a float's: not certified.
Make a file:  python3 -c "import numpy as np; np.save('scores.npy', np.random.default_rng(1).standard_t(3, 10**8).astype(np.float32))"
"""
import argparse
import os
import tempfile
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
import numpy as np

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("file", nargs="?")
parser.add_argument("job", choices=["mass", "mask"])
parser.add_argument("--make", type=int)
parser.add_argument("--save")
parser.add_argument("--repeats", type=int, default=5)
options = parser.parse_args()


def sum_of_squares(values, block=1 << 15):
    buffer = np.empty(block)
    total = 0.0
    for start in range(0, values.size, block):
        part = buffer[: min(block, values.size - start)]
        part[:] = values[start : start + part.size]
        total += float(np.dot(part, part))
    return total


folder = tempfile.TemporaryDirectory()
if options.make:
    options.file = os.path.join(folder.name, "scores.npy")
    np.save(options.file, np.random.default_rng(1).standard_t(3, options.make).astype(np.float32))
elif not options.file:
    parser.error("a file, or --make COUNT")
best = float("inf")
for _ in range(options.repeats):
    start = time.perf_counter()
    size = np.abs(np.load(options.file, mmap_mode="r"))
    total = float(size.sum(dtype=np.float64))
    n_eff = total * total / sum_of_squares(size)
    first = size.size - int(n_eff)
    if options.job == "mass":
        size.partition(first)
        kept = float(size[first:].sum(dtype=np.float64))
    else:
        index = np.argpartition(size, first)[first:]
        kept = float(size[index].sum(dtype=np.float64))
        if options.save:
            np.save(options.save, index)
    seconds = time.perf_counter() - start
    best = min(best, seconds)
    print(f"{seconds:.3f} s  N_eff {n_eff:.6f}  kept {size.size - first}  mass {kept / total:.12f}")
print(f"scores, {options.job}: {size.size / best:.4g} /s")
