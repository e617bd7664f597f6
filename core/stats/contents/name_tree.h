// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/contents/contents.h"

#include <span>
#include <string_view>

namespace wb::stats {

// One component of dotted names, or several where nothing branches between them ("attn_q.weight"): a group, a tensor, or both (a
// tensor "a" next to a tensor "a.b"). Sums include everything below; logical tensors add to `tensors` only, since their parts are
// counted already.
struct NameNode {
    static constexpr std::uint32_t none = 0xffffffff;

    std::string_view component; // lives in the model
    std::uint32_t parent = 0;
    std::uint32_t row = 0; // among the parent's children
    std::uint32_t tensor = none;
    std::vector<std::uint32_t> children;
    std::uint64_t tensors = 0;
    std::uint64_t elements = 0;
    std::uint64_t bytes = 0;
    std::optional<Dtype> dtype; // of everything below; empty where it differs
    std::uint64_t findings = 0; // tensors with NaN, infinities or unreadable values
};

// The nodes of the given tensors by dotted name, children in natural order; node 0 is the nameless root. `nameRanks` is
// Document::nameRanks.
std::vector<NameNode> buildNameTree(const Contents& contents, const std::vector<std::uint32_t>& nameRanks,
                                    std::span<const std::uint32_t> tensors);

} // namespace wb::stats
