// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/gguf/convert_plan.h"

namespace wb::convert {

// An adapter's configuration needs its base.
inline constexpr Reason adapterNeedsBase = "convert.adapter_needs_base";

// A LoRA or rsLoRA adapter of PEFT as a GGUF adapter, which runtimes add to a file of the base (ggml-org/llama.cpp v0.5.0:
// convert_lora_to_gguf.py; golden/lora_gguf). The runtime multiplies with adapter.lora.alpha / rank and knows nothing else: for
// rsLoRA alpha is multiplied by the root of the rank, and what the patterns of the configuration change is multiplied into B. Both
// the reference omits. `base` is a Hugging Face folder of which config.json is read. Refuses by name what such a file cannot
// say: biases, embeddings, whole tensors, stacks of experts, other kinds.
Result<ConvertPlan> planAdapter(ModelPtr adapter, ModelPtr base, const std::string& modelName);

} // namespace wb::convert
