# SPDX-License-Identifier: MIT
"""Computes with NumPy what `wb inspect --stats` shows, of a file of f32 values, and prints elements a second of processor time.

Usage: stats_numpy.py FILE. The peer in tests/bench/bench_stats.cpp, which runs it.
"""
import sys
import time

import numpy as np

LEVELS = [0.1, 1, 5, 25, 50, 75, 95, 99, 99.9]


def statistics(values):
    finite = values[np.isfinite(values)]
    n = finite.size
    low, high = finite.min(), finite.max()
    wide = finite.astype(np.float64)
    mean = wide.mean()
    centred = wide - mean
    squares = centred * centred
    m2, m3, m4 = squares.mean(), (squares * centred).mean(), (squares * squares).mean()
    std = np.sqrt(m2)
    magnitude = np.abs(values)
    ranks = [max(1, int(np.ceil(level / 100 * n))) - 1 for level in LEVELS]
    top = np.argpartition(magnitude, -10)[-10:]
    return {
        "nan": np.isnan(values).sum(),
        "inf": np.isinf(values).sum(),
        "zeros": (values == 0).sum(),
        "denormal": ((magnitude > 0) & (magnitude < np.finfo(np.float32).tiny)).sum(),
        "min": low,
        "max": high,
        "mean": mean,
        "std": std,
        "rms": np.sqrt((wide * wide).mean()),
        "skew": m3 / m2**1.5,
        "kurtosis": m4 / m2**2 - 3,
        "outliers6": (np.abs(centred) > 6 * std).sum(),
        "percentiles": np.partition(finite, ranks)[ranks],
        "histogram": np.histogram(finite, bins=256, range=(low, high))[0],
        "top": top[np.lexsort((top, -magnitude[top]))],
    }


def main():
    values = np.fromfile(sys.argv[1], dtype="<f4")
    best = float("inf")
    for _ in range(2):
        begin = time.process_time()
        statistics(values)
        best = min(best, time.process_time() - begin)
    print(values.size / best)


main()
