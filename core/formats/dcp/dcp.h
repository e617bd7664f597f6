// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

#include <filesystem>
#include <span>

// Distributed checkpoints of PyTorch (docs/reference/formats.md, "DCP and FSDP"; pytorch/pytorch: torch/distributed/checkpoint) and
// those of megatron-core in its form torch_dist, which has common.pt next to them, as one model. A worker follows their pickles
// symbolically; nothing is executed, written or gathered in memory.
//
// The stored tensors are the chunks of the ranks, named "<tensor> [<first coordinates>]"; logical ones are the tensors that they
// make up. Model::checkpoint is the anatomy. A data file that is missing or truncated makes only the tensors unavailable of which
// it has a chunk.
namespace wb::dcp {

// Whether the folder has the file `.metadata`, or the local state dictionaries of FSDP 1 (flat_form.h).
bool isFolder(const std::filesystem::path& folder);

Result<ModelPtr> openFolder(const std::filesystem::path& path, const formats::OpenOptions& options);

// The same in safetensors files, "shard-00001-model-00001-of-00002.safetensors": read without a worker.
bool isShardFolder(const std::filesystem::path& folder);
Result<ModelPtr> openShardFolder(const std::filesystem::path& path, const formats::OpenOptions& options);

// The task in the worker. The first source is `.metadata`, then data files, and common.pt. `wish`: their names relative to the
// model's folder, a line each; empty: their own names.
Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);

std::span<const worker::WorkerTask> tasks();

} // namespace wb::dcp
