// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace wb::quant {

// One of the types or files that a model can be had in.
struct TypeOffer {
    std::uint64_t bytes = 0;
    std::optional<double> loss; // of one measure for all offers; empty: not known, never recommended
    bool fits = true;           // in the memory at hand, with cache and buffers
};

struct TypeAdvice {
    std::size_t offer = 0; // index
    bool isUnnoticed = false;
};

// The largest mean KL divergence that is not noticed: above that of Q6_K, the border of LossBand::Unnoticed.
inline constexpr double unnoticedDivergence = 0.01;

// The one rule by which Browse, Convert and Memory recommend a type: of the offers that fit, the smallest whose loss is at most
// `unnoticed`, else the one with the lowest loss, and of equal ones the smallest. `unnoticed` is unnoticedDivergence, or the like
// in another measure. Empty if no fitting one has a known loss.
std::optional<TypeAdvice> adviseType(std::span<const TypeOffer> offers, double unnoticed);

} // namespace wb::quant
