#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""join_zero.py WB FOLDER [--ranks N] [--tensors N]

CPU time of `wb convert` of a ZeRO-3 checkpoint to one safetensors file, and of a form of it in NumPy (needs numpy).

Makes a checkpoint of random F32 weights inside FOLDER, N matrices of 2,048 x 8,192 over the ranks, in PyTorch's zip form. The form in
NumPy follows deepspeedai/DeepSpeed (deepspeed/utils/zero_to_fp32.py: load every rank, then narrow, concatenate and cut each parameter)
and stands in for it where torch cannot be installed. Both files have to have the same values."""
import argparse
import collections
import hashlib
import io
import json
import math
import os
import pathlib
import pickle
import struct
import subprocess
import sys
import types
import zipfile

import numpy

from children import child, own_and_twin

ROWS, COLUMNS = 2048, 8192
STEP = "global_step10"


class Size(tuple):
    """torch.Size."""

    def __reduce__(self):
        return Size, (tuple(self),)


class FloatStorage:
    """torch.FloatStorage, by whose name a storage is stored."""


def _rebuild_tensor_v2(storage, offset, size, stride, requires_grad, hooks):
    count = math.prod(size)
    return storage[offset:offset + count].reshape(size)


for module, names in {"torch": {"Size": Size, "FloatStorage": FloatStorage}, "torch._utils": {"_rebuild_tensor_v2": _rebuild_tensor_v2}}.items():
    sys.modules[module] = types.ModuleType(module)
    for name, value in names.items():
        value.__module__ = module
        setattr(sys.modules[module], name, value)


class Storage:
    def __init__(self, key, values):
        self.key, self.values = key, values


class Tensor:
    def __init__(self, key, values):
        self.storage, self.values = Storage(key, values), values

    def __reduce__(self):
        return _rebuild_tensor_v2, (self.storage, 0, self.values.shape, (1,), False, collections.OrderedDict())


def save(path, content, arrays):
    stem, text = path.stem, io.BytesIO()
    pickler = pickle.Pickler(text, protocol=2)
    pickler.persistent_id = lambda it: ("storage", FloatStorage, it.key, "cpu", it.values.size) if isinstance(it, Storage) else None
    pickler.dump(content)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(f"{stem}/data.pkl", text.getvalue())
        for key, values in arrays.items():
            archive.writestr(f"{stem}/data/{key}", values.tobytes())
        archive.writestr(f"{stem}/version", "3\n")


def load(path):
    stem = path.stem
    with zipfile.ZipFile(path) as archive:
        class Unpickler(pickle.Unpickler):
            def persistent_load(self, saved):
                return numpy.frombuffer(archive.read(f"{stem}/data/{saved[2]}"), numpy.float32)
        return Unpickler(io.BytesIO(archive.read(f"{stem}/data.pkl"))).load()


def make(folder, ranks, count):
    target = folder / "zero" / STEP
    target.mkdir(parents=True, exist_ok=True)
    (folder / "zero/latest").write_text(STEP)
    shapes = collections.OrderedDict((f"layers.{i}.weight", Size((ROWS, COLUMNS))) for i in range(count))
    each = -(-ROWS * COLUMNS // ranks)
    random = numpy.random.default_rng(3)
    for rank in range(ranks):
        flat = random.standard_normal(each * count, numpy.float32)
        state = {"zero_stage": 3, "partition_count": ranks, "fp32_flat_groups": [Tensor("0", flat)],
                 "optimizer_state_dict": {"state": {}, "param_groups": []}}
        save(target / f"zero_pp_rank_{rank}_mp_rank_00_optim_states.pt",
             {"optimizer_state_dict": state, "ds_version": "0.19.8"}, {"0": flat})
        save(target / f"zero_pp_rank_{rank}_mp_rank_00_model_states.pt",
             {"module": collections.OrderedDict(), "param_shapes": [shapes], "buffer_names": [], "frozen_param_shapes": None,
              "frozen_param_fragments": None, "shared_params": {}, "ds_version": "0.19.8", "dp_world_size": ranks,
              "global_steps": 10}, {})


def join(folder, ranks):
    source = folder / "zero" / STEP
    states = [load(source / f"zero_pp_rank_{rank}_mp_rank_00_optim_states.pt") for rank in range(ranks)]
    flats = [state["optimizer_state_dict"]["fp32_flat_groups"][0] for state in states]
    shapes = load(source / "zero_pp_rank_0_mp_rank_00_model_states.pt")["param_shapes"][0]
    weights, at = {}, 0
    for name, shape in shapes.items():
        elements = math.prod(shape)
        each = -(-elements // ranks)
        weights[name] = numpy.concatenate([flat[at:at + each] for flat in flats])[:elements].reshape(shape)
        at += each
    header, at = {}, 0
    for name, values in weights.items():
        header[name] = {"dtype": "F32", "shape": list(values.shape), "data_offsets": [at, at + values.nbytes]}
        at += values.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(folder / "numpy.safetensors", "wb") as out:
        out.write(struct.pack("<Q", len(text)) + text)
        for values in weights.values():
            out.write(values.tobytes())
        out.flush()
        os.fsync(out.fileno())


def hashes(path):
    with open(path, "rb") as source:
        length = struct.unpack("<Q", source.read(8))[0]
        header = json.loads(source.read(length))
        found = {}
        for name, entry in header.items():
            if name != "__metadata__":
                source.seek(8 + length + entry["data_offsets"][0])
                found[name] = hashlib.sha256(source.read(entry["data_offsets"][1] - entry["data_offsets"][0])).hexdigest()
        return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wb")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--tensors", type=int, default=8)
    parser.add_argument("--part", help=argparse.SUPPRESS)  # work of a child, so that this process stays small
    given = parser.parse_args()
    folder = given.folder
    if given.part:
        return {"make": lambda: make(folder, given.ranks, given.tensors), "join": lambda: join(folder, given.ranks)}[given.part]()
    own_part = [sys.executable, __file__, given.wb, folder, "--ranks", str(given.ranks), "--tensors", str(given.tensors), "--part"]
    folder.mkdir(exist_ok=True)
    subprocess.run([*own_part, "make"], check=True)
    target = folder / "wb.safetensors"
    for way in ("sample", "none"):
        own = child([given.wb, "convert", folder / "zero", target, "--threads", "1", "--quiet", "--force", "--verify", way])
        twin = child([*own_part, "join"])
        if hashes(target) != hashes(folder / "numpy.safetensors"):
            sys.exit("the values differ")
        print(f"--verify {way}: {own_and_twin(own, twin)}", flush=True)


if __name__ == "__main__":
    main()
