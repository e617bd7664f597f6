// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/options.h"
#include "core/model/model.h"

namespace wb::onnx {

// Of a tensor's file index: the model itself, the values copied out of it, and from `firstExternal` on the files of `external`.
inline constexpr std::uint32_t modelFile = 0;
inline constexpr std::uint32_t copiedFile = 1;
inline constexpr std::uint32_t firstExternal = 2;

// The contents of a ModelProto, without any other file.
struct Index {
    Model model;                       // without files
    std::vector<std::byte> copied;     // the content of copiedFile
    std::vector<std::string> external; // file names as stored in the model, each once
};

inline constexpr std::uint64_t maxCopied = 64 << 20;

// Reads the message from any bytes: what the worker runs. Malformed, TooLarge, Canceled.
Result<Index> readIndex(const io::ByteSource& source, const formats::OpenOptions& options);

} // namespace wb::onnx
