// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/huggingface/listing.h"
#include "core/formats/options.h"
#include "core/model/model.h"

namespace wb::huggingface {

// Which files of a folder are its weights, as the loaders of transformers and diffusers choose: the one file, else the index, else
// any file. A variant (model.fp16.safetensors) counts only where the plain file is absent.
struct Weights {
    enum class Kind { None, Index, Files, Gguf, Torch, TorchParts };

    Kind kind = Kind::None;
    std::vector<std::string>
        names; // one index, one GGUF (the first part of a split), or all the safetensors files, pytorch_model.bin, or its parts
};

Weights chooseWeights(const Listing& listing);

// Whether the folder is a PEFT adapter; other weights in it are not its own.
bool isAdapter(const Listing& listing);

// The model of these files; a model without tensors for Kind::None. Its problems list the other contents of the folder.
Result<Model> loadWeights(const std::filesystem::path& folder, const Listing& listing, const formats::OpenOptions& options);

} // namespace wb::huggingface
