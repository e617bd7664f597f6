#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make_llama.py OUT.gguf [--layers N] [--vocab N] [--imatrix OUT.dat] — an F16 llama with normal random weights, to time quantizing.

Eleven layers give 618 M parameters (1.2 GB). The matrix holds positive random importances for every weight, in the legacy form.
The same arguments give the same bytes."""
import argparse
import random
import struct

WIDTH, FFN, HEADS, KV_HEADS = 2048, 5632, 32, 4
POOL = 1 << 22  # normal values that all tensors are cut from
TYPE_U32, TYPE_F32, TYPE_STRING = 4, 6, 8
DTYPE_F32, DTYPE_F16 = 0, 1


def string(text):
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def pair(key, kind, value):
    body = string(value) if kind == TYPE_STRING else struct.pack("<f" if kind == TYPE_F32 else "<I", value)
    return string(key) + struct.pack("<I", kind) + body


def tensors(layers, vocab):
    kv = WIDTH * KV_HEADS // HEADS
    yield "token_embd.weight", (WIDTH, vocab)
    for i in range(layers):
        block = f"blk.{i}."
        yield block + "attn_norm.weight", (WIDTH,)
        for name, rows in ("attn_q", WIDTH), ("attn_k", kv), ("attn_v", kv), ("attn_output", WIDTH):
            yield f"{block}{name}.weight", (WIDTH, rows)
        yield block + "ffn_norm.weight", (WIDTH,)
        yield block + "ffn_gate.weight", (WIDTH, FFN)
        yield block + "ffn_up.weight", (WIDTH, FFN)
        yield block + "ffn_down.weight", (FFN, WIDTH)
    yield "output_norm.weight", (WIDTH,)
    yield "output.weight", (WIDTH, vocab)


def metadata(layers, vocab):
    yield pair("general.architecture", TYPE_STRING, "llama")
    yield pair("general.name", TYPE_STRING, "random")
    for key, value in (("block_count", layers), ("context_length", 2048), ("embedding_length", WIDTH), ("feed_forward_length", FFN),
                       ("attention.head_count", HEADS), ("attention.head_count_kv", KV_HEADS), ("rope.dimension_count", WIDTH // HEADS),
                       ("vocab_size", vocab)):
        yield pair("llama." + key, TYPE_U32, value)
    yield pair("llama.attention.layer_norm_rms_epsilon", TYPE_F32, 1e-5)
    yield pair("general.file_type", TYPE_U32, 1)
    yield pair("tokenizer.ggml.model", TYPE_STRING, "no_vocab")


def elements(shape):
    count = 1
    for n in shape:
        count *= n
    return count


def padded(size):
    return (size + 31) // 32 * 32


def write_model(path, layers, vocab, rng):
    pool = struct.pack(f"<{POOL}e", *(rng.gauss(0, 0.02) for _ in range(POOL)))
    plan, offset = [], 0
    for name, shape in tensors(layers, vocab):
        dtype = DTYPE_F32 if len(shape) == 1 else DTYPE_F16
        size = elements(shape) * (4 if dtype == DTYPE_F32 else 2)
        plan.append((name, shape, dtype, offset, size))
        offset += padded(size)
    pairs = list(metadata(layers, vocab))
    head = b"GGUF" + struct.pack("<IQQ", 3, len(plan), len(pairs)) + b"".join(pairs)
    for name, shape, dtype, at, _ in plan:
        head += string(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, dtype, at)
    with open(path, "wb") as out:
        out.write(head.ljust(padded(len(head)), b"\0"))
        for _, shape, dtype, _, size in plan:
            if dtype == DTYPE_F32:
                out.write(struct.pack("<f", 1.0) * elements(shape))
            left = size if dtype == DTYPE_F16 else 0
            while left > 0:  # pieces from random places of the pool
                piece = min(left, 1 << 20)
                start = 2 * rng.randrange(POOL - piece // 2)
                out.write(pool[start : start + piece])
                left -= piece
            out.write(b"\0" * (padded(size) - size))


def write_matrix(path, layers, vocab, rng):
    entries = [(name, shape[0]) for name, shape in tensors(layers, vocab) if len(shape) == 2]
    with open(path, "wb") as out:
        out.write(struct.pack("<i", len(entries)))
        for name, columns in entries:
            data = name.encode()
            out.write(struct.pack("<i", len(data)) + data + struct.pack("<ii", 1, columns))
            out.write(struct.pack(f"<{columns}f", *(rng.gauss(0, 1) ** 2 + 1e-3 for _ in range(columns))))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out")
    parser.add_argument("--layers", type=int, default=11)
    parser.add_argument("--vocab", type=int, default=32768)
    parser.add_argument("--imatrix")
    arguments = parser.parse_args()
    rng = random.Random(1)
    write_model(arguments.out, arguments.layers, arguments.vocab, rng)
    if arguments.imatrix:
        write_matrix(arguments.imatrix, arguments.layers, arguments.vocab, rng)


if __name__ == "__main__":
    main()
