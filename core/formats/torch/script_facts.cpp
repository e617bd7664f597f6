// SPDX-License-Identifier: MIT
#include "core/formats/torch/script_facts.h"

#include <algorithm>
#include <string>

namespace wb::torch {
namespace {

bool isWord(char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

// Without line breaks and repeated blanks: long signatures are written over several lines.
std::string onOneLine(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool isBlank = c == ' ' || c == '\n' || c == '\r' || c == '\t';
        if (!isBlank) out += c;
        else if (!out.empty() && out.back() != ' ') out += ' ';
    }
    while (!out.empty() && (out.back() == ' ' || out.back() == ',')) out.pop_back();
    return out;
}

// Calls `use` with the parts between commas that are in no bracket.
template <class Use>
void eachPart(std::string_view list, const Use& use) {
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= list.size(); ++i) {
        if (i < list.size() && (list[i] == '[' || list[i] == '(')) ++depth;
        if (i < list.size() && (list[i] == ']' || list[i] == ')')) --depth;
        if (i < list.size() && (list[i] != ',' || depth > 0)) continue;
        use(list.substr(begin, i - begin));
        begin = i + 1;
    }
}

} // namespace

void addCalls(std::string_view code, formats::GraphFacts& facts) {
    for (const std::string_view prefix : {std::string_view("torch."), std::string_view("ops.")})
        for (std::size_t at = code.find(prefix); at != std::string_view::npos; at = code.find(prefix, at + 1)) {
            if (at > 0 && (isWord(code[at - 1]) || code[at - 1] == '.')) continue;
            const std::size_t begin = at + prefix.size();
            std::size_t end = begin;
            while (end < code.size() && (isWord(code[end]) || code[end] == '.')) ++end;
            const std::string name(code.substr(begin, end - begin));
            const bool isCall = !name.empty() && end < code.size() && code[end] == '(';
            if (isCall && name != "device") facts.addOperator(name); // torch.device(…) is an argument
        }
}

void addSignature(std::string_view code, std::string_view name, formats::GraphFacts& facts) {
    const std::size_t begin = code.find("class " + std::string(name) + "(");
    if (begin == std::string_view::npos) return;
    code = code.substr(begin);
    code = code.substr(0, std::min(code.find("\nclass "), code.size()));
    constexpr std::string_view opening = "def forward(";
    const std::size_t forward = code.find(opening);
    const std::size_t arrow = code.find(") -> ", forward);
    if (forward == std::string_view::npos || arrow == std::string_view::npos) return;
    const std::size_t end = code.find(":\n", arrow);
    if (end == std::string_view::npos) return;
    bool isSelf = true;
    eachPart(code.substr(forward + opening.size(), arrow - forward - opening.size()), [&](std::string_view argument) {
        const std::string text = onOneLine(argument);
        if (!isSelf && !text.empty()) facts.addInput(text);
        isSelf = false;
    });
    facts.addOutput(onOneLine(code.substr(arrow + 5, end - arrow - 5)));
}

} // namespace wb::torch
