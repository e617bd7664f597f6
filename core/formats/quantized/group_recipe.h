// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/quantized/packed_codes.h"
#include "core/formats/quantized/parts_recipe.h"

#include <optional>

namespace wb::quantized {

// An integer scheme with groups along the inputs for one weight W[out, in]. The indices are of the recipe's parts.
struct Groups {
    std::uint64_t size = 1;           // inputs that share a scale, unless `order` specifies it
    std::uint64_t count = 1;          // groups in a row
    std::size_t scales = 1;           // part [out, count], of floats
    std::optional<std::size_t> zeros; // packed zero points; without them every zero point is `zero`
    std::optional<std::size_t> order; // I32 [in]: the group of each input
    unsigned zero = 0;
    unsigned zeroShift = 0; // added to a stored zero point modulo 2^bits: 1 for GPTQ v1
};

// W[o, i] = (q[o, i] - z[o, g]) · s[o, g] in f32, with unsigned codes of 2 to 8 bits: AWQ, GPTQ, packed compressed-tensors.
class GroupRecipe : public WindowRecipe {
public:
    GroupRecipe(std::string scheme, Shape shape, std::vector<PackedPart> read, const std::vector<std::string>& others,
                Groups groups, unsigned bits)
        : WindowRecipe(std::move(scheme), std::move(shape), std::move(read), others), m_groups(groups), m_bits(bits) {}

protected:
    Result<void> readWindow(std::span<const TensorReader> inputs, const Window& window, std::span<float> out) const final;

    // The codes of a window, row by row.
    virtual Result<void> readCodes(const TensorReader& codes, const Window& window, std::span<std::uint8_t> out) const = 0;
    // The zero points of `rows` rows: `out` has for each row those of the groups from `firstGroup` on.
    virtual Result<void> readZeros(const TensorReader& zeros, const Window& groups, std::span<std::uint8_t> out) const = 0;

private:
    struct Scaling; // scales and zero points of a window
    Result<std::vector<std::int32_t>> readOrder(std::span<const TensorReader> inputs, const Window& window) const;
    Result<Scaling> readScaling(std::span<const TensorReader> inputs, const Window& window) const;

    Groups m_groups;
    unsigned m_bits;
};

// GPTQ after transposing, and compressed-tensors: codes I32 [out, words] packed along a row, zero points [words, groups] packed
// along the outputs.
class PackedRecipe final : public GroupRecipe {
public:
    PackedRecipe(std::string scheme, Shape shape, std::vector<PackedPart> read, const std::vector<std::string>& others,
                 Groups groups, CodeLayout codes, CodeLayout zeros)
        : GroupRecipe(std::move(scheme), std::move(shape), std::move(read), others, groups, codes.bits), m_codes(codes),
          m_zeros(zeros) {}

protected:
    Result<void> readCodes(const TensorReader& codes, const Window& window, std::span<std::uint8_t> out) const override;
    Result<void> readZeros(const TensorReader& zeros, const Window& groups, std::span<std::uint8_t> out) const override;

private:
    CodeLayout m_codes;
    CodeLayout m_zeros;
};

// AWQ (gemm) after transposing: codes I32 [out / 8, in] and zero points [out / 8, groups], in each word the 4-bit codes of eight
// outputs in the order 0 2 4 6 1 3 5 7.
class AwqRecipe final : public GroupRecipe {
public:
    AwqRecipe(std::string scheme, Shape shape, std::vector<PackedPart> read, const std::vector<std::string>& others, Groups groups)
        : GroupRecipe(std::move(scheme), std::move(shape), std::move(read), others, groups, 4) {}

protected:
    Result<void> readCodes(const TensorReader& codes, const Window& window, std::span<std::uint8_t> out) const override;
    Result<void> readZeros(const TensorReader& zeros, const Window& groups, std::span<std::uint8_t> out) const override;
};

} // namespace wb::quantized
