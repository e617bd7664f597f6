// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/graph/operation_parts.h"

#include <optional>

namespace wb::infer {

// Selects the tokens that AttendOps of this layer and of later ones see (DeepSeek's sparse attention, arXiv 2512.02556; with blocks
// as in huggingface/transformers: models/qwen4_exp/modeling_qwen4_exp.py). Named rows:
//   compressed [rank of queries]   W_a norm(x) from LatentQkvOp to IndexOp, not yet normed
//   selected   [up to topK tokens] from IndexOp to AttendOp; all if there are no more
//
// query of head h = rotate(qNorm((W_q norm(x))_h)), or of queryNorm(compressed) instead of norm(x). Each block of `block` tokens
// has one key: rotate(kNorm(the mean of their W_k norm(x))), rotated by the position of the first token. The score of a block is
// Σ_h weight_h * max(0, query_h · key), where weight = W_w norm(x), or 1. A token sees the topK / block whole blocks up to itself
// with the largest scores (of equal ones the first), and the tokens of the last block while it is incomplete.
struct IndexOp {
    NormOp norm;
    bool fromCompressed = false;
    NormOp queryNorm;    // [rank of queries]
    Linear q;            // [heads * length][width, or rank of queries]
    Linear k;            // [length][width]
    Linear weights;      // [heads][width]; empty: ones
    NormOp qNorm, kNorm; // of each head
    std::uint64_t heads = 0, length = 0;
    std::uint64_t topK = 0, block = 1;  // tokens; topK is at least one block
    std::optional<std::uint32_t> rope;  // into Graph::ropes; empty: positions are not rotated
    std::uint32_t cache = 0;            // into Graph::caches: keys without values
    std::optional<std::uint32_t> state; // [1][length]: the sum of the keys of an incomplete block; empty: block is 1

    // The largest number of tokens that a token sees where it does not see all.
    std::uint64_t selected() const { return topK / block * block + block - 1; }
    bool selectsAt(std::uint64_t position) const { return (position + 1) / block > topK / block; }
};

} // namespace wb::infer
