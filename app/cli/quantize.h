// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"
#include "core/convert/quantize_run.h"

#include <string>
#include <vector>

namespace wb::cli {

// What `wb quantize` was asked for, as typed.
struct QuantizeOptions {
    std::string in;
    std::string out;
    std::string type;
    std::string imatrix;
    std::string includeWeights;
    std::string excludeWeights;
    std::vector<std::string> tensorTypes; // REGEX=TYPE
    std::string outputType;
    std::string tokenEmbeddingType;
    std::string reportFile;
    bool pure = false;
    bool allowRequantize = false;
    bool dryRun = false;
    bool force = false;
    bool restart = false;
};

int quantize(const Context& context, const QuantizeOptions& options);

// Turns the words of the command line into a request; Invalid (wrong usage) where a type or rule is not one.
Result<convert::QuantizeRequest> quantizeRequest(const QuantizeOptions& options);

// The document of specs/cli.md; `outcome` is null for a dry run, whose errors are null.
std::string quantizeJson(const QuantizeOptions& options, const convert::QuantizePlan& plan, const convert::QuantizeOutcome* outcome,
                         const std::string& device);
void printQuantizeTables(const QuantizeOptions& options, const convert::QuantizePlan& plan, const convert::QuantizeOutcome* outcome);

} // namespace wb::cli
