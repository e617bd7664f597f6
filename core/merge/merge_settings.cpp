// SPDX-License-Identifier: MIT
#include "core/merge/merge_settings.h"

#include "core/base/text.h"
#include "core/regex/regex.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace wb::merge {
namespace {

constexpr std::array methodNames = {std::pair{MergeMethod::Linear, "linear"},
                                    std::pair{MergeMethod::Slerp, "slerp"},
                                    std::pair{MergeMethod::TaskArithmetic, "task-arithmetic"},
                                    std::pair{MergeMethod::Ties, "ties"},
                                    std::pair{MergeMethod::DareLinear, "dare-linear"},
                                    std::pair{MergeMethod::DareTies, "dare-ties"},
                                    std::pair{MergeMethod::Layers, "layers"}};
constexpr std::array rescaleNames = {std::pair{MergeRescale::Density, "density"}, std::pair{MergeRescale::L1, "l1"},
                                     std::pair{MergeRescale::None, "no"}};
constexpr std::array keyNames = {std::pair{MergeKey::Weight, "weight"}, std::pair{MergeKey::Density, "density"},
                                 std::pair{MergeKey::T, "t"}};
constexpr std::uint64_t mostSlicedLayers = 100'000;

const char* nameIn(const auto& names, auto value) {
    return std::ranges::find(names, value, [](const auto& each) { return each.first; })->second;
}

auto findIn(const auto& names, std::string_view text) {
    const auto found = std::ranges::find(names, text, [](const auto& each) { return std::string_view(each.second); });
    return found == names.end() ? std::nullopt : std::optional(found->first);
}

template <typename... Args>
std::unexpected<Error> invalid(const char* setting, const char* sentence, Args&&... args) {
    return fail(ErrorCode::Invalid, Reason("merge.setting"), About{setting}, sentence, std::forward<Args>(args)...);
}

bool isDensity(double value) { return value > 0 && value <= 1; }
bool isShare(double value) { return value >= 0 && value <= 1; }

Result<void> checkRule(const MergeRule& rule) {
    if (const auto compiled = regex::Regex::compile(rule.pattern); !compiled)
        return invalid("rule", WB_TEXT("{} is not a valid regular expression: {}."), rule.pattern, compiled.error());
    if (rule.values.empty()) return invalid("rule", WB_TEXT("The rule for {} has no value."), rule.pattern);
    for (const double value : rule.values) {
        const bool fits = rule.key == MergeKey::Weight    ? std::isfinite(value)
                          : rule.key == MergeKey::Density ? isDensity(value)
                                                          : isShare(value);
        if (!fits)
            return invalid("rule", WB_TEXT("{} is out of range for {} in the rule for {}."), value, name(rule.key), rule.pattern);
    }
    return {};
}

Result<void> checkBelongs(const MergeSettings& settings) {
    const char* const method = name(settings.method);
    if (settings.density != 1 && !dropsDifferences(settings.method))
        return invalid("density", WB_TEXT("The method {} has no density; remove it, or use ties, dare-linear or dare-ties."),
                       method);
    if (settings.rescale != MergeRescale::Density && !dropsAtRandom(settings.method))
        return invalid("rescale", WB_TEXT("The method {} is not rescaled; remove the setting, or use dare-linear or dare-ties."),
                       method);
    const bool hasLayers = settings.method == MergeMethod::Layers;
    if (hasLayers == settings.layers.empty())
        return hasLayers ? invalid("layers", WB_TEXT("The method layers requires the layers of the result, such as A:0-15,B:8-31."))
                         : invalid("layers", WB_TEXT("The method {} merges all layers; remove the list of layers."), method);
    if (settings.method == MergeMethod::Slerp && settings.weights.size() != 1)
        return invalid("slerp", WB_TEXT("The method slerp merges the base with exactly one other model, not with {}."),
                       settings.weights.size());
    return {};
}

} // namespace

std::span<const MergeMethod> mergeMethods() {
    static constexpr auto methods = [] {
        std::array<MergeMethod, methodNames.size()> all{};
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = methodNames[i].first;
        return all;
    }();
    return methods;
}

const char* name(MergeMethod method) { return nameIn(methodNames, method); }
std::optional<MergeMethod> mergeMethodFromName(std::string_view text) { return findIn(methodNames, text); }
const char* name(MergeRescale rescale) { return nameIn(rescaleNames, rescale); }
std::optional<MergeRescale> mergeRescaleFromName(std::string_view text) { return findIn(rescaleNames, text); }
const char* name(MergeKey key) { return nameIn(keyNames, key); }
std::optional<MergeKey> mergeKeyFromName(std::string_view text) { return findIn(keyNames, text); }

bool dropsAtRandom(MergeMethod method) { return method == MergeMethod::DareLinear || method == MergeMethod::DareTies; }
bool dropsDifferences(MergeMethod method) { return method == MergeMethod::Ties || dropsAtRandom(method); }
bool electsSigns(MergeMethod method) { return method == MergeMethod::Ties || method == MergeMethod::DareTies; }

Result<void> checkSettings(const MergeSettings& settings) {
    if (settings.weights.empty()) return invalid("models", WB_TEXT("Merging requires at least one other model."));
    WB_TRY(checkBelongs(settings));
    if (!isShare(settings.t)) return invalid("t", WB_TEXT("{} is out of range for t; use a number from 0 to 1."), settings.t);
    if (!isDensity(settings.density))
        return invalid("density", WB_TEXT("{} is out of range for the density; use a number above 0, up to 1."), settings.density);
    double sum = settings.baseWeight;
    for (const double weight : settings.weights) sum += weight;
    if (!std::isfinite(sum) || !std::isfinite(settings.lambda))
        return invalid("weight", WB_TEXT("Weights and lambda must be finite numbers."));
    if (settings.method == MergeMethod::Linear && settings.isNormalized() && sum == 0)
        return invalid("weight", WB_TEXT("The weights add up to 0, so their average is undefined; change one."));
    for (const MergeRule& rule : settings.rules) WB_TRY(checkRule(rule));
    for (const LayerSlice& slice : settings.layers)
        if (slice.model > settings.weights.size() || slice.first > slice.last || slice.last >= mostSlicedLayers)
            return invalid("layers", WB_TEXT("{} is not a valid list of layers for {} models."), settingText(settings.layers),
                           settings.weights.size() + 1);
    return {};
}

Result<MergeRule> parseMergeRule(const std::string& text) {
    const auto refuse = [&text] {
        return invalid(
            "rule", WB_TEXT("{} does not have the form REGEX:KEY=V or REGEX:KEY=V,V,… with the key weight, density or t."), text);
    };
    const std::size_t equals = text.rfind('='), colon = text.rfind(':', equals);
    if (equals == std::string::npos || colon == std::string::npos || colon == 0) return refuse();
    const auto key = mergeKeyFromName(std::string_view(text).substr(colon + 1, equals - colon - 1));
    if (!key) return refuse();
    MergeRule rule{text.substr(0, colon), *key, {}};
    std::string_view values = std::string_view(text).substr(equals + 1);
    for (bool isMore = true; isMore;) {
        const std::size_t comma = values.find(',');
        isMore = comma != std::string_view::npos;
        const auto value = parseDouble(values.substr(0, comma));
        if (!value) return refuse();
        rule.values.push_back(*value);
        if (isMore) values.remove_prefix(comma + 1);
    }
    WB_TRY(checkRule(rule));
    return rule;
}

std::string settingText(const MergeRule& rule) {
    std::string text = fmt::format("{}:{}=", rule.pattern, name(rule.key));
    for (std::size_t i = 0; i < rule.values.size(); ++i) text += fmt::format("{}{}", i == 0 ? "" : ",", rule.values[i]);
    return text;
}

Result<std::vector<LayerSlice>> parseLayerSlices(const std::string& text) {
    const auto number = [](std::string_view& rest) -> std::optional<std::uint64_t> {
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
        if (error != std::errc()) return std::nullopt;
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        return value;
    };
    const auto take = [](std::string_view& rest, char c) {
        const bool isThere = rest.starts_with(c);
        if (isThere) rest.remove_prefix(1);
        return isThere;
    };
    std::vector<LayerSlice> slices;
    std::string_view rest = text;
    do {
        LayerSlice slice;
        const bool hasLetter = rest.size() > 1 && rest[0] >= 'A' && rest[0] <= 'Z' && rest[1] == ':';
        if (hasLetter) {
            slice.model = static_cast<std::uint64_t>(rest[0] - 'A');
            rest.remove_prefix(2);
        }
        const auto first = hasLetter ? number(rest) : std::nullopt;
        const auto last = first && take(rest, '-') ? number(rest) : first;
        if (!first || !last)
            return invalid("layers", WB_TEXT("{} is not a list of layers such as A:0-15,B:8-31, where A is the base."), text);
        slice.first = *first;
        slice.last = *last;
        slices.push_back(slice);
    } while (take(rest, ','));
    if (!rest.empty())
        return invalid("layers", WB_TEXT("{} is not a list of layers such as A:0-15,B:8-31, where A is the base."), text);
    return slices;
}

std::string settingText(std::span<const LayerSlice> slices) {
    std::string text;
    for (const LayerSlice& slice : slices)
        text +=
            fmt::format("{}{}:{}-{}", text.empty() ? "" : ",", static_cast<char>('A' + slice.model % 26), slice.first, slice.last);
    return text;
}

} // namespace wb::merge
