// SPDX-License-Identifier: MIT
#include "core/formats/safetensors/header.h"

#include "core/base/checked.h"
#include "core/formats/json/json.h"

#include <algorithm>
#include <array>

namespace wb::safetensors {
namespace {

using json::Token;

// Header, tensor, shape, and one level to spare for members this program does not know.
constexpr unsigned maxDepth = 4;
constexpr std::uint64_t longMetadata = 1 << 20;

struct TypeName {
    std::string_view name;
    Dtype dtype;
};

// The names of safetensors/src/tensor.rs, enum Dtype, the frequent ones first.
constexpr std::array<TypeName, 22> typeNames = {{
    {"BF16", Dtype::BF16},
    {"F16", Dtype::F16},
    {"F32", Dtype::F32},
    {"F8_E4M3", Dtype::F8_E4M3},
    {"U8", Dtype::U8},
    {"I8", Dtype::I8},
    {"I32", Dtype::I32},
    {"I64", Dtype::I64},
    {"F64", Dtype::F64},
    {"F4", Dtype::F4},
    {"F6_E2M3", Dtype::F6_E2M3},
    {"F6_E3M2", Dtype::F6_E3M2},
    {"F8_E5M2", Dtype::F8_E5M2},
    {"F8_E8M0", Dtype::F8_E8M0},
    {"BOOL", Dtype::Bool},
    {"F8_E4M3FNUZ", Dtype::F8_E4M3FNUZ},
    {"F8_E5M2FNUZ", Dtype::F8_E5M2FNUZ},
    {"I16", Dtype::I16},
    {"U16", Dtype::U16},
    {"U32", Dtype::U32},
    {"U64", Dtype::U64},
    {"C64", Dtype::C64},
}};

// The reference multiplies in stored order, so a zero that comes too late does not save it.
bool productOverflows(std::span<const std::uint64_t> dimensions) {
    std::optional<std::uint64_t> product = 1;
    for (const std::uint64_t dimension : dimensions)
        if (product = checked::mul(*product, dimension); !product) return true;
    return false;
}

class HeaderParser {
public:
    HeaderParser(std::string_view text, const formats::Limits& limits, Findings& findings)
        : m_text(text), m_scanner(text, maxDepth), m_limits(limits), m_findings(findings) {}

    Result<Header> parse() {
        WB_TRY(beginning());
        while (m_scanner.next() == Token::Key) {
            if (m_scanner.text() == "__metadata__") WB_TRY(metadata());
            else WB_TRY(tensor());
        }
        if (m_scanner.token() != Token::EndObject) return syntax();
        WB_TRY(padding());
        if (const auto at = m_scanner.invalidUtf8())
            WB_TRY(m_findings.defect(Severity::Error, "safetensors.utf8", textStart + *at,
                                     WB_TEXT("{}: the header contains text that is not valid UTF-8 (byte {})."), textStart + *at));
        return std::move(m_header);
    }

private:
    std::uint64_t here() const { return textStart + m_scanner.position(); }

    std::unexpected<Error> syntax() const {
        return m_findings.refuse(ErrorCode::Malformed, Reason("safetensors.syntax"),
                                 WB_TEXT("{} is not a valid safetensors file: in its header, {} (byte {})."), m_scanner.reason(),
                                 here());
    }

    // A wrong kind of value, or text that is not JSON at all.
    std::unexpected<Error> unexpected(const char* wanted) const {
        if (m_scanner.token() == Token::Bad) return syntax();
        return m_findings.refuse(ErrorCode::Malformed, Reason("safetensors.unexpected"),
                                 WB_TEXT("{} is not a valid safetensors file: in its header, {} is missing (byte {})."), wanted,
                                 here());
    }

    std::unexpected<Error> duplicate(std::string_view key) const {
        return m_findings.refuse(ErrorCode::Malformed, Reason("safetensors.duplicate_key"),
                                 WB_TEXT("{} is not a valid safetensors file: in its header, the key {} appears twice (byte {})."),
                                 shown(key), here());
    }

    Result<void> beginning() {
        if (m_scanner.next() != Token::BeginObject) return unexpected("an object");
        if (m_scanner.position() > 0)
            m_findings.add(Severity::Note, "safetensors.leading_blanks", textStart,
                           WB_TEXT("{}: the header starts with {} spaces."), m_scanner.position());
        return {};
    }

    Result<void> padding() {
        const std::size_t at = m_text.find_first_not_of(' ', m_scanner.end());
        if (at == std::string_view::npos) return {};
        return m_findings.refuse(ErrorCode::Malformed, Reason("safetensors.padding"),
                                 WB_TEXT("{} is not a valid safetensors file: its header is not padded with spaces (byte {})."),
                                 textStart + at);
    }

    Result<void> metadata() {
        const std::uint64_t begin = here();
        if (m_header.metadata) return duplicate(m_scanner.text());
        if (m_scanner.next() != Token::BeginObject) return unexpected(WB_TEXT("the object __metadata__"));
        json::Notes notes;
        m_header.metadata = json::readValue(m_scanner, m_limits, notes);
        if (!m_header.metadata) return syntax();
        if (notes.duplicateKey) return duplicate("__metadata__");
        if (textStart + m_scanner.end() - begin > longMetadata)
            m_findings.add(Severity::Note, "safetensors.long_metadata", begin, WB_TEXT("{}: __metadata__ has {} bytes."),
                           textStart + m_scanner.end() - begin);
        for (const Member& member : m_header.metadata->object()->members)
            if (!member.value.string())
                WB_TRY(m_findings.defect(Severity::Error, "safetensors.metadata_type", begin,
                                         WB_TEXT("{}: {} in __metadata__ is not a string."), shown(member.key)));
        return {};
    }

    Result<void> tensor() {
        TensorInfo tensor;
        tensor.name = m_scanner.text();
        const std::uint64_t begin = here();
        if (tensor.name.size() > longestName)
            return m_findings.refuse(ErrorCode::Malformed, Reason("safetensors.long_name"),
                                     WB_TEXT("{}: the tensor name at byte {} is longer than {} bytes."), begin, longestName);
        if (m_header.tensors.size() == m_limits.tensorsPerFile)
            return m_findings.refuse(ErrorCode::Malformed, Reason("safetensors.tensor_count"),
                                     WB_TEXT("{} lists more than {} tensors."), m_limits.tensorsPerFile);
        if (m_scanner.next() != Token::BeginObject) return unexpected(WB_TEXT("the object of a tensor"));
        m_range = {};
        m_seen = 0;
        m_unknownMembers.clear();
        while (m_scanner.next() == Token::Key) WB_TRY(member(tensor));
        if (m_scanner.token() != Token::EndObject) return syntax();
        if (m_seen != (Type | Shape_ | Offsets))
            return m_findings.refuse(ErrorCode::Malformed, Reason("safetensors.tensor_members"),
                                     WB_TEXT("{}: the tensor {} has no dtype, shape or data_offsets (byte {})."),
                                     shown(tensor.name), begin);
        m_header.tensors.push_back(std::move(tensor));
        m_header.ranges.push_back(m_range);
        return {};
    }

    Result<void> member(TensorInfo& tensor) {
        const std::string_view key = m_scanner.text();
        const Part part = key == "dtype" ? Type : key == "shape" ? Shape_ : key == "data_offsets" ? Offsets : None;
        if (part == None) return stranger(tensor);
        if ((m_seen & part) != 0) return duplicate(key);
        m_seen |= part;
        m_scanner.next();
        if (part == Type) return type(tensor);
        if (part == Shape_) return shape(tensor);
        return offsets();
    }

    Result<void> type(TensorInfo& tensor) {
        if (m_scanner.token() != Token::String) return unexpected(WB_TEXT("the name of a dtype"));
        const std::string_view name = m_scanner.text();
        const auto row = std::ranges::find(typeNames, name, &TypeName::name);
        if (row != typeNames.end()) {
            tensor.dtype = row->dtype;
            return {};
        }
        tensor.typeText = shown(name);
        tensor.source.makeUnavailable(Reason("safetensors.unknown_dtype"), WB_TEXT("its type is not supported"));
        return m_findings.defect(Severity::Warning, "safetensors.unknown_dtype", here(),
                                 WB_TEXT("{}: the tensor {} has the type {}, which Weighbridge does not support."),
                                 shown(tensor.name), tensor.typeText);
    }

    Result<void> numbers(const char* wanted, std::size_t maxCount) {
        m_numbers.clear();
        if (m_scanner.token() != Token::BeginArray) return unexpected(wanted);
        while (m_scanner.next() == Token::Number) {
            const auto number = json::unsignedInteger(m_scanner.text());
            if (!number || m_numbers.size() == maxCount)
                return m_findings.refuse(
                    ErrorCode::Malformed, Reason("safetensors.number"),
                    WB_TEXT("{} is not a valid safetensors file: the number {} in its header is not allowed (byte {})."),
                    shown(m_scanner.text()), here());
            m_numbers.push_back(*number);
        }
        if (m_scanner.token() != Token::EndArray) return unexpected(WB_TEXT("an unsigned integer"));
        return {};
    }

    Result<void> shape(TensorInfo& tensor) {
        const std::uint64_t begin = here();
        WB_TRY(numbers(WB_TEXT("the array shape"), Shape::maximumRank));
        const auto made = Shape::make(m_numbers);
        if (!made)
            return m_findings.refuse(ErrorCode::Malformed, Reason("safetensors.shape"),
                                     WB_TEXT("{}: the shape of {} has too many elements to count (byte {})."), shown(tensor.name),
                                     begin);
        tensor.shape = *made;
        if (!productOverflows(m_numbers)) return {};
        return m_findings.defect(Severity::Error, "safetensors.shape_overflow", begin,
                                 WB_TEXT("{}: the shape of the empty tensor {} overflows before its zero."), shown(tensor.name));
    }

    Result<void> offsets() {
        WB_TRY(numbers(WB_TEXT("the array data_offsets"), 2));
        if (m_numbers.size() != 2) return unexpected(WB_TEXT("a second number in data_offsets"));
        m_range = {m_numbers[0], m_numbers[1]};
        return {};
    }

    // The reference ignores members it does not know; duplicates are refused still.
    Result<void> stranger(const TensorInfo& tensor) {
        const std::string key(m_scanner.text());
        if (std::ranges::find(m_unknownMembers, key) != m_unknownMembers.end()) return duplicate(key);
        m_findings.add(Severity::Note, "safetensors.unknown_member", here(), WB_TEXT("{}: the tensor {} has the unknown field {}."),
                       shown(tensor.name), shown(key));
        m_unknownMembers.push_back(key);
        if (m_unknownMembers.size() > maxUnknownMembers)
            return m_findings.refuse(ErrorCode::Malformed, Reason("safetensors.unknown_members"),
                                     WB_TEXT("{}: the tensor {} has more than {} unknown fields."), shown(tensor.name),
                                     maxUnknownMembers);
        m_scanner.next();
        json::Notes notes;
        if (!json::readValue(m_scanner, m_limits, notes)) return syntax();
        if (notes.duplicateKey) return duplicate(key);
        return {};
    }

    enum Part : unsigned { None = 0, Type = 1, Shape_ = 2, Offsets = 4 };
    static constexpr std::size_t longestName = 64 << 10;
    static constexpr std::size_t maxUnknownMembers = 64;

    std::string_view m_text;
    json::Scanner m_scanner;
    const formats::Limits& m_limits;
    Findings& m_findings;
    Header m_header;
    Range m_range;
    unsigned m_seen = 0;
    std::vector<std::string> m_unknownMembers;
    std::vector<std::uint64_t> m_numbers;
};

} // namespace

Result<Header> parseHeader(std::string_view text, const formats::Limits& limits, Findings& findings) {
    return HeaderParser(text, limits, findings).parse();
}

} // namespace wb::safetensors
