// SPDX-License-Identifier: MIT
#include "core/formats/deepspeed/names.h"

#include <charconv>

namespace wb::deepspeed {
namespace {

constexpr std::string_view rankWord = "zero_pp_rank_";

// Takes `word` from the start of `text`; false where something else is there.
bool take(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word)) return false;
    text.remove_prefix(word.size());
    return true;
}

template <class Number>
std::optional<Number> takeNumber(std::string_view& text) {
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

constexpr std::string_view modelEnding = "_model_states.pt";
constexpr std::string_view optimizerEnding = "_optim_states.pt";

} // namespace

std::optional<StateName> parseStateName(std::string_view name) {
    StateName out;
    std::string_view rest = name;
    if (rest.ends_with("-model_states.pt") && take(rest, "layer_")) {
        out.kind = StateName::Kind::Layer;
        return takeNumber<std::uint32_t>(rest) && take(rest, "-model_") ? std::optional(out) : std::nullopt;
    }
    const bool isOptimizer = rest.ends_with(optimizerEnding);
    if (!isOptimizer && !rest.ends_with(modelEnding)) return std::nullopt;
    if (rest.starts_with("expp_rank_") || rest.starts_with("layer_")) {
        out.kind = StateName::Kind::Expert;
        return out;
    }
    out.kind = isOptimizer ? StateName::Kind::Optimizer : StateName::Kind::Model;
    if (isOptimizer && !take(rest, "bf16_")) take(rest, "fp16_");
    if (take(rest, rankWord)) {
        out.rank = takeNumber<std::uint32_t>(rest);
        if (!out.rank || !take(rest, "_")) return std::nullopt;
    }
    if (!take(rest, "mp_rank_")) return std::nullopt;
    const auto modelRank = takeNumber<std::uint32_t>(rest);
    if (!modelRank || rest != (isOptimizer ? optimizerEnding : modelEnding)) return std::nullopt;
    out.modelRank = *modelRank;
    if (isOptimizer && !out.rank) return std::nullopt;
    return out;
}

std::string nameForRank(std::string_view name, std::uint32_t rank) {
    const std::size_t word = name.find(rankWord);
    if (word == std::string_view::npos) return std::string(name);
    const std::size_t begin = word + rankWord.size();
    const std::size_t end = name.find_first_not_of("0123456789", begin);
    std::string out(name.substr(0, begin));
    out += std::to_string(rank);
    if (end != std::string_view::npos) out += name.substr(end);
    return out;
}

std::optional<std::uint64_t> stepOfName(std::string_view folder) {
    const std::size_t digits = folder.find_last_not_of("0123456789");
    std::string_view number = folder.substr(digits == std::string_view::npos ? 0 : digits + 1);
    return takeNumber<std::uint64_t>(number);
}

} // namespace wb::deepspeed
