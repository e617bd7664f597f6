// SPDX-License-Identifier: MIT
#include "core/stats/engine/coded_slab.h"

#include "core/tensor/decode.h"

namespace wb::stats {
namespace {

bool isSixBits(const CodeLayout& layout) { return layout.codeBits == 6; }

} // namespace

CodeLayout codeLayout(Dtype dtype) {
    const DtypeInfo& type = info(dtype);
    const unsigned bits = 8u * type.blockBytes / type.blockElements;
    return {bits, bits == 6 ? 2 : 16 / bits};
}

std::vector<float> codeValues(Dtype dtype) {
    const DtypeInfo& type = info(dtype);
    const std::uint32_t codes = codeLayout(dtype).codes();
    std::vector<std::byte> blocks(std::size_t{codes} * type.blockBytes); // each holds one code in its low bits
    for (std::uint32_t code = 0; code < codes; ++code) {
        blocks[std::size_t{code} * type.blockBytes] = static_cast<std::byte>(code);
        if (codes > 256) blocks[std::size_t{code} * type.blockBytes + 1] = static_cast<std::byte>(code >> 8);
    }
    std::vector<float> decoded(std::size_t{codes} * type.blockElements);
    decode(dtype, blocks, decoded);
    std::vector<float> values(codes);
    for (std::uint32_t code = 0; code < codes; ++code) values[code] = decoded[std::size_t{code} * type.blockElements];
    return values;
}

CodedSlab::CodedSlab(const TensorReader& reader) : m_reader(&reader), m_layout(codeLayout(reader.dtype())) {
    const std::uint64_t largest = std::min(slabElements, reader.elements());
    m_words.resize((largest + m_layout.codesPerWord - 1) / m_layout.codesPerWord);
    if (isSixBits(m_layout)) m_packed.resize(reader.byteCount(largest));
}

Result<void> CodedSlab::read(const Slab& slab) {
    m_count = (slab.count + m_layout.codesPerWord - 1) / m_layout.codesPerWord;
    const std::size_t bytes = m_reader->byteCount(slab.count);
    if (isSixBits(m_layout)) {
        WB_TRY(m_reader->readRaw(slab.first, slab.count, std::span(m_packed).first(bytes)));
        unpackSixBits(bytes);
        return {};
    }
    if (m_count != 0) m_words[m_count - 1] = 0;
    return m_reader->readRaw(slab.first, slab.count, std::as_writable_bytes(std::span(m_words)).first(bytes));
}

void CodedSlab::unpackSixBits(std::size_t bytes) {
    for (std::size_t group = 0; group < bytes / 3; ++group) {
        const std::byte* in = m_packed.data() + 3 * group;
        const auto bits =
            std::to_integer<unsigned>(in[0]) | std::to_integer<unsigned>(in[1]) << 8 | std::to_integer<unsigned>(in[2]) << 16;
        m_words[2 * group] = static_cast<std::uint16_t>(bits & 0xFFF);
        m_words[2 * group + 1] = static_cast<std::uint16_t>(bits >> 12);
    }
}

} // namespace wb::stats
