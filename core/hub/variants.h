// SPDX-License-Identifier: MIT
#pragma once

#include "core/hub/models.h"

#include <optional>
#include <string>
#include <vector>

// The files of a repository as a user chooses among them: one variant a quantization, with all its parts.
namespace wb::hub {

enum class VariantKind { Gguf, Weights, Helper, Other }; // Helper: a projector or another GGUF that only serves a model

struct Variant {
    VariantKind kind = VariantKind::Other;
    std::string label;              // "Q4_K_M", "BF16"; of a helper and where no name says it the file's own name
    std::vector<std::size_t> files; // indices into the list; the parts of a split in order
    std::uint64_t bytes = 0;
    std::optional<double> divergence; // mean KLD that was measured for this type, see below; of GGUF only
    bool isRecommended = false;

    // Bits of this file for each weight; 0 where the number of parameters is not known.
    double bitsPerWeight(std::uint64_t parameters) const;
};

// The type that the name of a GGUF file says, in capitals: "Q4_K_M"; empty of any other file, of helpers and where it says none.
std::string quantLabel(std::string_view path);

// GGUF variants first, the largest first, then sets of other weights, helpers, and everything else as one each. Refused files are
// left out.
std::vector<Variant> groupVariants(const std::vector<RemoteFile>& files);

// Mean Kullback-Leibler divergence from the f16 model, Llama-3-8B on wikitext-2 (ggml-org/llama.cpp: tools/perplexity/README.md;
// docs/reference/docs/reference/hub.md, "Llama-3-8B, wikitext-2"). Empty where the type was not measured.
std::optional<double> measuredDivergence(std::string_view label);

// Marks the smallest GGUF whose measured divergence is at most that of the class "good" (0.04): one class better for models below
// 4 billion parameters, one worse from 30 billion on (docs/reference/docs/reference/hub.md, "The advisor"); where none is that
// good, the best measured. Returns the reason as a sentence; empty where no type was measured and nothing is marked.
std::optional<Error> recommend(std::vector<Variant>& variants, std::uint64_t parameters);

} // namespace wb::hub
