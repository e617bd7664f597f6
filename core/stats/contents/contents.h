// SPDX-License-Identifier: MIT
#pragma once

#include "core/arch/role.h"
#include "core/model/model.h"
#include "core/stats/contents/tensor_pass.h"

namespace wb::stats {

// Facts in a tensor's name, determined once per model. The part's text is kept by core/arch.
struct TensorFacts {
    arch::Role role = arch::Role::Other;
    std::string_view part;
    std::optional<std::uint32_t> layer;
};

// One open model, what its names say, and the statistics known so far: plain data that every model, chart and export of the tab is
// made from. Copies share the model and the statistics, so a worker may take one.
struct Contents {
    ModelPtr model;
    std::vector<TensorFacts> facts; // one a tensor
    std::vector<StatsPtr> stats;    // one a tensor; null until computed
    std::uint64_t totalBytes = 0;   // of the stored tensors

    std::uint32_t count() const { return static_cast<std::uint32_t>(model->tensors.size()); }
    const TensorInfo& tensor(std::uint32_t index) const { return model->tensors[index]; }
    const TensorStats* statistics(std::uint32_t index) const { return stats[index].get(); }

    // The part of all stored bytes that a tensor takes; 0 for logical tensors, which are made of stored ones.
    double share(std::uint32_t index) const;

    // True for tensors whose values hold NaN or infinities, as far as computed, or cannot be read.
    bool hasFinding(std::uint32_t index) const;
};

// Reads the names, with up to `threads` threads (0: as many as the machine has); meant for the worker that opened the model.
Contents modelContents(ModelPtr model, unsigned threads = 1);

} // namespace wb::stats
