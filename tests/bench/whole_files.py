#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""whole_files.py MODEL.gguf --wb WB [--peer LLAMA_QUANTIZE] [--imatrix FILE] [--types Q4_K_M,Q6_K] [--runs N] [--forms scalar,AVX2]

Quantizes one model to each type with both programs in turn and prints a Markdown table of wall seconds, the best of N runs each
(of one for a peer or a form that takes longer than --slow seconds). `--forms` adds columns for wb held to its readable form or to an
instruction set (WEIGHBRIDGE_SIMD). Every file must equal the first one of its type; the status is 1 where one does not."""
import argparse
import filecmp
import os
import subprocess
import sys
import tempfile
import time

TYPES = "Q8_0,Q4_0,Q4_K_M,Q5_K_M,Q6_K,Q3_K_M,Q2_K,IQ4_XS,IQ3_S,IQ3_XXS,IQ2_S,IQ2_XS,IQ2_XXS,IQ1_M,IQ1_S"


def timed(command, environment):
    start = time.monotonic()
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed: {done.stderr.strip()[-400:]}")
    return time.monotonic() - start


# What runs: a name, and a function (out, type) → (command, environment).
def programs(arguments):
    matrix = ["--imatrix", arguments.imatrix] if arguments.imatrix else []
    threads = str(arguments.threads)

    def ours(out, dtype):
        return [arguments.wb, "quantize", arguments.model, out, dtype, "--device", "cpu", "--threads", threads, "--force", *matrix], {}

    def held(form):
        return lambda out, dtype: (ours(out, dtype)[0], {"WEIGHBRIDGE_SIMD": form})

    def peer(out, dtype):
        return [arguments.peer, *matrix, arguments.model, out, dtype, threads], {}

    found = [("Ours", ours)] + [(form, held(form)) for form in arguments.forms.split(",") if form]
    return found + ([("llama-quantize", peer)] if arguments.peer else [])


# The best time of each program for one type.
def measure(dtype, runners, arguments, folder):
    first = os.path.join(folder, "first.gguf")
    times = {name: [] for name, _ in runners}
    for _ in range(arguments.runs):
        for name, run in runners:
            if times[name] and times[name][0] > arguments.slow:
                continue
            out = first if name == "Ours" else os.path.join(folder, "other.gguf")
            times[name].append(timed(*run(out, dtype)))
            if out != first and not filecmp.cmp(first, out, shallow=False):
                sys.exit(f"{dtype}: {name} gives another file than ours")
    return {name: min(values) for name, values in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--wb", required=True)
    parser.add_argument("--peer")
    parser.add_argument("--imatrix")
    parser.add_argument("--types", default=TYPES)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--slow", type=float, default=20)
    parser.add_argument("--forms", default="")
    arguments = parser.parse_args()
    runners = programs(arguments)
    others = [name for name, _ in runners[1:]]
    print("| Type | Ours | " + " | ".join(f"{name} | ratio" for name in others) + " |")
    print("|---|---|" + "---|---|" * len(others))
    with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(arguments.model))) as folder:
        for dtype in arguments.types.split(","):
            times = measure(dtype, runners, arguments, folder)
            cells = [f"{times[name]:.2f} | {times[name] / times['Ours']:.1f}x" for name in others]
            print(f"| {dtype} | {times['Ours']:.2f} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
