// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"
#include "core/convert/convert/convert_run.h"

#include <string>
#include <vector>

namespace wb::cli {

// What `wb convert` was asked for, as typed.
struct ConvertOptions {
    std::string in;
    std::string out;
    std::string type;    // of convert and quantize together
    std::string outType; // of the reference converter
    std::string modelName;
    std::string preTokenizer;
    std::string reportFile;
    bool dryRun = false;
    bool force = false;
    bool restart = false;
};

int convert(const Context& context, const ConvertOptions& options);

// What is shown of a conversion that was planned or has run.
struct ConvertResult {
    const conversion::ConvertPlan& plan;
    const conversion::ConvertOutcome* outcome = nullptr; // null for a dry run
    std::string fileHash;                                // SHA-256 of the new file; empty for a dry run
    std::vector<std::string> tensorHashes;               // the same of each tensor's data
};

// The document of specs/cli.md.
std::string convertJson(const ConvertOptions& options, const ConvertResult& result);
void printConvertTables(const ConvertOptions& options, const ConvertResult& result);

} // namespace wb::cli
