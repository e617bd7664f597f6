// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

// Models of LightGBM, which are text (microsoft/LightGBM: src/boosting/gbdt_model_text.cpp, src/io/tree.cpp;
// docs/reference/formats.md, "LightGBM").
namespace wb::lightgbm {

// By its first lines, "tree" and "version=…".
bool sniff(std::string_view head);

// One tensor for each array of the trees ("trees.threshold", "trees.leaf_value" …) with the numbers of all trees one after another;
// `trees.num_leaves` divides them: a tree of n leaves has n - 1 inner nodes. The header and the parameters of the training are
// metadata.
//
// Malformed, TooLarge, Canceled, and what the worker fails with.
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);

// The task in the worker.
Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);

std::span<const worker::WorkerTask> tasks();

} // namespace wb::lightgbm
