// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/gguf/rope_pairs.h"

namespace wb::convert {

// Pairs whose value is a list with an entry for each layer, and lists of layers: the kinds FeedForwardByLayer, KeyHeadsByLayer,
// RecurrentByLayer, IndexerByLayer, RatioByLayer and LayerNumbers.
Result<void> addLayerPairs(const PairContext& context, const KeyRule& rule);

// Pairs of embeddings of n-grams: NgramWidth, and StoredNumbers, which are tensors of the folder. Reads these tensors, of at most
// `maxStoredNumbers` elements; Malformed with the name of one that is not such a list.
inline constexpr std::uint64_t maxStoredNumbers = 4096;
Result<void> addNgramPairs(const PairContext& context, const KeyRule& rule);

} // namespace wb::convert
