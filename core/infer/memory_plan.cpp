// SPDX-License-Identifier: MIT
#include "core/infer/memory_plan.h"

#include "core/infer/cpu/cpu_engine.h"
#include "core/io/byte_source.h"
#include "core/memory/amounts.h"
#include "core/memory/formulas.h"

namespace wb::infer {
namespace {

using namespace wb::memory;

Result<CacheType> typeCacheType(Dtype type) {
    if (type == Dtype::F16) return CacheType::F16;
    if (type == Dtype::F32) return CacheType::F32;
    if (type == Dtype::Q8_0) return CacheType::Q8_0;
    return fail(ErrorCode::Invalid, Reason("infer.plan_cache"), About{"kv"},
                WB_TEXT("Weighbridge supports f16, f32 and q8_0 KV caches, not {}."), wb::name(type));
}

Result<EngineOptions> settingsOptions(const Settings& settings, unsigned threads) {
    if (settings.usesGpu())
        return fail(ErrorCode::Invalid, Reason("infer.plan_device"), About{"gpu-layers"},
                    WB_TEXT("Weighbridge's own plan is for the CPU; set GPU layers to 0."));
    if (settings.conversations > 1)
        return fail(ErrorCode::Invalid, Reason("infer.plan_slots"), About{"parallel"},
                    WB_TEXT("Weighbridge supports one sequence at a time, not {}."), settings.conversations);
    if (settings.drafts())
        return fail(ErrorCode::Invalid, Reason("infer.plan_draft"), About{"draft"},
                    WB_TEXT("Weighbridge does not support speculative decoding; remove the draft model."));
    EngineOptions options;
    options.threads = threads;
    options.context = settings.context;
    WB_TRY_ASSIGN(options.keys, typeCacheType(settings.keyType));
    WB_TRY_ASSIGN(options.values, typeCacheType(settings.valueType));
    return options;
}

std::vector<MemoryPart> deviceMemoryParts(const DeviceBytes& bytes, const Subject& subject, const Settings& settings) {
    std::vector<MemoryPart> parts;
    const auto add = [&](PartKind kind, Phrase formula) {
        if (bytes[kind] > 0) parts.push_back({kind, Side::Processor, bytes[kind], {std::move(formula)}, 1, 0});
    };
    add(PartKind::Weights, phrase(WB_TEXT("matrices interleaved in panels of 16 rows for the kernels")));
    add(PartKind::Keys, phrase(WB_TEXT("{} position(s) in tiles of 16, as {}"), settings.context, wb::name(settings.keyType)));
    add(PartKind::Values, phrase(WB_TEXT("{} position(s) in tiles of 16, as {}"), settings.context, wb::name(settings.valueType)));
    add(PartKind::State, phrase(WB_TEXT("state of recurrent layers")));
    add(PartKind::Compute, phrase(WB_TEXT("activations of 256 tokens and per-thread scratch buffers")));
    add(PartKind::Output, phrase(WB_TEXT("{} vocabulary entries × 4 bytes"), subject.spec.vocabulary));
    if (settings.correction) add(PartKind::Overhead, phrase(WB_TEXT("median of {} measured load(s)"), settings.correction->loads));
    return parts;
}

EngineMemory sum(const EngineMemory& a, const EngineMemory& b) {
    return {a.weights + b.weights, a.keys + b.keys, a.values + b.values, a.state + b.state, a.compute + b.compute};
}

DeviceBytes memoryBytes(const EngineMemory& memory, std::uint64_t vocabulary) {
    DeviceBytes bytes;
    bytes[PartKind::Weights] = memory.weights;
    bytes[PartKind::Keys] = memory.keys;
    bytes[PartKind::Values] = memory.values;
    bytes[PartKind::State] = memory.state;
    bytes[PartKind::Compute] = memory.compute;
    bytes[PartKind::Output] = product(vocabulary, sizeof(float));
    return bytes;
}

Estimate subjectEstimate(const Subject& subject, Settings settings, const EngineMemory& memory, Trust trust) {
    settings.runtime = Runtime::Weighbridge;
    Estimate estimate;
    estimate.name = subject.name;
    estimate.trust = trust;
    estimate.contextUsed = settings.context;
    estimate.parameters = subject.parameters;
    DeviceBytes& bytes = estimate.plan.processor;
    bytes = memoryBytes(memory, subject.spec.vocabulary);
    if (trust == Trust::Allocated) settings.correction.reset(); // the claimed memory is recorded
    if (settings.correction && settings.correction->shift > 0)
        bytes[PartKind::Overhead] = static_cast<std::uint64_t>(settings.correction->shift);
    estimate.parts = deviceMemoryParts(bytes, subject, settings);
    estimate.cells = cacheGroups(subject.spec, settings);
    if (settings.context > 0) estimate.bytesPerToken = (memory.keys + memory.values) / settings.context;
    estimate.errorPercent = trust == Trust::Allocated ? 0 : 3;
    estimate.notModelled = {phrase(WB_TEXT("The program itself, its tokenizer and file pages in memory."))};
    estimate.problems = subject.problems;
    estimate.settings = std::move(settings);
    return estimate;
}

std::vector<MeasuredLoad> placementLoads(const Model& model, const Placement& placement, const EngineLoad& load,
                                         const std::string& build) {
    std::vector<MeasuredLoad> loads;
    const auto add = [&](const char* backend, const std::string& device, const std::string& driver, const EngineMemory& expected,
                         const EngineMemory& claimed) {
        if (claimed.total() == 0) return;
        const std::string settings = fmt::format("context={} kv={},{} threads={} gpu_layers={}", placement.options.context,
                                                 infer::name(placement.options.keys), infer::name(placement.options.values),
                                                 placement.options.threads, placement.gpuLayers);
        loads.push_back({today(), runtimeName(Runtime::Weighbridge), backend, device, driver, build,
                         model.architecture.value_or(std::string()), io::baseName(model.path), settings, memoryBytes(claimed, 0),
                         expected.total(), claimed.total()});
    };
    add("cpu", "cpu", {}, placement.main, load.memory);
    add("vulkan", placement.deviceName, placement.driver, placement.deviceMemory, load.device);
    return loads;
}

} // namespace

Result<Estimate> planMemory(const Subject& subject, const Settings& settings, unsigned threads) {
    WB_TRY_ASSIGN(const EngineOptions options, settingsOptions(settings, threads));
    WB_TRY_ASSIGN(const Graph graph, planGraph(subject.model));
    WB_TRY_ASSIGN(EngineMemory memory, cpu::planCpuMemory(graph, options));
    if (settings.loadsPrediction) {
        WB_TRY_ASSIGN(const Graph prediction, planPrediction(subject.model));
        WB_TRY_ASSIGN(const EngineMemory head, cpu::planCpuMemory(prediction, options));
        memory = sum(memory, head);
    }
    return subjectEstimate(subject, settings, memory, Trust::Plan);
}

Result<void> rememberLoad(const LoadStore& store, const Model& model, const Placement& placement, const Engine& engine) {
    if (store.file.empty() || engine.gpuLayers() != placement.gpuLayers) return {};
    return addLoads(store.file, placementLoads(model, placement, engine.load(), store.build));
}

Estimate allocatedMemory(const Subject& subject, const Settings& settings, const Engine& engine) {
    return subjectEstimate(subject, settings, engine.load().memory, Trust::Allocated);
}

} // namespace wb::infer
