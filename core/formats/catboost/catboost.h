// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

// Models of CatBoost, .cbm (catboost/catboost: catboost/libs/model/model.cpp, catboost/libs/model/flatbuffers/model.fbs;
// docs/reference/formats.md, "CatBoost"): "CBM1", the length of a FlatBuffer, the FlatBuffer, and what its parts need.
namespace wb::catboost {

bool sniff(std::span<const std::byte> head);

// The arrays of the trees where they are ("trees.leaf_values", "trees.splits" …) and the borders of each numeric feature; the
// parameters of the training are metadata.
//
// Malformed, TooLarge, Canceled, and what the worker fails with.
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);

// The task in the worker.
Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);

std::span<const worker::WorkerTask> tasks();

} // namespace wb::catboost
