// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/quantized/parts_recipe.h"

#include <optional>
#include <string_view>

namespace wb::quantized {

// What bitsandbytes writes next to a 4-bit weight as JSON (bitsandbytes-foundation/bitsandbytes: bitsandbytes/functional.py,
// QuantState.as_dict).
struct QuantState {
    std::string type; // "nf4", "fp4"
    Shape shape;
    std::uint64_t blockSize = 0;
    std::uint64_t nestedBlockSize = 0; // 0: absmax are stored as floats
    float nestedOffset = 0;
};

std::optional<QuantState> parseQuantState(std::string_view text);

// W[e] = map[code e] · absmax[e / block], codes of 4 bits, high nibble first. Parts: the bytes, absmax, the map of 16 values, and
// where absmax are codes themselves their absmax and map of 256 values: absmax = map[code] · absmax + offset.
class BitsAndBytesRecipe final : public PartsRecipe {
public:
    BitsAndBytesRecipe(std::string scheme, std::vector<PackedPart> read, const std::vector<std::string>& others,
                       const QuantState& state)
        : PartsRecipe(std::move(scheme), state.shape, std::move(read), others), m_state(state) {}

    Result<void> readF32(std::span<const TensorReader> inputs, std::uint64_t first, std::span<float> out) const override;

private:
    Result<std::vector<float>> readMaxima(std::span<const TensorReader> inputs, std::uint64_t first, std::uint64_t count) const;

    QuantState m_state;
};

} // namespace wb::quantized
