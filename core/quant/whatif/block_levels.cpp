// SPDX-License-Identifier: MIT
#include "core/quant/whatif/block_levels.h"

#include "core/quant/imatrix/imatrix.h"
#include "core/quant/quantize.h"
#include "core/tensor/block_parts.h"

#include <algorithm>
#include <cmath>

namespace wb::quant {
namespace {

Result<std::vector<float>> readRow(const TensorReader& reader, std::uint64_t row) {
    const std::uint64_t length = reader.shape().rowLength();
    std::vector<float> values(length);
    std::vector<std::byte> scratch;
    WB_TRY(reader.readF32(row * length, values, scratch));
    if (!std::ranges::all_of(values, [](float x) { return std::isfinite(x); }))
        return fail(ErrorCode::Unsupported, Reason("whatif.not_finite"),
                    WB_TEXT("Row {} contains a NaN or infinite value, which cannot be quantized."), row);
    return values;
}

// In f32, step by step, as decode() does it.
std::vector<double> scaled(std::span<const float> levels, float scale, float offset, bool hasOffset) {
    std::vector<double> values;
    for (const float level : levels) {
        const float product = scale * level;
        values.push_back(double{hasOffset ? product + offset : product});
    }
    std::ranges::sort(values);
    const auto same = std::ranges::unique(values);
    values.erase(same.begin(), same.end());
    return values;
}

double squaredError(std::span<const float> source, const BlockParts& parts, std::size_t group, const BlockFacts& facts) {
    double sum = 0;
    for (std::size_t i = group * facts.groupElements; i < (group + 1) * std::size_t{facts.groupElements}; ++i) {
        const float product = parts.scales[group] * parts.levels[i];
        const double e = double{facts.hasMinimum ? product + parts.offsets[group] : product} - double{source[i]};
        sum += e * e;
    }
    return sum;
}

} // namespace

std::size_t BlockLevels::worstGroup() const {
    const auto worst = std::ranges::max_element(groups, {}, &Group::squaredError);
    return worst == groups.end() ? 0 : static_cast<std::size_t>(worst - groups.begin());
}

Result<BlockLevels> blockLevels(const TensorReader& reader, Dtype type, std::span<const float> weights, std::uint64_t row,
                                std::uint64_t column) {
    const std::uint64_t length = reader.shape().rowLength();
    const auto stride = rowBytes(type, length);
    if (!canQuantize(type) || !stride)
        return fail(ErrorCode::Unsupported, Reason("whatif.blocks"), WB_TEXT("Rows of {} elements cannot be quantized to {}."),
                    length, name(type));
    if (row >= reader.shape().rows() || column >= length)
        return fail(ErrorCode::Invalid, Reason("whatif.no_element"), WB_TEXT("The tensor has no element at row {}, column {}."),
                    row, column);
    const DtypeInfo& layout = wb::info(type);
    BlockLevels found{type, row, column / layout.blockElements, column - column % layout.blockElements, 0, false, {}};
    const auto facts = blockFacts(type);
    if (!facts) return found;

    WB_TRY_ASSIGN(const std::vector<float> values, readRow(reader, row));
    std::vector<std::byte> packed(*stride);
    quantizeRow(type, values, rowWeights(weights, reader.shape(), row), packed);
    BlockParts parts;
    splitBlock(type, &packed[found.block * layout.blockBytes], parts);
    const auto source = std::span(values).subspan(found.column, layout.blockElements);
    const std::vector<float> levels = dtypeLevels(type);
    found.groupElements = facts->groupElements;
    found.hasOffset = facts->hasMinimum;
    for (std::size_t g = 0; g < layout.blockElements / facts->groupElements; ++g)
        found.groups.push_back({double{parts.scales[g]}, facts->hasMinimum ? double{parts.offsets[g]} : 0,
                                squaredError(source, parts, g, *facts),
                                scaled(levels, parts.scales[g], parts.offsets[g], facts->hasMinimum)});
    return found;
}

} // namespace wb::quant
