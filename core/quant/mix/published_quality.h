// SPDX-License-Identifier: MIT
#pragma once

#include "core/quant/mix/file_type.h"

#include <optional>

namespace wb::quant {

// Published figures of Llama 3 8B on wikitext-2 against f16 (ggml-org/llama.cpp, tools/perplexity/README.md): perplexity, mean KL
// divergence.
struct PublishedQuality {
    double perplexity = 0;
    double divergence = 0;
};

// Where they are from, for those who are shown them.
inline constexpr const char* publishedSource = "llama.cpp, tools/perplexity/README.md: Llama 3 8B, wikitext-2, against f16";

// Those of the mix, with an importance matrix (of ten million tokens) or without one; empty where none were published.
std::optional<PublishedQuality> publishedQuality(FileType type, bool weighted);

// Both mean KL divergences of a type, the only ones that lists of types show, recommend and compare by. A list keeps the two apart:
// a figure with a matrix is not comparable with one without. Empty: not published. `plain` is 0 for types of 16 bits and more.
struct PublishedDivergence {
    std::optional<double> plain;    // without an importance matrix
    std::optional<double> weighted; // with one

    explicit operator bool() const { return plain || weighted; }
    bool operator==(const PublishedDivergence&) const = default;
};
PublishedDivergence publishedDivergence(FileType type);

// How much of a model's answers a divergence changes, in words for people who choose a file.
enum class LossBand : std::uint8_t { None, Unnoticed, Small, Noticeable, Large, Severe };
LossBand lossBand(double divergence);

} // namespace wb::quant
