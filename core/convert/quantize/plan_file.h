// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/quantize/quantize_plan.h"
#include "core/convert/source/adapter_file.h"
#include "core/convert/source/merge_choices.h"

// Plans as files: what a wizard or `wb quantize --save-plan` decided, to be run later on the same model by `--plan`. JSON:
// { "weighbridge_plan": 2, "source": {"name", "parameters", "signature"}, "type", "pure", "allow_requantize", "keep_split",
//   "folder": {"model_name", "pre", "template", "adapters": [{"path", "scale"}, …], "base"}, "imatrix": {"file", "place",
//   "include": […], "exclude": […]} | null, "overrides": ["<KEY=KIND:VALUE>", …], "prune_layers": [<layer>, …], "tensors": {"<name
//   of the new file>": "<type>", …} }
// "folder" is there only where a Hugging Face folder is converted first and something was chosen for that; a plan with "template",
// "adapters" or "base" is of version 3, so that no earlier program leaves them out in silence; "base" is present only if specified.
// One that merges models is of version 4 and has "merge" there, as writeMerge() writes it. One that divides the new model into
// files, or copies the model, is of version 5 and has "split": {"bytes", "tensors", "first_empty", "copies": "no|keep|join"}.
// "file" is the matrix as it was given, which the new file quotes; "place" is the same from the root on, for a run in another
// folder. It may be missing, and counts only as long as it ends in "file", as a person changes just the one. Version 1 had neither
// "overrides" nor "prune_layers".
namespace wb::quantize {

// Which importance matrix a plan uses: its file and the filter on it. An empty path is none.
struct MatrixFile {
    std::string path;                 // as it was given, which the new file quotes
    std::string place;                // the same from the root on, as a plan keeps it; empty: `path` says all
    std::vector<std::string> include; // only entries whose names contain one of these, unless empty
    std::vector<std::string> exclude; // no entries whose names contain one of these

    bool isNone() const { return path.empty(); }
    bool operator==(const MatrixFile&) const = default;
};

// What is chosen where the model is converted from a Hugging Face folder.
struct FolderChoices {
    std::string modelName;    // general.name; empty: from the folder
    std::string preTokenizer; // tokenizer.ggml.pre; empty: recognized
    std::string chatTemplate; // tokenizer.chat_template; empty: the folder's
    std::vector<convert::AdapterFile> adapters;
    convert::MergeChoices merge; // other models that are merged with the folder
    std::string base;            // where the folder is an adapter: that of the model it was made for, UTF-8, from the root on

    bool operator==(const FolderChoices&) const = default;
};

struct PlanFile {
    std::string sourceName;  // of the model's first file, for sentences
    std::string signature;   // modelSignature the model
    QuantizeRequest request; // without the matrix; `types` names every tensor
    MatrixFile matrix;
    FolderChoices folder;
};

// The signature of a plan's model: SHA-256 over every tensor's name, type and shape, in stored order. The model may be moved.
std::string modelSignature(const Model& model);

// The plan as JSON text with a final newline. Unsupported where a file of it could not be read again: names that differ only in
// bytes that are not UTF-8, or a matrix at such a place; too many tensors. Overrides, filters and choices must be UTF-8.
Result<std::string> planJson(const QuantizePlan& plan, const QuantizeRequest& request, const MatrixFile& matrix,
                             const FolderChoices& folder = {});

// The source of a plan, the word for its type and what every tensor becomes, in file order.
struct PlanContents {
    const Model* source = nullptr;
    std::string type;
    std::vector<std::pair<std::string, Dtype>> tensors; // by the name in the new file
};

// The same for a folder that is converted and not quantized: `source` is the file that converting makes.
Result<std::string> planJson(const PlanContents& contents, const QuantizeRequest& request, const MatrixFile& matrix,
                             const FolderChoices& folder);

// Reads one that may come from anybody: Malformed, TooLarge or Unsupported (another version) with the name of the file.
Result<PlanFile> readPlan(const std::filesystem::path& path);
Result<PlanFile> parsePlan(std::string_view text, const std::string& name);

// Invalid where the plan was made for another model.
Result<void> checkPlanFits(const PlanFile& plan, const Model& model);

// Reads the matrix and filters it; null if none exists. It is searched at its place, then by its path; NotFound names both.
Result<std::shared_ptr<const quant::Imatrix>> readMatrix(const MatrixFile& matrix, const Progress& progress);

} // namespace wb::quantize
