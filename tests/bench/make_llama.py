#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make_llama.py OUT.gguf [--kind llama|hybrid|experts] [--layers N] [--vocab N] [--imatrix OUT.dat] — an F16 model with normal random
weights, to time quantizing and the engine.

A llama of eleven layers has 618 M parameters (1.2 GB). hybrid: granitehybrid, three of four layers Mamba-2, twelve layers have 285 M.
experts: qwen3moe, two of 16 experts, eight layers have 290 M. The matrix holds positive random importances for every weight, in the
legacy form. The same arguments give the same bytes."""
import argparse
import random
import struct

WIDTH, FFN, HEADS, KV_HEADS = 2048, 5632, 32, 4
POOL = 1 << 22  # normal values that all tensors are cut from
SMALL, SMALL_FFN = 1024, 4096  # width and feed-forward width of the other kinds, whose heads are of 64: 16, four of keys
INNER, STATE, STEPS, TAPS = 2048, 128, 32, 4  # of Mamba-2, with one group
EXPERTS, EXPERTS_USED, EXPERT_FFN = 16, 2, 512
TYPE_U32, TYPE_I32, TYPE_F32, TYPE_BOOL, TYPE_STRING, TYPE_ARRAY = 4, 5, 6, 7, 8, 9
DTYPE_F32, DTYPE_F16 = 0, 1


def string(text):
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def pair(key, kind, value):
    if kind == TYPE_ARRAY:
        body = struct.pack(f"<IQ{len(value)}i", TYPE_I32, len(value), *value)
    elif kind == TYPE_STRING:
        body = string(value)
    else:
        body = struct.pack({TYPE_U32: "<I", TYPE_F32: "<f", TYPE_BOOL: "<?"}[kind], value)
    return string(key) + struct.pack("<I", kind) + body


def llama_tensors(layers, vocab):
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


def llama_keys(layers):
    return {"embedding_length": WIDTH, "feed_forward_length": FFN, "attention.head_count": HEADS, "attention.head_count_kv": KV_HEADS,
            "rope.dimension_count": WIDTH // HEADS}


def attends(layer):
    return layer % 4 == 3


def small_attention(block):
    for name, rows in ("attn_q", SMALL), ("attn_k", SMALL // 4), ("attn_v", SMALL // 4), ("attn_output", SMALL):
        yield f"{block}{name}.weight", (SMALL, rows)


def hybrid_tensors(layers, vocab):
    channels = INNER + 2 * STATE
    yield "token_embd.weight", (SMALL, vocab)
    for i in range(layers):
        block = f"blk.{i}."
        yield block + "attn_norm.weight", (SMALL,)
        if attends(i):
            yield from small_attention(block)
        else:
            yield block + "ssm_in.weight", (SMALL, INNER + channels + STEPS)
            yield block + "ssm_conv1d.weight", (TAPS, channels)
            yield block + "ssm_conv1d.bias", (channels,)
            yield block + "ssm_dt.bias", (STEPS,)
            yield block + "ssm_a", (1, STEPS)
            yield block + "ssm_d", (1, STEPS)
            yield block + "ssm_norm.weight", (INNER, 1)
            yield block + "ssm_out.weight", (INNER, SMALL)
        yield block + "ffn_norm.weight", (SMALL,)
        yield block + "ffn_gate.weight", (SMALL, SMALL_FFN)
        yield block + "ffn_up.weight", (SMALL, SMALL_FFN)
        yield block + "ffn_down.weight", (SMALL_FFN, SMALL)
    yield "output_norm.weight", (SMALL,)
    yield "output.weight", (SMALL, vocab)


def hybrid_keys(layers):
    return {"embedding_length": SMALL, "feed_forward_length": SMALL_FFN, "attention.head_count": SMALL // 64,
            "attention.head_count_kv": [4 if attends(i) else 0 for i in range(layers)], "rope.dimension_count": 64,
            "rope.scaling.finetuned": False, "attention.scale": 0.125, "embedding_scale": 1.0, "residual_scale": 1.0, "logit_scale": 1.0,
            "ssm.conv_kernel": TAPS, "ssm.inner_size": INNER, "ssm.state_size": STATE, "ssm.group_count": 1, "ssm.time_step_rank": STEPS,
            "expert_count": 0}


def experts_tensors(layers, vocab):
    yield "token_embd.weight", (SMALL, vocab)
    for i in range(layers):
        block = f"blk.{i}."
        yield block + "attn_norm.weight", (SMALL,)
        yield from small_attention(block)
        yield block + "attn_q_norm.weight", (64,)
        yield block + "attn_k_norm.weight", (64,)
        yield block + "ffn_norm.weight", (SMALL,)
        yield block + "ffn_gate_inp.weight", (SMALL, EXPERTS)
        yield block + "ffn_gate_exps.weight", (SMALL, EXPERT_FFN, EXPERTS)
        yield block + "ffn_up_exps.weight", (SMALL, EXPERT_FFN, EXPERTS)
        yield block + "ffn_down_exps.weight", (EXPERT_FFN, SMALL, EXPERTS)
    yield "output_norm.weight", (SMALL,)
    yield "output.weight", (SMALL, vocab)


def experts_keys(layers):
    return {"embedding_length": SMALL, "feed_forward_length": SMALL_FFN, "attention.head_count": SMALL // 64, "attention.head_count_kv": 4,
            "attention.key_length": 64, "attention.value_length": 64, "expert_count": EXPERTS, "expert_used_count": EXPERTS_USED,
            "expert_feed_forward_length": EXPERT_FFN}


# Architecture, tensors, keys and number of layers of each kind.
KINDS = {"llama": ("llama", llama_tensors, llama_keys, 11), "hybrid": ("granitehybrid", hybrid_tensors, hybrid_keys, 12),
         "experts": ("qwen3moe", experts_tensors, experts_keys, 8)}
VALUE_TYPES = {int: TYPE_U32, float: TYPE_F32, bool: TYPE_BOOL, list: TYPE_ARRAY}


def metadata(kind, layers, vocab):
    architecture, _, keys, _ = KINDS[kind]
    yield pair("general.architecture", TYPE_STRING, architecture)
    yield pair("general.name", TYPE_STRING, "random")
    for key, value in {"block_count": layers, "context_length": 2048, **keys(layers), "vocab_size": vocab}.items():
        yield pair(f"{architecture}.{key}", VALUE_TYPES[type(value)], value)
    yield pair(architecture + ".attention.layer_norm_rms_epsilon", TYPE_F32, 1e-5)
    yield pair("general.file_type", TYPE_U32, 1)
    yield pair("tokenizer.ggml.model", TYPE_STRING, "no_vocab")


# Vectors, and what llama.cpp wants as f32: kernels of convolutions, state spaces, routers.
def is_float(name, shape):
    return len(shape) == 1 or ".ssm_conv1d." in name or 1 in shape or name.endswith("ffn_gate_inp.weight")


# One for norms; what decays is negative.
def constant(name):
    return -1.0 if name.endswith("ssm_a") else 0.25 if ".ssm_conv1d." in name else 1.0


def elements(shape):
    count = 1
    for n in shape:
        count *= n
    return count


def padded(size):
    return (size + 31) // 32 * 32


def write_model(path, kind, layers, vocab, rng):
    pool = struct.pack(f"<{POOL}e", *(rng.gauss(0, 0.02) for _ in range(POOL)))
    plan, offset = [], 0
    for name, shape in KINDS[kind][1](layers, vocab):
        dtype = DTYPE_F32 if is_float(name, shape) else DTYPE_F16
        size = elements(shape) * (4 if dtype == DTYPE_F32 else 2)
        plan.append((name, shape, dtype, offset, size))
        offset += padded(size)
    pairs = list(metadata(kind, layers, vocab))
    head = b"GGUF" + struct.pack("<IQQ", 3, len(plan), len(pairs)) + b"".join(pairs)
    for name, shape, dtype, at, _ in plan:
        head += string(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, dtype, at)
    with open(path, "wb") as out:
        out.write(head.ljust(padded(len(head)), b"\0"))
        for name, shape, dtype, _, size in plan:
            if name.endswith("ffn_gate_inp.weight"):
                out.write(struct.pack(f"<{elements(shape)}f", *(rng.gauss(0, 0.02) for _ in range(elements(shape)))))
            elif dtype == DTYPE_F32:
                out.write(struct.pack("<f", constant(name)) * elements(shape))
            left = size if dtype == DTYPE_F16 else 0
            while left > 0:  # pieces from random places of the pool
                piece = min(left, 1 << 20)
                start = 2 * rng.randrange(POOL - piece // 2)
                out.write(pool[start : start + piece])
                left -= piece
            out.write(b"\0" * (padded(size) - size))


def write_matrix(path, kind, layers, vocab, rng):
    entries = [(name, elements(shape) // shape[1]) for name, shape in KINDS[kind][1](layers, vocab) if not is_float(name, shape)]
    with open(path, "wb") as out:
        out.write(struct.pack("<i", len(entries)))
        for name, columns in entries:
            data = name.encode()
            out.write(struct.pack("<i", len(data)) + data + struct.pack("<ii", 1, columns))
            out.write(struct.pack(f"<{columns}f", *(rng.gauss(0, 1) ** 2 + 1e-3 for _ in range(columns))))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out")
    parser.add_argument("--kind", choices=KINDS, default="llama")
    parser.add_argument("--layers", type=int)
    parser.add_argument("--vocab", type=int, default=32768)
    parser.add_argument("--imatrix")
    arguments = parser.parse_args()
    rng = random.Random(1)
    layers = arguments.layers or KINDS[arguments.kind][3]
    write_model(arguments.out, arguments.kind, layers, arguments.vocab, rng)
    if arguments.imatrix:
        write_matrix(arguments.imatrix, arguments.kind, layers, arguments.vocab, rng)


if __name__ == "__main__":
    main()
