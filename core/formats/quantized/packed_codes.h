// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

namespace wb::quantized {

// How unsigned codes of 1 to 8 bits are in 32-bit words, low bits first (docs/reference/formats.md, "GPTQ" and
// "compressed-tensors").
enum class Packing : std::uint8_t {
    Dense,      // one stream of bits: 32 codes in `bits` words, codes may straddle words
    WholeCodes, // floor(32 / bits) codes a word; the bits left over are unused
    Planar,     // per 32 codes `bits` words: a plane of the low bits first, then planes of higher bits, each dense
                // (ModelCloud/GPTQModel: gptqmodel/utils/planar_packing.py)
};

struct CodeLayout {
    Packing packing = Packing::Dense;
    unsigned bits = 4;

    unsigned codesPerWord() const { return 32 / bits; } // of WholeCodes
};

// The words that `codes` codes take.
std::uint64_t wordsFor(CodeLayout layout, std::uint64_t codes);

// The words that the codes from `first` on are in. `count` is above 0.
struct WordRange {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
};
WordRange codeWords(CodeLayout layout, std::uint64_t first, std::uint64_t count);

// Writes the codes from number `first` on; `words` are those of codeWords(layout, first, out.size()). A planar row must consist of
// whole groups of 32 codes.
void unpack(CodeLayout layout, std::span<const std::uint32_t> words, std::uint64_t first, std::span<std::uint8_t> out);

} // namespace wb::quantized
