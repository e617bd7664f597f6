// SPDX-License-Identifier: MIT
#include "core/arch/indexer_spec.h"

namespace wb::arch {
namespace {

// Layers that share the indexer of an earlier one where no key lists them: GLM-5.2 (ggml-org/llama.cpp: src/models/glm-dsa.cpp).
constexpr std::size_t firstShared = 3, sharedPeriod = 4;

bool sharesIndexer(std::size_t layer) { return layer >= firstShared && (layer - firstShared) % sharedPeriod != sharedPeriod - 1; }

} // namespace

IndexerSpec readIndexer(Hyperparameters& keys, const Family& family) {
    if (family.indexer == IndexerKind::None) return {};
    return {.heads = keys.number("attention.indexer.head_count", maxHeads),
            .keyLength = keys.number("attention.indexer.key_length", maxHeadLength),
            .topK = keys.number("attention.indexer.top_k", maxContext)};
}

std::vector<std::uint64_t> indexBlocks(Hyperparameters& keys, const Family& family, const ModelSpec& spec) {
    const auto layers = static_cast<std::size_t>(spec.blockCount);
    if (family.indexer == IndexerKind::Block && spec.indexer.topK > 0)
        return keys.perLayer("attention.compress_ratios", layers, maxContext);
    std::vector<std::uint64_t> blocks(layers);
    if (family.indexer == IndexerKind::None || spec.indexer.topK == 0) return blocks;
    const auto trunk = layers - static_cast<std::size_t>(spec.predictionLayers);
    const auto listed = keys.flags("attention.indexer.types", trunk);
    const bool shares = family.sharedIndexContext > 0 && spec.context >= family.sharedIndexContext;
    for (std::size_t i = 0; i < trunk; ++i) blocks[i] = listed ? (*listed)[i] : shares ? !sharesIndexer(i) : true;
    return blocks;
}

} // namespace wb::arch
