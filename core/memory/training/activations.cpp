// SPDX-License-Identifier: MIT
#include "core/memory/training/activations.h"

#include "core/memory/amounts.h"
#include "core/memory/formulas.h"
#include "core/memory/training/training_settings.h"

#include <algorithm>

namespace wb::memory {
namespace {

constexpr double lossChunks = 8;           // torchtune's, for instance
constexpr double allLogits = 16;           // bytes a logit without checkpointing
constexpr double allScores = 2.9;          // times the compute type, of every layer's scores without checkpointing
constexpr std::uint64_t attentionTerm = 3; // 12h + 3q + kv + 3f

// How a base keeps its activations.
struct Profile {
    double checkpoint; // bytes of one element of the residual stream
    double logits;     // bytes of one logit
    double scores;     // of one score, in elements of the compute type
    double compute;    // bytes of one element of a layer
};

Profile baseProfile(BaseType base) {
    switch (base) {
    case BaseType::Nf4: return {4, 16, 9, 2};
    case BaseType::Int8: return {4, 16, 9, 4};
    case BaseType::Fp32: return {4, 16, 9, 4};
    case BaseType::Bf16:
    case BaseType::Fp16: break;
    }
    return {2, 14, 7.4, 2};
}

std::uint64_t layerFeedForward(const arch::LayerSpec& layer) {
    return layer.expertsUsed > 0 ? sum(product(layer.expertsUsed, layer.expertWidth), layer.sharedExpertWidth) : layer.feedForward;
}

// Elements that one layer keeps for a token.
std::uint64_t layerElements(const arch::ModelSpec& spec, const arch::LayerSpec& layer) {
    const std::uint64_t queries = product(layer.heads, layer.keyLength);
    const std::uint64_t keys = product(layer.kvHeads, layer.keyLength);
    return sum(product(12, spec.width), product(attentionTerm, queries), keys, product(3, layerFeedForward(layer)));
}

struct Totals {
    std::uint64_t layers = 0;
    std::uint64_t elements = 0; // of all layers, for one token
    std::uint64_t largest = 0;  // of one layer
    std::uint64_t heads = 0;    // of all layers
    std::uint64_t maxHeads = 0;
};

Totals specTotals(const arch::ModelSpec& spec) {
    Totals totals;
    for (const arch::LayerSpec& layer : spec.layers) {
        if (layer.predictsAhead) continue;
        const std::uint64_t elements = layerElements(spec, layer);
        ++totals.layers;
        totals.elements = sum(totals.elements, elements);
        totals.largest = std::max(totals.largest, elements);
        totals.heads = sum(totals.heads, layer.heads);
        totals.maxHeads = std::max(totals.maxHeads, layer.heads);
    }
    return totals;
}

// The numbers of one step.
struct Step {
    std::uint64_t sequences = 0;
    std::uint64_t length = 0;
    double tokens = 0;
    double scores = 0; // of one head
};

Step settingsStep(const TrainingSettings& settings) {
    Step step;
    step.sequences = settings.sequences();
    step.length = sum(settings.sequence, settings.method == Method::Prompt ? settings.virtualTokens : 0);
    step.tokens = static_cast<double>(step.sequences) * static_cast<double>(step.length);
    step.scores = settings.flash ? 0 : step.tokens * static_cast<double>(step.length);
    return step;
}

// Bytes of everything that may be the highest, as fractions.
struct Heights {
    double checkpoints = 0;
    double layers = 0; // one with checkpoints, all of them without
    double logits = 0;
    double logitBytes = 0; // of one

    // Logits and the layer that is computed again never exist together, so only the higher one counts.
    bool isOfLogits() const { return logits >= layers; }
};

Heights specHeights(const arch::ModelSpec& spec, const TrainingSettings& settings, const Totals& totals, const Step& step) {
    const Profile profile = baseProfile(settings.baseUsed());
    const double words = static_cast<double>(spec.vocabulary) * step.tokens;
    Heights heights;
    heights.logitBytes = (settings.checkpointing ? profile.logits : allLogits) / (settings.chunkedLoss ? lossChunks : 1);
    heights.logits = heights.logitBytes * words;
    const double elements = static_cast<double>(settings.checkpointing ? totals.largest : totals.elements) * step.tokens;
    const double scores = settings.checkpointing ? profile.scores * static_cast<double>(totals.maxHeads) * step.scores
                                                 : allScores * static_cast<double>(totals.heads) * step.scores;
    heights.layers = profile.compute * (elements + scores);
    if (settings.checkpointing)
        heights.checkpoints = static_cast<double>(product(totals.layers, spec.width)) * step.tokens * profile.checkpoint;
    return heights;
}

void addScores(std::vector<Phrase>& terms, const Step& step, std::uint64_t heads, double bytes) {
    if (step.scores > 0)
        terms.push_back(phrase(WB_TEXT("attention scores: {} sequence(s) × {} head(s) × {}² tokens × {} byte(s)"), step.sequences,
                               heads, step.length, plainNumber(bytes)));
}

std::vector<Phrase> layerTerms(const arch::ModelSpec& spec, const TrainingSettings& settings, const Totals& totals,
                               const Step& step, const Heights& heights) {
    const Profile profile = baseProfile(settings.baseUsed());
    std::vector<Phrase> terms;
    if (settings.checkpointing)
        terms.push_back(phrase(WB_TEXT("checkpoints: {} layer(s) × {} sequence(s) × {} token(s) × {} element(s) × {} byte(s)"),
                               totals.layers, step.sequences, step.length, spec.width, plainNumber(profile.checkpoint)));
    if (settings.checkpointing && heights.isOfLogits()) return terms;
    if (settings.checkpointing)
        terms.push_back(phrase(WB_TEXT("one layer: {} sequence(s) × {} token(s) × {} element(s) × {} byte(s)"), step.sequences,
                               step.length, totals.largest, plainNumber(profile.compute)));
    else
        terms.push_back(phrase(WB_TEXT("all layers: {} sequence(s) × {} token(s) × {} element(s) × {} byte(s)"), step.sequences,
                               step.length, totals.elements, plainNumber(profile.compute)));
    addScores(terms, step, settings.checkpointing ? totals.maxHeads : totals.heads,
              profile.compute * (settings.checkpointing ? profile.scores : allScores));
    return terms;
}

} // namespace

Activations trainingActivations(const arch::ModelSpec& spec, const TrainingSettings& settings) {
    const Totals totals = specTotals(spec);
    const Step step = settingsStep(settings);
    const Heights heights = specHeights(spec, settings, totals, step);
    Activations result;
    const bool countsLogits = !settings.checkpointing || heights.isOfLogits();
    const bool countsLayers = !settings.checkpointing || !heights.isOfLogits();
    result.layers = asBytes(heights.checkpoints + (countsLayers ? heights.layers : 0));
    result.layerTerms = layerTerms(spec, settings, totals, step, heights);
    if (!countsLogits) return result;
    result.logits = asBytes(heights.logits);
    result.logitTerms.push_back(phrase(WB_TEXT("logits: {} sequence(s) × {} token(s) × {} vocabulary entries × {} byte(s)"),
                                       step.sequences, step.length, spec.vocabulary, plainNumber(heights.logitBytes)));
    return result;
}

std::uint64_t activationBytes(const arch::ModelSpec& spec, const TrainingSettings& settings) {
    const Heights heights = specHeights(spec, settings, specTotals(spec), settingsStep(settings));
    return asBytes(heights.checkpoints +
                   (settings.checkpointing ? std::max(heights.layers, heights.logits) : heights.layers + heights.logits));
}

} // namespace wb::memory
