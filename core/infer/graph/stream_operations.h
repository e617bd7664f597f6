// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/graph/operation_parts.h"

#include <cstdint>
#include <vector>

// The operations of models with several residual streams, whose blocks read a mixture of them, and of n-gram embeddings
// (huggingface/transformers: models/qwen4_exp/modeling_qwen4_exp.py). Named rows:
//   streams   [streams][width]             each is the embedding at first
//   injection [streams]                    from MixStreamsOp to InjectOp
//   ngrams    [heads][length]              rows of NgramOp::table, read before the operations
// A norm of streams has [streams * width] weights, and norms each stream apart.
namespace wb::infer {

// normed = norm(streams); x = mean over the streams of sigmoid(W_up silu(W_down normed / streams)) * normed;
// injection = 2 sigmoid(W_inject normed / streams).
struct MixStreamsOp {
    std::uint64_t streams = 0;
    NormOp norm;
    Linear down;   // [rank][streams * width]
    Linear up;     // [streams * width][rank]
    Linear inject; // [streams][streams * width]; empty: nothing is injected
};

// streams[s] += injection[s] * sum.
struct InjectOp {
    std::uint64_t streams = 0;
};

// e = the rows of the table for the n-grams that end at the token, side by side. For each stream s
//   gate = keyNorm(W_key e)_s · queryNorm(streams)_s / sqrt(width)
//   value_s = sigmoid(sign(gate) * sqrt(max(|gate|, 1e-6))) * W_value e
// mixed = [outNorm(value); value].
// Head h hashes n = 2 + h / headsEach tokens: ((t_0 * multipliers[0]) xor (t_1 * multipliers[1]) … ) mod sizes[h] + offsets[h] is
// its row, where t_i is the token i tokens ago, in signed 64 bits, the remainder not negative. From `endToken` on, and before the
// first token, it is `endToken`; the token itself does not count.
struct NgramOp {
    static constexpr float leastGate = 1e-6F;

    std::uint64_t streams = 0;
    Slice table; // [rows][length]
    std::uint64_t size = 0, headsEach = 0;
    std::uint64_t endToken = 0;
    std::vector<std::uint64_t> multipliers;    // [size]
    std::vector<std::uint64_t> offsets, sizes; // [heads]; offsets[h] + sizes[h] is at most the number of rows
    NormOp keyNorm, queryNorm, outNorm;
    Linear key;              // [streams * width][heads * length]
    Linear value;            // [width][heads * length]
    std::uint32_t state = 0; // [1][size - 1]: the last tokens, the latest first, each as the bits of u32, plus 1; 0: none yet

    std::uint64_t heads() const { return (size - 1) * headsEach; }

    // The rows of a token; history[i] is the token i + 1 tokens ago, plus 1, or 0.
    void findRows(std::uint32_t token, const std::uint32_t* history, std::uint64_t* rows) const;
};

// streams += the first [streams * width] numbers of `mixed` + the next ones.
struct AddNgramsOp {
    std::uint64_t streams = 0;
};

} // namespace wb::infer
