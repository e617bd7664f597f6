// SPDX-License-Identifier: MIT
#include "core/memory/serving/serving.h"

#include "core/base/text.h"
#include "core/memory/amounts.h"
#include "core/memory/formulas.h"
#include "core/memory/serving/recurrent.h"

#include <algorithm>
#include <array>

namespace wb::memory {
namespace {

using arch::ModelSpec;

constexpr std::uint64_t servingMib = 1 << 20;
constexpr std::uint64_t blockTokens = 16;                  // of vLLM's cache
constexpr std::uint64_t otherThanTorch = 338 * servingMib; // 0.33 GiB a worker on RTX 50xx (vllm-project/vllm #14452)
constexpr std::uint64_t graphs = 215 * servingMib;         // 0.06 to 0.36 GiB
constexpr std::uint64_t torchContext = 141 * servingMib;   // CUDA's, on each of 69 runs of a T4

std::uint64_t slots(const Settings& settings) { return std::max<std::uint64_t>(1, settings.conversations); }

// Tokens of all sequences.
std::uint64_t cachedTokens(const Settings& settings) {
    const std::uint64_t each = settings.context / slots(settings);
    if (settings.runtime == Runtime::Transformers) return product(each, slots(settings));
    return product(each / blockTokens + (each % blockTokens != 0), blockTokens, slots(settings));
}

// FP8 has no scales of blocks here.
std::uint64_t cacheElementBytes(Dtype type) { return type == Dtype::Q8_0 ? 1 : info(type).blockBytes; }

struct TokenCache {
    std::uint64_t keys = 0, values = 0; // bytes of one token in all layers
};

TokenCache tokenCache(const ModelSpec& spec, const Settings& settings) {
    TokenCache token;
    for (const LayerCache& cache : layerCaches(spec, settings)) {
        if (cache.cells == 0) continue;
        token.keys = sum(token.keys, product(cache.keyElements, cacheElementBytes(settings.keyType)));
        token.values = sum(token.values, product(cache.valueElements, cacheElementBytes(settings.valueType)));
    }
    return token;
}

std::uint64_t divided(std::uint64_t bytes, std::uint64_t devices) { return bytes / devices + (bytes % devices != 0); }

DeviceBytes everything(const ModelSpec& spec, const Weights& weights, const Settings& settings) {
    DeviceBytes all;
    const TokenCache token = tokenCache(spec, settings);
    const RecurrentShape shape = specRecurrentShape(spec);
    std::uint64_t recurrent = 0;
    for (const arch::LayerSpec& layer : spec.layers) recurrent += layer.recurrence != arch::Recurrence::None;
    all[PartKind::Weights] = sum(weights.total(), settings.loadsPrediction || settings.predictsAhead ? weights.prediction : 0);
    all[PartKind::Keys] = product(token.keys, cachedTokens(settings));
    all[PartKind::Values] = product(token.values, cachedTokens(settings));
    all[PartKind::State] =
        product(4, sum(shape.convolution, shape.state), std::max(slots(settings), settings.stateCopies()), recurrent);
    all[PartKind::Projector] = settings.projectorBytes;
    all[PartKind::Lora] = settings.loraBytes;
    all[PartKind::Draft] = settings.predictsAhead ? predictionCacheBytes(spec, settings) : settings.draftBytes;
    return all;
}

// One of `devices` that share everything evenly.
DeviceBytes allShare(DeviceBytes all, const Settings& settings, std::uint64_t devices) {
    for (std::uint64_t& part : all.parts) part = divided(part, devices);
    all[PartKind::Overhead] = settings.runtime == Runtime::Vllm ? otherThanTorch + graphs : torchContext;
    return all;
}

// vLLM takes its share of the device whatever the model needs.
void fillWithCache(DeviceBytes& device, const Settings& settings) {
    const auto wanted = asBytes(settings.utilization * static_cast<double>(settings.deviceMemory));
    const std::uint64_t present = device.total();
    const std::uint64_t cache = sum(device[PartKind::Keys], device[PartKind::Values]);
    if (wanted <= present || cache == 0) return;
    const double keys = static_cast<double>(device[PartKind::Keys]) / static_cast<double>(cache);
    const std::uint64_t more = wanted - present;
    const std::uint64_t ofKeys = std::min(more, asBytes(keys * static_cast<double>(more)));
    device[PartKind::Keys] = sum(device[PartKind::Keys], ofKeys);
    device[PartKind::Values] = sum(device[PartKind::Values], more - ofKeys);
}

std::vector<Phrase> servingCacheTerms(const ModelSpec& spec, const Settings& settings, bool isKey, std::uint64_t bytes) {
    const TokenCache token = tokenCache(spec, settings);
    const std::uint64_t each = isKey ? token.keys : token.values;
    std::vector<Phrase> terms = {phrase(WB_TEXT("{} token(s) × {} byte(s) in all layers"), cachedTokens(settings), each)};
    const std::uint64_t asked = divided(product(each, cachedTokens(settings)), settings.devices());
    if (settings.devices() > 1)
        terms.front() = phrase(WB_TEXT("{} token(s) × {} byte(s) in all layers / {} device(s)"), cachedTokens(settings), each,
                               settings.devices());
    if (bytes > asked)
        terms.push_back(
            phrase(WB_TEXT("{} to fill {}% of the device"), humanBytes(bytes - asked), plainNumber(100 * settings.utilization)));
    return terms;
}

} // namespace

bool isServing(const Settings& settings) { return settings.runtime == Runtime::Vllm || settings.runtime == Runtime::Transformers; }

Plan servingPlan(const ModelSpec& spec, const Weights& weights, const Settings& settings) {
    Plan plan;
    const DeviceBytes all = everything(spec, weights, settings);
    if (!settings.usesGpu()) {
        plan.processor = all;
        return plan;
    }
    DeviceBytes share = allShare(all, settings, settings.devices());
    if (settings.runtime == Runtime::Vllm) fillWithCache(share, settings);
    plan.gpu = share;
    if (settings.devices() == 1) return plan;
    plan.devices.assign(settings.devices(), share);
    for (std::uint64_t& part : plan.gpu.parts) part = product(part, settings.devices());
    return plan;
}

std::uint64_t servingMinimum(const ModelSpec& spec, const Weights& weights, const Settings& settings) {
    Settings one = settings;
    one.context = settings.context / slots(settings);
    one.conversations = 1;
    one.deviceMemory = 0;
    return servingPlan(spec, weights, one).onGpu(0).total();
}

// Anassbzdd/fitcheck: peaks of a T4 beyond weights and cache with 1, 4, 8 and 16 sequences.
std::optional<double> servingError(const Settings& settings) {
    if (settings.runtime == Runtime::Vllm) return {};
    constexpr std::array<std::pair<std::uint64_t, double>, 4> measured = {{{1, 2.8}, {4, 3.4}, {8, 8.9}, {16, 23.2}}};
    for (const auto& [sequences, percent] : measured)
        if (slots(settings) <= sequences) return percent;
    return {};
}

std::vector<Phrase> servingGaps(const Subject& subject, const Settings& settings) {
    std::vector<Phrase> gaps;
    if (subject.spec.layers.empty())
        gaps.push_back(phrase(WB_TEXT("KV cache and state: the file does not describe the model's layers.")));
    if (!subject.hasWeights())
        gaps.push_back(phrase(
            WB_TEXT("Weights: the config describes the layers but not their tensors, so it cannot be checked whether they fit.")));
    if (settings.runtime == Runtime::Vllm) {
        gaps.push_back(phrase(WB_TEXT("Activations of the vLLM profiling run, which depend on --max-num-batched-tokens.")));
        if (subject.spec.window > 0)
            gaps.push_back(phrase(WB_TEXT("Savings of newer builds in sliding-window layers: every layer is counted in full.")));
        return gaps;
    }
    gaps.push_back(
        phrase(WB_TEXT("Additional memory of a transformers step: on a T4, 2.8% with 1 sequence, 8.9% with 8 and 23% with 16.")));
    return gaps;
}

std::vector<Phrase> servingTerms(const ModelSpec& spec, const Weights& weights, const Settings& settings, PartKind kind,
                                 std::uint64_t bytes) {
    switch (kind) {
    case PartKind::Weights:
        if (settings.usesGpu() && settings.devices() > 1)
            return {phrase(WB_TEXT("{} parameters × {} bits (average) / 8 / {} device(s)"), weights.parameters,
                           plainNumber(weights.bitsPerWeight()), settings.devices())};
        return {phrase(WB_TEXT("{} parameters × {} bits (average) / 8"), weights.parameters, plainNumber(weights.bitsPerWeight()))};
    case PartKind::Keys: return servingCacheTerms(spec, settings, true, bytes);
    case PartKind::Values: return servingCacheTerms(spec, settings, false, bytes);
    case PartKind::Overhead:
        if (settings.runtime == Runtime::Vllm)
            return {phrase(WB_TEXT("{} for CUDA and its libraries"), humanBytes(otherThanTorch)),
                    phrase(WB_TEXT("{} for CUDA graphs"), humanBytes(graphs))};
        return {phrase(WB_TEXT("CUDA context"))};
    default: return {};
    }
}

} // namespace wb::memory
