// SPDX-License-Identifier: MIT
#include "core/memory/estimate.h"

#include "core/base/text.h"
#include "core/memory/amounts.h"
#include "core/memory/formulas.h"
#include "core/memory/serving/recurrent.h"
#include "core/memory/serving/serving.h"

#include <algorithm>
#include <cmath>

namespace wb::memory {
namespace {

using arch::ModelSpec;

// Parts of the buffers that plans differ by (docs/reference/memory.md, "Compute buffers").
constexpr double usualError = 0.10;
constexpr double scanError = 0.30;
constexpr double ruleError = 0.10; // of the whole if only a size is given
constexpr std::uint64_t pipelineCopies = 4;
constexpr std::size_t enoughLoads = 3; // that their range says more than the error of the class

// Caches of layers [first, last).
void addCaches(DeviceBytes& side, const ModelSpec& spec, const Settings& settings, std::span<const LayerCache> caches,
               std::size_t first, std::size_t last) {
    const RecurrentShape shape = specRecurrentShape(spec);
    const std::uint64_t state = product(4, sum(shape.convolution, shape.state), settings.stateCopies());
    for (std::size_t i = first; i < last; ++i) {
        side[PartKind::Keys] = sum(side[PartKind::Keys], caches[i].keyBytes(settings.keyType));
        side[PartKind::Values] = sum(side[PartKind::Values], caches[i].valueBytes(settings.valueType));
        if (spec.layers[i].recurrence != arch::Recurrence::None) side[PartKind::State] = sum(side[PartKind::State], state);
    }
}

// The layers of GPUs, and whether they compute all of them.
struct Devices {
    std::vector<LayerShare> shares;
    bool isWhole = false;
    std::uint64_t copies = 1; // of the inputs: several devices that compute everything work at several batches at once

    Devices(const Weights& weights, const Settings& settings)
        : shares(layerShares(settings, weights.blocks.size())),
          isWhole(settings.usesGpu() && weights.gpuBlocks(settings.gpuLayers) == weights.blocks.size()) {
        const auto used = std::ranges::count_if(shares, [](const LayerShare& share) { return !share.isEmpty(); });
        if (isWhole && used > 1 && settings.cpuExperts == 0) copies = pipelineCopies;
    }
};

// A device that has part of the layers needs as much as a CPU that has them all.
std::optional<ComputeBuffers> specBuffers(const ModelSpec& spec, const Settings& settings, const Devices& devices,
                                          const LayerShare& share) {
    return computeBuffers(spec, settings, devices.isWhole ? Side::Gpu : Side::Processor, {share.hasOutput, devices.copies});
}

// A small model, or its own context for the layers that predict additional tokens: their cache, and buffers as those of a layer.
std::uint64_t draftBytes(const ModelSpec& spec, const Settings& settings, Side side) {
    if (!settings.predictsAhead) return settings.draftBytes;
    Settings own = settings;
    own.keyType = own.valueType = Dtype::F16;
    const auto buffers = computeBuffers(spec, own, side);
    return sum(predictionCacheBytes(spec, settings), buffers ? buffers->total() : 0);
}

DeviceBytes deviceBytes(const ModelSpec& spec, const Weights& weights, const Settings& settings, const Devices& devices,
                        const LayerShare& share, std::span<const LayerCache> caches) {
    DeviceBytes bytes;
    if (share.isEmpty()) return bytes;
    bytes[PartKind::Weights] = weights.onDevice(settings, share);
    addCaches(bytes, spec, settings, caches, std::min(share.first, caches.size()), std::min(share.last, caches.size()));
    if (const auto buffers = specBuffers(spec, settings, devices, share)) bytes[PartKind::Compute] = buffers->total();
    bytes[PartKind::Overhead] = allocatorRules(settings).overhead;
    if (!share.hasOutput) return bytes;
    bytes[PartKind::Projector] = settings.projectorBytes;
    bytes[PartKind::Lora] = settings.loraBytes;
    bytes[PartKind::Draft] = draftBytes(spec, settings, Side::Gpu);
    return bytes;
}

DeviceBytes processorBytes(const ModelSpec& spec, const Weights& weights, const Settings& settings,
                           std::span<const LayerCache> caches) {
    DeviceBytes bytes;
    const auto moved = static_cast<std::size_t>(weights.gpuBlocks(settings.gpuLayers));
    bytes[PartKind::Weights] = weights.onProcessor(settings);
    addCaches(bytes, spec, settings, caches, 0, caches.size() - std::min(moved, caches.size()));
    bytes[PartKind::Output] = outputBytes(spec, settings);
    const auto buffers = computeBuffers(spec, settings, Side::Processor);
    if (buffers) bytes[PartKind::Compute] = settings.usesGpu() ? hostBuffers(spec, settings) : buffers->total();
    if (settings.usesGpu()) return bytes;
    bytes[PartKind::Projector] = settings.projectorBytes;
    bytes[PartKind::Lora] = settings.loraBytes;
    bytes[PartKind::Draft] = draftBytes(spec, settings, Side::Processor);
    return bytes;
}

std::uint64_t predictionTokenBytes(const ModelSpec& spec) { return predictionCacheBytes(spec, {.context = 256}) / 256; }

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
    const auto buffers = computeBuffers(spec, settings, settings.usesGpu() ? Side::Gpu : Side::Processor);
    const std::uint64_t mask = product(buffers ? buffers->maskBytes : 2, tokens);
    return sum(bytes, mask, buffers ? buffers->scratchBytes : 0, settings.flash ? 0 : product(4, tokens, heads),
               settings.predictsAhead ? sum(mask, predictionTokenBytes(spec)) : 0);
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

std::optional<double> subjectError(const Subject& subject, const Estimate& estimate) {
    const Settings& settings = estimate.settings;
    if (isServing(settings)) return servingError(settings);
    if (subject.trust == Trust::Rule || !wasCompared(subject.spec)) return {};
    if (isPartly(subject.spec, settings) || hasLostScores(subject.spec, settings) || settings.devices() > 1) return {};
    const bool scans = subject.spec.recurrent.kind != arch::Recurrence::None;
    const double buffers =
        static_cast<double>(estimate.plan.gpu[PartKind::Compute]) + static_cast<double>(estimate.plan.processor[PartKind::Compute]);
    const double total = static_cast<double>(estimate.total());
    if (total <= 0) return {};
    const double fixed = settings.usesGpu() ? static_cast<double>(allocatorRules(settings).overheadError) : 0;
    return std::max(0.1, std::ceil(1000 * (buffers * (scans ? scanError : usualError) + fixed) / total) / 10);
}

// Memory of a GPU in addition to the plan.
void addDeviceGaps(std::vector<Phrase>& gaps, const Settings& settings) {
    const Backend backend = settings.backendUsed();
    const bool isPlain = settings.keyType == Dtype::F16 && settings.valueType == Dtype::F16;
    if (backend == Backend::Cuda && settings.build < 202606 && !isPlain && settings.flash)
        gaps.push_back(phrase(WB_TEXT("The KV cache expanded to f16, which these builds allocate at run time as it fills.")));
    if (backend == Backend::Cuda) return;
    gaps.push_back(phrase(WB_TEXT("Memory used by the GPU driver, including scratch memory at run time.")));
}

std::vector<Phrase> subjectGaps(const Subject& subject, const Settings& settings, bool hasBuffers) {
    if (isServing(settings)) return servingGaps(subject, settings);
    std::vector<Phrase> gaps;
    const ModelSpec& spec = subject.spec;
    if (spec.layers.empty()) gaps.push_back(phrase(WB_TEXT("KV cache and state: the file does not describe the model's layers.")));
    else if (!spec.family)
        gaps.push_back(
            phrase(WB_TEXT("Compute buffers of the architecture {}, which have not been validated."), spec.architecture));
    if (!hasBuffers) gaps.push_back(phrase(WB_TEXT("Compute buffers: the file does not describe the layers in enough detail.")));
    if (spec.vocabulary == 0) gaps.push_back(phrase(WB_TEXT("Logits: the file does not specify the vocabulary size.")));
    if (!subject.hasWeights())
        gaps.push_back(phrase(
            WB_TEXT("Weights: the config describes the layers but not their tensors, so it cannot be checked whether they fit.")));
    const bool loadsPrediction = settings.loadsPrediction || settings.predictsAhead || allocatorRules(settings).loadsPrediction;
    if (spec.predictionLayers > 0 && !loadsPrediction)
        gaps.push_back(phrase(WB_TEXT("Multi-token prediction (MTP) layers, which are not loaded by default.")));
    if (loadsPrediction && !settings.predictsAhead && spec.predictionLayers > 0)
        gaps.push_back(phrase(
            WB_TEXT("KV cache and buffers of the multi-token prediction layers, which are needed only for speculative decoding.")));
    if (settings.predictsAhead)
        gaps.push_back(
            phrase(WB_TEXT("Differences between an MTP layer and a regular layer: their buffers are assumed to be equal.")));
    if (settings.projectorBytes > 0) gaps.push_back(phrase(WB_TEXT("Compute buffers for encoding images and audio.")));
    if (!settings.usesGpu()) return gaps;
    addDeviceGaps(gaps, settings);
    if (settings.devices() > 1)
        gaps.push_back(phrase(WB_TEXT(
            "Differences with several devices: their compute buffers use the single-device formula and have not been validated.")));
    if (isPartly(spec, settings))
        gaps.push_back(phrase(
            WB_TEXT("Compute buffers of a GPU with only part of the layers: actual plans differ from the formula by up to 90%.")));
    if (hasLostScores(spec, settings))
        gaps.push_back(phrase(WB_TEXT("Attention scores above 1 GiB, or of quantized keys, without flash attention: the GPU may "
                                      "need twice as much or move them to RAM.")));
    return gaps;
}

} // namespace

const char* partName(PartKind kind) {
    constexpr std::array<const char*, partKinds> names = {
        "weights", "kv_k",     "kv_v",      "state",     "compute",     "output", "overhead", "mmproj",   "draft",   "lora",
        "base",    "adapters", "gradients", "optimizer", "activations", "logits", "buckets",  "gathered", "reserve", "context"};
    return names[static_cast<std::size_t>(kind)];
}

std::string deviceName(Side side, std::size_t device) { return side == Side::Gpu ? fmt::format("gpu{}", device) : "cpu"; }

std::uint64_t DeviceBytes::total() const {
    std::uint64_t all = 0;
    for (const std::uint64_t part : parts) all = sum(all, part);
    return all;
}

std::uint64_t Plan::total() const { return sum(processor.total(), gpu.total()); }

std::uint64_t defaultContext(const ModelSpec& spec) {
    return spec.context == 0 ? Settings().context : std::min(Settings().context, spec.context);
}

namespace {

// Experts that a token does not use are skipped.
double weightsRead(const ModelSpec& spec, const Weights& weights, std::size_t block) {
    const std::uint64_t used = block < spec.layers.size() ? spec.layers[block].expertsUsed : 0;
    const std::uint64_t count = spec.experts.count;
    const double unused = count > used ? 1 - static_cast<double>(used) / static_cast<double>(count) : 0;
    const std::uint64_t experts = block < weights.experts.size() ? weights.experts[block] : 0; // a config says no bytes of them
    return static_cast<double>(weights.blocks[block]) - unused * static_cast<double>(experts);
}

double weightsExpertsRead(const ModelSpec& spec, const Weights& weights, std::size_t block) {
    const std::uint64_t used = block < spec.layers.size() ? spec.layers[block].expertsUsed : 0;
    if (spec.experts.count == 0 || block >= weights.experts.size()) return 0;
    return static_cast<double>(weights.experts[block]) * static_cast<double>(used) / static_cast<double>(spec.experts.count);
}

// Subtracts up to `from` and returns the remainder.
std::uint64_t take(std::uint64_t& from, std::uint64_t bytes) {
    const std::uint64_t taken = std::min(from, bytes);
    from -= taken;
    return bytes - taken;
}

void correct(DeviceBytes& device, const Settings& settings) {
    if (!settings.correction || device.total() == 0) return;
    const std::int64_t shift = settings.correction->shift;
    if (shift >= 0) device[PartKind::Overhead] = sum(device[PartKind::Overhead], static_cast<std::uint64_t>(shift));
    else take(device[PartKind::Compute], take(device[PartKind::Overhead], static_cast<std::uint64_t>(-(shift + 1)) + 1));
}

DeviceBytes devicesSum(const std::vector<DeviceBytes>& devices) {
    DeviceBytes all;
    for (const DeviceBytes& device : devices)
        for (std::size_t i = 0; i < partKinds; ++i) all.parts[i] = sum(all.parts[i], device.parts[i]);
    return all;
}

} // namespace

// Of the embeddings only one row is read.
std::uint64_t bytesReadPerToken(const ModelSpec& spec, const Weights& weights) {
    double bytes = static_cast<double>(sum(weights.head, weights.tiedHead, weights.everywhere));
    for (std::size_t i = 0; i < weights.blocks.size(); ++i) bytes += weightsRead(spec, weights, i);
    return asBytes(bytes);
}

std::vector<std::uint64_t> bytesReadPerToken(const ModelSpec& spec, const Weights& weights, const Settings& settings) {
    const auto shares = layerShares(settings, weights.blocks.size());
    std::vector<double> read(1 + shares.size(), 0.0);
    const double output = static_cast<double>(sum(weights.head, weights.tiedHead, weights.everywhere));
    if (shares.empty()) read[0] = output;
    const std::size_t first = weights.blocks.size() - static_cast<std::size_t>(weights.gpuBlocks(settings.gpuLayers));
    for (std::size_t i = 0; i < first; ++i) read[0] += weightsRead(spec, weights, i);
    for (std::size_t d = 0; d < shares.size(); ++d) {
        if (shares[d].hasOutput) read[d + 1] += output;
        for (std::size_t i = shares[d].first; i < shares[d].last; ++i) {
            const double experts = i < settings.cpuExperts ? weightsExpertsRead(spec, weights, i) : 0;
            read[0] += experts;
            read[d + 1] += weightsRead(spec, weights, i) - experts;
        }
    }
    std::vector<std::uint64_t> bytes;
    for (const double each : read) bytes.push_back(asBytes(each));
    return bytes;
}

std::optional<ComputeBuffers> deviceBuffers(const ModelSpec& spec, const Weights& weights, const Settings& settings,
                                            const LayerShare& share) {
    return specBuffers(spec, settings, Devices(weights, settings), share);
}

Plan planMemoryUse(const ModelSpec& spec, const Weights& weights, const Settings& settings) {
    if (isServing(settings)) return servingPlan(spec, weights, settings);
    Plan plan;
    const auto caches = layerCaches(spec, settings);
    const Devices devices(weights, settings);
    plan.processor = processorBytes(spec, weights, settings, caches);
    if (devices.shares.empty()) correct(plan.processor, settings);
    if (devices.shares.size() == 1) {
        plan.gpu = deviceBytes(spec, weights, settings, devices, devices.shares.front(), caches);
        correct(plan.gpu, settings);
        return plan;
    }
    for (const LayerShare& share : devices.shares) {
        plan.devices.push_back(deviceBytes(spec, weights, settings, devices, share, caches));
        correct(plan.devices.back(), settings);
    }
    plan.gpu = devicesSum(plan.devices);
    return plan;
}

std::uint64_t errorBytes(const Subject& subject, const Settings& settings, Side side, const DeviceBytes& device) {
    if (subject.trust == Trust::Rule) return asBytes(ruleError * static_cast<double>(device.total()));
    const bool isCorrected = settings.correction && (side == Side::Gpu) == settings.usesGpu();
    if (isCorrected && settings.correction->loads >= enoughLoads) return settings.correction->range;
    if (isServing(settings)) return asBytes(servingError(settings).value_or(0) / 100 * static_cast<double>(device.total()));
    const bool isUsual = subject.spec.family && subject.spec.recurrent.kind == arch::Recurrence::None;
    const std::uint64_t fixed = side == Side::Gpu ? allocatorRules(settings).overheadError : 0;
    return sum(fixed, asBytes((isUsual ? usualError : scanError) * static_cast<double>(device[PartKind::Compute])));
}

Result<void> checkCountable(std::uint64_t total, const std::string& name) {
    if (total < unlimited) return {};
    return fail(ErrorCode::TooLarge, Reason("memory.too_large"), About{name},
                WB_TEXT("{} would need more bytes with these settings than can be counted; check its values."), name);
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
    result.plan = planMemoryUse(subject.spec, weights, settings);
    result.parts = memoryParts(subject, weights, settings, result.plan);
    result.cells = cacheGroups(subject.spec, settings);
    result.bytesPerToken = tokenBytes(subject.spec, settings);
    result.errorPercent = subjectError(subject, result);
    result.notModelled = subjectGaps(subject, settings, computeBuffers(subject.spec, settings, Side::Processor).has_value());
    result.problems = subject.problems;
    WB_TRY(checkCountable(result.total(), subject.name));
    return result;
}

} // namespace wb::memory
