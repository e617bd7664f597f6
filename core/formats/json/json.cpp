// SPDX-License-Identifier: MIT
#include "core/formats/json/json.h"

#include "core/base/text.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace wb::json {
namespace {

class ValueReader {
public:
    ValueReader(Scanner& scanner, const formats::Limits& limits, Notes& notes)
        : m_scanner(scanner), m_limits(limits), m_notes(notes) {}

    // False where the text is Bad. A value that is not to be kept is walked still.
    bool read(Value& out, bool keep) {
        switch (m_scanner.token()) {
        case Token::BeginObject: return object(out, keep);
        case Token::BeginArray: return array(out, keep);
        case Token::String:
            if (keep) out = string();
            return true;
        case Token::Number:
            if (keep) out = number();
            return true;
        case Token::True:
        case Token::False: out = Value::of(m_scanner.token() == Token::True); return true;
        case Token::Null: return true;
        default: return false;
        }
    }

private:
    Value string() {
        const std::string_view text = m_scanner.text();
        if (text.size() <= m_limits.keptStringBytes) return Value::of(std::string(text));
        if (!m_notes.tooMany) m_notes.tooMany = m_scanner.position();
        return Value::of(toUtf8(text.substr(0, m_limits.keptStringBytes)));
    }

    Value number() const {
        const std::string_view digits = m_scanner.text();
        if (const auto n = unsignedInteger(digits)) return Value::ofUnsigned(ValueType::U64, *n);
        const auto magnitude = digits.starts_with('-') ? unsignedInteger(digits.substr(1)) : std::nullopt;
        if (magnitude && *magnitude > 0 && *magnitude <= std::uint64_t{1} << 63)
            return Value::ofSigned(ValueType::I64, static_cast<std::int64_t>(~*magnitude + 1));
        // The grammar is proven, so what cannot be read as a number is one beyond the greatest double.
        const double infinity = std::numeric_limits<double>::infinity();
        return Value::ofFloat(ValueType::F64, parseDouble(digits).value_or(digits.starts_with('-') ? -infinity : infinity));
    }

    // Whether one more member of a container that has `count` so far is kept.
    bool takes(bool keep, std::uint64_t count) {
        if (!keep || count >= m_limits.keptJsonMembers) return false;
        if (m_kept == keptValues && !m_notes.tooMany) m_notes.tooMany = m_scanner.position();
        if (m_kept == keptValues) return false;
        ++m_kept;
        return true;
    }

    // A container that turned out too long keeps its beginning only.
    void cut(auto& kept, std::uint64_t count) {
        if (count <= m_limits.keptJsonMembers || kept.size() <= m_limits.keptFirstElements) return;
        m_kept -= kept.size() - m_limits.keptFirstElements;
        kept.resize(m_limits.keptFirstElements);
        kept.shrink_to_fit();
    }

    bool array(Value& out, bool keep) {
        ValueArray result;
        for (; m_scanner.next() != Token::EndArray; ++result.count) {
            const bool take = takes(keep, result.count);
            Value element;
            if (!read(element, take)) return false;
            if (take) result.first.push_back(std::move(element));
        }
        cut(result.first, result.count);
        if (!result.first.empty()) {
            const ValueType type = result.first.front().type;
            const bool uniform = std::ranges::all_of(result.first, [&](const Value& v) { return v.type == type; });
            if (uniform) result.elementType = type;
        }
        if (keep) out = Value::of(std::move(result));
        return true;
    }

    bool object(Value& out, bool keep) {
        ValueObject result;
        std::vector<std::size_t> hashes;
        for (; m_scanner.next() == Token::Key; ++result.count) {
            const bool take = takes(keep, result.count);
            hashes.push_back(std::hash<std::string_view>{}(m_scanner.text()));
            Member member;
            if (take) member.key = m_scanner.text();
            m_scanner.next();
            if (!read(member.value, take)) return false;
            if (take) result.members.push_back(std::move(member));
        }
        if (m_scanner.token() != Token::EndObject) return false;
        noteDuplicates(hashes);
        cut(result.members, result.count);
        if (keep) out = Value::of(std::move(result));
        return true;
    }

    // Equal 64-bit hashes stand for equal keys: what hangs on it is a note, or the rejection of an unknown member.
    void noteDuplicates(std::vector<std::size_t>& hashes) {
        if (m_notes.duplicateKey) return;
        std::ranges::sort(hashes);
        if (std::ranges::adjacent_find(hashes) != hashes.end()) m_notes.duplicateKey = m_scanner.position();
    }

    Scanner& m_scanner;
    const formats::Limits& m_limits;
    Notes& m_notes;
    std::uint64_t m_kept = 0;
};

} // namespace

std::optional<Value> readValue(Scanner& scanner, const formats::Limits& limits, Notes& notes) {
    Value value;
    if (!ValueReader(scanner, limits, notes).read(value, true)) return std::nullopt;
    return value;
}

Result<Value> parse(std::string_view text, const std::string& name, const formats::Limits& limits, std::vector<Problem>& problems) {
    Scanner scanner(text, limits.metadataDepth);
    Notes notes;
    scanner.next();
    auto value = readValue(scanner, limits, notes);
    if (value) scanner.next();
    if (scanner.token() != Token::End)
        return fail(ErrorCode::Malformed, Reason("json.syntax"), About{name}, WB_TEXT("{} is not valid JSON: {} (byte {})."), name,
                    scanner.reason(), scanner.position());
    const auto say = [&](Severity severity, Reason code, std::optional<std::size_t> at, const char* sentence) {
        if (at) problems.push_back(makeProblem(severity, code, name, *at, sentence, name));
    };
    say(Severity::Note, "json.duplicate_key", notes.duplicateKey, WB_TEXT("{} contains a duplicate key in an object."));
    say(Severity::Note, "json.utf8", scanner.invalidUtf8(),
        WB_TEXT("{} contains text that is not valid UTF-8; it is shown with replacement characters."));
    say(Severity::Note, "json.too_many", notes.tooMany, WB_TEXT("{} is too long; only its beginning is shown."));
    return std::move(*value);
}

Result<std::string> readText(const io::ByteSource& source, const std::string& name, const formats::Limits& limits) {
    if (source.size() > limits.jsonText)
        return fail(
            ErrorCode::TooLarge, Reason("json.too_large"), About{name},
            WB_TEXT("{} is a text of {} bytes, more than the {} bytes that Weighbridge reads; check that it is the right file."),
            name, source.size(), limits.jsonText);
    std::string text(source.size(), '\0');
    WB_TRY(source.readAt(0, std::as_writable_bytes(std::span(text))));
    return text;
}

Result<Value> readFile(const io::ByteSource& source, const std::string& name, const formats::Limits& limits,
                       std::vector<Problem>& problems) {
    WB_TRY_ASSIGN(const std::string text, readText(source, name, limits));
    return parse(text, name, limits, problems);
}

} // namespace wb::json
