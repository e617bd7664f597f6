#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""merge_models.py WB FOLDER [--tensors N]

CPU time of `wb merge` by TIES, of a LoRA adapter, and of a form of both in NumPy (needs numpy), one thread each.

Makes a base, two models that differ from it and a PEFT adapter of random weights in BF16 inside FOLDER: N matrices of 2,048 x 8,192. The
form in NumPy follows arcee-ai/mergekit (merge_methods/generalized_task_arithmetic.py, sparsify.py) and W + s B A of huggingface/peft tensor
by tensor; it stands in for them where torch cannot be installed. The results have to agree: in BF16 at most a rounding apart."""
import argparse
import json
import os
import pathlib
import struct
import subprocess
import sys

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
import numpy

from children import child, own_and_twin

ROWS, COLUMNS, RANK, SCALE, DENSITY = 2048, 8192, 16, 2.0, 0.5


def to_bf16(values):
    bits = values.astype(numpy.float32).view(numpy.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(numpy.uint16)


def from_bf16(codes):
    return (codes.astype(numpy.uint32) << 16).view(numpy.float32)


def write(path, tensors):
    header, at = {}, 0
    for name, (dtype, array) in tensors.items():
        header[name] = {"dtype": dtype, "shape": list(array.shape), "data_offsets": [at, at + array.nbytes]}
        at += array.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as out:
        out.write(struct.pack("<Q", len(text)) + text)
        for _, array in tensors.values():
            out.write(array.tobytes())
        out.flush()
        os.fsync(out.fileno())


def read(path):
    with open(path, "rb") as source:
        length = struct.unpack("<Q", source.read(8))[0]
        header = json.loads(source.read(length))
        for name, entry in header.items():
            if name == "__metadata__":
                continue
            source.seek(8 + length + entry["data_offsets"][0])
            count = entry["data_offsets"][1] - entry["data_offsets"][0]
            kind = numpy.uint16 if entry["dtype"] == "BF16" else numpy.float32
            yield name, numpy.frombuffer(source.read(count), kind).reshape(entry["shape"])


def make(folder, count):
    random = numpy.random.default_rng(7)
    names = [f"model.layers.{i}.mlp.up_proj.weight" for i in range(count)]
    base = {name: random.standard_normal((ROWS, COLUMNS), numpy.float32) * 0.02 for name in names}
    write(folder / "base.safetensors", {name: ("BF16", to_bf16(values)) for name, values in base.items()})
    for other in ("a", "b"):
        write(folder / f"{other}.safetensors",
              {name: ("BF16", to_bf16(values + random.standard_normal(values.shape, numpy.float32) * 0.002))
               for name, values in base.items()})
    lora = folder / "lora"
    lora.mkdir(exist_ok=True)
    (lora / "adapter_config.json").write_text(json.dumps({"peft_type": "LORA", "r": RANK, "lora_alpha": RANK * SCALE,
                                                          "target_modules": ["up_proj"], "bias": "none"}))
    factors = {}
    for name in names:
        stem = "base_model.model." + name[:-len(".weight")]
        factors[stem + ".lora_A.weight"] = ("F32", random.standard_normal((RANK, COLUMNS), numpy.float32) * 0.02)
        factors[stem + ".lora_B.weight"] = ("F32", random.standard_normal((ROWS, RANK), numpy.float32) * 0.02)
    write(lora / "adapter_model.safetensors", factors)


def ties(folder, target):
    others = [dict(read(folder / f"{other}.safetensors")) for other in ("a", "b")]
    merged = {}
    for name, codes in read(folder / "base.safetensors"):
        base = from_bf16(codes).ravel()
        deltas = []
        for other in others:
            delta = from_bf16(other[name]).ravel() - base
            keep = int(DENSITY * delta.size)
            size = numpy.abs(delta)
            limit = numpy.partition(size, delta.size - keep)[delta.size - keep]
            kept = size > limit
            equal = numpy.flatnonzero(size == limit)[:keep - int(kept.sum())]  # of equal ones the first
            kept[equal] = True
            delta[~kept] = 0
            deltas.append(delta)
        total = deltas[0] + deltas[1]
        sign = numpy.where(total >= 0, 1, -1).astype(numpy.float32)
        masks = [(numpy.sign(delta) == sign).astype(numpy.float32) for delta in deltas]
        divisor = masks[0] + masks[1]
        divisor[divisor < 1e-8] = 1
        mixed = (deltas[0] * masks[0] + deltas[1] * masks[1]) / divisor
        merged[name] = ("BF16", to_bf16(base + mixed).reshape(codes.shape))
    write(target, merged)


def lora(folder, target):
    factors = dict(read(folder / "lora/adapter_model.safetensors"))
    merged = {}
    for name, codes in read(folder / "base.safetensors"):
        stem = "base_model.model." + name[:-len(".weight")]
        change = factors[stem + ".lora_B.weight"] @ factors[stem + ".lora_A.weight"]
        merged[name] = ("BF16", to_bf16(from_bf16(codes) + numpy.float32(SCALE) * change))
    write(target, merged)


def agree(one, other):
    rest = dict(read(other))
    far = 0
    for name, codes in read(one):
        far += int((numpy.abs(codes.astype(numpy.int32) - rest[name].astype(numpy.int32)) > 1).sum())
    return far


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wb")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--tensors", type=int, default=8)
    parser.add_argument("--part", help=argparse.SUPPRESS)  # work of a child, so that this process stays small
    given = parser.parse_args()
    folder = given.folder
    if given.part:
        return {"make": lambda: make(folder, given.tensors), "ties": lambda: ties(folder, folder / "ties_numpy.safetensors"),
                "lora": lambda: lora(folder, folder / "lora_numpy.safetensors"),
                "agree-ties": lambda: print(agree(folder / "ties_wb.safetensors", folder / "ties_numpy.safetensors")),
                "agree-lora": lambda: print(agree(folder / "lora_wb.safetensors", folder / "lora_numpy.safetensors"))}[given.part]()
    own_part = [sys.executable, __file__, given.wb, folder, "--tensors", str(given.tensors), "--part"]
    folder.mkdir(exist_ok=True)
    subprocess.run([*own_part, "make"], check=True)
    options = {"ties": ["--with", folder / "a.safetensors", "--with", folder / "b.safetensors", "--method", "ties", "--density", "0.5"],
               "lora": ["--adapter", folder / "lora"]}
    for method, words in options.items():
        target = folder / f"{method}_wb.safetensors"
        own = child([given.wb, "merge", folder / "base.safetensors", target, *words, "--threads", "1", "--quiet", "--force"])
        twin = child([*own_part, method])
        far = int(subprocess.run([*own_part, f"agree-{method}"], check=True, capture_output=True).stdout)
        print(f"{method}: {own_and_twin(own, twin)}; {far} values differ by more than a rounding", flush=True)


if __name__ == "__main__":
    main()
