// SPDX-License-Identifier: MIT
#pragma once

#include "core/merge/tuned_recipe.h"

#include "core/model/model.h"

#include <functional>

// Adapters that are more than pairs of LoRA, by the names of their tensors.
namespace wb::merge {

// A change whose target is a module of the base ("<module>.weight"), or, of expert parameters, one of the tensors under it.
struct KindParts {
    std::vector<ModuleChange> changes;
    std::vector<std::string> tensors; // of the adapter, that the changes and DoRA use
};

// AdaLoRA, VeRA, LoHa, LoKr, IA3, OFT, DoRA and expert parameters as PEFT stores them (huggingface/peft: src/peft/tuners).
// `moduleName` makes the base's name of a module. Unsupported, with the adapter's name, for another kind, and for an option of a
// kind whose formula is not known here; Malformed for a tensor without its partner.
Result<KindParts> peftKind(const Model& adapter, const ValueObject& config,
                           const std::function<std::string(std::string)>& moduleName);

// Whether the file has tensors as the Kohya scripts and LyCORIS store them: "lora_unet_…", "lora_te_…", "lycoris_…".
bool isKohya(const Model& adapter);

// LoRA, DoRA, LoHa and LoKr of such a file. Targets are the names of modules with "_" for "." (see kohyaKey). Reads the numbers
// "<module>.alpha"; a module without one has the scale 1.
Result<KindParts> kohyaKind(const Model& adapter);

// A tensor of a base as Kohya files call its module: "." and "_" are alike.
std::string kohyaKey(std::string_view tensor);

} // namespace wb::merge
