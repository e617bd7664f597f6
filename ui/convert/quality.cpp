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
