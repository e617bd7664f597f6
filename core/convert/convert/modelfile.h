// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

// What other programs need to run a model that was written here: text to copy, nothing is run (specs/conversion.md 11).
namespace wb::conversion {

// An Ollama Modelfile for a GGUF file that lies beside it under `fileName`: FROM, and PARAMETER for the texts that end an answer,
// the context and what generation_config.json says of sampling (null: nothing). There is no TEMPLATE: Ollama recognises the file's
// own, and its language is another. `gguf` is that file, opened.
Result<std::string> modelfileText(const Model& gguf, const ValueObject* generationConfig, const std::string& fileName);

// "ollama create NAME -f Modelfile"; the name is that of the file in small letters, as Ollama takes them.
std::string ollamaCommand(const std::string& fileName);

// "vllm serve FOLDER" with what the folder's quantization needs (AWQ, GPTQ, FP8); `config` is config.json.
std::string vllmCommand(const std::filesystem::path& folder, const ValueObject& config);

} // namespace wb::conversion
