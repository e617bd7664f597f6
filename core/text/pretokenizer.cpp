// SPDX-License-Identifier: MIT
#include "core/text/pretokenizer.h"

#include "core/base/thread_object.h"
#include "core/regex/regex.h"
#include "core/text/pretokenizer_table.h"
#include "core/text/utf8.h"

#include <utf8proc.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>

namespace wb::text {
namespace {

using Pieces = std::vector<std::string_view>;

// \s of the expressions is Unicode's White_Space; PCRE2's own has U+180E in addition.
constexpr std::string_view whiteSpace =
    "\\t-\\r \\x{85}\\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}";

// The expression with \s and \S written out.
std::string writtenOut(std::string_view expression) {
    std::string out;
    if (expression.starts_with("\\p{N}"))
        out = "(?=[0-9\\x{80}-\\x{10FFFF}])"; // which bytes a property starts with PCRE2 does not know
    bool inClass = false;
    for (std::size_t i = 0; i < expression.size(); ++i) {
        const char c = expression[i];
        if (c == '\\' && i + 1 < expression.size()) {
            const char escaped = expression[++i];
            if (escaped == 's') out += inClass ? std::string(whiteSpace) : '[' + std::string(whiteSpace) + ']';
            else if (escaped == 'S' && !inClass) out += "[^" + std::string(whiteSpace) + ']';
            else (out += c) += escaped;
            continue;
        }
        if (c == '[') inClass = true;
        if (c == ']') inClass = false;
        out += c;
    }
    return out;
}

// More than any text of the families' expressions needs, which backtrack little.
constexpr std::uint32_t maxSteps = 10'000'000;

// One step of a family: every match is a piece, and so is the content between two.
class Expression {
public:
    explicit Expression(std::string_view text) : m_isThrees(text == "@threes-from-right") {
        if (m_isThrees) return;
        if (auto regex = regex::Regex::compile(writtenOut(text), {.maxSteps = maxSteps, .isTrusted = true}))
            m_regex = *std::move(regex);
    }
    bool isValid() const { return m_isThrees || m_regex; }

    void split(std::string_view piece, Pieces& out) const { m_isThrees ? splitThrees(piece, out) : splitMatches(piece, out); }

private:
    void splitMatches(std::string_view piece, Pieces& out) const {
        std::size_t at = 0;
        while (at < piece.size()) {
            const auto match = m_regex->find(piece, at);
            if (!match || match->end == match->begin) break;
            if (match->begin > at) out.push_back(piece.substr(at, match->begin - at));
            out.push_back(piece.substr(match->begin, match->end - match->begin));
            at = match->end;
        }
        if (at < piece.size()) out.push_back(piece.substr(at));
    }

    static bool isNumber(char32_t c) {
        const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(c));
        return category == UTF8PROC_CATEGORY_ND || category == UTF8PROC_CATEGORY_NL || category == UTF8PROC_CATEGORY_NO;
    }

    static void splitThrees(std::string_view piece, Pieces& out) {
        std::size_t begin = 0;
        std::vector<std::size_t> digits; // where each number character of the run starts
        const auto endRun = [&](std::size_t end) {
            if (digits.empty()) return;
            if (digits.front() > begin) out.push_back(piece.substr(begin, digits.front() - begin));
            for (std::size_t i = 0; i < digits.size();) {
                const std::size_t length = (digits.size() - i) % 3 == 0 ? 3 : (digits.size() - i) % 3;
                const std::size_t next = i + length < digits.size() ? digits[i + length] : end;
                out.push_back(piece.substr(digits[i], next - digits[i]));
                i += length;
            }
            begin = end;
            digits.clear();
        };
        for (std::size_t at = 0; at < piece.size();) {
            const std::size_t start = at;
            if (isNumber(nextCodePoint(piece, at))) digits.push_back(start);
            else endRun(start);
        }
        endRun(piece.size());
        if (begin < piece.size()) out.push_back(piece.substr(begin));
    }

    bool m_isThrees;
    std::optional<regex::Regex> m_regex;
};

std::vector<std::string_view> words(std::string_view line) {
    std::vector<std::string_view> out;
    while (!line.empty()) {
        const std::size_t end = std::min(line.find(' '), line.size());
        if (end > 0) out.push_back(line.substr(0, end));
        line.remove_prefix(std::min(end + 1, line.size()));
    }
    return out;
}

// One family of the table, not compiled yet.
struct Entry {
    std::vector<std::string_view> values; // of tokenizer.ggml.pre
    std::vector<std::string_view> expressions;
    bool encodesBytes = true;
};

std::vector<Entry> readTable() {
    std::vector<Entry> entries;
    std::string_view rest = preTokenizerTable;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (line.starts_with('=')) {
            const std::string_view names = line.substr(line.find(':') + 1);
            const std::size_t bar = std::min(names.find('|'), names.size());
            entries.push_back({words(names.substr(0, bar)), {}, bar == names.size()});
        } else if (!line.empty() && !line.starts_with('#') && !entries.empty()) {
            entries.back().expressions.push_back(line);
        }
    }
    return entries;
}

const std::vector<Entry>& allEntries() {
    static const std::vector<Entry> table = readTable();
    return table;
}

std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j)
            diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)}));
    }
    return row.back();
}

// The three known values that are spelled most like `pre`.
std::string nearestValues(const std::vector<Entry>& table, std::string_view pre) {
    std::vector<std::pair<std::size_t, std::string_view>> candidates;
    for (const Entry& entry : table)
        for (const std::string_view value : entry.values) candidates.emplace_back(editDistance(pre.substr(0, 64), value), value);
    std::ranges::stable_sort(candidates, {}, [](const auto& candidate) { return candidate.first; });
    std::string out;
    for (std::size_t i = 0; i < 3 && i < candidates.size(); ++i) (out += i ? ", " : "") += candidates[i].second;
    return out;
}

} // namespace

struct PreTokenizer::Family {
    std::vector<Expression> expressions;
    bool encodesBytes = true;
};

std::vector<std::string_view> PreTokenizer::values() {
    std::vector<std::string_view> all;
    for (const Entry& entry : allEntries()) all.insert(all.end(), entry.values.begin(), entry.values.end());
    return all;
}

std::vector<std::string_view> PreTokenizer::expressions(std::string_view pre) {
    for (const Entry& entry : allEntries()) {
        if (std::ranges::find(entry.values, pre) == entry.values.end()) continue;
        const bool isSpecial = std::ranges::any_of(entry.expressions, [](std::string_view text) { return text.starts_with('@'); });
        return isSpecial ? std::vector<std::string_view>() : entry.expressions;
    }
    return {};
}

std::string PreTokenizer::nearest(std::string_view pre) { return nearestValues(allEntries(), pre); }

Result<PreTokenizer> PreTokenizer::find(std::string_view pre) {
    const std::vector<Entry>& table = allEntries();
    static std::mutex mutex;
    static std::map<const Entry*, std::shared_ptr<const Family>> compiled;
    for (const Entry& entry : table) {
        if (std::ranges::find(entry.values, pre) == entry.values.end()) continue;
        const std::lock_guard lock(mutex);
        auto& family = compiled[&entry];
        if (!family) {
            auto made = std::make_shared<Family>();
            made->encodesBytes = entry.encodesBytes;
            for (const std::string_view expression : entry.expressions) made->expressions.emplace_back(expression);
            for (const Expression& expression : made->expressions)
                if (!expression.isValid())
                    return fail(
                        ErrorCode::Internal, Reason("text.pretokenizer_table"),
                        WB_TEXT("The regular expressions of the pre-tokenizer \"{}\" do not compile; please report this bug."),
                        pre);
            family = std::move(made);
        }
        PreTokenizer found;
        found.m_family = family;
        return found;
    }
    return fail(ErrorCode::Unsupported, Reason("text.pretokenizer_unknown"),
                WB_TEXT("Unknown pre-tokenizer \"{}\"; choose one that splits text the same way, such as {}."), pre, nearest(pre));
}

bool PreTokenizer::encodesBytes() const { return m_family->encodesBytes; }

namespace {
struct PieceBuffer {
    Pieces pieces;
};
} // namespace

std::size_t PreTokenizer::steps() const { return m_family->expressions.size(); }

void PreTokenizer::splitStep(std::size_t step, std::string_view piece, Pieces& pieces) const {
    m_family->expressions[step].split(piece, pieces);
}

void PreTokenizer::split(std::string_view text, Pieces& pieces) const {
    Pieces& before = threadObject<PieceBuffer>().pieces;
    pieces.assign(text.empty() ? 0 : 1, text);
    for (const Expression& expression : m_family->expressions) {
        std::swap(before, pieces);
        pieces.clear();
        for (const std::string_view piece : before) expression.split(piece, pieces);
    }
    before.clear();
}

} // namespace wb::text
