// SPDX-License-Identifier: MIT
#include "ui/inspect/whatif/what_if_work.h"

#include <algorithm>

namespace wb::ui::inspect {
namespace {

constexpr std::uint64_t previewElements = 4 << 20;
constexpr std::size_t mapSide = 48;
constexpr std::size_t keptBlocks = 100;

quant::WhatIfOptions optionsFor(const Trial& trial, const Shape& shape) {
    const bool isPreview = trial.rowStep > 1;
    quant::WhatIfOptions options;
    options.rowStep = trial.rowStep;
    options.maxElements = isPreview ? previewElements : 0;
    options.threads = trial.threads;
    options.worstBlocks = keptBlocks;
    options.levels = true;
    // Every row of cells must hold a row that is looked at.
    const std::uint64_t looked = shape.rows() / trial.rowStep;
    const std::uint64_t most = isPreview ? previewElements / std::max<std::uint64_t>(1, shape.rowLength()) : mapSide;
    options.mapRows = std::clamp<std::uint64_t>(std::min(looked, most), 1, mapSide);
    options.mapColumns = std::min<std::uint64_t>(mapSide, shape.rowLength());
    return options;
}

} // namespace

quant::Backend* TrialEngine::backend() {
    if (!m_backend && m_make) m_backend = std::exchange(m_make, nullptr)();
    return m_backend.get();
}

Result<quant::BlockLevels> tryBlock(const Trial& trial, const BlockPlace& place) {
    const TensorInfo& tensor = trial.model->tensors[trial.tensor];
    WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(*trial.model, tensor));
    WB_TRY_ASSIGN(const std::vector<float> weights, quant::weightsFor(trial.matrix.get(), tensor).readAll());
    return quant::blockLevels(reader, trial.type, weights, place.row, place.column);
}

Result<TrialResult> tryType(const Trial& trial, const Progress& progress) {
    const TensorInfo& tensor = trial.model->tensors[trial.tensor];
    WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(*trial.model, tensor));
    quant::WhatIfOptions options = optionsFor(trial, tensor.shape);
    options.backend = trial.engine->backend();
    WB_TRY_ASSIGN(const std::vector<float> weights, quant::weightsFor(trial.matrix.get(), tensor).readAll());
    TrialResult result;
    WB_TRY_ASSIGN(result.found, quant::measure(reader, trial.type, weights, options, progress));
    if (options.backend) result.remarks = options.backend->remarks();
    return result;
}

} // namespace wb::ui::inspect
