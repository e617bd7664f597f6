// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/command.h"
#include "core/base/json_writer.h"
#include "core/convert/quantize/budget_plan.h"
#include "core/convert/quantize/plan_file.h"
#include "core/convert/job.h"

#include <optional>
#include <string>
#include <vector>

namespace wb::cli {

// How the new GGUF file is divided, as typed.
struct SplitOptions {
    std::string shardSize;        // "5GB", "none"
    std::uint64_t maxTensors = 0; // of a file; 0: no limit
    bool noTensorFirst = false;

    bool isGiven() const { return !shardSize.empty() || maxTensors > 0 || noTensorFirst; }
};

// Bytes of "5GB", "300M", "none" (0). Invalid if the text is not a size.
Result<std::uint64_t> parseShardBytes(const std::string& text);

Result<quantize::FileSplit> parseSplit(const SplitOptions& options);

// What `wb quantize` was asked for, as typed.
struct QuantizeOptions {
    std::string in;
    std::string out;
    std::string type;
    std::string imatrix;
    std::vector<std::string> includeWeights;
    std::vector<std::string> excludeWeights;
    std::vector<std::string> tensorTypes; // REGEX=TYPE
    std::string tensorTypeFile;           // of more, separated by white space
    std::vector<std::string> overrides;   // KEY=KIND:VALUE
    std::string pruneLayers;              // N,N,…
    std::string outputType;
    std::string tokenEmbeddingType;
    std::string reportFile;
    std::string planFile;
    std::string savePlanFile;
    std::string budget; // a size
    SplitOptions split;
    std::string verify = "sample"; // see verifyOf
    bool yes = false;              // a model that would run something elsewhere is read without a question
    bool budgetExact = false;
    bool keepSplit = false;
    bool leaveOutput = false;
    bool pure = false;
    bool allowRequantize = false;
    bool dryRun = false;
    bool force = false;
    bool restart = false;
    bool compare = false; // every mix instead of one; the next three belong to it
    std::optional<std::uint64_t> context;
    std::string memory; // a size
    bool exact = false;
};

// Declares how tensors get their types, and the related properties of the new file.
void addMixOptions(CLI::App& command, QuantizeOptions& options);

// Declares --shard-size, --max-tensors and --no-tensor-first-split.
void addSplitOptions(CLI::App& command, SplitOptions& options);

// --verify (see verifyOf) and --yes.
void addTrustOptions(CLI::App& command, std::string& verify, bool& yes);

int quantize(const Context& context, const QuantizeOptions& options);

// `wb quantize IN --compare`: every mix of the model, measured; nothing is written.
int compareMixes(const Context& context, const QuantizeOptions& options);

// What is to be done, before the matrix is read.
struct ParsedOptions {
    quantize::QuantizeRequest request;
    quantize::MatrixFile matrix;
    std::uint64_t budget = 0; // bytes of the whole file; 0: the request says the types
};

// Turns the words of the command line into what they ask for; Invalid (wrong usage) where a type or rule is not one, options
// exclude each other. Another code is about the file of rules, which is read here.
Result<ParsedOptions> parseOptions(const QuantizeOptions& options);

// The printed result of a planned or finished quantization.
struct QuantizeResult {
    const quantize::QuantizePlan& plan;
    const quantize::BudgetPlan* budget = nullptr; // where the types were chosen for a size
    const convert::Outcome* outcome = nullptr;    // null for a dry run, whose errors are null
    std::vector<Problem> remarks;                 // of the device that quantized, or measured for a budget
};

void numberOrNull(JsonWriter& out, const char* key, const std::optional<double>& value); // a member of a document

// The document of docs/reference/command_line.md, with a member "budget" where there is one; its "exact" tells whether every row
// was measured.
std::string quantizeJson(const QuantizeOptions& options, const QuantizeResult& result, const std::string& device);
void printQuantizeTables(const QuantizeOptions& options, const QuantizeResult& result, bool isQuiet); // quiet: without the table

} // namespace wb::cli
