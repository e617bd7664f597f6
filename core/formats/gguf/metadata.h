// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/gguf/header.h"
#include "core/model/value.h"

#include <optional>

namespace wb::gguf {

// The stored value types: ids 0 to 12 (ggml-org/llama.cpp: ggml/include/gguf.h).
std::optional<ValueType> valueTypeOfId(std::uint32_t id);

// Bytes of one value of a type; for strings and arrays the minimum in this version.
std::uint64_t minimumBytes(ValueType type, const Header& header);

// Reads metadata values one after the other, in bounded memory whatever the file says: when all arrays and texts together exceed a
// budget, long ones are kept only in part; names, which cannot be cut, are refused beyond their own budget.
class ValueReader {
public:
    ValueReader(io::Cursor& cursor, const Header& header, const formats::OpenOptions& options, Findings& findings);

    // A name as stored: its length, then that many bytes, at most `longest`. `text` makes them valid UTF-8.
    Result<std::string> bytes(std::uint64_t longest);
    Result<std::string> text(std::uint64_t longest);
    Result<Value> value(ValueType type, unsigned depth = 0);
    Result<void> skip(ValueType type, std::uint64_t count, unsigned depth);

private:
    struct ArrayHead {
        ValueType elementType;
        std::uint64_t count;
    };
    Result<std::string> bytes(std::uint64_t longest, std::uint64_t& budget);
    Result<Value> string();
    Result<ArrayHead> arrayHead(unsigned depth);
    Result<Value> array(unsigned depth);
    Result<Value> boolean();
    Result<void> skipText();

    io::Cursor& m_cursor;
    const Header& m_header;
    const formats::OpenOptions& m_options;
    Findings& m_findings;
    std::uint64_t m_textBudget;
    std::uint64_t m_nameBudget = 256ull << 20;
    std::uint64_t m_elementBudget = 1 << 20;
};

// All pairs of a file, and where each starts.
struct Pairs {
    ValueObject metadata;
    std::vector<std::uint64_t> positions;

    // The pair of this key with its position; null if none exists.
    const Value* find(std::string_view key, std::uint64_t& position) const;
};

Result<Pairs> readPairs(io::Cursor& cursor, const Header& header, const formats::OpenOptions& options, Findings& findings);

} // namespace wb::gguf
