// SPDX-License-Identifier: MIT
#include "core/formats/coreml/program.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace wb::coreml {
namespace {

struct TextType {
    std::string_view name;
    Dtype dtype;
    const char* typeText; // of an Unknown one
};

constexpr std::array textTypes = {TextType{"fp32", Dtype::F32, ""},          TextType{"fp16", Dtype::F16, ""},
                                  TextType{"fp64", Dtype::F64, ""},          TextType{"bf16", Dtype::BF16, ""},
                                  TextType{"int8", Dtype::I8, ""},           TextType{"int16", Dtype::I16, ""},
                                  TextType{"int32", Dtype::I32, ""},         TextType{"int64", Dtype::I64, ""},
                                  TextType{"int4", Dtype::I4, ""},           TextType{"uint8", Dtype::U8, ""},
                                  TextType{"uint16", Dtype::U16, ""},        TextType{"uint32", Dtype::U32, ""},
                                  TextType{"uint64", Dtype::U64, ""},        TextType{"uint4", Dtype::U4, ""},
                                  TextType{"uint2", Dtype::U2, ""},          TextType{"uint1", Dtype::Unknown, "U1"},
                                  TextType{"uint6", Dtype::Unknown, "U6"},   TextType{"uint3", Dtype::Unknown, "U3"},
                                  TextType{"bool", Dtype::Bool, ""},         TextType{"string", Dtype::Unknown, "STRING"},
                                  TextType{"fp8e4m3fn", Dtype::F8_E4M3, ""}, TextType{"fp8e5m2", Dtype::F8_E5M2, ""}};

bool isWordByte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-' ||
           c == '+';
}

// Walks a program as Xcode writes it into model.mil:
//
//   tensor<fp32, [64, 96]> w = const()[name = …, val = tensor<fp32, [64, 96]>(BLOBFILE(path = tensor<string, []>("@model_path/
//   weights/weight.bin"), offset = tensor<uint64, []>(64)))];
//   tensor<fp32, [1, 64]> y = linear(bias = b, weight = w, x = x)[name = …];
//
// A statement that it does not understand is passed over.
class TextReader {
public:
    TextReader(Context& context, std::string_view text) : m_context(context), m_text(text) {}

    Result<void> read() {
        ProgramTensors tensors(m_context, "");
        while (m_at < m_text.size()) {
            if (m_context.options().progress.stop.stop_requested()) return std::unexpected(canceled());
            const std::size_t begin = m_at;
            MilOperation operation;
            if (readStatement(operation)) {
                WB_TRY(tensors.add(operation));
            } else {
                m_at = begin;
                skipStatement();
            }
        }
        tensors.finish();
        return {};
    }

private:
    void skipBlanks() {
        while (m_at < m_text.size() &&
               (m_text[m_at] == ' ' || m_text[m_at] == '\n' || m_text[m_at] == '\r' || m_text[m_at] == '\t'))
            ++m_at;
    }
    bool take(std::string_view expected) {
        skipBlanks();
        if (!m_text.substr(m_at).starts_with(expected)) return false;
        m_at += expected.size();
        return true;
    }
    std::string_view word() {
        skipBlanks();
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && isWordByte(m_text[m_at])) ++m_at;
        return m_text.substr(begin, m_at - begin);
    }
    // What is between two quotes.
    std::optional<std::string_view> quoted() {
        if (!take("\"")) return std::nullopt;
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && m_text[m_at] != '"') m_at += m_text[m_at] == '\\' ? 2 : 1;
        if (m_at >= m_text.size()) return std::nullopt;
        return m_text.substr(begin, m_at++ - begin);
    }
    std::optional<std::uint64_t> number() {
        const std::string_view digits = word();
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return !digits.empty() && error == std::errc() && end == digits.data() + digits.size() ? std::optional(value)
                                                                                               : std::nullopt;
    }

    // To the end of a statement: a semicolon or brace outside of quotes.
    void skipStatement() {
        while (m_at < m_text.size()) {
            const char c = m_text[m_at];
            if (c == '"' && !quoted()) m_at = m_text.size();
            else if (c != '"') ++m_at;
            if (c == ';' || c == '{' || c == '}') return;
        }
    }

    // tensor<fp32, [64, 96]>; sides that only a run decides are "?".
    bool readType(MilValue& value) {
        if (!take("tensor<")) return false;
        const std::string_view name = word();
        const auto* const type = std::ranges::find(textTypes, name, &TextType::name);
        if (type != textTypes.end()) value.dtype = type->dtype, value.typeText = type->typeText;
        else value.typeText = std::string(name);
        if (!take(",") || !take("[")) return false;
        while (!take("]")) {
            if (value.sides.size() > Shape::maximumRank) return false;
            if (take("?")) value.sides.push_back(~std::uint64_t{0});
            else if (const auto side = number()) value.sides.push_back(*side);
            else return false;
            (void)take(",");
        }
        return take(">");
    }

    // BLOBFILE(path = tensor<string, []>("…"), offset = tensor<uint64, []>(64)).
    bool readBlobFile(MilValue& value) {
        MilValue ignored;
        if (!take("path") || !take("=") || !readType(ignored) || !take("(")) return false;
        const auto path = quoted();
        if (!path || !take(")") || !take(",") || !take("offset") || !take("=") || !readType(ignored) || !take("(")) return false;
        const auto offset = number();
        if (!offset || !take(")") || !take(")")) return false;
        value.blobFile = toUtf8(*path);
        value.blobOffset = *offset;
        return true;
    }

    // One number, for an axis. Longer values are passed over: weights are in a file.
    bool readLiteral(MilValue& value) {
        const std::size_t begin = m_at;
        const std::string_view digits = word();
        std::int64_t integer = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), integer);
        const std::size_t width = info(value.dtype).blockBytes;
        if (!digits.empty() && error == std::errc() && end == digits.data() + digits.size() && value.sides.empty() && width <= 8 &&
            info(value.dtype).kind == DtypeKind::Integer)
            for (std::size_t i = 0; i < width; ++i)
                value.bytes.push_back(static_cast<std::byte>(static_cast<std::uint64_t>(integer) >> 8 * i & 0xFF));
        m_at = begin;
        unsigned open = 1;
        while (m_at < m_text.size() && open != 0) {
            const char c = m_text[m_at];
            if (c == '"') {
                if (!quoted()) return false;
                continue;
            }
            if (c == '(') ++open;
            if (c == ')') --open;
            ++m_at;
        }
        return open == 0;
    }

    // name, or tensor<…>(value).
    bool readArgument(MilArgument& argument) {
        skipBlanks();
        if (!m_text.substr(m_at).starts_with("tensor<")) {
            if (take("(")) { // several names
                while (m_at < m_text.size() && m_text[m_at] != ')') ++m_at;
                return take(")");
            }
            argument.name = toUtf8(word());
            return !argument.name.empty();
        }
        MilValue& value = argument.value.emplace();
        if (!readType(value) || !take("(")) return false;
        if (take("BLOBFILE(")) return readBlobFile(value) && take(")");
        return readLiteral(value);
    }

    // key = argument, … up to the closing character.
    bool readArguments(std::string_view end, MilOperation& operation) {
        constexpr std::size_t most = 1000;
        while (!take(end)) {
            const std::string key = toUtf8(word());
            MilArgument argument;
            if (key.empty() || !take("=") || !readArgument(argument) || operation.arguments.size() > most) return false;
            operation.arguments[key] = std::move(argument);
            (void)take(",");
        }
        return true;
    }

    bool readStatement(MilOperation& operation) {
        if (!readType(operation.result)) return false;
        operation.output = toUtf8(word());
        while (take(",")) { // further outputs
            MilValue ignored;
            if (!readType(ignored)) return false;
            (void)word();
        }
        if (!take("=")) return false;
        operation.type = toUtf8(word());
        return !operation.type.empty() && take("(") && readArguments(")", operation) && take("[") &&
               readArguments("]", operation) && take(";");
    }

    Context& m_context;
    std::string_view m_text;
    std::size_t m_at = 0;
};

} // namespace

Result<void> readProgramText(Context& context, std::string_view text) { return TextReader(context, text).read(); }

} // namespace wb::coreml
