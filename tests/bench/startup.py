#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the start of the window on an X server of its own: time to the first paint and resident memory when idle.

The time runs from the start of the process, as its starter sees it, to the line that the window prints after its first paint.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "xvfb"))
from start_up import start_x_server, stop  # noqa: E402

LIMIT_MS = 400
LIMIT_MIB = 120
IDLE_AFTER_S = 2


def resident_mib(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("the system does not say how much memory the program has")


def measure(command, environment):
    """(ms to the first paint, MiB resident when idle) of one start."""
    begin = time.monotonic()
    program = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    try:
        for line in program.stderr:
            if line.startswith("first paint:"):
                painted = time.monotonic()
                time.sleep(IDLE_AFTER_S)
                return 1000 * (painted - begin), resident_mib(program.pid)
        sys.exit("the program ended before it painted")
    finally:
        stop(program)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--runs", type=int, default=7)
    arguments.add_argument("command", nargs="+", help="the program and what it opens")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server, display = start_x_server(folder)
        home = {name: os.path.join(folder, name) for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")}
        environment = {**os.environ, **home, "DISPLAY": f":{display}", "QT_QPA_PLATFORM": "xcb", "WEIGHBRIDGE_STARTUP_TRACE": "1"}
        try:
            runs = [measure(options.command, environment) for _ in range(options.runs)]
        finally:
            stop(server)
    times = sorted(ms for ms, _ in runs)
    memory = max(mib for _, mib in runs)
    print(f"first paint  best {times[0]:.0f} ms, median {statistics.median(times):.0f} ms, worst {times[-1]:.0f} ms (limit {LIMIT_MS} ms)")
    print(f"resident     {memory:.1f} MiB idle (limit {LIMIT_MIB} MiB)")


if __name__ == "__main__":
    main()
