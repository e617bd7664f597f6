// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

// How a new GGUF model is divided into files (docs/reference/gguf.md, "Split files"; ggml-org/llama.cpp v0.5.0: tools/gguf-split).
namespace wb::quantize {

// A file ends before the tensor that would exceed one of its limits, and has at least one tensor.
struct FileSplit {
    std::uint64_t bytes = 0;   // of the tensors of a file, each padded to 32; 0: no limit
    std::uint64_t tensors = 0; // of a file; 0: no limit
    bool isFirstEmpty = false; // the first file contains metadata alone

    bool isNone() const { return *this == FileSplit(); }
    bool operator==(const FileSplit&) const = default;
};

// Copying a GGUF model without quantizing it: every tensor keeps its bytes, the metadata keep their order.
enum class CopyMode : std::uint8_t {
    None, // the model is quantized
    Keep, // as one file, or divided by FileSplit, whatever the files of the source
    Join, // of the files of a split: the file of llama-gguf-split --merge, which keeps the keys of the first one
};

} // namespace wb::quantize
