// SPDX-License-Identifier: MIT
#include "core/text/splitting_rule.h"

#include "core/text/pretokenizer_table.h"

#include <algorithm>
#include <vector>

namespace wb::text {

const std::string_view byteLevelExpression = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

namespace {

struct Notation {
    std::string_view from, to;
};
constexpr Notation notations[] = {
    {R"((?i:'s|'t|'re|'ve|'m|'ll|'d))", R"((?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD]))"},
};

// The last alternative takes the white space that no other took, which is a piece by itself still.
constexpr std::string_view lastAlternative = R"(|\s+)";

std::string normalized(std::string_view expression) {
    std::string text(expression);
    for (const auto& [from, to] : notations)
        for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
            text.replace(at, from.size(), to);
    if (text.ends_with(lastAlternative)) text.resize(text.size() - lastAlternative.size());
    return text;
}

struct Rule {
    std::string_view family;
    std::vector<std::string> expressions;
};

// As ggml-org/llama.cpp spells what the table says by classes of letters (src/llama-vocab.cpp), for engines without them.
#define WB_WORDS(suffix)                                                                                                           \
    R"([^\r\n\p{L}\p{N}]?((?=[\p{L}])([^a-z]))*((?=[\p{L}])([^A-Z]))+)" suffix                                                     \
    R"(|[^\r\n\p{L}\p{N}]?((?=[\p{L}])([^a-z]))+((?=[\p{L}])([^A-Z]))*)" suffix
#define WB_REST R"(| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)"
constexpr std::string_view tekken = WB_WORDS("") R"(|\p{N})" WB_REST;
constexpr std::string_view gpt4o = WB_WORDS(R"((?i:'s|'t|'re|'ve|'m|'ll|'d)?)") R"(|\p{N}{1,3})" WB_REST;
constexpr std::string_view han = R"(\p{Han}+)"; // a marker there, for a hand-written pass
#undef WB_WORDS
#undef WB_REST

std::vector<Rule> readRules() {
    std::vector<Rule> rules = {{"F15", {normalized(tekken)}}, {"F17", {normalized(gpt4o)}}, {"F20", {normalized(han)}}};
    for (std::string_view rest = preTokenizerTable; !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (line.starts_with("= ")) rules.push_back({line.substr(2, line.find(' ', 2) - 2), {}});
        else if (!line.empty() && !line.starts_with('#') && !rules.empty()) rules.back().expressions.push_back(normalized(line));
    }
    return rules;
}

} // namespace

std::string_view splittingRule(std::span<const std::string> expressions) {
    static const std::vector<Rule> rules = readRules();
    std::vector<std::string> wanted;
    for (const std::string& expression : expressions) wanted.push_back(normalized(expression));
    const auto found = std::ranges::find(rules, wanted, &Rule::expressions);
    return found == rules.end() ? std::string_view() : found->family;
}

} // namespace wb::text
