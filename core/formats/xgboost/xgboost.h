// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

// Models of XGBoost as JSON and as Universal Binary JSON (dmlc/xgboost: doc/model.schema, src/common/json.cc;
// docs/reference/formats.md, "XGBoost"). The older binary form, which releases from 3.1 on no longer read, is refused by name.
namespace wb::xgboost {

// By the first key of the outermost object, "learner".
bool sniff(std::span<const std::byte> head);

// One tensor for each array of the trees ("trees.split_conditions" …) with the numbers of all trees one after another, "weights" of
// a linear booster. `trees.nodes` has the number of nodes of each tree. Objective, sizes and names of features are metadata.
//
// Malformed, TooLarge, Canceled, and what the worker fails with.
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);

// The task in the worker.
Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);

std::span<const worker::WorkerTask> tasks();

} // namespace wb::xgboost
