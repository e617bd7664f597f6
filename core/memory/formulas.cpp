// SPDX-License-Identifier: MIT
#include "core/memory/formulas.h"

#include "core/base/text.h"
#include "core/memory/amounts.h"
#include "core/memory/recurrent.h"

#include <map>
#include <utility>

namespace wb::memory {
namespace {

std::vector<Phrase> weightTerms(const Weights& weights, const Settings& settings, Side side) {
    const std::string bits = plainNumber(weights.bitsPerWeight());
    if (!settings.usesGpu()) {
        if (weights.type.empty())
            return {phrase(WB_TEXT("{} parameters × {} bits on average / 8, as stored"), weights.parameters, bits)};
        return {phrase(WB_TEXT("{} parameters × {} bits on average / 8, as {}"), weights.parameters, bits, weights.type)};
    }
    const std::uint64_t moved = weights.gpuBlocks(settings.gpuLayers);
    if (const std::uint64_t left = weights.expertsLeft(settings); left > 0) {
        if (side == Side::Gpu)
            return {phrase(WB_TEXT("the last {} of {} blocks and the output, without the experts of the first {} blocks"), moved,
                           weights.blocks.size(), settings.cpuExperts)};
        return {phrase(WB_TEXT("the token embeddings, the first {} of {} blocks and {} of experts"), weights.blocks.size() - moved,
                       weights.blocks.size(), humanBytes(left))};
    }
    if (side == Side::Gpu) return {phrase(WB_TEXT("the last {} of {} blocks and the output"), moved, weights.blocks.size())};
    return {phrase(WB_TEXT("the token embeddings and the first {} of {} blocks"), weights.blocks.size() - moved,
                   weights.blocks.size())};
}

double elementBytes(Dtype type) { return static_cast<double>(info(type).blockBytes) / info(type).blockElements; }

std::pair<std::size_t, std::size_t> layersOn(Side side, std::size_t layers, const Settings& settings) {
    const auto moved = static_cast<std::size_t>(settings.usesGpu() ? std::min<std::uint64_t>(settings.gpuLayers - 1, layers) : 0);
    return side == Side::Gpu ? std::pair(layers - moved, layers) : std::pair(std::size_t{0}, layers - moved);
}

// Layers with equal caches are one term.
std::vector<Phrase> cacheTerms(const arch::ModelSpec& spec, const Settings& settings, Side side, bool isKey) {
    const auto caches = layerCaches(spec, settings);
    const auto [first, last] = layersOn(side, caches.size(), settings);
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> kinds; // cells and elements to layers
    for (std::size_t i = first; i < last; ++i) {
        const std::uint64_t elements = isKey ? caches[i].keyElements : caches[i].valueElements;
        if (caches[i].cells > 0 && elements > 0) ++kinds[{caches[i].cells, elements}];
    }
    const Dtype type = isKey ? settings.keyType : settings.valueType;
    std::vector<Phrase> terms;
    for (const auto& [kind, layers] : kinds)
        terms.push_back(phrase(WB_TEXT("{} layers × {} cells × {} elements × {} bytes ({})"), layers, kind.first, kind.second,
                               plainNumber(elementBytes(type)), name(type)));
    return terms;
}

std::vector<Phrase> stateTerms(const arch::ModelSpec& spec, const Settings& settings, Side side) {
    const RecurrentShape shape = recurrentShapeOf(spec);
    const auto [first, last] = layersOn(side, spec.trunkLayers(), settings);
    std::uint64_t layers = 0;
    for (std::size_t i = first; i < last; ++i) layers += spec.layers[i].recurrence != arch::Recurrence::None;
    return {phrase(WB_TEXT("{} layers × ({} of the convolution + {} of the state) × 4 bytes × {} slots"), layers, shape.convolution,
                   shape.state, settings.conversations)};
}

const char* stageFormat(Stage stage) {
    switch (stage) {
    case Stage::None:
    case Stage::FeedForward: return WB_TEXT("feed-forward at its highest: {} tokens × {} elements × 4 bytes");
    case Stage::Experts: return WB_TEXT("experts at their highest: {} tokens × {} elements × 4 bytes");
    case Stage::LatentAttention: return WB_TEXT("latent attention at its highest: {} tokens × {} elements × 4 bytes");
    case Stage::Scan: return WB_TEXT("state space at its highest: {} tokens × {} elements × 4 bytes");
    case Stage::TimeMix: return WB_TEXT("time mixing at its highest: {} tokens × {} elements × 4 bytes");
    case Stage::Scores: return WB_TEXT("scores of attention: {} tokens × {} elements × 4 bytes");
    case Stage::Logits: return WB_TEXT("logits at their highest: {} rows × {} elements × 4 bytes");
    }
    return "";
}

std::vector<Phrase> bufferTerms(const ComputeBuffers& buffers) {
    std::vector<Phrase> terms;
    if (buffers.mask() > 0)
        terms.push_back(phrase(WB_TEXT("mask of attention: {} tokens × {} cells × {} bytes"), buffers.maskTokens, buffers.maskCells,
                               buffers.maskBytes));
    terms.push_back(phrase(stageFormat(buffers.stage), buffers.tokens, buffers.elements));
    if (buffers.fixed > 0) terms.push_back(phrase(WB_TEXT("{} bytes beside them"), buffers.fixed));
    return terms;
}

std::vector<Phrase> hostTerms(const arch::ModelSpec& spec, const Settings& settings, std::uint64_t bytes) {
    const std::uint64_t inputs = product(8, settings.tokensAtOnce(), spec.width);
    return {phrase(WB_TEXT("inputs: {} tokens × {} elements × 8 bytes"), settings.tokensAtOnce(), spec.width),
            phrase(WB_TEXT("mask and indices: {} bytes"), bytes > inputs ? bytes - inputs : 0)};
}

std::vector<Phrase> computeTerms(const arch::ModelSpec& spec, const Weights& weights, const Settings& settings, Side side,
                                 std::uint64_t bytes) {
    if (settings.usesGpu() && side == Side::Processor) return hostTerms(spec, settings, bytes);
    const bool isWhole = settings.usesGpu() && weights.gpuBlocks(settings.gpuLayers) == weights.blocks.size();
    const auto buffers = computeBuffers(spec, settings, isWhole ? Side::Gpu : Side::Processor);
    return buffers ? bufferTerms(*buffers) : std::vector<Phrase>();
}

std::vector<Phrase> fileTerm() { return {phrase(WB_TEXT("the tensors of its file"))}; }

} // namespace

std::string plainNumber(double value) {
    std::string text = fmt::format("{:.4f}", value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text;
}

std::vector<Part> partsOf(const Subject& subject, const Weights& weights, const Settings& settings, const Plan& plan) {
    const arch::ModelSpec& spec = subject.spec;
    std::vector<Part> parts;
    const auto add = [&](PartKind kind, Side side, auto terms) {
        const std::uint64_t bytes = plan.on(side)[kind];
        if (bytes > 0) parts.push_back({kind, side, bytes, terms(bytes)});
    };
    for (const Side side : {Side::Gpu, Side::Processor}) {
        add(PartKind::Weights, side, [&](std::uint64_t) { return weightTerms(weights, settings, side); });
        add(PartKind::Keys, side, [&](std::uint64_t) { return cacheTerms(spec, settings, side, true); });
        add(PartKind::Values, side, [&](std::uint64_t) { return cacheTerms(spec, settings, side, false); });
        add(PartKind::State, side, [&](std::uint64_t) { return stateTerms(spec, settings, side); });
        add(PartKind::Compute, side, [&](std::uint64_t bytes) { return computeTerms(spec, weights, settings, side, bytes); });
        add(PartKind::Output, side, [&](std::uint64_t) {
            return std::vector{
                phrase(WB_TEXT("{} tokens of the vocabulary × 4 bytes × {} slots"), spec.vocabulary, settings.conversations)};
        });
        add(PartKind::Projector, side, [&](std::uint64_t) { return fileTerm(); });
        add(PartKind::Draft, side, [&](std::uint64_t) {
            return std::vector{phrase(WB_TEXT("weights, cache and buffers of the draft model with the same settings"))};
        });
        add(PartKind::Lora, side, [&](std::uint64_t) { return fileTerm(); });
    }
    return parts;
}

} // namespace wb::memory
