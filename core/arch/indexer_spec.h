// SPDX-License-Identifier: MIT
#pragma once

#include "core/arch/family.h"
#include "core/arch/hyperparameters.h"

namespace wb::arch {

// The keys attention.indexer.* of a family that has an indexer.
IndexerSpec readIndexer(Hyperparameters& keys, const Family& family);

// LayerSpec::indexBlock of each layer, also of those without attention. The spec has its sizes and its indexer.
std::vector<std::uint64_t> indexBlocks(Hyperparameters& keys, const Family& family, const ModelSpec& spec);

} // namespace wb::arch
