// SPDX-License-Identifier: MIT
#include "core/merge/tensor_numbers.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace wb::merge {
namespace {

// The value at a layer's place between the first and the last, linear between the given ones.
double gradientAt(std::span<const double> values, std::uint64_t layer, std::uint64_t layers) {
    const double share = layers > 1 ? static_cast<double>(layer) / static_cast<double>(layers - 1) : 0;
    const double at = share * static_cast<double>(values.size() - 1);
    const auto left = std::min(static_cast<std::size_t>(at), values.size() - 1);
    const std::size_t right = std::min(left + 1, values.size() - 1);
    const double between = at - static_cast<double>(left);
    return (1 - between) * values[left] + between * values[right];
}

} // namespace

TensorNumbers::TensorNumbers(const MergeSettings& settings, const LayerNames& layers) : m_settings(settings), m_layers(layers) {
    for (const MergeRule& rule : settings.rules)
        if (auto pattern = regex::Regex::compile(rule.pattern)) m_patterns.push_back(std::move(*pattern));
}

std::optional<double> TensorNumbers::ruled(MergeKey key, const std::string& tensor) const {
    for (std::size_t i = 0; i < m_patterns.size(); ++i) {
        const MergeRule& rule = m_settings.rules[i];
        if (rule.key != key || m_patterns[i].search(tensor) != regex::Found::Yes) continue;
        if (rule.values.size() == 1) return rule.values[0];
        if (const auto place = m_layers.layerPlace(tensor)) return gradientAt(rule.values, place->layer, m_layers.count());
    }
    return std::nullopt;
}

Result<TensorMerge> TensorNumbers::tensorNumbers(const std::string& tensor) const {
    TensorMerge merge;
    merge.method = m_settings.method;
    merge.baseWeight = static_cast<float>(m_settings.baseWeight);
    merge.t = ruled(MergeKey::T, tensor).value_or(m_settings.t);
    merge.lambda = static_cast<float>(m_settings.lambda);
    merge.isNormalized = m_settings.isNormalized();
    merge.rescale = m_settings.rescale;
    const auto weight = ruled(MergeKey::Weight, tensor);
    const double density = dropsDifferences(merge.method) ? ruled(MergeKey::Density, tensor).value_or(m_settings.density) : 1;
    float sum = merge.baseWeight;
    for (std::size_t i = 0; i < m_settings.weights.size(); ++i) {
        merge.weights.push_back(static_cast<float>(weight.value_or(m_settings.weights[i])));
        merge.densities.push_back(density);
        merge.maskKeys.push_back(maskKey(m_settings.seed, i, tensor));
        sum += merge.weights.back();
    }
    if (merge.method == MergeMethod::Linear && merge.isNormalized && sum == 0)
        return fail(ErrorCode::Invalid, Reason("merge.setting"), About{tensor},
                    WB_TEXT("The weights for {} add up to 0, so their average is undefined; change a rule."), tensor);
    return merge;
}

std::string mergeScheme(const TensorMerge& merge, std::uint64_t seed) {
    std::string text = name(merge.method);
    if (merge.method == MergeMethod::Slerp) return text + fmt::format(" t {}", merge.t);
    if (merge.method == MergeMethod::Linear) text += fmt::format(" base {}", merge.baseWeight);
    text += fmt::format(" weight {}", fmt::join(merge.weights, ", "));
    if (dropsDifferences(merge.method)) text += fmt::format(" density {}", merge.densities.front());
    if (merge.method != MergeMethod::Linear && merge.lambda != 1) text += fmt::format(" lambda {}", merge.lambda);
    if (dropsAtRandom(merge.method)) text += fmt::format(" rescale {} seed {}", name(merge.rescale), seed);
    return text + (merge.isNormalized ? " normalized" : "");
}

} // namespace wb::merge
