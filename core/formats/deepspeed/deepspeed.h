// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

#include <filesystem>
#include <span>

// Checkpoints of DeepSpeed with ZeRO (docs/reference/formats.md, "DeepSpeed ZeRO"; deepspeedai/DeepSpeed:
// deepspeed/utils/zero_to_fp32.py, deepspeed/checkpoint/constants.py) as one model. Their files are pickles of PyTorch, which a
// worker follows symbolically; nothing is executed, written or gathered in memory.
//
// The stored tensors are listed as each rank has them, named "<file without .pt>.<name in the file>". Logical ones are the
// joined tensors of all ranks: the parameters in the precision of the optimizer, buffers, frozen and tied parameters, and what the
// optimizer keeps for each parameter. Model::checkpoint is the anatomy. A rank that is missing or damaged makes only the tensors
// unavailable of which it has elements.
namespace wb::deepspeed {

// Whether the folder is such a checkpoint: it holds files of states, a folder with them, or the file `latest` that names one.
bool isFolder(const std::filesystem::path& folder);

// `path` is the folder of one step or the one above it, of which `latest` names the step; without it the newest is shown.
Result<ModelPtr> openFolder(const std::filesystem::path& path, const formats::OpenOptions& options);

// The task in the worker. `wish`: the names of the sources relative to the model's folder, a line each; empty: their own names.
Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);

std::span<const worker::WorkerTask> tasks();

} // namespace wb::deepspeed
