// SPDX-License-Identifier: MIT
#include "core/formats/quantized/packed_codes.h"

#include <algorithm>
#include <array>
#include <utility>

namespace wb::quantized {
namespace {

constexpr unsigned group = 32; // codes that fill whole words in the dense and planar layouts

// Widths of the planes of a code, low bits first; 0 where there are no more.
constexpr std::array<unsigned, 3> planesFromBits(unsigned bits) {
    switch (bits) {
    case 3: return {2, 1, 0};
    case 5: return {4, 1, 0};
    case 6: return {4, 2, 0};
    case 7: return {4, 2, 1};
    default: return {bits, 0, 0};
    }
}

// Code number `k` of a dense stream.
template <unsigned bits>
std::uint32_t denseCode(const std::uint32_t* words, unsigned k) {
    const unsigned bit = k * bits, word = bit / 32, shift = bit % 32;
    std::uint32_t code = words[word] >> shift;
    if (shift + bits > 32) code |= words[word + 1] << (32 - shift);
    return code & ((1u << bits) - 1);
}

template <unsigned bits, std::size_t... k>
void denseGroup(const std::uint32_t* words, std::uint8_t* out, std::index_sequence<k...>) {
    ((out[k] = static_cast<std::uint8_t>(denseCode<bits>(words, k))), ...);
}

// 32 codes from `bits` words, unrolled so that every shift is a constant.
template <unsigned bits>
void denseGroup(const std::uint32_t* words, std::uint8_t* out) {
    denseGroup<bits>(words, out, std::make_index_sequence<group>());
}

using GroupFunction = void (*)(const std::uint32_t*, std::uint8_t*);
constexpr std::array<GroupFunction, 9> denseGroups = {nullptr,       denseGroup<1>, denseGroup<2>, denseGroup<3>, denseGroup<4>,
                                                      denseGroup<5>, denseGroup<6>, denseGroup<7>, denseGroup<8>};

void planarGroup(unsigned bits, const std::uint32_t* words, std::uint8_t* out) {
    std::fill_n(out, group, std::uint8_t{0});
    std::array<std::uint8_t, group> plane;
    unsigned shift = 0;
    for (const unsigned width : planesFromBits(bits)) {
        if (width == 0) break;
        denseGroups[width](words, plane.data());
        for (unsigned k = 0; k < group; ++k) out[k] = static_cast<std::uint8_t>(out[k] | plane[k] << shift);
        words += width;
        shift += width;
    }
}

// A code of the dense layout by its bits, for the ends of a range that are no whole group.
std::uint8_t denseCodeAt(unsigned bits, std::span<const std::uint32_t> words, std::uint64_t firstWord, std::uint64_t index) {
    const std::uint64_t word = index * bits / 32 - firstWord;
    const auto shift = static_cast<unsigned>(index * bits % 32);
    std::uint64_t pair = words[word];
    if (shift + bits > 32) pair |= static_cast<std::uint64_t>(words[word + 1]) << 32;
    return static_cast<std::uint8_t>(pair >> shift & ((1u << bits) - 1));
}

void unpackWholeCodes(CodeLayout layout, std::span<const std::uint32_t> words, std::uint64_t first, std::span<std::uint8_t> out) {
    const unsigned perWord = layout.codesPerWord();
    const std::uint64_t firstWord = first / perWord;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::uint64_t code = first + i;
        const auto shift = static_cast<unsigned>(code % perWord * layout.bits);
        out[i] = static_cast<std::uint8_t>(words[code / perWord - firstWord] >> shift & ((1u << layout.bits) - 1));
    }
}

void unpackPlanar(unsigned bits, std::span<const std::uint32_t> words, std::uint64_t first, std::span<std::uint8_t> out) {
    std::array<std::uint8_t, group> codes;
    std::size_t done = 0;
    for (std::uint64_t g = first / group; done < out.size(); ++g) {
        planarGroup(bits, words.data() + (g - first / group) * bits, codes.data());
        const std::uint64_t skipped = g * group < first ? first % group : 0;
        const std::size_t taken = std::min<std::size_t>(group - skipped, out.size() - done);
        std::copy_n(codes.data() + skipped, taken, out.data() + done);
        done += taken;
    }
}

void unpackDense(unsigned bits, std::span<const std::uint32_t> words, std::uint64_t first, std::span<std::uint8_t> out) {
    const std::uint64_t firstWord = first * bits / 32;
    std::size_t i = 0;
    for (; i < out.size() && (first + i) % group != 0; ++i) out[i] = denseCodeAt(bits, words, firstWord, first + i);
    for (; i + group <= out.size(); i += group)
        denseGroups[bits](words.data() + ((first + i) / group * bits - firstWord), out.data() + i);
    for (; i < out.size(); ++i) out[i] = denseCodeAt(bits, words, firstWord, first + i);
}

} // namespace

std::uint64_t wordsFor(CodeLayout layout, std::uint64_t codes) {
    if (layout.packing == Packing::WholeCodes) return codes / layout.codesPerWord() + (codes % layout.codesPerWord() != 0);
    return codes / group * layout.bits + (codes % group * layout.bits + 31) / 32;
}

WordRange codeWords(CodeLayout layout, std::uint64_t first, std::uint64_t count) {
    const std::uint64_t last = first + count - 1;
    switch (layout.packing) {
    case Packing::WholeCodes: {
        const std::uint64_t begin = first / layout.codesPerWord();
        return {begin, last / layout.codesPerWord() - begin + 1};
    }
    case Packing::Planar: return {first / group * layout.bits, (last / group - first / group + 1) * layout.bits};
    case Packing::Dense: break;
    }
    const std::uint64_t begin = first * layout.bits / 32;
    return {begin, (last * layout.bits + layout.bits - 1) / 32 - begin + 1};
}

void unpack(CodeLayout layout, std::span<const std::uint32_t> words, std::uint64_t first, std::span<std::uint8_t> out) {
    switch (layout.packing) {
    case Packing::Dense: return unpackDense(layout.bits, words, first, out);
    case Packing::WholeCodes: return unpackWholeCodes(layout, words, first, out);
    case Packing::Planar: return unpackPlanar(layout.bits, words, first, out);
    }
}

} // namespace wb::quantized
