// SPDX-License-Identifier: MIT
#include "core/formats/proto/proto.h"

namespace wb::proto {

namespace {
constexpr const char* invalidNumber = WB_TEXT("invalid number");
}

std::unexpected<Error> Message::malformed(const char* what) const {
    return fail(ErrorCode::Malformed, Reason("proto.malformed"), About{*m_name},
                WB_TEXT("{} is corrupted: its protobuf message is truncated or invalid before byte {} ({})."), *m_name,
                m_cursor->position(), what);
}

Result<std::uint64_t> Message::varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        if (m_cursor->position() >= m_end) return malformed(invalidNumber);
        WB_TRY_ASSIGN(const std::uint8_t byte, m_cursor->read<std::uint8_t>());
        if (shift == 63 && byte > 1) return malformed(invalidNumber);
        value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
        if (byte < 0x80) return value;
    }
    return malformed(invalidNumber);
}

Result<std::uint64_t> Message::readNumber(Wire wire) {
    if (wire == Wire::Varint) return varint();
    const std::uint64_t bytes = wire == Wire::Fixed64 ? 8 : 4;
    if (m_end - m_cursor->position() < bytes) return malformed(invalidNumber);
    if (wire == Wire::Fixed64) return m_cursor->read<std::uint64_t>();
    WB_TRY_ASSIGN(const std::uint32_t number, m_cursor->read<std::uint32_t>());
    return number;
}

Result<bool> Message::next() {
    if (m_field != 0 && m_wire == Wire::Bytes) { // whatever was read of the present field
        const std::uint64_t end = m_begin + m_length;
        if (m_cursor->position() < end) WB_TRY(m_cursor->skip(end - m_cursor->position()));
    }
    if (m_cursor->position() >= m_end) return false;
    WB_TRY_ASSIGN(const std::uint64_t key, varint());
    const std::uint64_t field = key >> 3, wire = key & 7;
    if (field == 0 || field >= 1u << 29 || (field >= 19'000 && field <= 19'999)) return malformed(WB_TEXT("invalid field number"));
    if (wire != 0 && wire != 1 && wire != 2 && wire != 5) return malformed(WB_TEXT("unsupported field type"));
    m_field = static_cast<std::uint32_t>(field);
    m_wire = static_cast<Wire>(wire);
    m_number = 0;
    if (m_wire != Wire::Bytes) {
        WB_TRY_ASSIGN(m_number, readNumber(m_wire));
        return true;
    }
    WB_TRY_ASSIGN(m_length, varint());
    m_begin = m_cursor->position();
    if (m_length > m_end - m_begin) return malformed(WB_TEXT("field longer than its message"));
    return true;
}

Result<Message> Message::message() const {
    if (m_wire != Wire::Bytes) return malformed(WB_TEXT("unexpected field type"));
    if (m_depth + 1 > maxDepth)
        return fail(ErrorCode::TooLarge, Reason("proto.depth"), About{*m_name},
                    WB_TEXT("{} nests its protobuf messages more than {} levels deep."), *m_name, maxDepth);
    Message inner(*m_cursor, m_begin + m_length, *m_name);
    inner.m_depth = m_depth + 1;
    return inner;
}

Result<std::string> Message::text(std::uint64_t maximumBytes) {
    if (m_wire != Wire::Bytes) return malformed(WB_TEXT("unexpected field type"));
    if (m_length > maximumBytes)
        return fail(ErrorCode::TooLarge, Reason("proto.text"), About{*m_name},
                    WB_TEXT("{} contains a string of {} bytes; at most {} are read."), *m_name, m_length, maximumBytes);
    std::string text(m_length, '\0');
    WB_TRY(m_cursor->read(std::as_writable_bytes(std::span(text))));
    return text;
}

Result<void> Message::appendNumbers(std::vector<std::uint64_t>& numbers, Wire packed, std::uint64_t maximum) {
    const auto add = [&](std::uint64_t number) -> Result<void> {
        if (numbers.size() >= maximum)
            return fail(ErrorCode::TooLarge, Reason("proto.count"), About{*m_name},
                        WB_TEXT("{} lists more than {} numbers in a single field."), *m_name, maximum);
        numbers.push_back(number);
        return {};
    };
    if (m_wire == packed) return add(m_number);
    if (m_wire != Wire::Bytes) return malformed(WB_TEXT("unexpected field type"));
    Message list(*m_cursor, m_begin + m_length, *m_name);
    while (m_cursor->position() < list.m_end) {
        WB_TRY_ASSIGN(const std::uint64_t number, list.readNumber(packed));
        WB_TRY(add(number));
    }
    return {};
}

} // namespace wb::proto
