// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/random_reader.h"

// MessagePack (msgpack/msgpack: spec.md; docs/reference/formats.md, "MessagePack"), read from a source one value
// after another. Texts, bytes and extensions are places in the source and never copied by the reader itself.
namespace wb::msgpack {

enum class Kind : std::uint8_t { Nil, Bool, Unsigned, Signed, Float, Text, Bytes, Array, Map, Extension, Bad };

// One value, or the head of an array (`count` values follow) or map (`count` pairs follow).
struct Item {
    Kind kind = Kind::Bad;
    std::uint64_t number = 0; // Bool, Unsigned; Signed as two's complement
    double real = 0;          // Float
    std::uint64_t count = 0;  // Array, Map
    std::uint64_t begin = 0;  // Text, Bytes, Extension: the first byte …
    std::uint64_t length = 0; // … and how many
    std::int8_t type = 0;     // Extension
    bool isSingle = false;    // Float of four bytes
};

// Reads forwards. Where the bytes are invalid or end, an item is Bad and the reader is not good().
class Reader {
public:
    Reader(io::RandomReader& source, std::uint64_t begin, std::uint64_t end) : m_source(source), m_at(begin), m_end(end) {}

    bool good() const { return m_isGood && m_source.good(); }
    bool atEnd() const { return m_at >= m_end; }
    std::uint64_t position() const { return m_at; }

    Item next(); // the content of texts, bytes and extensions is passed over
    bool skip(); // one value with all that it holds

    std::string text(const Item& item, std::uint64_t maximum = 64 << 10) { return m_source.text(item.begin, item.length, maximum); }

private:
    std::uint64_t take(unsigned bytes); // big-endian
    Item bad();
    Item held(Kind kind, std::uint64_t length, bool isExtension = false);
    Item container(Kind kind, std::uint64_t count);

    io::RandomReader& m_source;
    std::uint64_t m_at;
    std::uint64_t m_end;
    bool m_isGood = true;
};

} // namespace wb::msgpack
