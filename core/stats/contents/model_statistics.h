// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/contents/contents.h"

#include "core/base/progress.h"
#include "core/formats/zip/member_checksums.h"

#include <functional>

namespace wb::stats {

// What workers do for StatisticsRunner; no Qt objects, no GUI thread.

// The result of one tensor.
struct TensorResult {
    std::uint32_t tensor = 0;
    StatsPtr stats;
    std::vector<Problem> problems = {}; // a checksum that differs
};

// Statistics of one tensor over every element, and whether its bytes differ from the checksum of an archive.
Result<TensorResult> computeTensor(Backend& backend, const Model& model, const zip::MemberChecksums& checksums,
                                   std::uint32_t tensor, unsigned threads, const Progress& progress);

// Computes every tensor of `contents` that has no statistics yet and can be read, in the order of the bytes on disk, and hands each
// to `deliver` at once. Tensors of types without statistics are passed over; a changed file or a stop ends the work. Progress
// counts stored bytes. Histograms of models with very many tensors are dropped, so that memory stays bounded; they come back when
// asked for.
Result<void> computeMissing(Backend& backend, const Contents& contents, unsigned threads, const Progress& progress,
                            const std::function<void(TensorResult result)>& deliver);

} // namespace wb::stats
