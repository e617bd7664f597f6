// SPDX-License-Identifier: MIT
#pragma once

#include "core/arch/model_spec.h"
#include "core/convert/gguf/folder_rules.h"
#include "core/convert/weights/weights_plan.h"

// A GGUF file as the Hugging Face folder that it could have been made of: names and transforms of the family's table backwards
// (docs/reference/conversion.md, "GGUF → safetensors"). The reference converter makes the same GGUF file of it again.
namespace wb::convert {

inline constexpr Reason unknownArchitecture = "convert.unknown_architecture";

// A member of the new config.json.
struct ConfigMember {
    std::string key;
    std::string json;       // its value
    bool isGuessed = false; // the GGUF file does not specify it
};

struct RestoredFolder {
    ModelPtr model; // of the format "huggingface"; its tensors are computed from those of the file when they are read
    std::vector<TextFile> texts;
    std::vector<ConfigMember> config;
    std::vector<Problem> problems;
};

// Refuses a file of a family that is not known, or with tensors that the family does not have, each by its name. Reads the values
// of vectors: those that are exact get the type of the file's matrices back. `model` is of the format "gguf".
Result<RestoredFolder> restoreFolder(const ModelPtr& model);

// Parts of the work, each for itself.
struct RestoreContext {
    const Model& model;
    const arch::Family& family;
    const FolderRules& rules;
    const arch::ModelSpec& spec;
    Dtype type = Dtype::F32; // of the folder's matrices: F32, F16 or BF16
    std::vector<Problem>& problems;

    const TensorInfo* tensor(std::string_view name) const; // null: none exists
};

Result<ModelPtr> restoreTensors(const RestoreContext& context);
Result<std::vector<ConfigMember>> restoreConfig(const RestoreContext& context);
Result<std::vector<TextFile>> restoreTokenizer(const RestoreContext& context);

} // namespace wb::convert
