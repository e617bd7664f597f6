// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"
#include "core/base/result.h"
#include "core/text/draw.h"
#include "core/text/token_logit.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace wb::infer {

using Token = std::int32_t;

struct CachedRange;
struct CachedRows;

// Tokens to evaluate together. Those before `position` have been evaluated earlier and are in the cache.
struct Batch {
    std::span<const Token> tokens; // 1 … Engine::maxBatch(), each inside the vocabulary
    std::size_t position = 0;      // of the first; position + tokens.size() <= context()
    std::span<float> logits;       // empty, [vocabulary] for the last token, or [tokens][vocabulary]
    std::span<float>
        hidden; // empty, or [layers + 1][tokens][hiddenWidth]: the embeddings, then x after each layer, the last after the norm
    std::span<const float> preceding = {}; // [tokens][width] where the graph has a JoinOp; else empty
    // Instead of `logits`: empty, or at most Engine::maxRanked() of the highest logits of the last token, as text::highestLogits()
    // gives them. Where there are fewer, the token is -1.
    std::span<text::TokenLogit> ranked = {};
    // How the caller will draw the next token from `ranked`, where it knows: an engine may draw that token itself and evaluate it
    // before it is asked to. Any other batch may follow.
    std::optional<text::Draw> next = {};
};

// Bytes of RAM, or of the device, that an engine has claimed or would claim. What is in the model's file is not claimed.
// On a device caches are counted with their padding, and not what its allocator keeps free for the next part.
struct EngineMemory {
    std::uint64_t weights = 0;
    std::uint64_t keys = 0, values = 0; // of the cache
    std::uint64_t state = 0;            // of recurrent layers
    std::uint64_t compute = 0;          // activations and scratch of all threads

    std::uint64_t total() const { return weights + keys + values + state + compute; }

    friend EngineMemory operator+(const EngineMemory& a, const EngineMemory& b) {
        return {a.weights + b.weights, a.keys + b.keys, a.values + b.values, a.state + b.state, a.compute + b.compute};
    }
};

// The cost of creating an engine and of a token.
struct EngineLoad {
    double seconds = 0;
    double repackSeconds = 0;        // of them, spent on bringing weights into the engine's order
    std::uint64_t bytesPerToken = 0; // weights read to evaluate one token alone
    EngineMemory memory;             // claimed
    EngineMemory device = {};        // claimed of a GPU
};

// A model that can be run, with one cache. One thread at a time.
class Engine {
public:
    virtual ~Engine() = default;

    virtual std::string device() const = 0; // for people: "cpu", "gpu:1"
    virtual std::size_t vocabulary() const = 0;
    virtual std::size_t width() const = 0;
    virtual std::size_t layers() const = 0;

    // Numbers of a token in a layer of Batch::hidden, counted from 0, the embeddings: `width`, or all residual streams side by
    // side, which the head of a model with several of them mixes.
    virtual std::size_t hiddenWidth([[maybe_unused]] std::size_t layer) const { return width(); }

    virtual std::size_t context() const = 0;  // positions the cache holds
    virtual std::size_t maxBatch() const = 0; // tokens it takes at once
    virtual EngineLoad load() const = 0;

    // How many of the highest logits it finds itself, cheaper than by giving all of them (Batch::ranked). 0: none.
    virtual std::size_t maxRanked() const { return 0; }

    // Layers on a GPU, counted as in EngineOptions; 0: the model runs on the CPU.
    virtual std::uint64_t gpuLayers() const { return 0; }

    // The kernels of the GPU, for people and the log: "exact", "fast for Q4_K Q6_K". Empty: the model runs on the CPU.
    virtual std::string kernels() const { return {}; }

    // Remarks for the user about the devices used so far, in order: a device that was abandoned.
    virtual std::vector<Problem> remarks() const { return {}; }

    // How many of the first `count` tokens, all evaluated before, need not be evaluated again to continue after them: all; none
    // where layers with a window have let go of what a token there looks back at; where layers recur, as many as the latest
    // state covers that is kept and covers no others. A batch may start at such a position only, or at 0.
    virtual std::size_t reusable(std::size_t count) const { return count; }

    // Tokens at the end of a prompt that callers evaluate as a separate batch, because recurrent layers keep the state before
    // each batch of several tokens: another response or message then continues from there. 0: any batches will do.
    virtual std::size_t tailTokens() const { return 0; }

    // The stop is inspected before each layer; after Canceled the cache is unchanged. Whatever the batch is cut into,
    // and however many threads work, the numbers are the same. (A GPU looks before each layer of a batch, and before a
    // single token; so does the CPU where layers recur.)
    virtual Result<void> evaluate(const Batch& batch, const std::stop_token& stop) = 0;

    // Positions that were evaluated, and such of another engine of the same graph and options, after which evaluate() continues as
    // if they had been evaluated here (cached_rows.h). Only where canHandOver() holds and all layers are on one device.
    virtual Result<void> readCache(const CachedRange& range, CachedRows& rows);
    virtual Result<void> writeCache(const CachedRange& range, const CachedRows& rows);
};

} // namespace wb::infer
