// SPDX-License-Identifier: MIT
#include "core/formats/gguf/metadata.h"

namespace wb::gguf {
namespace {

template <typename T>
Result<Value> number(io::Cursor& cursor, ValueType type) {
    WB_TRY_ASSIGN(const T stored, cursor.read<T>());
    if constexpr (std::is_floating_point_v<T>) return Value::ofFloat(type, stored);
    else if constexpr (std::is_signed_v<T>) return Value::ofSigned(type, stored);
    else return Value::ofUnsigned(type, stored);
}

// Hyperparameters may be one number for each of up to 512 layers, and are kept whole.
std::uint64_t keptWhole(ValueType type, const formats::Limits& limits) {
    constexpr std::uint64_t layers = 512;
    const bool isNumber = type != ValueType::String && type != ValueType::Array;
    return isNumber ? std::max(limits.keptArrayElements, layers) : limits.keptArrayElements;
}

} // namespace

std::optional<ValueType> valueTypeOfId(std::uint32_t id) {
    using enum ValueType;
    static constexpr std::array types = {U8, I8, U16, I16, U32, I32, F32, Bool, String, Array, U64, I64, F64};
    if (id >= types.size()) return std::nullopt;
    return types[id];
}

std::uint64_t minimumBytes(ValueType type, const Header& header) {
    switch (type) {
    case ValueType::U16:
    case ValueType::I16: return 2;
    case ValueType::U32:
    case ValueType::I32:
    case ValueType::F32: return 4;
    case ValueType::U64:
    case ValueType::I64:
    case ValueType::F64: return 8;
    case ValueType::String: return header.lengthBytes();
    case ValueType::Array: return 4 + header.lengthBytes();
    default: return 1;
    }
}

ValueReader::ValueReader(io::Cursor& cursor, const Header& header, const formats::OpenOptions& options, Findings& findings)
    : m_cursor(cursor), m_header(header), m_options(options), m_findings(findings), m_textBudget(options.limits.keptStringBytes) {}

Result<std::string> ValueReader::bytes(std::uint64_t longest, std::uint64_t& budget) {
    const std::uint64_t position = m_cursor.position();
    WB_TRY_ASSIGN(const std::uint64_t length, readLength(m_cursor, m_header));
    if (length > longest)
        return m_findings.refuse(
            ErrorCode::TooLarge, Reason("gguf.text_length"),
            WB_TEXT("{} declares a string of {} bytes at byte {}, more than the allowed {}; download it again."), length, position,
            longest);
    if (length > m_cursor.remaining())
        return m_findings.refuse(
            ErrorCode::Malformed, Reason("gguf.text_cut"),
            WB_TEXT("{} declares a string of {} bytes at byte {}, but only {} bytes follow; download it again."), length, position,
            m_cursor.remaining());
    std::string text(std::min(length, budget), '\0');
    budget -= text.size();
    WB_TRY(m_cursor.read(std::as_writable_bytes(std::span(text))));
    WB_TRY(m_cursor.skip(length - text.size()));
    if (text.size() < length)
        m_findings.add(Severity::Note, "gguf.long_text", position,
                       WB_TEXT("{} contains a string of {} bytes; only the beginning is shown."), length);
    else if (!isUtf8(text))
        m_findings.add(Severity::Note, "gguf.not_utf8", position, WB_TEXT("{} contains a string that is not valid UTF-8: \"{}\""),
                       shown(text));
    return text;
}

Result<std::string> ValueReader::bytes(std::uint64_t longest) {
    const std::uint64_t position = m_cursor.position();
    WB_TRY_ASSIGN(std::string name, bytes(longest, m_nameBudget));
    if (m_nameBudget > 0) return name;
    return m_findings.refuse(ErrorCode::TooLarge, Reason("gguf.name_bytes"),
                             WB_TEXT("{} contains more than 256 MiB of names up to byte {}; download it again."), position);
}

Result<std::string> ValueReader::text(std::uint64_t longest) {
    WB_TRY_ASSIGN(std::string stored, bytes(longest));
    return isUtf8(stored) ? std::move(stored) : toUtf8(stored);
}

Result<Value> ValueReader::string() {
    WB_TRY_ASSIGN(std::string stored, bytes(m_options.limits.string, m_textBudget));
    return Value::of(isUtf8(stored) ? std::move(stored) : toUtf8(stored));
}

Result<Value> ValueReader::boolean() {
    const std::uint64_t position = m_cursor.position();
    WB_TRY_ASSIGN(const std::uint8_t stored, m_cursor.read<std::uint8_t>());
    if (stored > 1)
        m_findings.add(Severity::Note, "gguf.bool", position, WB_TEXT("{} stores a Boolean as {}; only 0 and 1 are valid."),
                       stored);
    return Value::of(stored != 0);
}

Result<Value> ValueReader::value(ValueType type, unsigned depth) {
    switch (type) {
    case ValueType::U8: return number<std::uint8_t>(m_cursor, type);
    case ValueType::I8: return number<std::int8_t>(m_cursor, type);
    case ValueType::U16: return number<std::uint16_t>(m_cursor, type);
    case ValueType::I16: return number<std::int16_t>(m_cursor, type);
    case ValueType::U32: return number<std::uint32_t>(m_cursor, type);
    case ValueType::I32: return number<std::int32_t>(m_cursor, type);
    case ValueType::U64: return number<std::uint64_t>(m_cursor, type);
    case ValueType::I64: return number<std::int64_t>(m_cursor, type);
    case ValueType::F32: return number<float>(m_cursor, type);
    case ValueType::F64: return number<double>(m_cursor, type);
    case ValueType::Bool: return boolean();
    case ValueType::Array: return array(depth);
    default: return string();
    }
}

Result<ValueReader::ArrayHead> ValueReader::arrayHead(unsigned depth) {
    const std::uint64_t position = m_cursor.position();
    WB_TRY_ASSIGN(const std::uint32_t id, m_cursor.read<std::uint32_t>());
    WB_TRY_ASSIGN(const std::uint64_t count, readLength(m_cursor, m_header));
    const auto type = valueTypeOfId(id);
    if (!type)
        return m_findings.refuse(ErrorCode::Malformed, Reason("gguf.value_type"),
                                 WB_TEXT("{} contains an array with the unknown value type {} at byte {}; download it again."), id,
                                 position);
    if (count > m_options.limits.arrayElements || !m_cursor.canHold(count, minimumBytes(*type, m_header)))
        return m_findings.refuse(
            ErrorCode::TooLarge, Reason("gguf.array_length"),
            WB_TEXT("{} declares an array of {} values at byte {}, which does not fit in the file; download it again."), count,
            position);
    if (*type == ValueType::Array) {
        if (depth + 1 >= m_options.limits.metadataDepth)
            return m_findings.refuse(ErrorCode::TooLarge, Reason("gguf.array_depth"),
                                     WB_TEXT("{} nests arrays more than {} levels deep at byte {}; download it again."),
                                     m_options.limits.metadataDepth, position);
        WB_TRY(m_findings.defect(
            Severity::Warning, "gguf.nested_array", position,
            WB_TEXT("{} contains an array of arrays at byte {}, which loaders do not support; convert the model without that key."),
            position));
    }
    return ArrayHead{*type, count};
}

Result<Value> ValueReader::array(unsigned depth) {
    WB_TRY_ASSIGN(const ArrayHead head, arrayHead(depth));
    const formats::Limits& limits = m_options.limits;
    std::uint64_t keep = head.count <= keptWhole(head.elementType, limits) ? head.count : limits.keptFirstElements;
    keep = std::min({keep, head.count, m_elementBudget});
    m_elementBudget -= keep;
    ValueArray out{head.elementType, head.count, {}, m_cursor.position()};
    out.first.reserve(keep);
    for (std::uint64_t i = 0; i < keep; ++i) {
        WB_TRY_ASSIGN(Value element, value(head.elementType, depth + 1));
        out.first.push_back(std::move(element));
    }
    WB_TRY(skip(head.elementType, head.count - keep, depth + 1));
    return Value::of(std::move(out));
}

Result<void> ValueReader::skipText() {
    WB_TRY_ASSIGN(const std::uint64_t length, readLength(m_cursor, m_header));
    if (length > m_options.limits.string)
        return m_findings.refuse(ErrorCode::TooLarge, Reason("gguf.text_length"),
                                 WB_TEXT("{} declares a string of {} bytes before byte {}; download it again."), length,
                                 m_cursor.position());
    return m_cursor.skip(length);
}

Result<void> ValueReader::skip(ValueType type, std::uint64_t count, unsigned depth) {
    if (type != ValueType::String && type != ValueType::Array) return m_cursor.skip(count * minimumBytes(type, m_header));
    for (std::uint64_t i = 0; i < count; ++i) {
        if (i % 4096 == 0) WB_TRY(m_options.progress.at(m_cursor.position(), m_cursor.size()));
        if (type == ValueType::String) {
            WB_TRY(skipText());
            continue;
        }
        WB_TRY_ASSIGN(const ArrayHead head, arrayHead(depth));
        WB_TRY(skip(head.elementType, head.count, depth + 1));
    }
    return {};
}

} // namespace wb::gguf
