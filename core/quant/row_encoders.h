// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

// The fast forms, one a type, each for a whole row. A type without one here uses the scalar form.
namespace wb::quant {

struct RowInput {
    std::span<const float> x;
    std::span<const float> weights; // empty in the plain form
    std::byte* out;
};

void encodeRowQ2K(const RowInput&);
void encodeRowQ3K(const RowInput&);
void encodeRowQ4K(const RowInput&);
void encodeRowQ5K(const RowInput&);
void encodeRowQ6K(const RowInput&);

} // namespace wb::quant
