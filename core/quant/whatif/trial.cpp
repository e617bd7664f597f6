// SPDX-License-Identifier: MIT
#include "core/quant/whatif/trial.h"

#include <algorithm>

namespace wb::quant {
namespace {

constexpr std::uint64_t previewElements = 4 << 20;
constexpr std::size_t mapSide = 48;
constexpr std::size_t keptBlocks = 100;

WhatIfOptions optionsFor(const Trial& trial, const Shape& shape) {
    const bool isPreview = trial.rowStep > 1;
    WhatIfOptions options;
    options.rowStep = trial.rowStep;
    options.maxElements = isPreview ? previewElements : 0;
    options.threads = trial.threads;
    options.worstBlocks = keptBlocks;
    options.levels = true;
    // Every row of cells must hold a row that is inspected.
    const std::uint64_t looked = shape.rows() / trial.rowStep;
    const std::uint64_t most = isPreview ? previewElements / std::max<std::uint64_t>(1, shape.rowLength()) : mapSide;
    options.mapRows = std::clamp<std::uint64_t>(std::min(looked, most), 1, mapSide);
    options.mapColumns = std::min<std::uint64_t>(mapSide, shape.rowLength());
    return options;
}

} // namespace

Backend* TrialEngine::backend() {
    if (!m_backend && m_make) m_backend = std::exchange(m_make, nullptr)();
    return m_backend.get();
}

Result<BlockLevels> tryBlock(const Trial& trial, const BlockPlace& place) {
    const TensorInfo& tensor = trial.model->tensors[trial.tensor];
    WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(*trial.model, tensor));
    WB_TRY_ASSIGN(const std::vector<float> weights, weightsFor(trial.matrix.get(), tensor).readAll());
    return blockLevels(reader, trial.type, weights, place.row, place.column);
}

Result<TrialResult> tryType(const Trial& trial, const Progress& progress) {
    const TensorInfo& tensor = trial.model->tensors[trial.tensor];
    WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(*trial.model, tensor));
    WhatIfOptions options = optionsFor(trial, tensor.shape);
    options.backend = trial.engine->backend();
    WB_TRY_ASSIGN(const std::vector<float> weights, weightsFor(trial.matrix.get(), tensor).readAll());
    TrialResult result;
    WB_TRY_ASSIGN(result.found, measure(reader, trial.type, weights, options, progress));
    if (options.backend) result.remarks = options.backend->remarks();
    return result;
}

} // namespace wb::quant
