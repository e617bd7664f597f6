#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tokens a second of `wb bench` beside llama.cpp's llama-bench, in turns, and the share of the memory's read bandwidth.

WEIGHBRIDGE_LLAMA_BENCH is the path of llama-bench; docs/performance.md says where one comes from. Without it our figures stand alone.
WEIGHBRIDGE_BENCH_MODEL names the models, separated by colons; else it is the starter model of ./dev run. WEIGHBRIDGE_BENCH_ROUNDS (3) is how
often the programs take turns, of which the best counts; WEIGHBRIDGE_BENCH_THREADS (1,2) is with how many threads;
WEIGHBRIDGE_BENCH_GENERATE (32) how many tokens are written.

WEIGHBRIDGE_SIMD (./dev bench infer --simd LEVEL) is the level of ours. The peer then has only its form of that level: llama-bench is copied
into a folder with links to its libraries, where of ggml-cpu's forms that one alone lies. Forms that were moved into a folder beside the
program are found, too.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

PROMPT, GENERATE = 256, int(os.environ.get("WEIGHBRIDGE_BENCH_GENERATE", "32"))

# The forms of ggml-cpu (ggml/src/CMakeLists.txt of ggml-org/llama.cpp) for our levels.
FORMS = {"AVX2": "haswell", "AVX-VNNI": "alderlake", "AVX-512": "skylakex", "AVX512-VNNI": "icelake", "AMX": "sapphirerapids"}


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


def with_one_form(program, level, folder):
    """llama-bench in `folder`, with ggml-cpu's form of that level alone."""
    if level not in FORMS:
        sys.exit(f"llama.cpp has no form for {level}; there is one for {', '.join(FORMS)}")
    home, name = pathlib.Path(program).resolve().parent, f"libggml-cpu-{FORMS[level]}.so"
    form = next(home.rglob(name), None)
    if not form:
        sys.exit(f"there is no {name} beside {program}")
    for file in home.glob("*.so*"):
        if not file.name.startswith("libggml-cpu-"):
            (folder / file.name).symlink_to(file)
    (folder / name).symlink_to(form)
    return shutil.copy(program, folder)


def peers(program, model, threads):
    found = json.loads(output_of(program, "-m", model, "-p", str(PROMPT), "-n", str(GENERATE), "-r", "1", "-t", str(threads),
                                 "-ngl", "0", "-o", "json"))
    if not found:
        sys.exit(f"{program} measured nothing: can this processor run its form?")
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
    threads = [int(count) for count in os.environ.get("WEIGHBRIDGE_BENCH_THREADS", "1,2").split(",")]
    rounds = int(os.environ.get("WEIGHBRIDGE_BENCH_ROUNDS", "3"))
    level = os.environ.get("WEIGHBRIDGE_SIMD")
    with tempfile.TemporaryDirectory() as folder:
        if peer and level:
            peer = with_one_form(peer, level, pathlib.Path(folder))
        table(wb, bench, peer, models, threads, rounds, level)


def table(wb, bench, peer, models, threads, rounds, level):
    bandwidth = {count: read_bandwidth(bench, count) for count in threads}
    print(f"{PROMPT} tokens read, {GENERATE} written, best of {rounds}; ours with {level or 'the best level of this processor'}; "
          + ", ".join(f"{rate:.1f} GB/s of memory with {count} thread(s)" for count, rate in bandwidth.items())
          + ("" if peer else "; WEIGHBRIDGE_LLAMA_BENCH names no llama-bench to stand beside"))
    print("| Model | Threads | Ours, read | llama.cpp | Ratio | Ours, written | llama.cpp | Ratio | of the read bandwidth |")
    print("|---|---|---|---|---|---|---|---|---|")
    for model in models:
        for count in threads:
            own, other, size = measure(wb, peer, model, count, rounds)
            print(row(f"{pathlib.Path(model).stem} | {count}", own, other, size, bandwidth[count]), flush=True)


main()
