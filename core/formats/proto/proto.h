// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/cursor.h"

#include <string>
#include <vector>

// The wire format of Protocol Buffers (protocolbuffers/protobuf: docs, "Encoding"; docs/reference/formats.md,
// "Protobuf"), read forwards from a source and never as a whole: a field of bytes is a place in the source, so that a model of
// gigabytes costs no more than its structure. The libraries for this want the whole message in memory.
namespace wb::proto {

enum class Wire : std::uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

inline constexpr unsigned maxDepth = 100;

// One message. Of nested ones only the innermost may be walked; the outer one continues after it with its own next(). All of them
// share a cursor, which must outlive them. Not thread-safe.
//
// Malformed (proto.*) for groups, reserved field numbers, lengths beyond the message around, varints of more than ten bytes.
class Message {
public:
    // The message from the cursor's position to `end`.
    Message(io::Cursor& cursor, std::uint64_t end, const std::string& name) : m_cursor(&cursor), m_end(end), m_name(&name) {}

    // Moves to the next field; false at the end.
    Result<bool> next();

    std::uint32_t field() const { return m_field; }
    Wire wire() const { return m_wire; }
    bool is(std::uint32_t field, Wire wire) const { return m_field == field && m_wire == wire; }

    // Varint, Fixed64, Fixed32: the number. Others: 0.
    std::uint64_t number() const { return m_number; }
    // Bytes: the first one in the source, and how many.
    std::uint64_t begin() const { return m_begin; }
    std::uint64_t length() const { return m_length; }

    // Bytes, before anything else of the message is read:
    Result<Message> message() const;                                // as a message
    Result<std::string> text(std::uint64_t maximumBytes);           // TooLarge beyond
    Result<void> appendNumbers(std::vector<std::uint64_t>& numbers, // a repeated number, packed or not: `packed` says as what,
                               Wire packed, std::uint64_t maximum); // TooLarge beyond so many in all

private:
    Result<std::uint64_t> varint();
    Result<std::uint64_t> readNumber(Wire wire);
    std::unexpected<Error> malformed(const char* what) const;

    io::Cursor* m_cursor;
    std::uint64_t m_end;
    const std::string* m_name; // of the source, in sentences
    unsigned m_depth = 0;
    std::uint32_t m_field = 0;
    Wire m_wire = Wire::Varint;
    std::uint64_t m_number = 0;
    std::uint64_t m_begin = 0;
    std::uint64_t m_length = 0;
};

} // namespace wb::proto
