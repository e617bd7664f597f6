// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/checkpoint.h"
#include "core/model/model.h"
#include "core/stats/stats.h"

#include <filesystem>
#include <functional>
#include <set>

// A tensor over a training run: its statistics in every checkpoint of a folder of them (Model::series).
namespace wb::stats {

// Of one checkpoint, for the tensors that were asked for and exist in it.
struct CheckpointStatistics {
    struct Tensor {
        std::string name;
        Shape shape;
        std::optional<TensorStats> statistics; // empty where the values cannot be read
    };
    std::string path; // relative to the folder of the series
    std::optional<std::uint64_t> step;
    std::optional<double> epoch;
    std::vector<Tensor> tensors; // none if the checkpoint could not be opened

    const TensorStats* find(std::string_view name) const; // null: none
};

struct SeriesOptions {
    std::set<std::string> names; // of tensors
    Options statistics;
    std::function<Result<ModelPtr>(const std::filesystem::path&)> open; // a checkpoint
    std::function<Progress(const TensorInfo&)> progress;                // of one tensor
};

// Opens the checkpoint `entry` of the series in `folder` and measures it. A checkpoint that cannot be opened, and tensors that are
// missing or cannot be read, leave a problem that names the checkpoint. Canceled, Changed, and failures of a device end the work.
Result<CheckpointStatistics> measureCheckpoint(const std::filesystem::path& folder, const SeriesEntry& entry, Backend& backend,
                                               const SeriesOptions& options, std::vector<Problem>& problems);

// Adds a problem for values that turn out to be damaged or unsupported, once each; any other error is returned.
Result<void> noteUnreadable(std::vector<Problem>& problems, const TensorInfo& tensor, const Model& model, const Error& error);

} // namespace wb::stats
