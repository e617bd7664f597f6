// SPDX-License-Identifier: MIT
#include "core/memory/training/training_settings.h"

#include "core/base/ascii.h"
#include "core/memory/training/optimizers.h"

#include <array>

namespace wb::memory {
namespace {

constexpr std::array methods = {"full", "lora", "qlora", "prompt", "prefix", "dpo"};
constexpr std::array bases = {"bf16", "fp16", "fp32", "nf4", "int8"};
constexpr std::array targetNames = {"attention", "all"};
constexpr std::array references = {"copy", "shared", "precomputed"};
constexpr std::array offloads = {"none", "optimizer", "all"};

constexpr std::uint64_t maxSequence = std::uint64_t{1} << 32;
constexpr std::uint64_t maxBatch = std::uint64_t{1} << 20;
constexpr std::uint64_t maxGpus = 65536;
constexpr std::uint64_t maxRank = std::uint64_t{1} << 20;

template <typename Kind, std::size_t Count>
std::optional<Kind> fromName(const std::array<const char*, Count>& names, std::string_view name) {
    for (std::size_t i = 0; i < Count; ++i)
        if (ascii::same(name, names[i])) return static_cast<Kind>(i);
    return {};
}

Result<void> checkNumber(const char* name, std::uint64_t value, std::uint64_t most) {
    if (value > 0 && value <= most) return {};
    return fail(ErrorCode::Invalid, Reason("memory.setting_out_of_range"), About{name},
                WB_TEXT("The {} must be between 1 and {}, not {}."), name, most, value);
}

Error contradiction(const char* name, const char* sentence, const std::string& value) {
    return makeError(ErrorCode::Invalid, Reason("memory.settings_contradict"), About{name}, sentence, value);
}

} // namespace

const char* methodName(Method method) { return methods[static_cast<std::size_t>(method)]; }
const char* baseName(BaseType base) { return bases[static_cast<std::size_t>(base)]; }
const char* targetsName(Targets targets) { return targetNames[static_cast<std::size_t>(targets)]; }
const char* referenceName(Reference reference) { return references[static_cast<std::size_t>(reference)]; }
const char* offloadName(Offload offload) { return offloads[static_cast<std::size_t>(offload)]; }

std::optional<Method> methodFromName(std::string_view name) { return fromName<Method>(methods, name); }
std::optional<BaseType> baseFromName(std::string_view name) { return fromName<BaseType>(bases, name); }
std::optional<Targets> targetsFromName(std::string_view name) { return fromName<Targets>(targetNames, name); }
std::optional<Reference> referenceFromName(std::string_view name) { return fromName<Reference>(references, name); }
std::optional<Offload> offloadFromName(std::string_view name) { return fromName<Offload>(offloads, name); }

const Optimizer& TrainingSettings::optimizerUsed() const { return optimizer ? *optimizer : optimizers().front(); }

Result<void> check(const TrainingSettings& settings) {
    WB_TRY(checkNumber("sequence", settings.sequence, maxSequence));
    WB_TRY(checkNumber("batch", settings.batch, maxBatch));
    WB_TRY(checkNumber(WB_TEXT("number of GPUs"), settings.gpus, maxGpus));
    WB_TRY(checkNumber("rank", settings.rank, maxRank));
    WB_TRY(checkNumber(WB_TEXT("number of virtual tokens"), settings.virtualTokens, maxBatch));
    if (settings.zeroStage > 3)
        return fail(ErrorCode::Invalid, Reason("memory.setting_out_of_range"), About{"zero"},
                    WB_TEXT("ZeRO has stages 0 to 3, not {}."), settings.zeroStage);
    if (settings.method == Method::Full && settings.isQuantized())
        return std::unexpected(contradiction(
            "base",
            WB_TEXT("Full fine-tuning updates the weights, which {} cannot store; choose bf16, fp16 or fp32, or train an adapter."),
            baseName(settings.baseUsed())));
    if (settings.method == Method::Qlora && !settings.isQuantized())
        return std::unexpected(contradiction("base",
                                             WB_TEXT("QLoRA requires a quantized base model, not {}; choose nf4 or int8, or LoRA."),
                                             baseName(settings.baseUsed())));
    if (settings.doubleQuantized && settings.baseUsed() != BaseType::Nf4)
        return std::unexpected(contradiction("double-quant", WB_TEXT("Double quantization requires an nf4 base model, not {}."),
                                             baseName(settings.baseUsed())));
    if (settings.dora && !settings.trainsAdapters())
        return std::unexpected(
            contradiction("dora", WB_TEXT("DoRA requires adapters, but {} trains none."), methodName(settings.method)));
    if (settings.offload == Offload::All && settings.zeroStage != 3)
        return std::unexpected(
            contradiction("offload", WB_TEXT("Offloading the base model requires ZeRO stage 3, not {}; choose offload optimizer."),
                          std::to_string(settings.zeroStage)));
    return {};
}

} // namespace wb::memory
