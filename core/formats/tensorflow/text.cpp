// SPDX-License-Identifier: MIT
#include "core/base/text.h"
#include "core/formats/tensorflow/parts.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

// Protocol Buffers' text format (protocolbuffers/protobuf: docs, "Text Format Language"), read into the binary form, so that one
// reader serves both.
namespace wb::tensorflow {
namespace {

enum class Kind : std::uint8_t { Message, Text, Integer, Float, Double, Type, Flag };

struct Field {
    const char* in; // the message that has it
    const char* name;
    unsigned number;
    Kind kind;
    const char* message = ""; // of a Message
};

// Of GraphDef what leads to the values of constants.
constexpr std::array fields = {Field{"graph", "node", 1, Kind::Message, "node"},
                               Field{"graph", "library", 2, Kind::Message, "library"},
                               Field{"library", "function", 1, Kind::Message, "function"},
                               Field{"function", "signature", 1, Kind::Message, "signature"},
                               Field{"function", "node_def", 3, Kind::Message, "node"},
                               Field{"signature", "name", 1, Kind::Text},
                               Field{"node", "name", 1, Kind::Text},
                               Field{"node", "op", 2, Kind::Text},
                               Field{"node", "attr", 5, Kind::Message, "attr"},
                               Field{"attr", "key", 1, Kind::Text},
                               Field{"attr", "value", 2, Kind::Message, "value"},
                               Field{"value", "tensor", 8, Kind::Message, "tensor"},
                               Field{"tensor", "dtype", 1, Kind::Type},
                               Field{"tensor", "tensor_shape", 2, Kind::Message, "shape"},
                               Field{"tensor", "tensor_content", 4, Kind::Text},
                               Field{"tensor", "float_val", 5, Kind::Float},
                               Field{"tensor", "double_val", 6, Kind::Double},
                               Field{"tensor", "int_val", 7, Kind::Integer},
                               Field{"tensor", "string_val", 8, Kind::Text},
                               Field{"tensor", "scomplex_val", 9, Kind::Float},
                               Field{"tensor", "int64_val", 10, Kind::Integer},
                               Field{"tensor", "bool_val", 11, Kind::Flag},
                               Field{"tensor", "dcomplex_val", 12, Kind::Double},
                               Field{"tensor", "half_val", 13, Kind::Integer},
                               Field{"tensor", "uint32_val", 16, Kind::Integer},
                               Field{"tensor", "uint64_val", 17, Kind::Integer},
                               Field{"tensor", "float8_val", 18, Kind::Text},
                               Field{"shape", "dim", 2, Kind::Message, "dim"},
                               Field{"shape", "unknown_rank", 3, Kind::Flag},
                               Field{"dim", "size", 1, Kind::Integer}};

constexpr std::array typeNames = {"DT_INVALID",     "DT_FLOAT",        "DT_DOUBLE",    "DT_INT32",   "DT_UINT8",   "DT_INT16",
                                  "DT_INT8",        "DT_STRING",       "DT_COMPLEX64", "DT_INT64",   "DT_BOOL",    "DT_QINT8",
                                  "DT_QUINT8",      "DT_QINT32",       "DT_BFLOAT16",  "DT_QINT16",  "DT_QUINT16", "DT_UINT16",
                                  "DT_COMPLEX128",  "DT_HALF",         "DT_RESOURCE",  "DT_VARIANT", "DT_UINT32",  "DT_UINT64",
                                  "DT_FLOAT8_E5M2", "DT_FLOAT8_E4M3FN"};

const Field* find(std::string_view message, std::string_view name) {
    for (const Field& field : fields)
        if (message == field.in && name == field.name) return &field;
    return nullptr;
}

class Parser {
public:
    Parser(std::string_view text, const std::string& name) : m_text(text), m_name(name) {}

    Result<std::vector<std::byte>> whole() {
        std::string out;
        if (!message("graph", '\0', 0, out))
            return fail(ErrorCode::Malformed, Reason("tensorflow.text"), About{m_name},
                        WB_TEXT("{} is not a valid protobuf text graph: error at byte {}."), m_name, m_at);
        const auto bytes = std::as_bytes(std::span(out));
        return std::vector(bytes.begin(), bytes.end());
    }

private:
    static constexpr unsigned maxDepth = 100;

    void skipBlanks() {
        while (m_at < m_text.size()) {
            const char c = m_text[m_at];
            if (c == '#') m_at = std::min(m_text.find('\n', m_at), m_text.size());
            else if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',' || c == ';') ++m_at;
            else return;
        }
    }

    bool take(char c) {
        skipBlanks();
        if (m_at >= m_text.size() || m_text[m_at] != c) return false;
        ++m_at;
        return true;
    }

    char peek() {
        skipBlanks();
        return m_at < m_text.size() ? m_text[m_at] : '\0';
    }

    std::string_view word() {
        skipBlanks();
        const std::size_t begin = m_at;
        while (m_at < m_text.size()) {
            const char c = m_text[m_at];
            const bool isPart = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                                c == '.' || c == '-' || c == '+' || c == '/';
            if (!isPart) break;
            ++m_at;
        }
        return m_text.substr(begin, m_at - begin);
    }

    // The fields up to `end`, which is '\0' at the end of the text. An empty `type`: nothing of it is kept.
    bool message(std::string_view type, char end, unsigned depth, std::string& out) {
        if (depth > maxDepth) return false;
        while (true) {
            const char next = peek();
            if (next == '\0') return end == '\0';
            if (next == end) return take(end);
            if (next == '[' ? !skipBracketed() : false) return false;
            const std::string_view name = next == '[' ? std::string_view() : word();
            if (next != '[' && name.empty()) return false;
            const Field* field = find(type, name);
            const bool hasColon = take(':');
            if (peek() == '[') {
                ++m_at;
                while (peek() != ']')
                    if (peek() == '\0' || !value(field, true, depth, out)) return false;
                ++m_at;
            } else if (!value(field, hasColon, depth, out)) {
                return false;
            }
        }
    }

    // The name of an extension.
    bool skipBracketed() {
        m_at = m_text.find(']', m_at);
        if (m_at == std::string_view::npos) m_at = m_text.size();
        return take(']');
    }

    bool value(const Field* field, bool hasColon, unsigned depth, std::string& out) {
        const char next = peek();
        if (next == '{' || next == '<') {
            ++m_at;
            std::string inner;
            const bool isKnown = field && field->kind == Kind::Message;
            if (!message(isKnown ? field->message : "", next == '{' ? '}' : '>', depth + 1, inner)) return false;
            if (isKnown) appendBytes(out, field->number, inner);
            return true;
        }
        if (!hasColon) return false;
        if (next == '"' || next == '\'') {
            std::string text;
            while (peek() == '"' || peek() == '\'') // neighbors are one text
                if (!quoted(text)) return false;
            if (field && field->kind == Kind::Text) appendBytes(out, field->number, text);
            return true;
        }
        const std::string_view scalar = word();
        return !scalar.empty() && (!field || append(*field, scalar, out));
    }

    bool quoted(std::string& out) {
        const char quote = m_text[m_at++];
        while (m_at < m_text.size()) {
            const char c = m_text[m_at++];
            if (c == quote) return true;
            if (c != '\\') out += c;
            else if (!escape(out)) return false;
        }
        return false;
    }

    bool escape(std::string& out) {
        if (m_at >= m_text.size()) return false;
        const char c = m_text[m_at++];
        constexpr std::string_view letters = "abfnrtv", codes = "\a\b\f\n\r\t\v";
        if (const std::size_t found = letters.find(c); found != std::string_view::npos) {
            out += codes[found];
            return true;
        }
        const bool isOctal = c >= '0' && c <= '7', isHex = c == 'x' || c == 'X';
        if (!isOctal && !isHex) {
            out += c;
            return true;
        }
        if (isOctal) --m_at;
        const std::string_view digits = m_text.substr(m_at, isOctal ? 3 : 2);
        unsigned code = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, isOctal ? 8 : 16);
        if (error != std::errc() || code > 255) return false;
        m_at += static_cast<std::size_t>(end - digits.data());
        out += static_cast<char>(code);
        return true;
    }

    static void appendVarint(std::string& out, std::uint64_t value) {
        for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
        out += static_cast<char>(value);
    }
    static void appendBytes(std::string& out, unsigned number, std::string_view bytes) {
        appendVarint(out, number << 3 | 2);
        appendVarint(out, bytes.size());
        out += bytes;
    }
    template <class Bits>
    static void appendFixed(std::string& out, unsigned number, Bits bits) {
        appendVarint(out, number << 3 | (sizeof(Bits) == 4 ? 5 : 1));
        for (std::size_t i = 0; i < sizeof(Bits); ++i) out += static_cast<char>(bits >> 8 * i & 0xFF);
    }

    static std::optional<double> real(std::string_view text) {
        const bool isNegative = text.starts_with('-');
        std::string_view rest = isNegative ? text.substr(1) : text;
        if (rest.ends_with('f') && rest != "inf") rest.remove_suffix(1);
        double value = 0;
        if (rest == "inf" || rest == "infinity") value = std::numeric_limits<double>::infinity();
        else if (rest == "nan") value = std::numeric_limits<double>::quiet_NaN();
        else if (const auto number = parseDouble(rest)) value = *number;
        else return std::nullopt;
        return isNegative ? -value : value;
    }

    static std::optional<std::uint64_t> integer(std::string_view text) {
        const bool isNegative = text.starts_with('-');
        std::string_view digits = isNegative ? text.substr(1) : text;
        int base = 10;
        if (digits.starts_with("0x") || digits.starts_with("0X")) {
            base = 16;
            digits.remove_prefix(2);
        } else if (digits.size() > 1 && digits.front() == '0') {
            base = 8;
        }
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
        if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
        return isNegative ? std::uint64_t{0} - value : value;
    }

    bool append(const Field& field, std::string_view text, std::string& out) {
        switch (field.kind) {
        case Kind::Float: {
            const auto value = real(text);
            if (value) appendFixed(out, field.number, std::bit_cast<std::uint32_t>(static_cast<float>(*value)));
            return value.has_value();
        }
        case Kind::Double: {
            const auto value = real(text);
            if (value) appendFixed(out, field.number, std::bit_cast<std::uint64_t>(*value));
            return value.has_value();
        }
        case Kind::Flag:
            appendVarint(out, field.number << 3);
            appendVarint(out, text == "true" || text == "1" || text == "t" ? 1 : 0);
            return true;
        case Kind::Type: {
            const bool isReference = text.ends_with("_REF");
            const std::string_view name = isReference ? text.substr(0, text.size() - 4) : text;
            std::uint64_t number = 0;
            for (std::size_t i = 0; i < typeNames.size(); ++i)
                if (name == typeNames[i]) number = i;
            appendVarint(out, field.number << 3);
            appendVarint(out, number);
            return true;
        }
        case Kind::Integer: {
            const auto value = integer(text);
            if (!value) return false;
            appendVarint(out, field.number << 3);
            appendVarint(out, *value);
            return true;
        }
        default: return false;
        }
    }

    std::string_view m_text;
    const std::string& m_name;
    std::size_t m_at = 0;
};

} // namespace

Result<std::vector<std::byte>> binaryFromText(std::string_view text, const std::string& name) { return Parser(text, name).whole(); }

} // namespace wb::tensorflow
