// SPDX-License-Identifier: MIT
#include "core/formats/yaml/yaml.h"

#include "core/base/text.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace wb::yaml {
namespace {

struct Line {
    std::size_t number = 0; // from 1
    std::size_t indent = 0;
    std::string_view text; // without indentation, comment and blanks at the end
};

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
    return text;
}

// The first byte that is outside quotes and for which `is(position)` holds.
std::size_t findOutside(std::string_view text, auto is) {
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote != 0) {
            if (c == '\\' && quote == '"') ++i;
            else if (c == quote) quote = 0;
        } else if (is(i)) {
            return i;
        } else if ((c == '"' || c == '\'') && (i == 0 || std::string_view(" [{,:").find(text[i - 1]) != std::string_view::npos)) {
            quote = c;
        }
    }
    return std::string_view::npos;
}

std::string_view withoutComment(std::string_view text) {
    const std::size_t hash = findOutside(
        text, [text](std::size_t i) { return text[i] == '#' && (i == 0 || text[i - 1] == ' ' || text[i - 1] == '\t'); });
    return trimmed(text.substr(0, hash));
}

// The colon after a key; npos: the text is no member.
std::size_t findColon(std::string_view text) {
    if (text.starts_with('[') || text.starts_with('{')) return std::string_view::npos;
    return findOutside(text, [text](std::size_t i) { return text[i] == ':' && (i + 1 == text.size() || text[i + 1] == ' '); });
}

class Parser {
public:
    Parser(std::string_view text, const std::string& name) : m_name(name) {
        for (std::size_t number = 1; !text.empty(); ++number) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            addLine(text.substr(0, end), number);
            text.remove_prefix(std::min(end + 1, text.size()));
        }
    }

    Result<Value> run() {
        if (m_refusedLine != 0) return malformed(m_refusedLine);
        if (m_lines.empty()) return Value::null();
        WB_TRY_ASSIGN(Value value, block(m_lines[0].indent, 0));
        if (m_at < m_lines.size()) return malformed(m_lines[m_at].number);
        return value;
    }

private:
    void addLine(std::string_view line, std::size_t number) {
        std::size_t indent = 0;
        while (indent < line.size() && line[indent] == ' ') ++indent;
        const std::string_view text = withoutComment(line.substr(indent));
        if (text.empty() || (text == "---" && m_lines.empty())) return;
        const bool isRefused = line[indent] == '\t' || text == "---" || text == "...";
        if (isRefused && m_refusedLine == 0) m_refusedLine = number;
        m_lines.push_back({number, indent, text});
    }

    std::unexpected<Error> malformed(std::size_t line) const {
        return fail(ErrorCode::Malformed, Reason("yaml.syntax"), About{m_name},
                    WB_TEXT("{} is invalid at line {}, or uses a feature of YAML that is not supported."), m_name, line);
    }

    static bool isItem(std::string_view text) { return text == "-" || text.starts_with("- "); }

    // Lines from the present one with this indentation.
    Result<Value> block(std::size_t indent, unsigned depth) {
        if (depth > maxDepth) return malformed(m_lines[m_at].number);
        const Line& first = m_lines[m_at];
        if (isItem(first.text)) return sequence(indent, depth);
        if (findColon(first.text) != std::string_view::npos) return mapping(indent, depth);
        ++m_at;
        return scalarOrFlow(first.text, first.number, depth);
    }

    Result<Value> sequence(std::size_t indent, unsigned depth) {
        ValueArray array;
        while (m_at < m_lines.size() && m_lines[m_at].indent == indent && isItem(m_lines[m_at].text)) {
            Line& line = m_lines[m_at];
            const std::string_view rest = trimmed(line.text.substr(1));
            if (rest.empty()) {
                ++m_at;
                WB_TRY_ASSIGN(Value value, nested(indent, depth));
                array.first.push_back(std::move(value));
                continue;
            }
            line.indent += static_cast<std::size_t>(rest.data() - line.text.data()); // the item's own block starts in this line
            line.text = rest;
            WB_TRY_ASSIGN(Value value, block(line.indent, depth + 1));
            array.first.push_back(std::move(value));
        }
        array.count = array.first.size();
        return Value::of(std::move(array));
    }

    Result<Value> mapping(std::size_t indent, unsigned depth) {
        ValueObject object;
        while (m_at < m_lines.size() && m_lines[m_at].indent == indent && !isItem(m_lines[m_at].text)) {
            const Line line = m_lines[m_at];
            const std::size_t colon = findColon(line.text);
            if (colon == std::string_view::npos) return malformed(line.number);
            WB_TRY_ASSIGN(std::string name, keyText(trimmed(line.text.substr(0, colon)), line.number));
            const std::string_view rest = trimmed(line.text.substr(colon + 1));
            if (object.find(name)) return malformed(line.number);
            ++m_at;
            WB_TRY_ASSIGN(Value value, rest.empty() ? member(indent, depth) : scalarOrFlow(rest, line.number, depth));
            object.members.push_back({std::move(name), std::move(value)});
        }
        object.count = object.members.size();
        return Value::of(std::move(object));
    }

    // Sequences may have the indentation of their key.
    Result<Value> member(std::size_t indent, unsigned depth) {
        const bool isSequence = m_at < m_lines.size() && m_lines[m_at].indent == indent && isItem(m_lines[m_at].text);
        return isSequence ? block(indent, depth + 1) : nested(indent, depth);
    }

    Result<Value> nested(std::size_t indent, unsigned depth) {
        if (m_at == m_lines.size() || m_lines[m_at].indent <= indent) return Value::null();
        return block(m_lines[m_at].indent, depth + 1);
    }

    Result<Value> scalarOrFlow(std::string_view text, std::size_t line, unsigned depth) {
        if (!text.starts_with('[') && !text.starts_with('{')) return scalar(text, line);
        std::string_view rest = text;
        WB_TRY_ASSIGN(Value value, flow(rest, line, depth + 1));
        if (!trimmed(rest).empty()) return malformed(line);
        return value;
    }

    // Takes one value off the text.
    Result<Value> flow(std::string_view& text, std::size_t line, unsigned depth) {
        if (depth > maxDepth) return malformed(line);
        text = trimmed(text);
        if (text.starts_with('[')) return flowSequence(text, line, depth);
        if (text.starts_with('{')) return flowMapping(text, line, depth);
        const std::string_view whole = text;
        const std::size_t end = std::min(
            findOutside(whole, [whole](std::size_t i) { return std::string_view(",]}").find(whole[i]) != std::string_view::npos; }),
            text.size());
        WB_TRY_ASSIGN(Value value, scalar(trimmed(text.substr(0, end)), line));
        text.remove_prefix(end);
        return value;
    }

    // Takes a comma or the bracket that ends a collection; empty where neither is there.
    static std::optional<bool> isLast(std::string_view& text, char closer) {
        text = trimmed(text);
        if (!text.starts_with(',') && !text.starts_with(closer)) return std::nullopt;
        const bool ends = text.front() == closer;
        text.remove_prefix(1);
        return ends;
    }

    Result<Value> flowSequence(std::string_view& text, std::size_t line, unsigned depth) {
        ValueArray array;
        text = trimmed(text.substr(1));
        bool ends = text.starts_with(']');
        if (ends) text.remove_prefix(1);
        while (!ends) {
            WB_TRY_ASSIGN(Value value, flow(text, line, depth + 1));
            array.first.push_back(std::move(value));
            const auto last = isLast(text, ']');
            if (!last) return malformed(line);
            ends = *last;
        }
        array.count = array.first.size();
        return Value::of(std::move(array));
    }

    Result<Value> flowMapping(std::string_view& text, std::size_t line, unsigned depth) {
        ValueObject object;
        text = trimmed(text.substr(1));
        bool ends = text.starts_with('}');
        if (ends) text.remove_prefix(1);
        while (!ends) {
            const std::size_t colon = findColon(text);
            if (colon == std::string_view::npos) return malformed(line);
            WB_TRY_ASSIGN(std::string name, keyText(trimmed(text.substr(0, colon)), line));
            if (object.find(name)) return malformed(line);
            text.remove_prefix(colon + 1);
            WB_TRY_ASSIGN(Value value, flow(text, line, depth + 1));
            object.members.push_back({std::move(name), std::move(value)});
            const auto last = isLast(text, '}');
            if (!last) return malformed(line);
            ends = *last;
        }
        object.count = object.members.size();
        return Value::of(std::move(object));
    }

    static bool isQuoted(std::string_view text) { return text.starts_with('"') || text.starts_with('\''); }

    // Keys are strings, whatever they look like.
    Result<std::string> keyText(std::string_view text, std::size_t line) const {
        if (isQuoted(text)) return unquoted(text, line);
        if (text.empty() || !isUtf8(text)) return malformed(line);
        return std::string(text);
    }

    Result<Value> scalar(std::string_view text, std::size_t line) const {
        if (text.empty()) return Value::null();
        if (isQuoted(text)) {
            WB_TRY_ASSIGN(std::string value, unquoted(text, line));
            return Value::of(std::move(value));
        }
        if (std::string_view("&*!|>%@`[]{},").find(text[0]) != std::string_view::npos || !isUtf8(text)) return malformed(line);
        if (text == "true" || text == "True") return Value::of(true);
        if (text == "false" || text == "False") return Value::of(false);
        if (text == "null" || text == "~" || text == "Null") return Value::null();
        std::int64_t whole = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), whole);
        if (error == std::errc() && end == text.data() + text.size())
            return whole < 0 ? Value::ofSigned(ValueType::I64, whole)
                             : Value::ofUnsigned(ValueType::U64, static_cast<std::uint64_t>(whole));
        const bool looksLikeNumber = std::ranges::all_of(
            text, [](char c) { return (c >= '0' && c <= '9') || std::string_view("+-.eE").find(c) != std::string_view::npos; });
        if (const auto number = looksLikeNumber ? parseDouble(text) : std::nullopt) return Value::ofFloat(ValueType::F64, *number);
        return Value::of(std::string(text));
    }

    // Escapes of double quotes: \\ \" \n \t; of single quotes: ''.
    Result<std::string> unquoted(std::string_view text, std::size_t line) const {
        const char quote = text[0];
        std::string value;
        for (std::size_t i = 1; i < text.size(); ++i) {
            const char c = text[i], next = i + 1 < text.size() ? text[i + 1] : '\0';
            if (c == quote && quote == '\'' && next == '\'') {
                value += c;
                ++i;
            } else if (c == quote) {
                if (i + 1 != text.size() || !isUtf8(value)) return malformed(line);
                return value;
            } else if (c == '\\' && quote == '"') {
                if (next != '\\' && next != '"' && next != 'n' && next != 't' && next != '/') return malformed(line);
                value += next == 'n' ? '\n' : next == 't' ? '\t' : next;
                ++i;
            } else {
                value += c;
            }
        }
        return malformed(line);
    }

    const std::string& m_name;
    std::vector<Line> m_lines;
    std::size_t m_at = 0;
    std::size_t m_refusedLine = 0;
};

} // namespace

Result<Value> parse(std::string_view text, const std::string& name) {
    if (text.size() > maxText)
        return fail(ErrorCode::TooLarge, Reason("yaml.size"), About{name},
                    WB_TEXT("{} has {} bytes, more than a configuration has."), name, text.size());
    return Parser(withoutByteOrderMark(text), name).run();
}

std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (c == '\n') out += "\\n";
        else if (c == '\t') out += "\\t";
        else out += c;
    }
    return out + '"';
}

} // namespace wb::yaml
