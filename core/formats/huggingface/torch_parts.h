// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/huggingface/listing.h"
#include "core/formats/options.h"
#include "core/model/model.h"

namespace wb::huggingface {

// The files of a numbered set of PyTorch weights, "pytorch_model-00001-of-00003.bin" …; empty if none exists.
std::vector<std::string> torchParts(const Listing& listing);

// All of them as one model. A number that is missing and a tensor that two files have are problems, strictly errors, by their
// names.
Result<Model> loadTorchParts(const std::filesystem::path& folder, const std::vector<std::string>& names,
                             const formats::OpenOptions& options);

// A file of PyTorch weights; a Git LFS pointer is a model without tensors, and one that cannot be read a problem.
Result<Model> loadTorch(const std::filesystem::path& folder, const std::string& name, const formats::OpenOptions& options);

} // namespace wb::huggingface
