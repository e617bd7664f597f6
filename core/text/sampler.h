// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/text/draw.h"
#include "core/text/token_logit.h"
#include "core/text/vocabulary.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <vector>

namespace wb::text {

class TokenGrammar;
class GrammarMatcher;

// How the next token is drawn (docs/reference/inference.md, "Sampling"). The defaults are llama.cpp's.
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
    // DRY: what would repeat a stretch of text longer than `dryAllowed` tokens costs dryMultiplier · dryBase^(length - allowed). No
    // stretch goes over a breaker (dryBreakers()).
    float dryMultiplier = 0; // 0: off
    float dryBase = 1.75F;
    int dryAllowed = 2;
    int dryLast = 64; // tokens that are inspected; -1: all
    std::vector<TokenId> dryBreakers;
    float topNSigma = -1; // keeps logits >= max - n · their deviation; 0 or less: off
    // XTC: with this probability all tokens above the threshold go but the least likely of them.
    float xtcProbability = 0;
    float xtcThreshold = 0.1F; // beyond 0.5: off
    // The temperature is within this of `temperature`, the higher the more evenly the tokens are spread.
    float temperatureRange = 0;
    float temperatureExponent = 1;
    int mirostat = 0; // 1 or 2: instead of what cuts the list
    float mirostatTau = 5;
    float mirostatEta = 0.1F;
    // Adaptive-p: draws tokens whose probability lies near the target, from what the list was cut to. Not with Mirostat.
    float adaptiveTarget = -1;                   // negative: off
    float adaptiveDecay = 0.9F;                  // how much of the past counts
    std::shared_ptr<const TokenGrammar> grammar; // null: any text
    std::map<TokenId, float> logitBias;
    std::vector<TokenId> suppressed; // never drawn
    std::uint32_t seed = 0;

    friend bool operator==(const SamplingOptions&, const SamplingOptions&) = default;
};

// Invalid, with the name of the parameter, for numbers outside its range.
Result<void> checkSampling(const SamplingOptions& options);

class Tokenizer;

// The tokens of a vocabulary in which the text ends early: a line break, colon, quote or asterisk.
std::vector<TokenId> dryBreakers(const Tokenizer& tokenizer);

// Draws tokens one after the other. The same options, seed and logits give the same tokens on every machine with the same
// floating-point results of exp.
class Sampler {
public:
    explicit Sampler(SamplingOptions options);
    ~Sampler();
    Sampler(const Sampler&) = delete;
    Sampler& operator=(const Sampler&) = delete;

    // The next token, from one logit a word of the vocabulary; `history` are the tokens before it. The logits are changed. Some
    // logit must be a number.
    // With a grammar only a token that it allows is drawn; one that ends the text where the grammar is complete or no token can
    // follow.
    TokenId sample(std::span<float> logits, std::span<const TokenId> history);

    // How many of the highest logits are enough to draw every token; 0: all are needed, since the options change logits or look at
    // all of them.
    std::size_t neededLogits() const;

    // The token that sample() draws from all logits, whose highest these are: at least neededLogits(), best first.
    TokenId sample(std::span<const TokenLogit> highest);

    // How sample() will draw the next token from the highest logits; empty where it does more than a Draw says.
    std::optional<Draw> nextDraw() const;

    const SamplingOptions& options() const { return m_options; }

private:
    struct Candidate {
        TokenId id;
        float logit;
        float probability = 0;
    };

    bool isGreedy() const { return m_options.temperature <= 0 || m_options.topK == 1; }
    bool penalizes() const;
    bool penalizesRepeats() const { return m_options.dryMultiplier > 0 && m_options.dryLast != 0; }
    TokenId pick(std::span<const float> logits);
    TokenId drawCandidate();
    void penalize(std::span<float> logits, std::span<const TokenId> history) const;
    void penalizeRepeats(std::span<float> logits, std::span<const TokenId> history) const;
    float temperature() const;
    void keepTopNSigma();
    void applyXtc();
    void applyTemperature();
    void applyMirostat();
    double unit();
    void bias(std::span<float> logits) const;
    void choose(std::span<const float> logits);
    void keepTopK();
    void keepTypical();
    void keepTopP();
    void keepMinP();
    void normalize();
    TokenId draw();
    TokenId drawNearTarget();

    SamplingOptions m_options;
    std::mt19937 m_random;
    std::vector<Candidate> m_candidates; // best first
    std::unique_ptr<GrammarMatcher> m_grammar;
    float m_surprise;               // Mirostat's mu
    double m_pastSum, m_pastWeight; // of adaptive-p: decaying, of the probabilities drawn and their number
};

} // namespace wb::text
