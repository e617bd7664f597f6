// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"

#include <optional>
#include <string>
#include <vector>

namespace wb::cli {

// `wb tokenize` as typed; exactly one of text, file, fromStdin and detokenize is given.
struct TokenizeOptions {
    std::string model;
    std::optional<std::string> text;
    std::optional<std::string> file;
    bool fromStdin = false; // a JSON array of texts
    std::optional<std::vector<long long>> detokenize;
    std::optional<std::string> pre; // instead of the file's pre-tokenizer
    bool noSpecial = false;
    bool showSpecial = false;
};

int tokenize(const Context& context, const TokenizeOptions& options);

// `wb template` as typed.
struct TemplateOptions {
    std::string source; // a model, or a file of the template itself
    std::string messages;
};

int renderTemplate(const Context& context, const TemplateOptions& options);

} // namespace wb::cli
