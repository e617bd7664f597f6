// SPDX-License-Identifier: MIT
#pragma once

#include "core/arch/model_spec.h"
#include "core/convert/gguf/folder_rules.h"

namespace wb::convert {

// The sizes that config.json says for one layer, or for the first one where `layer` is not one of them.
class TensorSizes {
public:
    TensorSizes(const arch::ModelSpec& spec, std::uint64_t layer)
        : m_spec(spec), m_layer(spec.layers[layer < spec.layers.size() ? layer : 0]) {}

    std::optional<std::uint64_t> of(Dim dim) const; // empty for any

private:
    std::uint64_t feedForward() const { return m_layer.feedForward > 0 ? m_layer.feedForward : m_layer.expertWidth; }

    const arch::ModelSpec& m_spec;
    const arch::LayerSpec& m_layer;
};

// The dimensions that a tensor of the rule has, outermost first.
std::vector<Dim> ruleDimensions(const TensorRule& rule, bool isBias);

} // namespace wb::convert
