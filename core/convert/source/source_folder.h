// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/run/output_plan.h"
#include "core/model/model.h"

namespace wb::convert {

// The small files of a Hugging Face folder, read before its tensors.
struct SourceFolder {
    ModelPtr model;
    ValueObject config;                        // config.json, a nested text_config laid over it
    std::vector<std::string> completed;        // what config lacked and the class of the model has
    ValueObject tokenizerConfig;               // tokenizer_config.json; empty where it is missing
    ValueObject addedTokens;                   // added_tokens.json; empty where it is missing
    std::optional<std::string> tokenizerJson;  // the text of tokenizer.json
    std::optional<std::string> tokenizerModel; // the bytes of tokenizer.model
    std::optional<std::string> chatTemplate;   // chat_template.jinja, else that of chat_template.json
    std::vector<std::pair<std::string, std::string>>
        namedTemplates;                 // additional_chat_templates/*.jinja by name, next to the former
    ValueObject generation;             // generation_config.json; empty where it is missing
    std::vector<run::SourceFile> files; // all that were or will be read
};

// Refuses a model that is not such a folder, and one with problems that are errors. Malformed, TooLarge with the file's name.
// `needsNoTensors`: a folder without weights will do.
Result<SourceFolder> readSourceFolder(ModelPtr model, bool needsNoTensors = false);

// Null also where the member is null.
const Value* findSet(const ValueObject& object, std::string_view key);

// The text of a member; empty where it is none.
std::string_view memberText(const ValueObject& object, std::string_view key);

} // namespace wb::convert
