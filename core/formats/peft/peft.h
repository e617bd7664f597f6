// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/formats/options.h"
#include "core/model/model.h"

#include <optional>
#include <vector>

// Low-rank adapters as PEFT writes them (huggingface/peft: src/peft/tuners/lora; docs/reference/formats.md,
// "Adapters").
namespace wb::peft {

// Adds to the model one logical F32 tensor for each LoRA pair of its tensors: "<module>.delta", what merging adds to the module's
// weight, scale · B · A. `config` is adapter_config.json, or null. The scale is alpha / r, with use_rslora alpha / sqrt(r), both by
// the patterns of the configuration; without one it is 1. Of DoRA it is the direction before the magnitudes. Pairs that do not fit,
// and adapters of other kinds than LoRA, are named in a note.
void addDeltas(Model& model, const Value* config);

// The number that adapter_config.json states for a module: that of the first path under `patterns` which is the end of the
// module's, else the member `key`. Empty if no number is stated or a pattern would have to be evaluated to know it.
std::optional<double> moduleNumber(const ValueObject& config, std::string_view key, std::string_view patterns,
                                   std::string_view module);

// The effect of a delta, without the weight that it is added to.
struct Spectrum {
    double norm = 0;                    // Frobenius
    std::vector<double> singularValues; // the largest first, as many as the rank
};

// Of a tensor that addDeltas made; empty for every other one, and where the rank is above 1,024. Reads both factors, computes in
// f64 from their r x r Gram matrices: exact to some 1e-8 of the largest singular value.
Result<std::optional<Spectrum>> adapterSpectrum(const Model& model, const TensorInfo& tensor, const Progress& progress);

} // namespace wb::peft
