// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

// Networks of MNN (alibaba/MNN: schema/default/MNN.fbs, CaffeOp.fbs; docs/reference/formats.md, "MNN"), a FlatBuffer without an
// identifier.
namespace wb::mnn {

// Whether it has operators with names and names of tensors. Reads some bytes.
bool sniff(const io::ByteSource& source);

// The weights of all operators, read where they are: "<operator>.weight", "<operator>.bias" …. Weights of quantized convolutions
// are listed as they are stored: codes of I8 with their scales, or the packed buffer with its table. Those in a .weight file next
// to the model are unavailable. Malformed, TooLarge, Canceled, and what the worker fails with.
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);

// The task in the worker.
Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);

std::span<const worker::WorkerTask> tasks();

} // namespace wb::mnn
