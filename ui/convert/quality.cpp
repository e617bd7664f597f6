// SPDX-License-Identifier: MIT
#include "ui/convert/quality.h"

#include "core/quant/quantize.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <array>

namespace wb::ui::convert {

using namespace wb::convert;

namespace {

using enum quant::FileType;

struct Row {
    quant::FileType type;
    bool weighted;
    PublishedQuality quality;
};
constexpr std::array rows = {
    Row{Q8_0, false, {6.2343, 0.00136}},  Row{Q6_K, false, {6.2534, 0.00545}},  Row{Q5_K_M, false, {6.2886, 0.01076}},
    Row{Q5_K_S, false, {6.3366, 0.0166}}, Row{Q5_1, false, {6.3379, 0.0180}},   Row{Q5_0, false, {6.3632, 0.0222}},
    Row{Q4_K_M, true, {6.3829, 0.0282}},  Row{Q4_K_M, false, {6.4071, 0.0313}}, Row{Q4_K_S, true, {6.4097, 0.0320}},
    Row{Q4_K_S, false, {6.5005, 0.0431}}, Row{IQ4_NL, true, {6.4556, 0.0357}},  Row{IQ4_XS, true, {6.4597, 0.0363}},
    Row{Q4_1, false, {6.6827, 0.0717}},   Row{Q4_0, false, {6.7001, 0.0719}},   Row{Q3_K_L, true, {6.6712, 0.0731}},
    Row{Q3_K_L, false, {6.7879, 0.0872}}, Row{Q3_K_M, true, {6.7343, 0.0844}},  Row{Q3_K_M, false, {6.8885, 0.1019}},
    Row{Q3_K_S, true, {7.6029, 0.1998}},  Row{Q3_K_S, false, {7.8638, 0.2282}}, Row{IQ3_M, true, {6.8983, 0.1025}},
    Row{IQ3_S, true, {6.9655, 0.1113}},   Row{IQ3_XS, true, {7.1630, 0.1387}},  Row{IQ3_XXS, true, {7.4584, 0.1836}},
    Row{IQ2_M, true, {8.6008, 0.326}},    Row{Q2_K, true, {8.648, 0.332}},      Row{Q2_K, false, {9.752, 0.445}},
    Row{Q2_K_S, true, {9.324, 0.403}},    Row{IQ2_S, true, {9.651, 0.439}},     Row{IQ2_XS, true, {10.76, 0.546}},
    Row{IQ2_XXS, true, {14.09, 0.812}},   Row{IQ1_M, true, {25.49, 1.39}},      Row{IQ1_S, true, {60.69, 2.25}},
};

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Quality)
};

// The mix and nothing else, of a model in floats: that is what was measured.
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

std::optional<PublishedQuality> publishedQuality(quant::FileType type, bool weighted) {
    const auto found = std::ranges::find_if(rows, [&](const Row& row) { return row.type == type && row.weighted == weighted; });
    return found == rows.end() ? std::nullopt : std::optional(found->quality);
}

QString qualityNote(quant::FileType type) {
    switch (type) {
    case F32: return Words::tr("Not quantized: as good as the source, and as large as models come.");
    case F16:
        return Words::tr("Not quantized, and half as large as F32. An F32 source loses its last bits, and what is beyond 65504.");
    case BF16: return Words::tr("Not quantized, and half as large as F32. A source in F32 or F16 loses its last bits.");
    case Q8_0: return Words::tr("Practically indistinguishable from the source.");
    case Q6_K: return Words::tr("Very close to the source; the loss is hard to measure in use.");
    case Q5_K_M:
    case Q5_K_S:
    case Q5_0:
    case Q5_1: return Words::tr("High quality; a good choice where there is enough memory.");
    case Q4_K_M: return Words::tr("The usual choice: a third of the size for a loss few notice.");
    case Q4_K_S:
    case IQ4_NL:
    case IQ4_XS:
    case MXFP4:
    case MXFP4_MOE:
    case NVFP4: return Words::tr("Good quality at a small size, a step below Q4_K_M.");
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

QString qualityFigures(const QuantizeRequest& request, const QuantizePlan& plan) {
    const auto weighted = isWeighted(plan);
    const auto figures = weighted && isPlainMix(request, plan) ? publishedQuality(plan.fileType, *weighted) : std::nullopt;
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
