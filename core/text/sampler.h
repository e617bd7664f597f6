// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/model.h"
#include "core/text/vocabulary.h"

#include <cstdint>
#include <map>
#include <random>
#include <span>
#include <vector>

namespace wb::text {

// How the next token is drawn (specs/inference.md 5); the defaults are those of the reference.
struct SamplingOptions {
    float temperature = 0.8F; // 0: the best token, always
    int topK = 40;            // 0: all
    float topP = 0.95F;
    float minP = 0.05F;
    float typicalP = 1;
    float repeatPenalty = 1;
    float frequencyPenalty = 0;
    float presencePenalty = 0;
    int repeatLast = 64; // tokens that the penalties look at; -1: all
    std::map<TokenId, float> logitBias;
    std::vector<TokenId> suppressed; // never drawn
    std::uint32_t seed = 0;

    friend bool operator==(const SamplingOptions&, const SamplingOptions&) = default;
};

// The defaults with what the model's author stored under general.sampling.
SamplingOptions modelSampling(const Model& model);

// Invalid, with the name of the parameter, for numbers outside its range.
Result<void> checkSampling(const SamplingOptions& options);

// Draws tokens one after the other. The same options, seed and logits give the same tokens on every machine with the same
// floating-point results of exp.
class Sampler {
public:
    explicit Sampler(SamplingOptions options);

    // The next token, from one logit a word of the vocabulary; `history` are the tokens before it. The logits are changed. Some
    // logit must be a number.
    TokenId sample(std::span<float> logits, std::span<const TokenId> history);

    const SamplingOptions& options() const { return m_options; }

private:
    struct Candidate {
        TokenId id;
        float logit;
        float probability = 0;
    };

    void penalize(std::span<float> logits, std::span<const TokenId> history) const;
    void bias(std::span<float> logits) const;
    void choose(std::span<const float> logits);
    void keepTopK();
    void keepTypical();
    void keepTopP();
    void keepMinP();
    void normalize();
    TokenId draw();

    SamplingOptions m_options;
    std::mt19937 m_random;
    std::vector<Candidate> m_candidates; // best first
};

} // namespace wb::text
