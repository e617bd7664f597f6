// SPDX-License-Identifier: MIT
#include "app/cli/infer/memory.h"
#include "core/memory/training/optimizers.h"

namespace wb::cli {
namespace {

using namespace wb::memory;

Error wrongTrainingOption(const char* option, const std::string& value, const std::string& choices) {
    return makeError(ErrorCode::Invalid, Reason("cli.memory_option"), "{} cannot be {}; choose {}.", option, value, choices);
}

template <typename Kind>
Result<void> read(const char* option, const std::string& value, std::optional<Kind> (*fromName)(std::string_view),
                  const char* choices, Kind& kind) {
    if (value.empty()) return {};
    const auto found = fromName(value);
    if (!found) return std::unexpected(wrongTrainingOption(option, value, choices));
    kind = *found;
    return {};
}

std::string optimizerNames() {
    std::string names;
    for (const Optimizer& optimizer : optimizers()) names += (names.empty() ? "" : ", ") + std::string(optimizer.name);
    return names;
}

} // namespace

Result<TrainingSettings> toTrainingSettings(const MemoryOptions& options) {
    TrainingSettings settings = options.training;
    WB_TRY(read("--train", options.method, methodFromName, "full, lora, qlora, prompt, prefix or dpo", settings.method));
    WB_TRY(read("--targets", options.targets, targetsFromName, "attention or all", settings.targets));
    WB_TRY(read("--dpo-reference", options.reference, referenceFromName, "copy, shared or precomputed", settings.reference));
    WB_TRY(read("--offload", options.offload, offloadFromName, "none, optimizer or all", settings.offload));
    if (!options.base.empty()) {
        settings.base = baseFromName(options.base);
        if (!settings.base) return std::unexpected(wrongTrainingOption("--base", options.base, "bf16, fp16, fp32, nf4 or int8"));
    }
    if (!options.optimizer.empty()) {
        settings.optimizer = optimizerFromName(options.optimizer);
        if (!settings.optimizer) return std::unexpected(wrongTrainingOption("--optimizer", options.optimizer, optimizerNames()));
    }
    settings.batch = options.batch.value_or(settings.batch);
    settings.checkpointing = !options.noCheckpointing;
    settings.flash = !options.eager && !options.noFlash;
    return settings;
}

} // namespace wb::cli
