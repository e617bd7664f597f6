// SPDX-License-Identifier: MIT
#include "core/convert/gguf/tensor_sizes.h"

#include <algorithm>

namespace wb::convert {

std::optional<std::uint64_t> TensorSizes::of(Dim dim) const {
    const std::uint64_t queries = m_layer.heads * m_layer.keyLength, keys = m_layer.kvHeads * m_layer.keyLength;
    const arch::RecurrentSpec& recurrent = m_spec.recurrent;
    const std::uint64_t mixed = 2 * recurrent.groups * recurrent.state + recurrent.inner;
    const arch::LatentSpec& latent = m_spec.latent;
    const std::uint64_t rotated = m_layer.keyLength - std::min(m_layer.keyLength, latent.keyValueRank);
    switch (dim) {
    case Dim::QueriesAndGates: return 2 * queries;
    case Dim::QueryRank: return latent.queryRank;
    case Dim::KeyValueRank: return latent.keyValueRank;
    case Dim::LatentAndRotated: return m_layer.keyLength;
    case Dim::LatentQueries: return m_layer.heads * latent.keyLength;
    case Dim::LatentKeysValues: return m_layer.heads * (latent.keyLength + latent.valueLength - rotated);
    case Dim::LatentValues: return m_layer.heads * latent.valueLength;
    case Dim::Mixed: return mixed;
    case Dim::MixedAndGates: return mixed + recurrent.inner;
    case Dim::MixedGatesAndSteps: return mixed + recurrent.inner + recurrent.steps;
    case Dim::Inner: return recurrent.inner;
    case Dim::ValueHeads: return recurrent.steps;
    case Dim::TwoValueHeads: return 2 * recurrent.steps;
    case Dim::ValueLength: return recurrent.steps > 0 ? recurrent.inner / recurrent.steps : 0;
    case Dim::Taps: return recurrent.convolution;
    case Dim::ChannelHeads: return m_spec.headCount * recurrent.headLength;
    case Dim::ChannelLength: return recurrent.headLength;
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
    case Dim::ExpertInput: return m_spec.experts.latentWidth > 0 ? m_spec.experts.latentWidth : m_spec.width;
    case Dim::GateAndUpOfExpert: return 2 * m_layer.expertWidth;
    case Dim::LayerInput: return m_spec.perLayerInput;
    case Dim::AllLayerInputs: return m_spec.perLayerInput * m_spec.layers.size();
    case Dim::None:
    case Dim::Any: break;
    }
    return std::nullopt;
}

std::vector<Dim> ruleDimensions(const TensorRule& rule, bool isBias) {
    if (isBias && rule.transform == Transform::Transpose) return {rule.columns};
    if (isBias) return {rule.transform == Transform::Squeeze ? rule.matrices : rule.rows};
    std::vector<Dim> dimensions;
    for (const Dim dim : {rule.stacks, rule.matrices, rule.rows, rule.columns})
        if (dim != Dim::None) dimensions.push_back(dim);
    return dimensions;
}

} // namespace wb::convert
