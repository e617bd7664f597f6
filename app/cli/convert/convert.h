// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/convert/merge_options.h"
#include "app/cli/convert/quantize.h"
#include "app/cli/convert/run_job.h"
#include "core/base/json_writer.h"
#include "core/convert/plan_job.h"
#include "core/convert/vendor/vendor_tools.h"
#include "core/formats/gguf/writer.h"
#include "core/merge/changes.h"

#include <span>
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
    std::string to; // gguf, safetensors or huggingface; empty: by the name of `out`
    SplitOptions split;
    std::vector<std::string> tensors; // patterns of names
    std::vector<std::string> renames; // REGEX=TEXT
    bool withOptimizer = false;
    std::string metadataFile;          // JSON
    std::string verify = "sample";     // see parseVerify
    std::vector<std::string> adapters; // DIR[=SCALE]
    MergeOptions merge;
    std::string graph; // ONNX file that gets the weights
    std::string base;  // of an adapter that becomes a GGUF adapter
    bool vocabOnly = false;
    bool keepQuantized = true;
    bool modelfile = false;
    bool runTool = false; // of another vendor: run it instead of printing its command
    bool yes = false;     // sources that would run something elsewhere are read without a question
    bool dryRun = false;
    bool force = false;
    bool restart = false;

    JobRun run() const { return {in, out, verify, force, restart, yes}; }
};

// What kind of target the options name. Invalid if they name a target that cannot be written.
enum class ConvertTarget : std::uint8_t { Gguf, Safetensors, HuggingFace, Onnx };
Result<ConvertTarget> convertTarget(const ConvertOptions& options);

// The entries of --metadata: an object of texts. Malformed with the file's name.
Result<std::vector<std::pair<std::string, std::string>>> metadataFromFile(const std::string& path);

// Those of --adapter DIR[=SCALE], from the root on.
std::vector<convert::AdapterFile> adapterFiles(const ConvertOptions& options);

// A path from the root on, UTF-8, as plan files keep it.
std::string absolutePath(const std::string& path);

// What adapters or merged models changed, for the document; none where none were merged.
Result<std::map<std::string, merge::TensorChange>> tensorChanges(const Context& context, const Model& merged);

// "changed_ratio" and "rel_change" of a tensor that these of the base became, where adapters were merged and the run is over.
void writeChange(JsonWriter& out, const std::map<std::string, merge::TensorChange>& changes, std::span<const std::string> names);

// The distance of merged tensors from each model that was merged: the member "parents", and a table with a row for each tensor and
// one for all of them (the latter alone if quiet). Nothing if no models were merged.
void writeParents(JsonWriter& out, const merge::TensorChange& change);
void printParents(const std::map<std::string, merge::TensorChange>& changes, bool isQuiet);

int convert(const Context& context, const ConvertOptions& options);

// A GGUF model copied to a GGUF file, divided or joined.
bool isGgufFile(const std::string& path);
int copyGguf(const Context& context, const ConvertOptions& options);

// The weights of a model written into an ONNX graph.
int convertGraph(const Context& context, const ConvertOptions& options);

// The conversion by a vendor's program.
int convertByVendor(const Context& context, const ConvertOptions& options, convert::VendorTarget target);

// The same with adapters or other models merged into the source.
int merge(const Context& context, const ConvertOptions& options);

// The printed result of a planned or finished conversion.
struct ConvertResult {
    const convert::GgufPlanned& work;
    const convert::Outcome* done = nullptr;             // null for a dry run
    std::vector<std::string> fileHashes;                // SHA-256 of the new files; empty for a dry run
    std::vector<std::string> tensorHashes;              // the same of each tensor's data, in the order of the new file
    std::map<std::string, merge::TensorChange> changes; // by the base's tensor, where adapters were merged

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
    std::uint32_t file = 0;
};
std::vector<ConvertRow> convertRows(const ConvertResult& result);  // in file order
std::vector<Problem> convertProblems(const ConvertResult& result); // of the plans and of the run

// The hashes of new files, and of the bytes of these tensors in them.
struct TensorBytes {
    std::uint32_t file = 0;
    std::uint64_t offset = 0, bytes = 0;
};
struct NewHashes {
    std::vector<std::string> files, tensors;
};
Result<NewHashes> newHashes(std::span<const std::filesystem::path> files, std::span<const TensorBytes> tensors);

// The members "files" and "sha256" of the document; `hashes`: empty for a dry run.
void writeHash(JsonWriter& out, const std::vector<std::string>& hashes, std::size_t i);
void writeGgufFiles(JsonWriter& out, const convert::GgufPlanned& work, const std::string& target,
                    const std::vector<std::string>& hashes);
void writePair(JsonWriter& out, std::string_view key, std::string_view type, const char* origin);
const char* typeOfPair(const gguf::StoredPair& pair); // "u8" … "f64"

// The document of docs/reference/command_line.md.
std::string convertJson(const ConvertOptions& options, const ConvertResult& result);
void printConvertTables(const ConvertOptions& options, const ConvertResult& result, bool isQuiet); // quiet: without the table

} // namespace wb::cli
