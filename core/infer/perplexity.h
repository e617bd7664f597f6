// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/infer/saved_logits.h"

#include <optional>

namespace wb::infer {

// How far a model's probabilities are from those of a base, position by position: Σ p_base · (ln p_base - ln p) over the words
// that the base expects with more than e^-16.
struct Divergence {
    double mean = 0, median = 0, p99 = 0; // percentiles at rank f · (n - 1), interpolated
    double top1Agreement = 0;             // share of the positions where both expect the same word most
    // The model's perplexity by the base's, over the tokens that the base expects with more than e^-16, and its standard error by
    // the differences token by token.
    double quotient = 1, quotientError = 0;
};

struct Perplexity {
    double perplexity = 0;
    double error = 0; // standard error
    std::size_t windows = 0;
    std::optional<Divergence> divergence;
};

struct PerplexityOptions {
    std::size_t context = 512;
    std::optional<Token> first; // takes the place of each window's first token: BOS, where the model adds it
    LogitsWriter* save = nullptr;
    const LogitsReader* base = nullptr; // of the same tokens and context
    unsigned threads = 0;
};

// exp of the mean of -ln p of the tokens that follow positions context/2 … context-2 of each window, as llama-perplexity computes
// it. Windows do not overlap; tokens that fill none are omitted. TooLarge where there are fewer than two windows, with the number
// needed. Progress counts tokens.
Result<Perplexity> measurePerplexity(Engine& engine, std::span<const Token> tokens, const PerplexityOptions& options,
                                     const Progress& progress);

} // namespace wb::infer
