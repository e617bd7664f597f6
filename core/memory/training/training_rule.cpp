// SPDX-License-Identifier: MIT
#include "core/base/text.h"
#include "core/memory/amounts.h"
#include "core/memory/formulas.h"
#include "core/memory/training/optimizers.h"
#include "core/memory/rule_of_thumb.h"
#include "core/memory/textbook.h"

#include <cmath>

namespace wb::memory {
namespace {

std::string gigabytes(double bytes) {
    return bytes < 1e9 ? fmt::format("{:.2f} MB", bytes / 1e6) : fmt::format("{:.1f} GB", bytes / 1e9);
}

RuleOfThumb textbook(const TrainingEstimate& estimate) {
    const double parameters = static_cast<double>(estimate.parameters);
    const double trainable = static_cast<double>(estimate.trainable);
    const double gpus = static_cast<double>(estimate.settings.gpus);
    const std::string count = humanCount(estimate.parameters);
    RuleOfThumb rule;
    const auto range = [&](const TextbookRule& book, double devices, const char* format, auto&&... arguments) {
        const double both = book.trained * trainable;
        const double low = (book.low * parameters + both + book.besideLow) / devices;
        const double high = (book.high * parameters + both + book.besideHigh) / devices;
        rule.bytes = asBytes((low + high) / 2);
        rule.text = phrase(format, arguments..., gigabytes(low), gigabytes(high));
    };
    const auto number = [](double value) { return plainNumber(std::round(value * 10) / 10); };
    const auto gigabyteNumber = [&](double bytes) { return number(bytes / 1e9); };
    switch (estimate.settings.method) {
    case Method::Full:
        if (estimate.settings.zeroStage == 3 && gpus > 1) {
            const TextbookRule& book = textbookRule("zero3");
            range(book, gpus, WB_TEXT("{} parameters × {} to {} bytes / {} GPU(s) = {} to {} per GPU"), count, number(book.low),
                  number(book.high), estimate.settings.gpus);
        } else {
            const TextbookRule& book = textbookRule("full");
            range(book, 1, WB_TEXT("{} parameters × {} to {} bytes = {} to {}"), count, number(book.low), number(book.high));
        }
        break;
    case Method::Lora:
    case Method::Dpo: {
        const TextbookRule& book = textbookRule("lora");
        range(book, 1, WB_TEXT("{} parameters × {} byte(s) + {} trainable × {} byte(s) + {} to {} GB = {} to {}"), count,
              number(book.low), humanCount(estimate.trainable), number(book.trained), gigabyteNumber(book.besideLow),
              gigabyteNumber(book.besideHigh));
        break;
    }
    case Method::Qlora: {
        const TextbookRule& book = textbookRule("qlora");
        range(book, 1, WB_TEXT("{} parameters × {} to {} bytes ({} to {} GB for 7B) = {} to {}"), count, number(book.low),
              number(book.high), number(7 * book.low), number(7 * book.high));
        break;
    }
    case Method::Prompt:
    case Method::Prefix:
        rule.bytes = asBytes(textbookRule("prompt").besideHigh);
        rule.text = phrase(WB_TEXT("less than {} for any model"), gigabytes(textbookRule("prompt").besideHigh));
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
    because(WB_TEXT("The rule of thumb ignores the sequence length: {} sequence(s) of {} token(s) keep {} for the backward pass."),
            settings.sequences(), settings.sequence, humanBytes(activations));
    if (settings.trainsAdapters())
        because(WB_TEXT("Adapters, gradients and AdamW states are kept in FP32: 16 bytes per trainable parameter, not 12."));
    if (settings.method == Method::Prompt || settings.method == Method::Prefix)
        because(WB_TEXT("The trainable part is negligible; the frozen base takes {}, and gradients flow through the whole model."),
                humanBytes(estimate.part(PartKind::Base)));
    if (!settings.checkpointing)
        because(WB_TEXT(
            "Without gradient checkpointing every layer keeps its activations; with it, only those at layer boundaries are kept."));
    if (!settings.flash) because(WB_TEXT("Without flash attention the attention scores of every head are stored."));
    if (settings.method == Method::Full && settings.optimizerUsed().name != optimizers().front().name)
        because(WB_TEXT("The optimizer {} keeps {}, compared with 8 bytes per parameter for AdamW plus 4 for FP32 weights."),
                settings.optimizerUsed().name, humanBytes(estimate.part(PartKind::Optimizer)));
    if (settings.gpus > 1 && settings.zeroStage > 0)
        because(WB_TEXT("ZeRO shards weights, gradients and optimizer states, but not activations, logits or the CUDA context."));
    because(WB_TEXT("The allocator reserves an additional {}; CUDA and PyTorch take {}."),
            humanBytes(estimate.part(PartKind::Reserve)), humanBytes(estimate.part(PartKind::Context)));
    return rule;
}

} // namespace wb::memory
