// SPDX-License-Identifier: MIT
#include "core/memory/estimate.h"

#include "core/base/text.h"
#include "core/memory/amounts.h"
#include "core/memory/formulas.h"
#include "core/memory/recurrent.h"

#include <algorithm>
#include <cmath>

namespace wb::memory {
namespace {

using arch::ModelSpec;

// Parts of the buffers that plans differ by (specs/memory_estimates.md 5).
constexpr double usualError = 0.10;
constexpr double scanError = 0.30;
constexpr double ruleError = 0.10; // of the whole where only a size is known

void addCaches(Plan& plan, const ModelSpec& spec, const Settings& settings, std::size_t firstOnGpu) {
    const auto caches = layerCaches(spec, settings);
    const RecurrentShape shape = recurrentShapeOf(spec);
    const std::uint64_t state = product(4, sum(shape.convolution, shape.state), settings.conversations);
    for (std::size_t i = 0; i < caches.size(); ++i) {
        DeviceBytes& side = i >= firstOnGpu ? plan.gpu : plan.processor;
        side[PartKind::Keys] = sum(side[PartKind::Keys], caches[i].keyBytes(settings.keyType));
        side[PartKind::Values] = sum(side[PartKind::Values], caches[i].valueBytes(settings.valueType));
        if (spec.layers[i].recurrence != arch::Recurrence::None) side[PartKind::State] = sum(side[PartKind::State], state);
    }
}

bool computesOnGpuAlone(const Weights& weights, const Settings& settings) {
    return settings.usesGpu() && weights.gpuBlocks(settings.gpuLayers) == weights.blocks.size();
}

// A device that has part of the layers needs as much as a processor that has them all.
std::optional<ComputeBuffers> buffersOf(const ModelSpec& spec, const Weights& weights, const Settings& settings) {
    return computeBuffers(spec, settings, computesOnGpuAlone(weights, settings) ? Side::Gpu : Side::Processor);
}

void addBuffers(Plan& plan, const ModelSpec& spec, const Weights& weights, const Settings& settings) {
    const auto buffers = buffersOf(spec, weights, settings);
    plan.processor[PartKind::Output] = outputBytes(spec, settings);
    if (!buffers) return;
    (settings.usesGpu() ? plan.gpu : plan.processor)[PartKind::Compute] = buffers->total();
    if (settings.usesGpu()) plan.processor[PartKind::Compute] = hostBuffers(spec, settings);
}

// A mask for one token more, and its scores where they are kept.
std::uint64_t tokenBytes(const ModelSpec& spec, const Settings& settings) {
    std::uint64_t bytes = 0;
    std::uint64_t heads = 0;
    for (const LayerCache& cache : layerCaches(spec, settings)) {
        if (cache.cells == 0 || (cache.hasWindow && !settings.fullWindows)) continue;
        LayerCache one = cache;
        one.cells = 1;
        bytes = sum(bytes, one.keyBytes(settings.keyType), one.valueBytes(settings.valueType));
    }
    for (const arch::LayerSpec& layer : spec.layers) heads = std::max(heads, layer.heads);
    if (bytes == 0) return 0;
    const std::uint64_t tokens = settings.tokensAtOnce();
    return sum(bytes, product(settings.flash ? 2 : 4, tokens), settings.flash ? 0 : product(4, tokens, heads));
}

bool isPartly(const ModelSpec& spec, const Settings& settings) {
    return settings.usesGpu() && settings.gpuLayers <= spec.trunkLayers();
}

// Scores above this size, and K in blocks without flash attention, are computed elsewhere than the model.
bool hasLostScores(const ModelSpec& spec, const Settings& settings) {
    return settings.usesGpu() && !settings.flash &&
           (info(settings.keyType).kind == DtypeKind::Block ||
            product(4, settings.tokensAtOnce(), spec.headCount, cacheCells(spec, settings).full) >= (std::uint64_t{1} << 30));
}

bool wasCompared(const ModelSpec& spec) {
    const auto kind = spec.recurrent.kind;
    return spec.family && kind != arch::Recurrence::Mamba && kind != arch::Recurrence::Rwkv && kind != arch::Recurrence::Kda;
}

std::optional<double> errorOf(const Subject& subject, const Estimate& estimate) {
    if (subject.trust == Trust::Rule || !wasCompared(subject.spec)) return {};
    if (isPartly(subject.spec, estimate.settings) || hasLostScores(subject.spec, estimate.settings)) return {};
    const bool scans = subject.spec.recurrent.kind != arch::Recurrence::None;
    const double buffers =
        static_cast<double>(estimate.plan.gpu[PartKind::Compute]) + static_cast<double>(estimate.plan.processor[PartKind::Compute]);
    const double total = static_cast<double>(estimate.total());
    if (total <= 0) return {};
    return std::max(0.1, std::ceil(1000 * buffers * (scans ? scanError : usualError) / total) / 10);
}

std::vector<Phrase> gapsOf(const Subject& subject, const Settings& settings, bool hasBuffers) {
    std::vector<Phrase> gaps;
    const ModelSpec& spec = subject.spec;
    if (spec.layers.empty()) gaps.push_back(phrase(WB_TEXT("Caches and state: the file does not say the model's layers.")));
    else if (!spec.family)
        gaps.push_back(phrase(WB_TEXT("Buffers of the architecture {}, which were never compared."), spec.architecture));
    if (!hasBuffers) gaps.push_back(phrase(WB_TEXT("Buffers of the computation: the file does not say enough of the layers.")));
    if (spec.vocabulary == 0) gaps.push_back(phrase(WB_TEXT("Logits: the file does not say its vocabulary.")));
    if (subject.stored.total() == 0) gaps.push_back(phrase(WB_TEXT("Weights: the config says the layers but not their tensors.")));
    if (spec.predictionLayers > 0 && !settings.loadsPrediction)
        gaps.push_back(phrase(WB_TEXT("The layers that predict further tokens, which are not loaded unless asked for.")));
    if (settings.loadsPrediction && spec.predictionLayers > 0)
        gaps.push_back(phrase(WB_TEXT("The cache and buffers of the layers that predict further tokens.")));
    if (settings.projectorBytes > 0) gaps.push_back(phrase(WB_TEXT("The buffers in which pictures and sound are encoded.")));
    if (!settings.usesGpu()) return gaps;
    gaps.push_back(phrase(WB_TEXT("What the driver of the graphics device takes, and its scratch memory at run time.")));
    if (isPartly(spec, settings))
        gaps.push_back(
            phrase(WB_TEXT("The buffers of a device that has part of the layers: plans differ from the formula by up to nine "
                           "tenths.")));
    if (hasLostScores(spec, settings))
        gaps.push_back(
            phrase(WB_TEXT("Scores of attention above 1 GiB or of quantized keys without flash attention: the device may "
                           "count them twice or leave them to main memory.")));
    return gaps;
}

} // namespace

const char* partName(PartKind kind) {
    constexpr std::array<const char*, partKinds> names = {
        "weights", "kv_k",     "kv_v",      "state",     "compute",     "output", "overhead", "mmproj",   "draft",   "lora",
        "base",    "adapters", "gradients", "optimizer", "activations", "logits", "buckets",  "gathered", "reserve", "context"};
    return names[static_cast<std::size_t>(kind)];
}

const char* sideName(Side side) { return side == Side::Gpu ? "gpu0" : "cpu"; }

std::uint64_t DeviceBytes::total() const {
    std::uint64_t all = 0;
    for (const std::uint64_t part : parts) all = sum(all, part);
    return all;
}

std::uint64_t Plan::total() const { return sum(processor.total(), gpu.total()); }

std::uint64_t defaultContext(const ModelSpec& spec) {
    return spec.context == 0 ? Settings().context : std::min(Settings().context, spec.context);
}

// Experts that a token does not use are not read, and of the embeddings only one row.
std::uint64_t bytesReadPerToken(const ModelSpec& spec, const Weights& weights) {
    double bytes = static_cast<double>(sum(weights.head, weights.tiedHead, weights.everywhere));
    for (std::size_t i = 0; i < weights.blocks.size(); ++i) {
        const std::uint64_t used = i < spec.layers.size() ? spec.layers[i].expertsUsed : 0;
        const double unused =
            spec.experts.count > used ? 1 - static_cast<double>(used) / static_cast<double>(spec.experts.count) : 0;
        bytes += static_cast<double>(weights.blocks[i]) - unused * static_cast<double>(weights.experts[i]);
    }
    return asBytes(bytes);
}

Plan planOf(const ModelSpec& spec, const Weights& weights, const Settings& settings) {
    Plan plan;
    plan.processor[PartKind::Weights] = weights.onProcessor(settings);
    plan.gpu[PartKind::Weights] = weights.onGpu(settings);
    const std::size_t layers = spec.trunkLayers();
    const std::uint64_t moved = settings.usesGpu() ? std::min<std::uint64_t>(settings.gpuLayers - 1, layers) : 0;
    addCaches(plan, spec, settings, layers - static_cast<std::size_t>(moved));
    addBuffers(plan, spec, weights, settings);
    DeviceBytes& beside = settings.usesGpu() ? plan.gpu : plan.processor;
    beside[PartKind::Projector] = settings.projectorBytes;
    beside[PartKind::Lora] = settings.loraBytes;
    beside[PartKind::Draft] = settings.draftBytes;
    return plan;
}

std::uint64_t Estimate::error(Side side) const {
    const DeviceBytes& device = plan.on(side);
    if (trust == Trust::Rule) return static_cast<std::uint64_t>(ruleError * static_cast<double>(device.total()));
    return static_cast<std::uint64_t>((errorPercent ? usualError : scanError) * static_cast<double>(device[PartKind::Compute]));
}

Result<Estimate> estimate(const Subject& subject, const Weights& weights, const Settings& settings) {
    WB_TRY(check(settings, subject.spec));
    Estimate result;
    result.name = subject.name;
    result.trust = subject.trust;
    result.settings = settings;
    result.type = weights.type;
    const CacheCells cells = cacheCells(subject.spec, settings);
    result.contextUsed = product(cells.full, cells.streams);
    result.parameters = subject.parameters;
    result.plan = planOf(subject.spec, weights, settings);
    result.parts = partsOf(subject, weights, settings, result.plan);
    result.cells = cacheGroups(subject.spec, settings);
    result.bytesPerToken = tokenBytes(subject.spec, settings);
    result.errorPercent = errorOf(subject, result);
    result.notModelled = gapsOf(subject, settings, buffersOf(subject.spec, weights, settings).has_value());
    result.problems = subject.problems;
    if (result.total() == unlimited)
        return fail(ErrorCode::TooLarge, Reason("memory.too_large"), About{subject.name},
                    WB_TEXT("{} with these settings needs more bytes than can be counted; its numbers cannot be true."),
                    subject.name);
    return result;
}

} // namespace wb::memory
