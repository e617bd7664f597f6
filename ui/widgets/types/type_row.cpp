// SPDX-License-Identifier: MIT
#include "ui/widgets/types/type_row.h"

#include <QCoreApplication>
#include <QLocale>

namespace wb::ui {
namespace {

using enum quant::FileType;

struct TypeWords {
    Q_DECLARE_TR_FUNCTIONS(Quality)
};

QString bandText(quant::LossBand band) {
    switch (band) {
    case quant::LossBand::None: return TypeWords::tr("none");
    case quant::LossBand::Unnoticed: return TypeWords::tr("imperceptible");
    case quant::LossBand::Small: return TypeWords::tr("small");
    case quant::LossBand::Noticeable: return TypeWords::tr("noticeable");
    case quant::LossBand::Large: return TypeWords::tr("large");
    case quant::LossBand::Severe: return TypeWords::tr("severe");
    }
    return {};
}

} // namespace

QString typeNote(quant::FileType type) {
    switch (type) {
    case F32: return TypeWords::tr("Unquantized: same quality as the source, largest file.");
    case F16:
        return TypeWords::tr("Unquantized, half the size of F32. F32 sources lose precision, and values beyond 65,504 overflow.");
    case BF16: return TypeWords::tr("Unquantized, half the size of F32. F32 and F16 sources lose precision.");
    case Q8_0: return TypeWords::tr("Practically indistinguishable from the source.");
    case Q6_K: return TypeWords::tr("Very close to the source; the loss is hard to notice in use.");
    case Q5_K_M:
    case Q5_K_S:
    case Q5_0:
    case Q5_1: return TypeWords::tr("High quality; a good choice if you have enough memory.");
    case Q4_K_M: return TypeWords::tr("Recommended default: about a third of the size with little quality loss.");
    case Q4_K_S:
    case IQ4_NL:
    case IQ4_XS:
    case MXFP4:
    case MXFP4_MOE:
    case NVFP4: return TypeWords::tr("Good quality at a small size, a step below Q4_K_M.");
    case Q4_0:
    case Q4_1: return TypeWords::tr("Legacy type: fast on all hardware, but Q4_K_S has a lower loss at the same size.");
    case Q3_K_L:
    case Q3_K_M:
    case Q3_K_S:
    case IQ3_M:
    case IQ3_S:
    case IQ3_XS:
    case IQ3_XXS: return TypeWords::tr("Noticeable quality loss; use it only if larger types do not fit.");
    case Q2_K:
    case Q2_K_S:
    case IQ2_M:
    case IQ2_S:
    case IQ2_XS:
    case IQ2_XXS: return TypeWords::tr("High quality loss; only large models stay usable. An importance matrix helps a lot.");
    case IQ1_M:
    case IQ1_S: return TypeWords::tr("Extreme quality loss; for experiments with very large models.");
    case TQ1_0:
    case TQ2_0:
    case Q1_0:
    case Q2_0: return TypeWords::tr("Only for models trained at this bit width; other models become unusable.");
    }
    return {};
}

QString qualityLossText(const std::optional<double>& divergence) {
    if (!divergence) return QStringLiteral("–");
    const QString band = bandText(quant::lossBand(*divergence));
    if (*divergence <= 0) return band;
    return TypeWords::tr("%1 (%2)", "mean KL divergence and its meaning").arg(QLocale().toString(*divergence, 'g', 3), band);
}

} // namespace wb::ui
