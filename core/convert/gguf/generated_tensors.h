// SPDX-License-Identifier: MIT
#pragma once

#include "core/arch/model_spec.h"
#include "core/convert/gguf/folder_rules.h"

#include <string>
#include <vector>

namespace wb::convert {

struct GeneratedTensor {
    std::string name;
    std::vector<float> values; // of one dimension
};

// The tensors that GGUF stores of numbers in config.json: factors of rotary positions (docs/reference/conversion.md,
// "config.json → KV" and "Recipes").
std::vector<GeneratedTensor> generatedTensors(const FolderRules& rules, const arch::ModelSpec& spec);

} // namespace wb::convert
