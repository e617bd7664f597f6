# SPDX-License-Identifier: MIT
"""Programs that a benchmark runs and measures."""
import os
import subprocess
import sys
import time


def child(command):
    """CPU seconds, seconds that passed and MiB at its largest."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"failed: {' '.join(map(str, command))}")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - begin, usage.ru_maxrss / 1024


def own_and_twin(own, twin):
    """The figures of both as a text, and how many times the CPU time of the first the second takes."""
    return (f"wb {own[0]:.2f} s of CPU time ({own[1]:.1f} s passed, {own[2]:.0f} MiB), NumPy {twin[0]:.2f} s "
            f"({twin[1]:.1f} s, {twin[2]:.0f} MiB): {twin[0] / own[0]:.1f}x")
