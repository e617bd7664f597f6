#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""convert_folder.py WB FOLDER [--layers N] [--dtype bf16] [--types f16,q8_0] [--reference convert_hf_to_gguf.py --tokenizer FILE]

Times wb convert beside the limit of the disk and the reference.

Makes a llama of random weights (tests/bench/make_llama.py; eleven layers: 618 M parameters) as a Hugging Face folder inside FOLDER, then
converts it to F16 and to Q8_0 and merges nothing. The limit is reading the folder and writing as many bytes as the result has, flushed
to the disk. With --reference the same is done by llama.cpp's converter, run by the Python that runs this script (it needs torch). All in turn."""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

CHUNK = 8 << 20


def run(command):
    """Seconds and MiB of a child at its largest."""
    begin = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit(f"failed: {' '.join(map(str, command))}")
    return time.monotonic() - begin, usage.ru_maxrss / 1024


def timed(work):
    begin = time.monotonic()
    work()
    return time.monotonic() - begin


def limit(source, target, size):
    with open(source, "rb") as read:
        while read.read(CHUNK):
            pass
    block = os.urandom(CHUNK)
    with open(target, "wb") as written:
        while size > 0:
            written.write(block[:min(size, CHUNK)])
            size -= CHUNK
        written.flush()
        os.fsync(written.fileno())
    os.remove(target)


def shown(numbers):
    return ", ".join(f"{number:.2f}" for number in numbers)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wb")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--layers", default="11")
    parser.add_argument("--reference")
    parser.add_argument("--tokenizer", help="a tokenizer.model for the folder; the reference knows no made-up tokenizer.json")
    parser.add_argument("--types", default="f16,q8_0")
    parser.add_argument("--dtype", default="auto", help="of the folder's weights: auto (F16), bf16")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    folder = options.folder
    folder.mkdir(parents=True, exist_ok=True)
    gguf, hf, out = folder / "bench.gguf", folder / "bench-hf", folder / "out.gguf"
    if not (hf / "config.json").exists():
        make = pathlib.Path(__file__).with_name("make_llama.py")
        subprocess.run([sys.executable, make, gguf, "--layers", options.layers], check=True)
        begin = time.monotonic()
        subprocess.run([options.wb, "convert", gguf, hf, "--type", options.dtype, "--shard-size", "none", "--quiet"], check=True, stdout=subprocess.DEVNULL)
        print(f"GGUF to folder: {time.monotonic() - begin:.2f} s")
        gguf.unlink()
        if options.tokenizer:
            for name in ("tokenizer.json", "tokenizer_config.json"):
                (hf / name).unlink(missing_ok=True)
            shutil.copy(options.tokenizer, hf / "tokenizer.model")
        else:
            (hf / "tokenizer.json").write_text(json.dumps({  # the model has none of its own
                "added_tokens": [], "pre_tokenizer": {"type": "ByteLevel", "use_regex": True},
                "model": {"type": "BPE", "vocab": {chr(0x21 + i): i for i in range(90)}, "merges": []}}))
    weights = hf / "model.safetensors"
    for name in options.types.split(","):
        ours, theirs, bounds, memory, their_memory = [], [], [], 0, 0
        for _ in range(options.rounds):  # in turn, so that all meet the same machine
            out.unlink(missing_ok=True)
            seconds, peak = run([options.wb, "convert", hf, out, "--outtype", name, "--quiet"])
            ours.append(seconds)
            memory = max(memory, peak)
            size = out.stat().st_size
            out.unlink()
            bounds.append(timed(lambda: limit(weights, folder / "limit", size)))
            if options.reference:
                seconds, peak = run([sys.executable, options.reference, hf, "--outfile", out, "--outtype", name])
                theirs.append(seconds)
                their_memory = max(their_memory, peak)
        line = (f"{name}: {size / 1e9:.2f} GB, each time in turn: wb {shown(ours)} s, at most {memory:.0f} MiB; "
                f"read and write alone {shown(bounds)} s, ratio of the best {min(bounds) / min(ours):.2f}")
        if theirs:
            ratios = [their / our for their, our in zip(theirs, ours)]
            line += f"; convert_hf_to_gguf.py {shown(theirs)} s, at most {their_memory:.0f} MiB: {shown(ratios)} times as long"
        print(line, flush=True)
    shutil.rmtree(hf)


main()
