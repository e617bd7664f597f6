#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tokens a second of `wb bench` beside llama.cpp's llama-bench, in turns, and the share of the memory's read bandwidth.

WEIGHBRIDGE_LLAMA_BENCH is the path of llama-bench; docs/performance.md says where one comes from. Without it our figures stand alone.
WEIGHBRIDGE_BENCH_MODEL names the models, separated by colons; else it is the starter model of ./dev run. WEIGHBRIDGE_BENCH_ROUNDS (3) is how
often the programs take turns, of which the best counts; WEIGHBRIDGE_BENCH_THREADS (2) is with how many threads.
"""
import json
import os
import pathlib
import subprocess
import sys

PROMPT, GENERATE = 256, 32


def output_of(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed: {done.stderr.strip().splitlines()[-1:] or done.returncode}")
    return done.stdout


def read_bandwidth(bench, threads):
    """What plain reading of memory reaches, 10^9 bytes a second."""
    found = json.loads(output_of(bench, f"--benchmark_filter=readMemory/real_time/threads:{threads}$", "--benchmark_format=json"))
    rates = [run["bytes_per_second"] for run in found["benchmarks"]]
    return max(rates, default=0) / 1e9


def ours(wb, model, threads):
    found = json.loads(output_of(wb, "bench", model, "--prompt", str(PROMPT), "--generate", str(GENERATE), "--repeat", "1",
                                 "--threads", str(threads), "--quiet", "--json"))
    return found["prompt_tps"]["max"], found["generate_tps"]["max"], found["bytes_per_token"]


def peers(program, model, threads):
    found = json.loads(output_of(program, "-m", model, "-p", str(PROMPT), "-n", str(GENERATE), "-r", "1", "-t", str(threads),
                                 "-ngl", "0", "-o", "json"))
    best = {bool(run["n_prompt"]): run["avg_ts"] for run in found}
    return best[True], best[False]


def measure(wb, peer, model, threads, rounds):
    own, other, size = [0, 0], [0, 0], 0
    for _ in range(rounds):
        read, written, size = ours(wb, model, threads)
        own = [max(own[0], read), max(own[1], written)]
        if peer:
            other = [max(pair) for pair in zip(other, peers(peer, model, threads))]
    return own, other, size


def row(name, own, other, size, bandwidth):
    cells = [name]
    for mine, theirs in zip(own, other):
        cells += [f"{mine:.1f}", f"{theirs:.1f}" if theirs else "", f"{mine / theirs:.1f}x" if theirs else ""]
    share = 100 * size * own[1] / 1e9 / bandwidth if bandwidth else 0
    return "| " + " | ".join(cells + [f"{share:.0f} %"]) + " |"


def main():
    wb, bench = sys.argv[1:3]
    named = os.environ.get("WEIGHBRIDGE_BENCH_MODEL") or os.environ.get("WEIGHBRIDGE_MODEL", "")
    models = [path for path in named.split(":") if pathlib.Path(path).exists()]
    if not models:
        sys.exit("no model: name one with WEIGHBRIDGE_BENCH_MODEL")
    peer = os.environ.get("WEIGHBRIDGE_LLAMA_BENCH")
    threads = int(os.environ.get("WEIGHBRIDGE_BENCH_THREADS", "2"))
    rounds = int(os.environ.get("WEIGHBRIDGE_BENCH_ROUNDS", "3"))
    bandwidth = read_bandwidth(bench, threads)
    print(f"{PROMPT} tokens read, {GENERATE} written, {threads} threads, best of {rounds}; memory reads {bandwidth:.1f} GB/s"
          + ("" if peer else "; WEIGHBRIDGE_LLAMA_BENCH names no llama-bench to stand beside"))
    print("| Model | Ours, read | llama.cpp | Ratio | Ours, written | llama.cpp | Ratio | of the read bandwidth |")
    print("|---|---|---|---|---|---|---|---|")
    for model in models:
        own, other, size = measure(wb, peer, model, threads, rounds)
        print(row(pathlib.Path(model).stem, own, other, size, bandwidth), flush=True)


main()
