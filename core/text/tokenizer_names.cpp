// SPDX-License-Identifier: MIT
#include "core/text/tokenizer_names.h"

#include <algorithm>
#include <span>
#include <utility>

namespace wb::text {
namespace {

using Values = std::span<const std::string_view>;

constexpr std::string_view startWithBos[] = {"llama3",   "llama-v3", "llama-bpe",    "falcon3", "falcon-h1", "pixtral",
                                             "midm-2.0", "lfm2",     "jina-v5-nano", "tekken",  "chameleon"};
constexpr std::string_view ignoreMerges[] = {"llama3",
                                             "llama-v3",
                                             "llama-bpe",
                                             "falcon3",
                                             "falcon-h1",
                                             "pixtral",
                                             "midm-2.0",
                                             "lfm2",
                                             "jina-v5-nano",
                                             "minicpm5",
                                             "youtu",
                                             "tekken",
                                             "granite-embed-multi-97m"};
constexpr std::string_view escapeBlanks[] = {"gemma4", "granite-embed-multi-311m", "sarvam-moe"};
constexpr std::string_view mayLackMerges[] = {"kimi-k2", "whitespace"};
constexpr std::string_view addSeparator[] = {"jina-v1-en", "jina-v2-code", "roberta-bpe"};
constexpr std::string_view haveNoBos[] = {"glm4", "chatglm-bpe"};
constexpr std::string_view stripBeforeMask[] = {"jina-v2-de", "jina-v2-es", "jina-v2-code"};

Values valuesWith(PreTrait trait) {
    switch (trait) {
    case PreTrait::StartsWithBos: return startWithBos;
    case PreTrait::IgnoresMerges: return ignoreMerges;
    case PreTrait::EscapesBlanks: return escapeBlanks;
    case PreTrait::MayLackMerges: return mayLackMerges;
    case PreTrait::AddsSeparator: return addSeparator;
    case PreTrait::HasNoBos: return haveNoBos;
    case PreTrait::StripsBeforeMask: return stripBeforeMask;
    }
    std::unreachable();
}

constexpr std::pair<std::string_view, std::string_view> usualNames[] = {
    {"F01", "llama-bpe"}, {"F03", "deepseek-llm"}, {"F04", "deepseek-v3"}, {"F09", "starcoder"}, {"F10", "gpt-2"},
    {"F11", "qwen2"},     {"F12", "qwen35"},       {"F15", "tekken"},      {"F17", "gpt-4o"},
};

} // namespace

bool hasTrait(std::string_view pre, PreTrait trait) {
    const Values values = valuesWith(trait);
    return std::ranges::find(values, pre) != values.end();
}

std::string_view usualPreTokenizer(std::string_view rule) {
    for (const auto& [known, name] : usualNames)
        if (known == rule) return name;
    return {};
}

} // namespace wb::text
