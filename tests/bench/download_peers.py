#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""download_peers.py BUILD FOLDER [MEGABYTES [ROUNDS]]: one file over loopback by wb, huggingface_hub and curl with and without sha256sum, and aria2c.

All fetch the same file of loopback_hub into FOLDER, in turns, so that each meets the machine in the same state; before each turn as many
bytes are written there and removed, so that nobody pays for the first touch of memory. Prints the median seconds, the seconds of
processor, and how many times as long as wb each takes. huggingface_hub is taken from BUILD/clients, where tests/servers/clients.py puts
it; aria2c is left out where it is not installed. wb checks SHA-256, and so does sha256sum; huggingface_hub and aria2c do not."""
import json
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import time

HUGGING_FACE = "import sys; from huggingface_hub import hf_hub_download; hf_hub_download('acme/large', 'file-1.bin', local_dir=sys.argv[1])"


def commands(build, hubs, target):
    address = hubs["hub"] + "/acme/large/resolve/main/file-1.bin"
    file = target / "file-1.bin"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    peers = {
        "wb download": lambda: subprocess.run([build / "bin" / "wb", "download", "hf:acme/large", "file-1.bin", "--to", target], check=True, **quiet),
        "huggingface_hub": lambda: subprocess.run([build / "clients" / "bin" / "python", "-c", HUGGING_FACE, target], check=True, **quiet),
        "huggingface_hub, then sha256sum": lambda: (
            subprocess.run([build / "clients" / "bin" / "python", "-c", HUGGING_FACE, target], check=True, **quiet),
            subprocess.run(["sha256sum", file], check=True, **quiet)),
        "curl": lambda: subprocess.run(["curl", "-sL", "--noproxy", "*", "-o", file, address], check=True),
        "curl, then sha256sum": lambda: (subprocess.run(["curl", "-sL", "--noproxy", "*", "-o", file, address], check=True),
                                         subprocess.run(["sha256sum", file], check=True, **quiet)),
    }
    if shutil.which("aria2c"):
        peers["aria2c -x 8 -s 8"] = lambda: subprocess.run(
            ["aria2c", "-x", "8", "-s", "8", "-k", "16M", "--file-allocation=none", "-d", target, "-o", "file-1.bin", address], check=True, **quiet)
    return peers


def warm(target, megabytes):
    block = b"x" * 1_000_000
    with open(target / "warm", "wb") as file:
        for _ in range(megabytes):
            file.write(block)
    os.remove(target / "warm")


def measured(run):
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    run()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic() - begin, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    build, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    megabytes = int(sys.argv[3]) if len(sys.argv) > 3 else 2000
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 3
    server = subprocess.Popen([build / "bin" / "loopback_hub", str(megabytes)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    hubs = json.loads(server.stdout.readline())
    target = folder / "download-peers"
    os.environ.update(HF_ENDPOINT=hubs["hub"], HF_HUB_DISABLE_XET="1", HF_HUB_DISABLE_PROGRESS_BARS="1", NO_PROXY="127.0.0.1", no_proxy="127.0.0.1",
                      HF_HOME=str(target / "home"), HOME=str(target / "home"))
    results = {}
    try:
        for _ in range(rounds):
            for name, run in commands(build, hubs, target).items():
                shutil.rmtree(target, ignore_errors=True)
                target.mkdir(parents=True)
                warm(target, megabytes)
                results.setdefault(name, []).append(measured(run))
                assert (target / "file-1.bin").stat().st_size == hubs["files"][0]["bytes"], name
    finally:
        server.stdin.close()
        server.wait()
        shutil.rmtree(target, ignore_errors=True)
    ours = statistics.median(seconds for seconds, _ in results["wb download"])
    print(f"{megabytes} MB, median of {rounds} rounds")
    for name, each in results.items():
        seconds, processor = (statistics.median(values) for values in zip(*each))
        print(f"{name:32} {seconds:6.2f} s, processor {processor:5.2f} s, {seconds / ours:4.2f}x", [f"{value:.2f}" for value, _ in each])


if __name__ == "__main__":
    main()
