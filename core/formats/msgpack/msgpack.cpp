// SPDX-License-Identifier: MIT
#include "core/formats/msgpack/msgpack.h"

#include <bit>

namespace wb::msgpack {

Item Reader::bad() {
    m_isGood = false;
    m_at = m_end;
    return {};
}

std::uint64_t Reader::take(unsigned bytes) {
    if (bytes > m_end - m_at) {
        (void)bad();
        return 0;
    }
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) value = value << 8 | m_source.read<std::uint8_t>(m_at++);
    return value;
}

Item Reader::held(Kind kind, std::uint64_t length, bool isExtension) {
    Item item;
    item.kind = kind;
    if (isExtension) item.type = static_cast<std::int8_t>(take(1));
    if (!m_isGood || length > m_end - m_at) return bad();
    item.begin = m_at;
    item.length = length;
    m_at += length;
    return item;
}

// Each value takes at least a byte.
Item Reader::container(Kind kind, std::uint64_t count) {
    const std::uint64_t values = kind == Kind::Map ? 2 : 1;
    if (!m_isGood || count > (m_end - m_at) / values) return bad();
    Item item;
    item.kind = kind;
    item.count = count;
    return item;
}

Item Reader::next() {
    if (!good() || m_at >= m_end) return bad();
    const auto code = static_cast<unsigned>(take(1));
    Item item;
    const auto number = [&](Kind kind, std::uint64_t value) {
        item.kind = kind;
        item.number = value;
        return item;
    };
    const auto extended = [](std::uint64_t value, unsigned bytes) {
        const unsigned shift = 64 - 8 * bytes;
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << shift) >> shift);
    };
    if (code < 0x80) return number(Kind::Unsigned, code);
    if (code >= 0xE0) return number(Kind::Signed, extended(code, 1));
    if (code < 0x90) return container(Kind::Map, code & 15);
    if (code < 0xA0) return container(Kind::Array, code & 15);
    if (code < 0xC0) return held(Kind::Text, code & 31);
    switch (code) {
    case 0xC0: return number(Kind::Nil, 0);
    case 0xC2:
    case 0xC3: return number(Kind::Bool, code & 1);
    case 0xC4:
    case 0xC5:
    case 0xC6: return held(Kind::Bytes, take(1u << (code - 0xC4)));
    case 0xC7:
    case 0xC8:
    case 0xC9: return held(Kind::Extension, take(1u << (code - 0xC7)), true);
    case 0xCA:
        item.kind = Kind::Float;
        item.isSingle = true;
        item.real = double{std::bit_cast<float>(static_cast<std::uint32_t>(take(4)))};
        return item;
    case 0xCB:
        item.kind = Kind::Float;
        item.real = std::bit_cast<double>(take(8));
        return item;
    case 0xCC:
    case 0xCD:
    case 0xCE:
    case 0xCF: return number(Kind::Unsigned, take(1u << (code - 0xCC)));
    case 0xD0:
    case 0xD1:
    case 0xD2:
    case 0xD3: return number(Kind::Signed, extended(take(1u << (code - 0xD0)), 1u << (code - 0xD0)));
    case 0xD4:
    case 0xD5:
    case 0xD6:
    case 0xD7:
    case 0xD8: return held(Kind::Extension, std::uint64_t{1} << (code - 0xD4), true);
    case 0xD9:
    case 0xDA:
    case 0xDB: return held(Kind::Text, take(1u << (code - 0xD9)));
    case 0xDC:
    case 0xDD: return container(Kind::Array, take(code == 0xDC ? 2 : 4));
    case 0xDE:
    case 0xDF: return container(Kind::Map, take(code == 0xDE ? 2 : 4));
    default: return bad(); // 0xC1 is never used
    }
}

bool Reader::skip() {
    for (std::uint64_t values = 1; values > 0; --values) {
        const Item item = next();
        if (item.kind == Kind::Bad) return false;
        if (item.kind == Kind::Array) values += item.count;
        if (item.kind == Kind::Map) values += 2 * item.count;
    }
    return true;
}

} // namespace wb::msgpack
