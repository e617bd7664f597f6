// SPDX-License-Identifier: MIT
#include "core/convert/gguf/tensor_sizes.h"

namespace wb::convert {

std::optional<std::uint64_t> TensorSizes::of(Dim dim) const {
    const std::uint64_t queries = m_layer.heads * m_layer.keyLength, keys = m_layer.kvHeads * m_layer.keyLength;
    switch (dim) {
    case Dim::One: return 1;
    case Dim::Vocabulary: return m_spec.vocabulary;
    case Dim::Width: return m_spec.width;
    case Dim::FeedForward: return feedForward();
    case Dim::GateAndUp: return 2 * feedForward();
    case Dim::Queries: return queries;
    case Dim::KeyValues: return keys;
    case Dim::QueriesKeysValues: return queries + 2 * keys;
    case Dim::HeadLength: return m_layer.keyLength;
    case Dim::Heads: return m_layer.heads;
    case Dim::Experts: return m_spec.experts.count;
    case Dim::ExpertWidth: return m_layer.expertWidth;
    case Dim::GateAndUpOfExpert: return 2 * m_layer.expertWidth;
    case Dim::LayerInput: return m_spec.perLayerInput;
    case Dim::AllLayerInputs: return m_spec.perLayerInput * m_spec.layers.size();
    case Dim::None:
    case Dim::Any: break;
    }
    return std::nullopt;
}

std::vector<Dim> dimensionsOf(const TensorRule& rule, bool isBias) {
    if (isBias) return {rule.transform == Transform::Transpose ? rule.columns : rule.rows};
    std::vector<Dim> dimensions;
    for (const Dim dim : {rule.matrices, rule.rows, rule.columns})
        if (dim != Dim::None) dimensions.push_back(dim);
    return dimensions;
}

} // namespace wb::convert
