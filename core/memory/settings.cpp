// SPDX-License-Identifier: MIT
#include "core/memory/settings.h"

#include "core/base/ascii.h"
#include "core/base/checked.h"
#include "core/memory/serving/caches.h"

#include <algorithm>
#include <array>
#include <string>

namespace wb::memory {
namespace {

constexpr std::array types = {Dtype::F32,  Dtype::F16,  Dtype::BF16, Dtype::Q8_0,  Dtype::Q5_1,
                              Dtype::Q5_0, Dtype::Q4_1, Dtype::Q4_0, Dtype::IQ4_NL};

constexpr std::uint64_t maxDraftTokens = 64;

constexpr Reason outOfRange("memory.setting_out_of_range");

Result<void> checkNumber(const char* name, std::uint64_t value) {
    if (value > 0 && value <= arch::maxContext) return {};
    return fail(ErrorCode::Invalid, outOfRange, About{name}, WB_TEXT("The {} must be between 1 and {}, not {}."), name,
                arch::maxContext, value);
}

Result<void> checkDraft(const Settings& settings, const arch::ModelSpec& spec) {
    if (settings.drafts() && (settings.draftTokens == 0 || settings.draftTokens > maxDraftTokens))
        return fail(ErrorCode::Invalid, outOfRange, About{"draft-tokens"}, WB_TEXT("The {} must be between 1 and {}, not {}."),
                    "draft-tokens", maxDraftTokens, settings.draftTokens);
    if (!settings.predictsAhead) return {};
    if (spec.predictionLayers == 0)
        return fail(ErrorCode::Invalid, Reason("memory.no_prediction_layers"), About{"draft"},
                    WB_TEXT("This model has no multi-token prediction layers; specify a draft model."));
    if (settings.draftBytes > 0)
        return fail(ErrorCode::Invalid, Reason("memory.two_drafts"), About{"draft"},
                    WB_TEXT("Use either a draft model or the model's own MTP layers, not both."));
    return {};
}

Result<void> checkRow(const char* name, Dtype type, std::uint64_t elements) {
    if (elements % info(type).blockElements == 0) return {};
    return fail(ErrorCode::Invalid, Reason("memory.cache_type_does_not_fit"), About{name},
                WB_TEXT("The {} of this model's KV cache have rows of {} elements, which {} cannot store; choose f16."), name,
                elements, wb::name(type));
}

// vLLM has caches of 16 bits and of FP8, which q8_0 stands for here; transformers has its compute type alone.
Result<void> checkServing(const Settings& settings) {
    const auto cannot = [&](const char* setting, const char* sentence) {
        return fail(ErrorCode::Invalid, Reason("memory.runtime_setting"), About{setting}, sentence, runtimeName(settings.runtime));
    };
    const bool isPlain = settings.keyType == settings.valueType && info(settings.keyType).kind != DtypeKind::Block;
    const bool isFp8 = settings.runtime == Runtime::Vllm && settings.keyType == Dtype::Q8_0 && settings.valueType == Dtype::Q8_0;
    if (!isPlain && !isFp8)
        return cannot("kv", WB_TEXT("{} does not support this KV cache type; choose f16, or q8_0 for vLLM's FP8."));
    if (settings.usesGpu() && settings.gpuLayers != allLayers)
        return cannot("gpu-layers", WB_TEXT("{} runs all layers on its GPUs; choose all."));
    if (settings.cpuExperts > 0) return cannot("cpu-experts", WB_TEXT("{} does not keep experts in RAM; choose 0."));
    return {};
}

Result<void> checkRuntime(const Settings& settings) {
    const Backend backend = settings.backendUsed();
    if ((backend == Backend::Cpu) == settings.usesGpu())
        return fail(ErrorCode::Invalid, Reason("memory.backend"), About{"backend"},
                    WB_TEXT("The backend {} conflicts with {} GPU layers."), backendName(backend),
                    settings.gpuLayers == allLayers ? "all" : std::to_string(settings.gpuLayers));
    if (!(settings.utilization > 0 && settings.utilization <= 1))
        return fail(ErrorCode::Invalid, outOfRange, About{"utilization"},
                    WB_TEXT("The utilization must be above 0 and at most 1, not {}."), settings.utilization);
    const bool serves = settings.runtime == Runtime::Vllm || settings.runtime == Runtime::Transformers;
    return serves ? checkServing(settings) : Result<void>();
}

} // namespace

std::vector<LayerShare> layerShares(const Settings& settings, std::size_t layers) {
    if (!settings.usesGpu()) return {};
    std::uint64_t left = std::min<std::uint64_t>(settings.gpuLayers, layers + 1); // with the output
    std::size_t next = layers + 1 - static_cast<std::size_t>(left);
    std::vector<LayerShare> shares(settings.devices());
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const std::uint64_t own = i + 1 == shares.size() ? left : std::min(left, settings.split[i]);
        const std::size_t end = next + static_cast<std::size_t>(own);
        shares[i] = {std::min(next, layers), std::min(end, layers), own > 0 && end == layers + 1};
        next = end;
        left -= own;
    }
    return shares;
}

Backend Settings::backendUsed() const {
    if (backend) return *backend;
    if (!usesGpu()) return Backend::Cpu;
    return runtime == Runtime::Vllm || runtime == Runtime::Transformers ? Backend::Cuda : Backend::Vulkan;
}

std::uint64_t Settings::stateCopies() const {
    return checked::mul(conversations, drafts() ? 1 + std::min(draftTokens, maxDraftTokens) : 1)
        .value_or(std::numeric_limits<std::uint64_t>::max());
}

// With guesses each is inspected too.
std::uint64_t Settings::outputRows() const {
    if (outputs) return *outputs == 0 ? batch : *outputs;
    return allocatorRules(*this).logitsOfBatch ? batch : stateCopies();
}

std::uint64_t Settings::tokensAtOnce() const { return std::min({microBatch, batch, tokenCells(context)}); }

std::span<const Dtype> cacheTypes() { return types; }

std::optional<Dtype> cacheTypeFromName(std::string_view name) {
    const auto* const found = std::ranges::find_if(types, [&](Dtype type) { return ascii::same(name, wb::name(type)); });
    return found == types.end() ? std::nullopt : std::optional(*found);
}

Result<void> check(const Settings& settings, const arch::ModelSpec& spec) {
    WB_TRY(checkNumber("context", settings.context));
    WB_TRY(checkNumber("batch", settings.batch));
    WB_TRY(checkNumber("micro-batch", settings.microBatch));
    WB_TRY(checkNumber(WB_TEXT("number of slots"), settings.conversations));
    if (settings.conversations > tokenCells(settings.context))
        return fail(ErrorCode::Invalid, Reason("memory.more_slots_than_cells"), About{"parallel"},
                    WB_TEXT("{} sequences cannot share {} tokens of context; use fewer sequences or a longer context."),
                    settings.conversations, settings.context);
    if (!settings.flash && info(settings.valueType).kind == DtypeKind::Block)
        return fail(ErrorCode::Invalid, Reason("memory.quantized_values"), About{"kv"},
                    WB_TEXT("A V cache of type {} requires flash attention; choose f16 or turn flash attention on."),
                    name(settings.valueType));
    WB_TRY(checkRuntime(settings));
    WB_TRY(checkDraft(settings, spec));
    for (const arch::LayerSpec& layer : spec.layers) {
        WB_TRY(checkRow("keys", settings.keyType, layer.kvHeads * layer.keyLength));
        WB_TRY(checkRow("values", settings.valueType, layer.kvHeads * layer.valueLength));
    }
    return {};
}

} // namespace wb::memory
