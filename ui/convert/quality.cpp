// SPDX-License-Identifier: MIT
#include "ui/convert/quality.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <array>

namespace wb::ui::convert {
namespace {

using enum quant::FileType;

struct Row {
    quant::FileType type;
    PublishedQuality quality;
};
constexpr std::array rows = {
    Row{F16, {6.2332, 0.00055, false}},   Row{Q8_0, {6.2343, 0.00136, false}},  Row{Q6_K, {6.2534, 0.00545, false}},
    Row{Q5_K_M, {6.2886, 0.01076, false}}, Row{Q5_K_S, {6.3366, 0.0166, false}}, Row{Q5_1, {6.3379, 0.0180, false}},
    Row{Q5_0, {6.3632, 0.0222, false}},   Row{Q4_K_M, {6.4071, 0.0313, false}}, Row{Q4_K_S, {6.4097, 0.0320, true}},
    Row{IQ4_NL, {6.4556, 0.0357, true}},  Row{IQ4_XS, {6.4597, 0.0363, true}},  Row{Q3_K_L, {6.6712, 0.0731, true}},
    Row{Q4_1, {6.6827, 0.0717, false}},   Row{Q4_0, {6.7001, 0.0719, false}},   Row{Q3_K_M, {6.8885, 0.1019, false}},
    Row{IQ3_M, {6.8983, 0.1025, true}},   Row{IQ3_S, {6.9655, 0.1113, true}},   Row{IQ3_XS, {7.1630, 0.1387, true}},
    Row{IQ3_XXS, {7.4584, 0.1836, true}}, Row{IQ2_M, {8.6008, 0.326, true}},    Row{Q2_K, {9.75, 0.445, false}},
    Row{IQ2_S, {9.65, 0.439, true}},      Row{IQ2_XS, {10.76, 0.546, true}},    Row{IQ1_M, {25.49, 1.39, true}},
    Row{IQ1_S, {58.1, 2.21, true}},
};

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Quality)
};

} // namespace

std::optional<PublishedQuality> publishedQuality(quant::FileType type) {
    const auto found = std::ranges::find(rows, type, &Row::type);
    return found == rows.end() ? std::nullopt : std::optional(found->quality);
}

QString qualityNote(quant::FileType type) {
    switch (type) {
    case F32:
    case F16:
    case BF16: return Words::tr("Not quantized: as good as the source, and as large as models come.");
    case Q8_0: return Words::tr("Practically indistinguishable from the source.");
    case Q6_K: return Words::tr("Very close to the source; the loss is hard to measure in use.");
    case Q5_K_M:
    case Q5_K_S:
    case Q5_0:
    case Q5_1: return Words::tr("High quality; a good choice where there is room.");
    case Q4_K_M: return Words::tr("The usual choice: a third of the size for a loss few notice.");
    case Q4_K_S:
    case IQ4_NL:
    case IQ4_XS:
    case MXFP4:
    case MXFP4_MOE:
    case NVFP4: return Words::tr("Good quality in little room, a step below Q4_K_M.");
    case Q4_0:
    case Q4_1: return Words::tr("An old form: fast everywhere, but Q4_K_S loses less at the same size.");
    case Q3_K_L:
    case Q3_K_M:
    case Q3_K_S:
    case IQ3_M:
    case IQ3_S:
    case IQ3_XS:
    case IQ3_XXS: return Words::tr("A noticeable loss; for a model that does not fit otherwise.");
    case Q2_K:
    case Q2_K_S:
    case IQ2_M:
    case IQ2_S:
    case IQ2_XS:
    case IQ2_XXS: return Words::tr("A heavy loss; only large models stay useful. An importance matrix helps much.");
    case IQ1_M:
    case IQ1_S: return Words::tr("An extreme loss; for experiments with very large models.");
    case TQ1_0:
    case TQ2_0:
    case Q1_0:
    case Q2_0: return Words::tr("Only for models that were trained for so few bits; any other becomes useless.");
    }
    return {};
}

QString qualityFigures(quant::FileType type) {
    const auto figures = publishedQuality(type);
    if (!figures) return {};
    const QLocale locale;
    const QString divergence = locale.toString(figures->divergence, 'g', 3);
    const QString perplexity = locale.toString(figures->perplexity, 'g', 4);
    return figures->weighted
               ? Words::tr("Published for Llama 3 8B with an importance matrix: mean KL divergence %1, perplexity %2 (f16: 6.233). "
                           "Source: llama.cpp, tools/perplexity/README.md.")
                     .arg(divergence, perplexity)
               : Words::tr("Published for Llama 3 8B: mean KL divergence %1, perplexity %2 (f16: 6.233). Source: llama.cpp, "
                           "tools/perplexity/README.md.")
                     .arg(divergence, perplexity);
}

} // namespace wb::ui::convert
