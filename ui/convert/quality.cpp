// SPDX-License-Identifier: MIT
#include "ui/convert/quality.h"

#include "core/quant/quantize.h"
#include "ui/widgets/icons.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace wb::ui::convert {

using namespace wb::quantize;

namespace {

using enum quant::FileType;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Quality)
};

// The mix and nothing else, of a float model: only this was measured.
bool isPlainMix(const QuantizeRequest& request, const QuantizePlan& plan) {
    const quant::MixOptions& mix = request.mix;
    const bool isOwn = mix.pure || mix.copy || mix.leaveOutput || mix.outputType || mix.tokenEmbeddingType || !mix.rules.empty();
    const auto isQuantized = [](const PlannedTensor& tensor) { return info(tensor.from).kind == DtypeKind::Block; };
    return !isOwn && request.prune.empty() && plan.fileType == mix.fileType && std::ranges::none_of(plan.tensors, isQuantized);
}

// Whether the importance matrix helps with all tensors or with none; empty: with some of them.
std::optional<bool> isWeighted(const QuantizePlan& plan) {
    const auto weighs = [](const PlannedTensor& tensor) {
        return !tensor.copied() && quant::weightUse(tensor.to) != quant::WeightUse::Ignored;
    };
    if (!plan.matrix || std::ranges::none_of(plan.tensors, weighs)) return false;
    const auto isGap = [](const Problem& problem) { return problem.code == Reason("quantize.matrix_incomplete"); };
    return std::ranges::any_of(plan.problems, isGap) ? std::nullopt : std::optional(true);
}

} // namespace

void markMatrixType(QComboBox* box, Dtype type) {
    if (quant::weightUse(type) != quant::WeightUse::Required) return;
    const int last = box->count() - 1;
    box->setItemIcon(last, icon(QStringLiteral("info")));
    box->setItemData(last, Words::tr("Requires an importance matrix."), Qt::ToolTipRole);
}

QString qualityNote(quant::FileType type) {
    switch (type) {
    case F32: return Words::tr("Unquantized: same quality as the source, largest file.");
    case F16: return Words::tr("Unquantized, half the size of F32. F32 sources lose precision, and values beyond 65,504 overflow.");
    case BF16: return Words::tr("Unquantized, half the size of F32. F32 and F16 sources lose precision.");
    case Q8_0: return Words::tr("Practically indistinguishable from the source.");
    case Q6_K: return Words::tr("Very close to the source; the loss is hard to notice in use.");
    case Q5_K_M:
    case Q5_K_S:
    case Q5_0:
    case Q5_1: return Words::tr("High quality; a good choice if you have enough memory.");
    case Q4_K_M: return Words::tr("Recommended default: about a third of the size with little quality loss.");
    case Q4_K_S:
    case IQ4_NL:
    case IQ4_XS:
    case MXFP4:
    case MXFP4_MOE:
    case NVFP4: return Words::tr("Good quality at a small size, a step below Q4_K_M.");
    case Q4_0:
    case Q4_1: return Words::tr("Legacy type: fast on all hardware, but Q4_K_S has a lower loss at the same size.");
    case Q3_K_L:
    case Q3_K_M:
    case Q3_K_S:
    case IQ3_M:
    case IQ3_S:
    case IQ3_XS:
    case IQ3_XXS: return Words::tr("Noticeable quality loss; use it only if larger types do not fit.");
    case Q2_K:
    case Q2_K_S:
    case IQ2_M:
    case IQ2_S:
    case IQ2_XS:
    case IQ2_XXS: return Words::tr("High quality loss; only large models stay usable. An importance matrix helps a lot.");
    case IQ1_M:
    case IQ1_S: return Words::tr("Extreme quality loss; for experiments with very large models.");
    case TQ1_0:
    case TQ2_0:
    case Q1_0:
    case Q2_0: return Words::tr("Only for models trained at this bit width; other models become unusable.");
    }
    return {};
}

QString qualityFigures(const QuantizeRequest& request, const QuantizePlan& plan) {
    const auto weighted = isWeighted(plan);
    const auto figures = weighted && isPlainMix(request, plan) ? quant::publishedQuality(plan.fileType, *weighted) : std::nullopt;
    if (!figures) return {};
    const QLocale locale;
    const QString divergence = locale.toString(figures->divergence, 'g', 3);
    const QString perplexity = locale.toString(figures->perplexity, 'g', 4);
    return *weighted
               ? Words::tr("Published for Llama 3 8B with an importance matrix: mean KL divergence %1, perplexity %2 (f16: 6.233). "
                           "Source: llama.cpp, tools/perplexity/README.md.")
                     .arg(divergence, perplexity)
               : Words::tr("Published for Llama 3 8B: mean KL divergence %1, perplexity %2 (f16: 6.233). Source: llama.cpp, "
                           "tools/perplexity/README.md.")
                     .arg(divergence, perplexity);
}

} // namespace wb::ui::convert
