// SPDX-License-Identifier: MIT
#include "core/base/text.h"
#include "core/memory/amounts.h"
#include "core/memory/formulas.h"
#include "core/memory/optimizers.h"
#include "core/memory/rule_of_thumb.h"

namespace wb::memory {
namespace {

std::string gigabytes(double bytes) {
    return bytes < 1e9 ? fmt::format("{:.2f} MB", bytes / 1e6) : fmt::format("{:.1f} GB", bytes / 1e9);
}

constexpr double promptRule = 5e9;

RuleOfThumb textbook(const TrainingEstimate& estimate) {
    const double parameters = static_cast<double>(estimate.parameters);
    const double trainable = static_cast<double>(estimate.trainable);
    const double gpus = static_cast<double>(estimate.settings.gpus);
    const std::string count = humanCount(estimate.parameters);
    RuleOfThumb rule;
    const auto range = [&](double low, double high, const char* format, auto&&... arguments) {
        rule.bytes = asBytes((low + high) / 2);
        rule.text = phrase(format, arguments..., gigabytes(low), gigabytes(high));
    };
    switch (estimate.settings.method) {
    case Method::Full:
        if (estimate.settings.zeroStage == 3 && gpus > 1)
            range(16 * parameters / gpus, 18 * parameters / gpus,
                  WB_TEXT("{} parameters × 16 to 18 bytes / {} GPUs = {} to {} on each"), count, estimate.settings.gpus);
        else range(12 * parameters, 20 * parameters, WB_TEXT("{} parameters × 12 to 20 bytes = {} to {}"), count);
        break;
    case Method::Lora:
    case Method::Dpo:
        range(2 * parameters + 12 * trainable + 5e9, 2 * parameters + 12 * trainable + 10e9,
              WB_TEXT("{} parameters × 2 bytes + {} trained × 12 bytes + 5 to 10 GB = {} to {}"), count,
              humanCount(estimate.trainable));
        break;
    case Method::Qlora:
        range(2 * parameters, 18.0 / 7 * parameters, WB_TEXT("{} parameters × 2 to 2.6 bytes (14 to 18 GB for 7B) = {} to {}"),
              count);
        break;
    case Method::Prompt:
    case Method::Prefix:
        rule.bytes = asBytes(promptRule);
        rule.text = phrase(WB_TEXT("less than {}, whatever the model"), gigabytes(promptRule));
        break;
    }
    return rule;
}

} // namespace

RuleOfThumb trainingRule(const TrainingEstimate& estimate) {
    RuleOfThumb rule = textbook(estimate);
    const TrainingSettings& settings = estimate.settings;
    const auto because = [&](auto&&... arguments) { rule.why.push_back(phrase(arguments...)); };
    const std::uint64_t activations = sum(estimate.part(PartKind::Activations), estimate.part(PartKind::Logits));
    because(WB_TEXT("The rule knows no sequence: {} sequences of {} tokens keep {} for the way back."), settings.sequences(),
            settings.sequence, humanBytes(activations));
    if (settings.trainsAdapters())
        because(
            WB_TEXT("Adapters, their gradients and AdamW's states are kept in 32 bits: 16 bytes for each trained parameter, not "
                    "12."));
    if (settings.method == Method::Prompt || settings.method == Method::Prefix)
        because(
            WB_TEXT("What is trained takes next to nothing; the frozen base takes {}, and the gradient travels through all of it."),
            humanBytes(estimate.part(PartKind::Base)));
    if (!settings.checkpointing)
        because(WB_TEXT("Without checkpointing every layer keeps its activations; with it only their borders are kept."));
    if (!settings.flash) because(WB_TEXT("Without flash attention the scores of every head are stored."));
    if (settings.method == Method::Full && settings.optimizerUsed().name != optimizers().front().name)
        because(WB_TEXT("The optimizer {} keeps {} instead of AdamW's 8 bytes a parameter and 4 for the weights in 32 bits."),
                settings.optimizerUsed().name, humanBytes(estimate.part(PartKind::Optimizer)));
    if (settings.gpus > 1 && settings.zeroStage > 0)
        because(WB_TEXT("ZeRO shares weights, gradients and states, never activations, logits and the context of CUDA."));
    because(WB_TEXT("The allocator keeps {} more, and CUDA with PyTorch {}."), humanBytes(estimate.part(PartKind::Reserve)),
            humanBytes(estimate.part(PartKind::Context)));
    return rule;
}

} // namespace wb::memory
