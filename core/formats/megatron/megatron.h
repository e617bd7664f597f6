// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

#include <filesystem>
#include <span>

// Checkpoints of Megatron-LM with a file for each rank (docs/reference/formats.md, "Megatron-LM"; NVIDIA/Megatron-LM:
// megatron/training/checkpointing.py) as one model. A worker follows their pickles symbolically; nothing is executed, written or
// gathered in memory.
//
// The stored tensors are listed as each rank has them, named "<rank's folder>.<name in the file>". Logical ones are the parameters
// that tensor parallelism divided, under the numbers that their layers have in the whole model. A rank that is missing or damaged
// makes only the tensors unavailable of which it has elements.
namespace wb::megatron {

// Whether the folder has the file `latest_checkpointed_iteration.txt`, or is one of its iterations.
bool isFolder(const std::filesystem::path& folder);

Result<ModelPtr> openFolder(const std::filesystem::path& path, const formats::OpenOptions& options);

// The task in the worker. `wish`: the names of the sources relative to the model's folder, a line each.
Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);

std::span<const worker::WorkerTask> tasks();

} // namespace wb::megatron
