// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

// Models of PaddlePaddle for inference: a program (.pdmodel) and the values of its variables in one file (.pdiparams), or one
// file for each (PaddlePaddle/Paddle: paddle/fluid/framework/framework.proto,
// paddle/phi/core/framework/dense_tensor_serialize.cc; docs/reference/formats.md, "PaddlePaddle"). Training writes .pdparams and
// .pdopt, which are pickles.
namespace wb::paddle {

// A program: blocks of variables and operators to the last byte.
bool sniff(const io::ByteSource& source);

// Values: the head of a first variable.
bool sniffValues(std::span<const std::byte> head);

// The variables where they are. Their names are those of the program's persistable variables in alphabetical order; without the
// program a file of values has "value 0", "value 1" …; without the values a program has tensors without elements to read. `path`
// names either file; the other one is next to it under the same name.
//
// Malformed, TooLarge, Canceled, and what the worker fails with.
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);

// The task in the worker: one of the files, and where it exists the other one.
Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);

std::span<const worker::WorkerTask> tasks();

} // namespace wb::paddle
