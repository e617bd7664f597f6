// SPDX-License-Identifier: MIT
#include "core/tensor/block_parts.h"

#include "core/tensor/block_codes.h"
#include "core/tensor/block_layout.h"
#include "core/tensor/grids.h"
#include "core/tensor/half.h"
#include "core/tensor/lattice_points.h"

#include <algorithm>
#include <set>
#include <span>

namespace wb {
namespace {

using namespace layout;

// Codes from codeOf(element), levels from levelOf(code).
template <class Layout, class CodeOf, class LevelOf>
void setCodes(BlockParts& parts, CodeOf codeOf, LevelOf levelOf) {
    for (unsigned i = 0; i < Layout::elements; ++i) {
        parts.codes[i] = static_cast<std::uint16_t>(codeOf(i));
        parts.levels[i] = static_cast<float>(levelOf(parts.codes[i]));
    }
}

auto shifted(int by) {
    return [by](int code) { return code - by; };
}

template <class Layout>
void nibbles(const std::byte* block, unsigned half, auto levelOf, BlockParts& parts) {
    setCodes<Layout>(parts, [&](unsigned i) { return nibbleAt(block + Layout::codes, half, i); }, levelOf);
}

template <class Layout>
void fiveBits(const std::byte* block, int zero, BlockParts& parts) {
    const auto code = [&](unsigned i) { return nibbleAt(block + Layout::codes, 16, i) | wordBitAt(block + Layout::high, i) << 4; };
    setCodes<Layout>(parts, code, shifted(zero));
}

template <class Layout>
void bytes(const std::byte* block, BlockParts& parts) {
    setCodes<Layout>(parts, [&](unsigned i) { return loadI8(block + Layout::codes + i) + 128; }, shifted(128));
}

void splitLegacy(Dtype dtype, const std::byte* block, BlockParts& parts) {
    parts.scales[0] = loadF16(block); // every one of these layouts starts with d
    if (dtype == Dtype::Q4_1 || dtype == Dtype::Q5_1) parts.offsets[0] = loadF16(block + Q4_1::m);
    switch (dtype) {
    case Dtype::Q4_0: return nibbles<Q4_0>(block, 16, shifted(8), parts);
    case Dtype::Q4_1: return nibbles<Q4_1>(block, 16, shifted(0), parts);
    case Dtype::Q5_0: return fiveBits<Q5_0>(block, 16, parts);
    case Dtype::Q5_1: return fiveBits<Q5_1>(block, 0, parts);
    case Dtype::Q8_0: return bytes<Q8_0>(block, parts);
    case Dtype::Q8_1: return bytes<Q8_1>(block, parts);
    case Dtype::Q1_0:
        return setCodes<Q1_0>(
            parts, [&](unsigned i) { return loadU8(block + Q1_0::codes + i / 8) >> i % 8 & 1; },
            [](int code) { return 2 * code - 1; });
    default:
        return setCodes<Q2_0>(
            parts, [&](unsigned i) { return loadU8(block + Q2_0::codes + i / 4) >> (2 * (i % 4)) & 3; }, shifted(1));
    }
}

void splitQ2K(const std::byte* block, BlockParts& parts) {
    const float d = loadF16(block + Q2_K::d), dmin = loadF16(block + Q2_K::dmin);
    for (unsigned g = 0; g < 16; ++g) {
        const unsigned packed = loadU8(block + Q2_K::scales + g);
        parts.scales[g] = d * static_cast<float>(packed & 15);
        parts.offsets[g] = -(dmin * static_cast<float>(packed >> 4));
    }
    setCodes<Q2_K>(parts, [&](unsigned i) { return twoBitsAt(block + Q2_K::codes, i); }, shifted(0));
}

void splitQ3K(const std::byte* block, BlockParts& parts) {
    const float d = loadF16(block + Q3_K::d);
    const auto scales = unpackScalesQ3(block + Q3_K::scales);
    for (unsigned g = 0; g < 16; ++g) parts.scales[g] = d * static_cast<float>(scales[g]);
    const auto code = [&](unsigned i) { return twoBitsAt(block + Q3_K::codes, i) + 4 * oneBitAt(block + Q3_K::high, i); };
    setCodes<Q3_K>(parts, code, shifted(4));
}

// Q4_K and Q5_K.
template <class Layout>
void scales6(const std::byte* block, BlockParts& parts) {
    const float d = loadF16(block + Layout::d), dmin = loadF16(block + Layout::dmin);
    const Scales6 scales = unpackScales6(block + Layout::scales);
    for (unsigned g = 0; g < 8; ++g) {
        parts.scales[g] = d * static_cast<float>(scales.scale[g]);
        parts.offsets[g] = -(dmin * static_cast<float>(scales.minimum[g]));
    }
}

void splitQ5K(const std::byte* block, BlockParts& parts) {
    scales6<Q5_K>(block, parts);
    const auto code = [&](unsigned i) { return nibbleAt(block + Q5_K::codes, 32, i) | oneBitAt(block + Q5_K::high, i) << 4; };
    setCodes<Q5_K>(parts, code, shifted(0));
}

void splitQ6K(const std::byte* block, BlockParts& parts) {
    const float d = loadF16(block + Q6_K::d);
    for (unsigned g = 0; g < 16; ++g) parts.scales[g] = d * static_cast<float>(loadI8(block + Q6_K::scales + g));
    const auto code = [&](unsigned i) { return lowSixAt(block + Q6_K::low, i) | twoBitsAt(block + Q6_K::high, i) << 4; };
    setCodes<Q6_K>(parts, code, shifted(32));
}

void splitSuper(Dtype dtype, const std::byte* block, BlockParts& parts) {
    switch (dtype) {
    case Dtype::Q2_K: return splitQ2K(block, parts);
    case Dtype::Q3_K: return splitQ3K(block, parts);
    case Dtype::Q4_K: scales6<Q4_K>(block, parts); return nibbles<Q4_K>(block, 32, shifted(0), parts);
    case Dtype::Q5_K: return splitQ5K(block, parts);
    case Dtype::Q6_K: return splitQ6K(block, parts);
    default: parts.scales[0] = load<float>(block + Q8_K::d); return bytes<Q8_K>(block, parts);
    }
}

unsigned tritFromBlock(const std::byte* block, unsigned i) {
    if (i < 160) return tritAt(loadU8(block + TQ1_0::five + i % 32), i / 32);
    if (i < 240) return tritAt(loadU8(block + TQ1_0::five + 32 + i % 16), (i - 160) / 16);
    return tritAt(loadU8(block + TQ1_0::four + i % 4), (i - 240) / 4);
}

void splitTernary(Dtype dtype, const std::byte* block, BlockParts& parts) {
    if (dtype == Dtype::TQ1_0) {
        parts.scales[0] = loadF16(block + TQ1_0::d);
        return setCodes<TQ1_0>(parts, [&](unsigned i) { return tritFromBlock(block, i); }, shifted(1));
    }
    parts.scales[0] = loadF16(block + TQ2_0::d);
    setCodes<TQ2_0>(parts, [&](unsigned i) { return twoBitsAt(block + TQ2_0::codes, i); }, shifted(1));
}

// Types whose nibbles name the levels of a table.
void splitTable(Dtype dtype, const std::byte* block, BlockParts& parts) {
    const auto fp4 = [](int code) { return tables::values_fp4[static_cast<std::size_t>(code)]; };
    const auto iq4 = [](int code) { return tables::values_iq4[static_cast<std::size_t>(code)]; };
    switch (dtype) {
    case Dtype::MXFP4:
        parts.scales[0] = e8m0HalfToF32(load<std::uint8_t>(block + MXFP4::scale));
        return nibbles<MXFP4>(block, 16, fp4, parts);
    case Dtype::NVFP4:
        for (unsigned g = 0; g < 4; ++g) parts.scales[g] = ue4m3HalfToF32(load<std::uint8_t>(block + NVFP4::scales + g));
        return nibbles<NVFP4>(block, 8, fp4, parts);
    case Dtype::IQ4_NL: parts.scales[0] = loadF16(block + IQ4_NL::d); return nibbles<IQ4_NL>(block, 16, iq4, parts);
    default: {
        const float d = loadF16(block + IQ4_XS::d);
        const auto scales = unpackScalesIq4(block);
        for (unsigned g = 0; g < 8; ++g) parts.scales[g] = d * static_cast<float>(scales[g]);
        return nibbles<IQ4_XS>(block, 16, iq4, parts);
    }
    }
}

// Takes point after point of a grid; `ternary` ones are moved by an eighth instead of having signs.
template <bool ternary, class Grid>
auto points(const Grid& grid, unsigned groupElements, BlockParts& parts) {
    return [&grid, groupElements, &parts](unsigned number, unsigned index, unsigned signs, float scale) {
        constexpr unsigned elements = sizeof(grid[0]);
        const unsigned first = elements * number;
        parts.codes[number] = static_cast<std::uint16_t>(index);
        parts.scales[first / groupElements] = scale;
        for (unsigned i = 0; i < elements; ++i) {
            const auto coordinate = static_cast<float>(static_cast<std::int8_t>(grid[index] >> (8 * i) & 255));
            if (ternary) parts.levels[first + i] = coordinate + (signs != 0 ? -0.125F : 0.125F);
            else parts.levels[first + i] = (signs >> i & 1) != 0 ? -coordinate : coordinate;
        }
    };
}

void splitLattice(Dtype dtype, const std::byte* block, BlockParts& parts) {
    const unsigned group = blockFacts(dtype)->groupElements;
    switch (dtype) {
    case Dtype::IQ2_XXS: return pointsIq2Xxs(block, points<false>(grids::iq2Xxs, group, parts));
    case Dtype::IQ2_XS: return pointsIq2Xs(block, points<false>(grids::iq2Xs, group, parts));
    case Dtype::IQ2_S: return pointsIq2S(block, points<false>(grids::iq2S, group, parts));
    case Dtype::IQ3_XXS: return pointsIq3Xxs(block, points<false>(grids::iq3Xxs, group, parts));
    case Dtype::IQ3_S: return pointsIq3S(block, points<false>(grids::iq3S, group, parts));
    case Dtype::IQ1_S: return pointsIq1S(block, points<true>(grids::iq1, group, parts));
    default: return pointsIq1M(block, points<true>(grids::iq1, group, parts));
    }
}

struct BlockPartsRow {
    Dtype dtype;
    BlockFacts facts;
    void (*split)(Dtype, const std::byte*, BlockParts&);
    int firstLevel; // of the codes where levels are consecutive whole numbers
};

constexpr int other = 1000; // their own levels

// clang-format off
constexpr BlockPartsRow rows[] = {
    {Dtype::Q4_0, {32, 1, 16, 0, false}, splitLegacy, -8},    {Dtype::Q4_1, {32, 1, 16, 0, true}, splitLegacy, 0},
    {Dtype::Q5_0, {32, 1, 32, 0, false}, splitLegacy, -16},   {Dtype::Q5_1, {32, 1, 32, 0, true}, splitLegacy, 0},
    {Dtype::Q8_0, {32, 1, 256, -128, false}, splitLegacy, -128}, {Dtype::Q8_1, {32, 1, 256, -128, false}, splitLegacy, -128},
    {Dtype::Q1_0, {128, 1, 2, 0, false}, splitLegacy, other}, {Dtype::Q2_0, {64, 1, 4, 0, false}, splitLegacy, -1},
    {Dtype::Q2_K, {16, 1, 4, 0, true}, splitSuper, 0},        {Dtype::Q3_K, {16, 1, 8, 0, false}, splitSuper, -4},
    {Dtype::Q4_K, {32, 1, 16, 0, true}, splitSuper, 0},       {Dtype::Q5_K, {32, 1, 32, 0, true}, splitSuper, 0},
    {Dtype::Q6_K, {16, 1, 64, 0, false}, splitSuper, -32},    {Dtype::Q8_K, {256, 1, 256, -128, false}, splitSuper, -128},
    {Dtype::TQ1_0, {256, 1, 3, 0, false}, splitTernary, -1},  {Dtype::TQ2_0, {256, 1, 4, 0, false}, splitTernary, -1},
    {Dtype::MXFP4, {32, 1, 16, 0, false}, splitTable, other}, {Dtype::NVFP4, {16, 1, 16, 0, false}, splitTable, other},
    {Dtype::IQ4_NL, {32, 1, 16, 0, false}, splitTable, other}, {Dtype::IQ4_XS, {32, 1, 16, 0, false}, splitTable, other},
    {Dtype::IQ2_XXS, {32, 8, 256, 0, false}, splitLattice, other}, {Dtype::IQ2_XS, {16, 8, 512, 0, false}, splitLattice, other},
    {Dtype::IQ2_S, {16, 8, 1024, 0, false}, splitLattice, other},  {Dtype::IQ3_XXS, {32, 4, 256, 0, false}, splitLattice, other},
    {Dtype::IQ3_S, {32, 4, 512, 0, false}, splitLattice, other},   {Dtype::IQ1_S, {32, 8, 2048, 0, false}, splitLattice, other},
    {Dtype::IQ1_M, {16, 8, 2048, 0, false}, splitLattice, other},
};
// clang-format on

const BlockPartsRow* rowOf(Dtype dtype) {
    const auto* found = std::ranges::find(rows, dtype, &BlockPartsRow::dtype);
    return found == std::end(rows) ? nullptr : found;
}

// The magnitudes with both signs.
std::vector<float> withSigns(std::span<const std::int8_t> magnitudes) {
    std::set<float> levels;
    for (const std::int8_t magnitude : magnitudes) {
        levels.insert(magnitude);
        levels.insert(-magnitude);
    }
    return {levels.begin(), levels.end()};
}

std::vector<float> ownLevels(Dtype dtype) {
    switch (dtype) {
    case Dtype::Q1_0: return {-1, 1};
    case Dtype::MXFP4:
    case Dtype::NVFP4: return withSigns(tables::values_fp4);
    case Dtype::IQ4_NL:
    case Dtype::IQ4_XS: return {tables::values_iq4.begin(), tables::values_iq4.end()};
    case Dtype::IQ3_XXS: return withSigns(grids::levelsIq3Xxs);
    case Dtype::IQ3_S: return withSigns(grids::levelsIq3S);
    case Dtype::IQ1_S:
    case Dtype::IQ1_M: return {-1.125F, -0.875F, -0.125F, 0.125F, 0.875F, 1.125F};
    default: return withSigns(grids::levelsIq2);
    }
}

} // namespace

std::optional<BlockFacts> blockFacts(Dtype dtype) {
    const BlockPartsRow* row = rowOf(dtype);
    return row ? std::optional(row->facts) : std::nullopt;
}

void splitBlock(Dtype dtype, const std::byte* block, BlockParts& parts) {
    if (const BlockPartsRow* row = rowOf(dtype)) row->split(dtype, block, parts);
}

std::vector<float> dtypeLevels(Dtype dtype) {
    const BlockPartsRow* row = rowOf(dtype);
    if (!row) return {};
    if (row->firstLevel == other) return ownLevels(dtype);
    std::vector<float> levels;
    for (int code = 0; code < row->facts.codes; ++code) levels.push_back(static_cast<float>(row->firstLevel + code));
    return levels;
}

} // namespace wb
