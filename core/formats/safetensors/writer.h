// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/tensor/dtype.h"
#include "core/tensor/shape.h"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

// Writing safetensors files, their shards and their index as the safetensors and huggingface_hub libraries do
// (huggingface/safetensors: src/tensor.rs; huggingface_hub: serialization/_base.py; docs/reference/conversion.md,
// "safetensors, PyTorch, shards, casts"). The data are the caller's to write.
namespace wb::safetensors {

struct WrittenTensor {
    std::string name;
    Dtype dtype = Dtype::Unknown;
    Shape shape;
};

// Texts under "__metadata__", in this order.
using Metadata = std::vector<std::pair<std::string, std::string>>;

struct Layout {
    std::string header;                 // the length, then the JSON with blanks up to a multiple of 8
    std::vector<std::uint64_t> offsets; // of each tensor's data from the first byte of the file, in the order of the tensors given
    std::uint64_t fileBytes = 0;
};

// Whether a file can hold elements of this type.
bool canHold(Dtype dtype);

// Tensors lie by type, the largest elements first, and by name, as the library orders them. TooLarge where sizes or the header
// exceed the format's, Unsupported for a type it does not have, Invalid for a name twice.
Result<Layout> layOut(std::span<const WrittenTensor> tensors, const Metadata& metadata);

// How tensors are divided among files, in the order given: each file takes tensors until the next one would exceed `maxBytes` (0:
// no limit) or `maxTensors` (0: no limit). One that is larger alone gets its own file. Gives the file of each tensor, from 0.
std::vector<std::size_t> divide(std::span<const std::uint64_t> bytes, std::uint64_t maxBytes, std::uint64_t maxTensors);

// "model.safetensors" of one file, "model-00001-of-00003.safetensors" of several; `stem` is "model".
std::string shardName(const std::string& stem, std::size_t index, std::size_t count);

// The text of "<stem>.safetensors.index.json". `files` has the file of each tensor.
std::string indexText(std::span<const WrittenTensor> tensors, std::span<const std::string> files);

} // namespace wb::safetensors
