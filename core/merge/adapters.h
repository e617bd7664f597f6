// SPDX-License-Identifier: MIT
#pragma once

#include "core/merge/tuned_recipe.h"
#include "core/model/model.h"

#include <span>
#include <stop_token>
#include <string_view>

// Adapters and the weights that they change (docs/reference/conversion.md, "LoRA").
namespace wb::merge {

struct Adapter {
    ModelPtr model;   // of the format "peft", or a safetensors file of the Kohya scripts or LyCORIS
    double scale = 1; // of everything that the adapter adds
};

// One matrix that an adapter adds to: scale · B · A, both by name and as stored.
struct LowRank {
    std::string module; // the weight's name without ".weight", as the base calls it
    std::string a, b;   // [rank, in] and [out, rank]; of an embedding [rank, words] and [width, rank]
    std::uint64_t rank = 0;
    double scale = 1; // alpha / rank, or alpha / sqrt(rank); without Adapter::scale
    bool isEmbedding = false;
};

// The contents of an adapter, by effect. All names are those of its stored tensors.
struct AdapterParts {
    std::vector<LowRank> matrices;
    std::vector<ModuleChange> changes; // of other kinds than LoRA; those of Kohya files name modules by kohyaKey
    std::vector<std::pair<std::string, std::string>> biases;   // added: name of the base's bias, and of the tensor
    std::vector<std::pair<std::string, std::string>> replaced; // whole: name of the base's tensor, and of the new one
    bool isTransposed = false;                                 // the base stores these matrices as [in, out] (fan_in_fan_out)
    bool isKohya = false;                                      // a file of the Kohya scripts or LyCORIS
    std::optional<double> alpha;                               // lora_alpha of the configuration
};

// Rejects everything that cannot be expressed by these parts (prompts, copied layers …), each by its name.
Result<AdapterParts> adapterParts(const Model& adapter);

// The base with the adapters added, in their order: W + s · B · A in f32, rounded once to the type of W. Only the tensors that an
// adapter names change; each becomes a recipe over the base's tensor and the factors, which are listed as logical tensors. The
// model has the base's folder and files, then those of the adapters. NotFound or Malformed with the name of a tensor that does not
// fit the base. Reads the adapters' tensors once: one that contains NaN or infinite values is a problem of the model, as
// mergeRemarks() gives it.
Result<ModelPtr> mergeAdapters(const ModelPtr& base, std::span<const Adapter> adapters, const std::stop_token& stop = {});

// The problems of a model that were found while it was made of others (adapters, parts of quantized weights), for the plan of the
// result: those with codes of the rooms "merge" and "convert".
std::vector<Problem> mergeRemarks(const Model& merged);

// Before the name of a tensor that an adapter changes or replaces: the logical tensor that it was before.
inline constexpr std::string_view beforePrefix = "base: ";

// A name without the words that PEFT and multimodal folders put before it: by these two models are compared.
std::string plainName(std::string name);

} // namespace wb::merge
