// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/training/training.h"

#include <span>

namespace wb::memory {

// Programs whose settings a plan can be written as (docs/reference/memory.md, "Exports").
enum class ExportTarget : std::uint8_t { Vllm, LlamaServer, Ollama, LlamaFactory, Axolotl };
std::span<const char* const> exportTargets(); // "vllm", "llama-server", "ollama", "llama-factory", "axolotl"
std::optional<ExportTarget> exportTargetFromName(std::string_view name);
bool isForTraining(ExportTarget target);

struct ExportedFile {
    std::string name; // of a file that is next to; empty: the text that was asked for
    std::string text;
};

// Where the model is, as the programs are reported.
struct ExportedModel {
    std::string id;      // a path, or an id of a hub without its prefix; empty: only a size or a shape
    bool isGguf = false; // one file, which vLLM and Ollama treat in their own way
    bool isModelScope = false;
    bool predictsAhead = false; // it has layers that predict additional tokens
};

// A shell line or a Modelfile with the settings of an estimate for one model on `gpus` GPUs.
// Unsupported, naming the setting: what the program cannot say. Only keys that the programs know are written.
Result<std::vector<ExportedFile>> exportInference(ExportTarget target, const ExportedModel& model, const Estimate& estimate,
                                                  std::uint64_t gpus);

// A YAML file, and the JSON file of DeepSpeed where ZeRO is used. Values that the user must fill in are comments with the reason.
Result<std::vector<ExportedFile>> exportTraining(ExportTarget target, const ExportedModel& model, const TrainingEstimate& estimate);

} // namespace wb::memory
