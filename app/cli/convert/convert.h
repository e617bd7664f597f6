// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/convert/merge_options.h"
#include "app/cli/convert/quantize.h"
#include "app/cli/convert/run_job.h"
#include "core/base/json_writer.h"
#include "core/convert/plan_job.h"
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
    QuantizeOptions mix; // options of a quantization type; `in`, `out` and `type` are set from the above
    std::string modelName;
    std::string preTokenizer;
    std::string templateFile;
    std::string reportFile;
    std::string planFile;
    std::string savePlanFile;
    std::string to;                   // gguf, safetensors or huggingface; empty: by the name of `out`
    std::string shardSize;            // "5GB", "none"
    std::uint64_t maxTensors = 0;     // of a shard
    std::vector<std::string> tensors; // patterns of names
    std::vector<std::string> renames; // REGEX=TEXT
    bool withOptimizer = false;
    std::string metadataFile;          // JSON
    std::string verify = "sample";     // see parseVerify
    std::vector<std::string> adapters; // DIR[=SCALE]
    MergeOptions merge;
    std::string base; // of an adapter that becomes a GGUF adapter
    bool vocabOnly = false;
    bool keepQuantized = true;
    bool modelfile = false;
    bool yes = false; // sources that would run something elsewhere are read without a question
    bool dryRun = false;
    bool force = false;
    bool restart = false;

    JobRun run() const { return {in, out, verify, force, restart, yes}; }
};

// What kind of target the options name. Invalid if they name a target that cannot be written.
enum class ConvertTarget : std::uint8_t { Gguf, Safetensors, HuggingFace };
Result<ConvertTarget> convertTarget(const ConvertOptions& options);

// Bytes of "5GB", "300M", "none" (0). Invalid if the text is not a size.
Result<std::uint64_t> parseShardBytes(const std::string& text);

// The entries of --metadata: an object of texts. Malformed with the file's name.
Result<std::vector<std::pair<std::string, std::string>>> metadataFromFile(const std::string& path);

// Those of --adapter DIR[=SCALE], from the root on.
std::vector<convert::AdapterFile> adapterFiles(const ConvertOptions& options);

// A path from the root on, UTF-8, as plan files keep it.
std::string absolutePath(const std::string& path);

// What adapters or merged models changed, for the document; none where none were merged.
Result<std::map<std::string, merge::Change>> tensorChanges(const Context& context, const Model& merged);

// "changed_ratio" and "rel_change" of a tensor that these of the base became, where adapters were merged and the run is over.
void writeChange(JsonWriter& out, const std::map<std::string, merge::Change>& changes, std::span<const std::string> names);

int convert(const Context& context, const ConvertOptions& options);

// The same with adapters or other models merged into the source.
int merge(const Context& context, const ConvertOptions& options);

// The printed result of a planned or finished conversion.
struct ConvertResult {
    const convert::GgufPlanned& work;
    const convert::Outcome* done = nullptr;       // null for a dry run
    std::string fileHash;                         // SHA-256 of the new file; empty for a dry run
    std::vector<std::string> tensorHashes;        // the same of each tensor's data, in the order of the new file
    std::map<std::string, merge::Change> changes; // by the base's tensor, where adapters were merged

    // The conversion of the folder to GGUF, before anything is quantized.
    const convert::ConvertPlan& conversion() const { return work.plain ? *work.plain : *work.conversion; }
};

// Turns the words of the command line into a request. Invalid is wrong usage; another error is about the plan file or another file
// that is named.
Result<convert::GgufRequest> ggufRequest(const Context& context, const ConvertOptions& options);

// A tensor of the new file.
struct ConvertRow {
    const convert::PlannedTensor* tensor = nullptr;
    Dtype to = Dtype::F32;
    std::uint64_t bytes = 0;
    std::uint64_t offset = 0;
};
std::vector<ConvertRow> convertRows(const ConvertResult& result);  // in file order
std::vector<Problem> convertProblems(const ConvertResult& result); // of the plans and of the run

// The document of docs/reference/command_line.md.
std::string convertJson(const ConvertOptions& options, const ConvertResult& result);
void printConvertTables(const ConvertOptions& options, const ConvertResult& result, bool isQuiet); // quiet: without the table

} // namespace wb::cli
