// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

// Programs of ExecuTorch and their data (pytorch/executorch: schema/program.fbs, extension/flat_tensor/serialize/flat_tensor.fbs,
// docs/source/pte-file-format.md; docs/reference/formats.md, "ExecuTorch").
namespace wb::executorch {

bool sniff(std::span<const std::byte> head);        // .pte and .ptd
bool isFolder(const std::filesystem::path& folder); // one program and the data that it loads

// The constants of a program, read where they are: under their names where the program keeps them, else "value N" by their place
// among the values of the plan. Those in a .ptd file are unavailable unless the folder is opened, or the file itself. Backends to
// which parts of the program are handed over are metadata; their content is not listed. Malformed, TooLarge, Canceled, and what the
// worker fails with.
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);
Result<ModelPtr> openFolder(const std::filesystem::path& folder, const formats::OpenOptions& options);

// The task in the worker: a program, data, or a program followed by its data.
Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);

std::span<const worker::WorkerTask> tasks();

} // namespace wb::executorch
