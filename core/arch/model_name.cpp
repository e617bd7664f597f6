// SPDX-License-Identifier: MIT
#include "core/arch/model_name.h"

#include "core/base/ascii.h"
#include "core/base/split_name.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace wb::arch {
namespace {

using Words = std::vector<std::string_view>;
using std::string_view_literals::operator""sv;

constexpr std::array extensions = {".gguf"sv, ".safetensors"sv, ".bin"sv, ".pt"sv, ".pth"sv, ".onnx"sv};
constexpr std::array vendors = {"meta"sv, "c4ai"sv, "hf"sv, "gguf"sv}; // words next to the name, not part of it

constexpr std::array<std::pair<std::string_view, std::string_view>, 16> stages = {{
    {"base", "base"},
    {"pt", "base"},
    {"pretrained", "base"},
    {"instruct", "instruct"},
    {"it", "instruct"},
    {"inst", "instruct"},
    {"chat", "chat"},
    {"thinking", "thinking"},
    {"think", "thinking"},
    {"reasoning", "reasoning"},
    {"sft", "sft"},
    {"dpo", "dpo"},
    {"rlhf", "rlhf"},
    {"rlvr", "rlvr"},
    {"reward", "reward"},
    {"embedding", "embedding"},
}};

// A quantization is one of these words or one of the beginnings followed by a digit.
constexpr std::array quantizationWords = {"f16"sv,   "fp16"sv,  "bf16"sv, "f32"sv,  "fp32"sv, "fp8"sv,  "fp4"sv, "awq"sv,  "gptq"sv,
                                          "mxfp4"sv, "nvfp4"sv, "int4"sv, "int8"sv, "4bit"sv, "8bit"sv, "nf4"sv, "exl2"sv, "qat"sv};
constexpr std::array quantizationBeginnings = {"q"sv, "iq"sv, "tq"sv, "w"sv};

using ascii::isDigit;
using ascii::lower;
using ascii::lowered;

bool contains(const auto& words, std::string_view word) { return std::ranges::find(words, word) != words.end(); }

bool allDigits(std::string_view text) { return !text.empty() && std::ranges::all_of(text, isDigit); }

// A decimal number of at most six characters (so that a trillion times it fits) at the beginning of a word, and the rest.
struct Numbered {
    double value = 0;
    std::string rest; // in lower case
};

std::optional<Numbered> numbered(std::string_view word) {
    std::size_t end = 0;
    while (end < word.size() && end < 6 && (isDigit(word[end]) || (end > 0 && (word[end] == '.' || word[end] == '_')))) ++end;
    std::string digits(word.substr(0, end));
    std::ranges::replace(digits, '_', '.'); // stablelm-2-1_6b
    const auto value = parseDouble(digits);
    if (!value) return std::nullopt;
    return Numbered{*value, lowered(word.substr(end))};
}

std::uint64_t times(double value, double unit) { return static_cast<std::uint64_t>(std::llround(value * unit)); }

// "235B", "1.5b", "135M", "1T".
std::optional<std::uint64_t> parameterCount(std::string_view word) {
    const auto number = numbered(word);
    if (!number || number->rest.size() != 1) return std::nullopt;
    switch (number->rest.front()) {
    case 'm': return times(number->value, 1e6);
    case 'b': return times(number->value, 1e9);
    case 't': return times(number->value, 1e12);
    default: return std::nullopt;
    }
}

bool isQuantization(std::string_view text) {
    const std::string word = lowered(text);
    if (contains(quantizationWords, word)) return true;
    return std::ranges::any_of(quantizationBeginnings, [&](std::string_view beginning) {
        return word.starts_with(beginning) && word.size() > beginning.size() && isDigit(word[beginning.size()]);
    });
}

// The words between dashes; a quantization after the last dot is its own word ("….Q4_K_M"), and underlines separate words
// that are not a quantization or a size.
Words wordsFromName(std::string_view name) {
    Words words;
    const auto add = [&](std::string_view word) {
        while (!word.empty() && !isQuantization(word) && !parameterCount(word)) {
            const std::size_t line = word.find('_');
            if (line != 0) words.push_back(word.substr(0, line));
            word.remove_prefix(line == std::string_view::npos ? word.size() : line + 1);
        }
        if (!word.empty()) words.push_back(word);
    };
    while (!name.empty()) {
        const std::size_t end = std::min(name.find_first_of("- "), name.size());
        const std::string_view word = name.substr(0, end);
        const std::size_t dot = word.rfind('.');
        const bool isSplit = dot != std::string_view::npos && isQuantization(word.substr(dot + 1));
        add(word.substr(0, isSplit ? dot : word.size()));
        if (isSplit) add(word.substr(dot + 1));
        name.remove_prefix(std::min(end + 1, name.size()));
    }
    return words;
}

std::string_view withoutFilePart(std::string_view name) {
    if (const std::size_t slash = name.find_last_of("/\\"); slash != std::string_view::npos) name.remove_prefix(slash + 1);
    for (const std::string_view extension : extensions)
        if (name.ends_with(extension)) name.remove_suffix(extension.size());
    const auto split = parseSplitName(name);
    return split && !split->stem.empty() ? split->stem : name;
}

void append(std::string& text, std::string_view word) { (text += text.empty() ? "" : "-") += word; }

class Parser {
public:
    explicit Parser(Words words) : m_words(std::move(words)) {}

    ModelName parse() {
        while (m_at < m_words.size()) {
            const std::string_view word = m_words[m_at];
            if (!takeQuantization(word) && !takeExperts(word) && !takeParameters(word) && !takeContext(word) && !takeStage(word) &&
                !takeDate(word) && !takeVersion(word))
                takeName(word);
            ++m_at;
        }
        // Llama 4 counts experts ("17B-16E") and then gives the active size where others give the total.
        if (m_countsExperts) m_out.activeParameters = std::exchange(m_out.parameters, std::nullopt);
        return std::move(m_out);
    }

private:
    bool takeQuantization(std::string_view word) {
        if (!isQuantization(word) || m_out.family.empty()) return false;
        append(m_out.quantization, word);
        return true;
    }

    bool takeExperts(std::string_view word) {
        const auto number = numbered(word);
        if (!number || number->rest.empty()) return false;
        const auto count = times(number->value, 1);
        if (number->rest == "e") m_countsExperts = true;
        else if (number->rest.front() != 'x' || !(m_out.expertParameters = parameterCount(number->rest.substr(1)))) return false;
        m_out.experts = count;
        return true;
    }

    bool takeParameters(std::string_view word) {
        const char first = lower(word.front());
        if (first == 'a' || first == 'e') {
            const auto active = parameterCount(word.substr(1));
            if (active) m_out.activeParameters = active;
            return active.has_value();
        }
        const auto count = parameterCount(word);
        if (!count || m_out.parameters) return false;
        m_out.parameters = count;
        return true;
    }

    bool takeContext(std::string_view word) {
        const auto number = numbered(word);
        if (!number || (number->rest != "k" && number->rest != "m")) return false;
        m_out.context = times(number->value, number->rest == "k" ? 1024 : 1024 * 1024);
        return true;
    }

    bool takeStage(std::string_view word) {
        const auto found = std::ranges::find(stages, lowered(word), &std::pair<std::string_view, std::string_view>::first);
        if (found == stages.end() || m_out.family.empty()) return false;
        m_out.stage = found->second;
        return true;
    }

    // YYMM or MMDD in one word, or a year with its month before or after it.
    bool takeDate(std::string_view word) {
        if (!allDigits(word) || m_out.family.empty()) return false;
        const std::string_view next = wordAt(m_at + 1);
        if (isYear(word) && isBetween(next, 1, 12))
            return takeYear(word, next, isBetween(wordAt(m_at + 2), 1, 31) ? wordAt(m_at + 2) : "");
        if (isYear(next) && isBetween(word, 1, 12)) return takeYear(next, word, "");
        const bool isYearMonth = word.size() == 4 && isBetween(word.substr(0, 2), 22, 40) && isBetween(word.substr(2), 1, 12);
        const bool isMonthDay = word.size() == 4 && isBetween(word.substr(0, 2), 1, 12) && isBetween(word.substr(2), 1, 31);
        if (!isYearMonth && !isMonthDay && !(word.size() == 8 && isYear(word.substr(0, 4)))) return false;
        m_out.date = word;
        return true;
    }

    static bool isBetween(std::string_view text, int low, int high) {
        if (text.size() != 2 || !allDigits(text)) return false;
        const int value = (text[0] - '0') * 10 + (text[1] - '0');
        return value >= low && value <= high;
    }

    static bool isYear(std::string_view text) { return text.size() == 4 && text.starts_with("20") && allDigits(text); }

    bool takeYear(std::string_view year, std::string_view month, std::string_view day) {
        append(m_out.date, year);
        append(m_out.date, month);
        if (!day.empty()) append(m_out.date, day);
        m_at += day.empty() ? 1 : 2;
        return true;
    }

    std::string_view wordAt(std::size_t index) const { return index < m_words.size() ? m_words[index] : ""; }

    // "3.1", "3n", "v0.1", "R1".
    bool takeVersion(std::string_view word) {
        if (m_out.family.empty() || !m_out.version.empty()) return false;
        const bool isLettered = word.size() > 1 && "vrkm"sv.find(lower(word.front())) != std::string_view::npos;
        const auto number = numbered(isLettered ? word.substr(1) : word);
        if (!number || number->rest.size() > 1) return false;
        m_out.version = word;
        return true;
    }

    void takeName(std::string_view word) {
        if (contains(vendors, lowered(word))) return;
        const bool isName = m_out.variant.empty() && m_out.version.empty() && !m_out.parameters && m_out.stage.empty();
        if (!isName) return append(m_out.variant, word);
        const std::size_t letters = std::min(word.find_last_not_of("0123456789.") + 1, word.size());
        append(m_out.family, letters == 0 ? word : word.substr(0, letters));
        if (letters != 0) m_out.version = word.substr(letters);
    }

    Words m_words;
    std::size_t m_at = 0;
    bool m_countsExperts = false;
    ModelName m_out;
};

} // namespace

ModelName parseModelName(std::string_view name) { return Parser(wordsFromName(withoutFilePart(name))).parse(); }

} // namespace wb::arch
