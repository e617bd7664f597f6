// SPDX-License-Identifier: MIT
#pragma once

#include "core/merge/arithmetic.h"
#include "core/merge/layer_names.h"
#include "core/regex/regex.h"

namespace wb::merge {

// The numbers of every tensor by the settings and their rules.
class TensorNumbers {
public:
    // Settings that checkSettings() accepts.
    TensorNumbers(const MergeSettings& settings, const LayerNames& layers);

    // Invalid if the weights that the rules name for this tensor add up to 0 where they divide.
    Result<TensorMerge> tensorNumbers(const std::string& tensor) const;

private:
    std::optional<double> ruled(MergeKey key, const std::string& tensor) const;

    const MergeSettings& m_settings;
    const LayerNames& m_layers;
    std::vector<regex::Regex> m_patterns; // of the rules
};

// The description of the merge in reports and job ids: all numbers that change a value.
std::string mergeScheme(const TensorMerge& merge, std::uint64_t seed);

} // namespace wb::merge
