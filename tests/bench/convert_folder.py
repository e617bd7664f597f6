#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""convert_folder.py WB FOLDER [--layers N] [--reference convert_hf_to_gguf.py] — times wb convert beside the limit of the disk.

Makes a llama of random weights (tests/bench/make_llama.py; eleven layers: 618 M parameters) as a Hugging Face folder inside FOLDER, then
converts it to F16 and to Q8_0 and merges nothing. The limit is reading the folder and writing as many bytes as the result has, flushed
to the disk. With --reference the same is done by llama.cpp's converter (its Python needs torch). All in one run, the best of three."""
import argparse
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import time

CHUNK = 8 << 20


def timed(work):
    best = None
    for _ in range(3):
        begin = time.monotonic()
        work()
        seconds = time.monotonic() - begin
        best = seconds if best is None else min(best, seconds)
    return best


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


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wb")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--layers", default="11")
    parser.add_argument("--reference")
    options = parser.parse_args()
    folder = options.folder
    folder.mkdir(parents=True, exist_ok=True)
    gguf, hf, out = folder / "bench.gguf", folder / "bench-hf", folder / "out.gguf"
    if not (hf / "config.json").exists():
        make = pathlib.Path(__file__).with_name("make_llama.py")
        subprocess.run([sys.executable, make, gguf, "--layers", options.layers], check=True)
        begin = time.monotonic()
        subprocess.run([options.wb, "convert", gguf, hf, "--shard-size", "none", "--quiet"], check=True, stdout=subprocess.DEVNULL)
        print(f"GGUF to folder: {time.monotonic() - begin:.2f} s")
        gguf.unlink()
        (hf / "tokenizer.json").write_text(json.dumps({  # the model has none of its own
            "added_tokens": [], "pre_tokenizer": {"type": "ByteLevel", "use_regex": True},
            "model": {"type": "BPE", "vocab": {chr(0x21 + i): i for i in range(90)}, "merges": []}}))
    weights = hf / "model.safetensors"
    for name in ("f16", "q8_0"):
        def convert():
            out.unlink(missing_ok=True)
            subprocess.run([options.wb, "convert", hf, out, "--outtype", name, "--quiet"], check=True, stdout=subprocess.DEVNULL)
        ours = timed(convert)
        size = out.stat().st_size
        out.unlink()
        bound = timed(lambda: limit(weights, folder / "limit", size))
        line = f"{name}: {size / 1e9:.2f} GB in {ours:.2f} s; read and write alone {bound:.2f} s; ratio {bound / ours:.2f}"
        if options.reference:
            theirs = timed(lambda: subprocess.run([sys.executable, options.reference, hf, "--outfile", out, "--outtype", name],
                                                  check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            line += f"; convert_hf_to_gguf.py {theirs:.2f} s, {theirs / ours:.1f} times as long"
        print(line)
    print(f"Peak memory of a child: {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MiB")
    shutil.rmtree(hf)


main()
