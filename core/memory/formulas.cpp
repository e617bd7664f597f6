// SPDX-License-Identifier: MIT
#include "core/memory/formulas.h"

#include "core/base/text.h"
#include "core/memory/amounts.h"
#include "core/memory/serving/recurrent.h"
#include "core/memory/serving/serving.h"

#include <map>
#include <utility>

namespace wb::memory {
namespace {

// Whose part a formula says: the CPU, or one GPU with its layers.
struct FormulaPlace {
    Side side = Side::Processor;
    std::size_t device = 0;
    LayerShare share; // of a GPU
};

std::vector<Phrase> allWeights(const Weights& weights) {
    const std::string bits = plainNumber(weights.bitsPerWeight());
    if (weights.type.empty())
        return {phrase(WB_TEXT("{} parameters × {} bits (average) / 8, as stored"), weights.parameters, bits)};
    return {phrase(WB_TEXT("{} parameters × {} bits (average) / 8, as {}"), weights.parameters, bits, weights.type)};
}

// Of several devices each says its own blocks.
std::vector<Phrase> shareOfWeights(const Weights& weights, const Settings& settings, const FormulaPlace& place) {
    std::vector<Phrase> terms;
    if (place.share.last > place.share.first)
        terms.push_back(phrase(WB_TEXT("layers {} to {} of {}"), place.share.first, place.share.last - 1, weights.blocks.size()));
    if (place.share.hasOutput) terms.push_back(phrase(WB_TEXT("output layer")));
    if (weights.expertsLeft(settings, place.share) > 0)
        terms.push_back(phrase(WB_TEXT("without the experts of the first {} layer(s)"), settings.cpuExperts));
    return terms;
}

std::vector<Phrase> weightTerms(const Weights& weights, const Settings& settings, const FormulaPlace& place) {
    if (!settings.usesGpu()) return allWeights(weights);
    if (place.side == Side::Gpu && settings.devices() > 1) return shareOfWeights(weights, settings, place);
    const std::uint64_t moved = weights.gpuBlocks(settings.gpuLayers);
    if (const std::uint64_t left = weights.expertsLeft(settings); left > 0) {
        if (place.side == Side::Gpu)
            return {phrase(WB_TEXT("last {} of {} layer(s) and the output layer, without the experts of the first {} layer(s)"),
                           moved, weights.blocks.size(), settings.cpuExperts)};
        return {phrase(WB_TEXT("token embeddings, first {} of {} layer(s) and {} of experts"), weights.blocks.size() - moved,
                       weights.blocks.size(), humanBytes(left))};
    }
    if (place.side == Side::Gpu)
        return {phrase(WB_TEXT("last {} of {} layer(s) and the output layer"), moved, weights.blocks.size())};
    return {phrase(WB_TEXT("token embeddings and first {} of {} layer(s)"), weights.blocks.size() - moved, weights.blocks.size())};
}

double elementBytes(Dtype type) { return static_cast<double>(info(type).blockBytes) / info(type).blockElements; }

std::pair<std::size_t, std::size_t> layersOn(const FormulaPlace& place, std::size_t layers, const Settings& settings) {
    if (place.side == Side::Gpu) return {std::min(place.share.first, layers), std::min(place.share.last, layers)};
    const auto moved = static_cast<std::size_t>(settings.usesGpu() ? std::min<std::uint64_t>(settings.gpuLayers - 1, layers) : 0);
    return {0, layers - moved};
}

// Layers with equal caches are one term.
std::vector<Phrase> cacheTerms(const arch::ModelSpec& spec, const Settings& settings, const FormulaPlace& place, bool isKey) {
    const auto caches = layerCaches(spec, settings);
    const auto [first, last] = layersOn(place, caches.size(), settings);
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> kinds; // cells and elements to layers
    for (std::size_t i = first; i < last; ++i) {
        const std::uint64_t elements = isKey ? caches[i].keyElements : caches[i].valueElements;
        if (caches[i].cells > 0 && elements > 0) ++kinds[{caches[i].cells, elements}];
    }
    const Dtype type = isKey ? settings.keyType : settings.valueType;
    std::vector<Phrase> terms;
    for (const auto& [kind, layers] : kinds)
        terms.push_back(phrase(WB_TEXT("{} layer(s) × {} cell(s) × {} element(s) × {} byte(s) ({})"), layers, kind.first,
                               kind.second, plainNumber(elementBytes(type)), name(type)));
    return terms;
}

std::vector<Phrase> stateTerms(const arch::ModelSpec& spec, const Settings& settings, const FormulaPlace& place) {
    const RecurrentShape shape = specRecurrentShape(spec);
    const auto [first, last] = layersOn(place, spec.trunkLayers(), settings);
    std::uint64_t layers = 0;
    for (std::size_t i = first; i < last; ++i) layers += spec.layers[i].recurrence != arch::Recurrence::None;
    if (settings.stateCopies() == 1)
        return {phrase(WB_TEXT("{} layer(s) × ({} convolution + {} state) × 4 bytes"), layers, shape.convolution, shape.state)};
    return {phrase(WB_TEXT("{} layer(s) × ({} convolution + {} state) × 4 bytes × {} copies"), layers, shape.convolution,
                   shape.state, settings.stateCopies())};
}

const char* stageFormat(Stage stage) {
    switch (stage) {
    case Stage::None:
    case Stage::FeedForward: return WB_TEXT("feed-forward peak: {} token(s) × {} element(s) × 4 bytes");
    case Stage::Experts: return WB_TEXT("expert peak: {} token(s) × {} element(s) × 4 bytes");
    case Stage::LatentAttention: return WB_TEXT("latent attention peak: {} token(s) × {} element(s) × 4 bytes");
    case Stage::Scan: return WB_TEXT("state space peak: {} token(s) × {} element(s) × 4 bytes");
    case Stage::TimeMix: return WB_TEXT("time mixing peak: {} token(s) × {} element(s) × 4 bytes");
    case Stage::Scores: return WB_TEXT("attention scores: {} token(s) × {} element(s) × 4 bytes");
    case Stage::Logits: return WB_TEXT("logits peak: {} row(s) × {} element(s) × 4 bytes");
    }
    return "";
}

std::vector<Phrase> bufferTerms(const ComputeBuffers& buffers) {
    std::vector<Phrase> terms;
    if (buffers.mask() > 0)
        terms.push_back(phrase(WB_TEXT("attention mask: {} token(s) × {} cell(s) × {} byte(s)"), buffers.maskTokens,
                               buffers.maskCells, product(buffers.maskBytes, buffers.copies)));
    if (buffers.scratch() > 0)
        terms.push_back(phrase(WB_TEXT("KV cache of a layer expanded to f16: {} cell(s) × {} byte(s)"), buffers.scratchCells,
                               buffers.scratchBytes));
    if (buffers.inputs > 0)
        terms.push_back(phrase(WB_TEXT("{} copies of the previous device's output: {} byte(s)"), buffers.copies, buffers.inputs));
    terms.push_back(phrase(stageFormat(buffers.stage), buffers.tokens, buffers.elements));
    if (buffers.fixed > 0) terms.push_back(phrase(WB_TEXT("plus {} byte(s)"), buffers.fixed));
    return terms;
}

std::vector<Phrase> hostTerms(const arch::ModelSpec& spec, const Settings& settings, std::uint64_t bytes) {
    const std::uint64_t inputs = product(8, settings.tokensAtOnce(), spec.width);
    return {phrase(WB_TEXT("inputs: {} token(s) × {} element(s) × 8 bytes"), settings.tokensAtOnce(), spec.width),
            phrase(WB_TEXT("mask and indices: {} byte(s)"), bytes > inputs ? bytes - inputs : 0)};
}

std::vector<Phrase> computeTerms(const arch::ModelSpec& spec, const Weights& weights, const Settings& settings,
                                 const FormulaPlace& place, std::uint64_t bytes) {
    if (settings.usesGpu() && place.side == Side::Processor) return hostTerms(spec, settings, bytes);
    const auto buffers =
        settings.usesGpu() ? deviceBuffers(spec, weights, settings, place.share) : computeBuffers(spec, settings, Side::Processor);
    return buffers ? bufferTerms(*buffers) : std::vector<Phrase>();
}

} // namespace

std::string plainNumber(double value) {
    std::string text = fmt::format("{:.4f}", value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text;
}

namespace {

// A correction below zero is taken off the buffers.
std::vector<Phrase> correctedTerms(std::vector<Phrase> terms, const Settings& settings, const FormulaPlace& place) {
    const bool isHere = (place.side == Side::Gpu) == settings.usesGpu();
    if (isHere && settings.correction && settings.correction->shift < 0)
        terms.push_back(
            phrase(WB_TEXT("minus the amount by which {} measured load(s) stayed below the estimate"), settings.correction->loads));
    return terms;
}

std::vector<Phrase> overheadTerms(const Settings& settings) {
    std::vector<Phrase> terms;
    if (allocatorRules(settings).overhead > 0)
        terms.push_back(phrase(WB_TEXT("CUDA context and kernel code, as measured on other GPUs")));
    if (settings.correction) terms.push_back(phrase(WB_TEXT("median of {} measured load(s)"), settings.correction->loads));
    return terms;
}

std::vector<Phrase> draftTerms(const arch::ModelSpec& spec, const Settings& settings, std::uint64_t bytes) {
    if (!settings.predictsAhead)
        return {phrase(WB_TEXT("weights, KV cache and compute buffers of the draft model with the same settings"))};
    const std::uint64_t cache = predictionCacheBytes(spec, settings);
    return {phrase(WB_TEXT("KV cache of {} multi-token prediction layer(s), as F16: {} byte(s)"), spec.predictionLayers, cache),
            phrase(WB_TEXT("their mask and buffers: {} byte(s)"), bytes - std::min(bytes, cache))};
}

std::vector<Phrase> weightsTerms(const arch::ModelSpec& spec, const Weights& weights, const Settings& settings,
                                 const FormulaPlace& place, PartKind kind, std::uint64_t bytes) {
    switch (kind) {
    case PartKind::Weights: return weightTerms(weights, settings, place);
    case PartKind::Keys: return cacheTerms(spec, settings, place, true);
    case PartKind::Values: return cacheTerms(spec, settings, place, false);
    case PartKind::State: return stateTerms(spec, settings, place);
    case PartKind::Compute: return correctedTerms(computeTerms(spec, weights, settings, place, bytes), settings, place);
    case PartKind::Output:
        return {phrase(WB_TEXT("{} vocabulary entries × 4 bytes × {} sequence(s)"), spec.vocabulary, settings.conversations)};
    case PartKind::Overhead: return overheadTerms(settings);
    case PartKind::Draft: return draftTerms(spec, settings, bytes);
    default: return {phrase(WB_TEXT("the tensors of its file"))};
    }
}

} // namespace

std::vector<MemoryPart> memoryParts(const Subject& subject, const Weights& weights, const Settings& settings, const Plan& plan) {
    const arch::ModelSpec& spec = subject.spec;
    std::vector<MemoryPart> parts;
    const auto addPlace = [&](const FormulaPlace& place, const DeviceBytes& bytes) {
        for (std::size_t i = 0; i < partKinds; ++i) {
            const auto kind = static_cast<PartKind>(i);
            if (bytes[kind] == 0) continue;
            auto terms = isServing(settings) ? servingTerms(spec, weights, settings, kind, bytes[kind])
                                             : weightsTerms(spec, weights, settings, place, kind, bytes[kind]);
            if (terms.empty()) terms = weightsTerms(spec, weights, settings, place, kind, bytes[kind]);
            parts.push_back({kind, place.side, bytes[kind], std::move(terms), 1, place.device});
        }
    };
    const auto shares = layerShares(settings, weights.blocks.size());
    for (std::size_t i = 0; i < shares.size(); ++i) addPlace({Side::Gpu, i, shares[i]}, plan.onGpu(i));
    addPlace({}, plan.processor);
    return parts;
}

} // namespace wb::memory
