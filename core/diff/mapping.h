// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wb::diff {

// How the values of A become those of B's layout: a closed list, as documents and map files spell it.
enum class Mapping : std::uint8_t {
    Same,
    Cast,        // another type of numbers
    Dequantized, // a type of blocks on one side
    Transposed,  // rows become columns
    Axes,        // another order of axes
    Permuted,    // rows in another order, as for rotary embeddings
    Reshaped,    // the same elements in another shape
    Stacked,     // several of A along a new first axis of B
    Split,       // one of A is several of B
    Fused,       // several of A are one of B
    Folded,      // a batch normalization folded into weights
    Shifted,     // plus one
    Negexp,      // -exp(x)
    Tied,        // B keeps the tensor only as another one
    Padded,      // rows beyond those that both have are not compared
    Scaled,      // times a factor
    Guess        // matched by shape and correlation alone
};

// In the order in which they are applied to A.
using Mappings = std::vector<Mapping>;

const char* mappingName(Mapping mapping);

// "cast+permuted"; "same" of an empty list.
std::string mappingText(const Mappings& mappings);

// Empty for a text with a word that is not in the list.
std::optional<Mappings> mappingsFromText(std::string_view text);

} // namespace wb::diff
