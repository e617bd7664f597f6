// SPDX-License-Identifier: MIT
#include "core/quant/row_encoders.h"

#include "core/quant/group_fits.h"
#include "core/quant/k_blocks.h"
#include "core/tensor/block_layout.h"
#include "core/tensor/half.h"

#include <algorithm>
#include <cmath>

namespace wb::quant {
namespace {

// Super-blocks that are fitted together: enough to fill the lanes also where a lane is a whole super-block.
constexpr std::size_t mostBlocks = 16;
constexpr std::size_t mostGroups = 16 * mostBlocks;
constexpr std::size_t mostElements = 256 * mostBlocks;

// The working memory of one chunk; on the stack of a worker, some 50 KiB.
struct Chunk {
    std::span<const float> x;       // blocks · 256
    std::span<const float> columns; // the same, or empty
    std::size_t blocks() const { return x.size() / 256; }
    bool weighted() const { return !columns.empty(); }

    std::array<float, mostElements> weights;
    std::array<float, mostGroups> groupWeights;
    std::array<float, mostGroups> scales;
    std::array<float, mostGroups> mins;

    std::span<const float> block(std::size_t b) const { return x.subspan(256 * b, 256); }
    std::span<float> usedWeights() { return std::span(weights).first(x.size()); }
};

// u·sqrt(σ² + x²), with σ² over each super-block.
void weighColumns(Chunk& chunk, float factor) {
    std::array<float, mostBlocks> squares;
    sumSquaresGroups(256, chunk.x, squares);
    for (std::size_t b = 0; b < chunk.blocks(); ++b)
        columnWeights(chunk.block(b), chunk.columns.subspan(256 * b, 256), factor * squares[b] / 256,
                      std::span(chunk.weights).subspan(256 * b, 256));
}

void weighPlain(const AffineType& type, Chunk& chunk) {
    if (type.group == 16) return absWeights(chunk.x, 0, chunk.weights);
    std::array<float, mostGroups> squares;
    sumSquaresGroups(32, chunk.x, squares);
    for (std::size_t g = 0; g < chunk.x.size() / 32; ++g)
        absWeights(chunk.x.subspan(32 * g, 32), std::sqrt(squares[g] / 32), std::span(chunk.weights).subspan(32 * g, 32));
}

using Finish = void (*)(const FinalStep&, AffineScales&, std::byte*);

std::array<AffineScales, mostBlocks> affineScales(const AffineType& type, Chunk& chunk) {
    std::array<AffineScales, mostBlocks> out;
    const std::size_t n = type.groups();
    std::array<std::uint8_t, mostGroups> codes;
    const auto store = [&](std::span<const float> values, auto fieldOf, auto unitOf) {
        std::array<float, mostBlocks> units{};
        if (chunk.weighted())
            fitPositiveGroups(type.scaleLevels, n, values, std::span(chunk.groupWeights).first(values.size()), units, codes);
        for (std::size_t b = 0; b < chunk.blocks(); ++b) {
            const auto own = std::span(codes).subspan(n * b, n);
            unitOf(out[b]) = chunk.weighted() ? f32ToF16(units[b]) : plainScaleCodes(type.scaleLevels, values.subspan(n * b, n), own);
            std::ranges::copy(own, fieldOf(out[b]).begin());
        }
    };
    const std::size_t groups = n * chunk.blocks();
    store(std::span(chunk.scales).first(groups), [](auto& s) -> auto& { return s.scale; }, [](auto& s) -> auto& { return s.d; });
    store(std::span(chunk.mins).first(groups), [](auto& s) -> auto& { return s.minimum; }, [](auto& s) -> auto& { return s.dmin; });
    return out;
}

void encodeAffine(const AffineType& type, Chunk& chunk, Finish finish, std::size_t blockBytes, std::byte* out) {
    const AffineSearch& search = chunk.weighted() ? type.weighted : type.plain;
    if (chunk.weighted()) weighColumns(chunk, type.meanSquareFactor);
    else weighPlain(type, chunk);
    const auto weights = chunk.usedWeights();
    const std::size_t groups = type.groups() * chunk.blocks();
    std::array<AffineFit, mostGroups> fits;
    fitAffineGroups(type.levels, type.group, chunk.x, weights, search, fits, {});
    for (std::size_t g = 0; g < groups; ++g) {
        chunk.scales[g] = fits[g].scale;
        chunk.mins[g] = fits[g].minimum;
    }
    if (chunk.weighted()) sumGroups(type.group, weights, chunk.groupWeights);
    auto scales = affineScales(type, chunk);
    for (std::size_t b = 0; b < chunk.blocks(); ++b) {
        // Rare, so the codes of the fit are made again instead of being kept for every group.
        const auto keep = [&](std::size_t j, std::span<std::uint8_t> codes) {
            const std::size_t first = 256 * b + type.group * j;
            fitAffine(type.levels, chunk.x.subspan(first, type.group), weights.subspan(first, type.group), search, codes);
        };
        finish({chunk.block(b), divideToCodes, keep}, scales[b], out + b * blockBytes);
    }
}

// Calls body(chunk, out) for the row in runs of up to mostBlocks super-blocks.
template <typename Body>
void forChunks(const RowInput& row, std::size_t blockBytes, Body body) {
    std::byte* out = row.out;
    for (std::size_t first = 0; first < row.x.size(); first += mostElements) {
        const std::size_t count = std::min(mostElements, row.x.size() - first);
        Chunk chunk;
        chunk.x = row.x.subspan(first, count);
        chunk.columns = row.weights.empty() ? row.weights : row.weights.subspan(first, count);
        body(chunk, out);
        out += chunk.blocks() * blockBytes;
    }
}

std::array<float, 16> sixteen(const std::array<float, mostGroups>& values, std::size_t b) {
    std::array<float, 16> out;
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(16 * b), 16, out.begin());
    return out;
}

void encodeQ3(Chunk& chunk, std::byte* out) {
    const std::size_t groups = 16 * chunk.blocks();
    std::array<std::uint8_t, mostGroups> codes;
    std::array<float, mostBlocks> units{};
    if (chunk.weighted()) {
        weighColumns(chunk, 2);
        fitSymmetricGroups(4, 16, chunk.x, chunk.usedWeights(), chunk.scales, {});
        sumGroups(16, chunk.usedWeights(), chunk.groupWeights);
        fitSymmetricGroups(32, 16, std::span(chunk.scales).first(groups), std::span(chunk.groupWeights).first(groups), units, codes);
    } else {
        fitBySweepsGroups(4, 16, chunk.x, chunk.scales);
    }
    for (std::size_t b = 0; b < chunk.blocks(); ++b) {
        std::array<std::uint8_t, 16> scaleCodes;
        std::copy_n(codes.begin() + static_cast<std::ptrdiff_t>(16 * b), 16, scaleCodes.begin());
        const std::uint16_t d = chunk.weighted() ? f32ToF16(units[b]) : plainScaleCodesQ3(sixteen(chunk.scales, b), scaleCodes);
        const auto keep = [&](std::size_t j, std::span<std::uint8_t> own) {
            const auto x = chunk.x.subspan(256 * b + 16 * j, 16);
            if (chunk.weighted()) fitSymmetric(4, x, chunk.usedWeights().subspan(256 * b + 16 * j, 16), own);
            else fitBySweeps(4, x, own);
        };
        finishQ3K({chunk.block(b), divideToCodes, keep}, scaleCodes, d, out + b * layout::Q3_K::bytes);
    }
}

void encodeQ6(Chunk& chunk, std::byte* out) {
    // Without column weights the reference weighs with x².
    std::span<const float> weights = chunk.columns;
    if (!chunk.weighted()) {
        for (std::size_t i = 0; i < chunk.x.size(); ++i) chunk.weights[i] = chunk.x[i] * chunk.x[i];
        weights = chunk.usedWeights();
    }
    fitSymmetricGroups(32, 16, chunk.x, weights, chunk.scales, {});
    for (std::size_t b = 0; b < chunk.blocks(); ++b) {
        const auto keep = [&](std::size_t j, std::span<std::uint8_t> own) {
            const std::size_t first = 256 * b + 16 * j;
            fitSymmetric(32, chunk.x.subspan(first, 16), weights.subspan(first, 16), own);
        };
        finishQ6K({chunk.block(b), divideToCodes, keep}, sixteen(chunk.scales, b), out + b * layout::Q6_K::bytes);
    }
}

} // namespace

void encodeRowQ2K(const RowInput& row) {
    forChunks(row, layout::Q2_K::bytes, [](Chunk& c, std::byte* out) { encodeAffine(affineQ2, c, finishQ2K, layout::Q2_K::bytes, out); });
}
void encodeRowQ4K(const RowInput& row) {
    forChunks(row, layout::Q4_K::bytes, [](Chunk& c, std::byte* out) { encodeAffine(affineQ4, c, finishQ4K, layout::Q4_K::bytes, out); });
}
void encodeRowQ5K(const RowInput& row) {
    forChunks(row, layout::Q5_K::bytes, [](Chunk& c, std::byte* out) { encodeAffine(affineQ5, c, finishQ5K, layout::Q5_K::bytes, out); });
}
void encodeRowQ3K(const RowInput& row) { forChunks(row, layout::Q3_K::bytes, encodeQ3); }
void encodeRowQ6K(const RowInput& row) { forChunks(row, layout::Q6_K::bytes, encodeQ6); }

} // namespace wb::quant
