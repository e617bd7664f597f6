// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/slabs.h"

namespace wb::stats {

// How elements of at most 16 bits are counted: in words of one, two or four codes, the first one in the low bits. A word is 16 bits
// wide; for the 6-bit types 12 bits, half of what three bytes hold.
struct CodeLayout {
    unsigned codeBits = 16;
    unsigned codesPerWord = 1;

    std::uint32_t codes() const { return std::uint32_t{1} << codeBits; }
    std::uint32_t words() const { return std::uint32_t{1} << (codeBits * codesPerWord); }
    std::uint32_t code(std::uint32_t word, unsigned at) const { return word >> (codeBits * at) & (codes() - 1); }
};

CodeLayout codeLayout(Dtype dtype);

// The value of every code.
std::vector<float> codeValues(Dtype dtype);

// One worker's slab as words. The last word of a tensor may be filled up with code 0.
class CodedSlab {
public:
    explicit CodedSlab(const TensorReader& reader);

    Result<void> read(const Slab& slab);
    std::span<const std::uint16_t> words() const { return std::span(m_words).first(m_count); }

private:
    void unpackSixBits(std::size_t bytes);

    const TensorReader* m_reader;
    CodeLayout m_layout;
    std::vector<std::uint16_t> m_words;
    std::vector<std::byte> m_packed; // 6-bit types only
    std::size_t m_count = 0;
};

} // namespace wb::stats
