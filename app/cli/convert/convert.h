// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/convert/quantize.h"
#include "core/base/json_writer.h"
#include "core/convert/gguf/convert_run.h"
#include "core/convert/weights/weights_plan_file.h"
#include "core/merge/changes.h"

#include <string>
#include <vector>

namespace wb::cli {

// What `wb convert` was asked for, as typed.
struct ConvertOptions {
    std::string in;
    std::string out;
    std::string type;    // of convert and quantize together
    std::string outType; // of the reference converter
    QuantizeOptions mix; // what belongs to a type that is quantized to; `in`, `out` and `type` are set from the above
    std::string modelName;
    std::string preTokenizer;
    std::string templateFile;
    std::string reportFile;
    std::string planFile;
    std::string savePlanFile;
    std::string to;                    // gguf, safetensors or huggingface; empty: by the name of `out`
    std::string shardSize;             // "5GB", "none"
    std::uint64_t maxTensors = 0;      // of a shard
    std::vector<std::string> tensors;  // patterns of names
    std::vector<std::string> renames;  // REGEX=TEXT
    std::string metadataFile;          // JSON
    std::string verify = "sample";     // or "all"
    std::vector<std::string> adapters; // DIR[=SCALE]
    std::vector<std::string> models;   // --with, which is of a later part
    std::string method;                // --method, the same
    std::string base;                  // of an adapter that becomes a GGUF adapter
    bool vocabOnly = false;
    bool modelfile = false;
    bool yes = false;    // sources that would run something elsewhere are read without a question
    bool merges = false; // the command is `merge`
    bool dryRun = false;
    bool force = false;
    bool restart = false;
};

// What kind of target the options name. Invalid where they name none that can be written.
enum class ConvertTarget : std::uint8_t { Gguf, Safetensors, HuggingFace };
Result<ConvertTarget> targetOf(const ConvertOptions& options);

// Bytes of "5GB", "300M", "none" (0). Invalid for what is no size.
Result<std::uint64_t> shardBytesOf(const std::string& text);

// Refuses, or asks on a terminal, where loading the source elsewhere would run what is not known to be harmless.
Result<void> checkDanger(const Context& context, const ConvertOptions& options, const Model& model);

// The entries of --metadata: an object of texts. Malformed with the file's name.
Result<std::vector<std::pair<std::string, std::string>>> metadataOf(const std::string& path);

// Those of --adapter DIR[=SCALE], from the root on.
std::vector<convert::AdapterFile> adaptersOf(const ConvertOptions& options);

// Opens the source; the latter merges adapters into a model.
Result<ModelPtr> openSource(const Context& context, const ConvertOptions& options);
Result<ModelPtr> mergeInto(const Context& context, const ConvertOptions& options, std::span<const convert::AdapterFile> files,
                           const ModelPtr& model);

// What adapters changed, for the document; none where none were merged.
Result<std::map<std::string, merge::Change>> changesOf(const Context& context, const Model& merged);

// "changed_ratio" and "rel_change" of a tensor that these of the base became, where adapters were merged and the run is over.
void writeChange(JsonWriter& out, const std::map<std::string, merge::Change>& changes, std::span<const std::string> names);

int convert(const Context& context, const ConvertOptions& options);

// The same with adapters merged into the source.
int merge(const Context& context, const ConvertOptions& options);

// What is to be written: a folder converted, or converted and quantized in one pass.
struct ConvertWork {
    std::shared_ptr<const convert::ConvertPlan> conversion;
    std::optional<quantize::QuantizePlan> quantized; // of the model that `conversion` makes
    quantize::QuantizeRequest request;               // of that
    quantize::MatrixFile matrix;
    quantize::FolderChoices choices;
    std::string text; // of the plan file by which this is done again; empty: no plan file can say it
};

// What came of a run.
struct ConvertDone {
    double seconds = 0;
    std::vector<Problem> remarks;
    std::vector<quantize::TensorError> errors; // one a tensor in the order of the new file where it was quantized, else none
    std::string device;
};

// What is shown of a conversion that was planned or has run.
struct ConvertResult {
    const ConvertWork& work;
    const ConvertDone* done = nullptr;            // null for a dry run
    std::string fileHash;                         // SHA-256 of the new file; empty for a dry run
    std::vector<std::string> tensorHashes;        // the same of each tensor's data, in the order of the new file
    std::map<std::string, merge::Change> changes; // by the base's tensor, where adapters were merged
};

// What the options say, before the folder is read.
struct ConvertWanted {
    std::optional<gguf::FileType> type;    // that converting itself writes; empty: what the folder has
    std::optional<ParsedOptions> quantize; // a type or mix that is quantized to, or pairs that are set
    bool copies = false;                   // only pairs are set
    quantize::FolderChoices choices;
};

// Invalid is wrong usage; another error is about the plan file or that of rules.
Result<ConvertWanted> parseConvert(const ConvertOptions& options);

// Reads the folder and plans. Errors name the file they are about.
Result<ConvertWork> prepareConvert(const Context& context, const ConvertOptions& options, ConvertWanted wanted);

// A tensor of the new file.
struct ConvertRow {
    const convert::PlannedTensor* tensor = nullptr;
    Dtype to = Dtype::F32;
    std::uint64_t bytes = 0;
    std::uint64_t offset = 0;
};
std::vector<ConvertRow> convertRows(const ConvertWork& work); // in file order

std::uint64_t fileBytes(const ConvertWork& work);
std::vector<Problem> convertProblems(const ConvertResult& result); // of the plans and of the run

// The document of docs/reference/command_line.md.
std::string convertJson(const ConvertOptions& options, const ConvertResult& result);
void printConvertTables(const ConvertOptions& options, const ConvertResult& result);

} // namespace wb::cli
