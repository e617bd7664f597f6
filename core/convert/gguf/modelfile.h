// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

// Files and commands that other programs need to run a model written here: text to copy, nothing is run
// (docs/reference/conversion.md, "ONNX and vendor tools").
namespace wb::convert {

// An Ollama Modelfile for a GGUF file that is next to it under `fileName`: FROM, and PARAMETER for the texts that end an answer,
// the context and the sampling of generation_config.json (null: nothing). There is no TEMPLATE: Ollama recognizes the file's
// own, and its language is another. `gguf` is that file, opened.
Result<std::string> modelfileText(const Model& gguf, const ValueObject* generationConfig, const std::string& fileName);

// Writes that text into the file "Modelfile" next to `gguf`, and gives the command that registers it. `source`, the model that the
// file was made of, may have a generation_config.json; null: it has none. Refuses one that is there unless it is to be replaced.
Result<std::string> writeModelfile(const std::filesystem::path& gguf, const Model* source, bool replace);

// "ollama create NAME -f Modelfile"; the name is that of the file in small letters, as Ollama takes them.
std::string ollamaCommand(const std::string& fileName);

// "vllm serve FOLDER" with what the folder's quantization needs (AWQ, GPTQ, FP8); `config` is config.json.
std::string vllmCommand(const std::filesystem::path& folder, const ValueObject& config);

} // namespace wb::convert
