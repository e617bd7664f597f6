// SPDX-License-Identifier: MIT
#include "core/quant/mix/published_quality.h"

#include <algorithm>
#include <array>

namespace wb::quant {
namespace {

using enum FileType;

struct QualityRow {
    FileType type;
    bool weighted;
    PublishedQuality quality;
};
constexpr std::array rows = {
    QualityRow{Q8_0, false, {6.2343, 0.00136}},   QualityRow{Q6_K, false, {6.2534, 0.00545}},
    QualityRow{Q5_K_M, false, {6.2886, 0.01076}}, QualityRow{Q5_K_S, false, {6.3366, 0.0166}},
    QualityRow{Q5_1, false, {6.3379, 0.0180}},    QualityRow{Q5_0, false, {6.3632, 0.0222}},
    QualityRow{Q4_K_M, true, {6.3829, 0.0282}},   QualityRow{Q4_K_M, false, {6.4071, 0.0313}},
    QualityRow{Q4_K_S, true, {6.4097, 0.0320}},   QualityRow{Q4_K_S, false, {6.5005, 0.0431}},
    QualityRow{IQ4_NL, true, {6.4556, 0.0357}},   QualityRow{IQ4_XS, true, {6.4597, 0.0363}},
    QualityRow{Q4_1, false, {6.6827, 0.0717}},    QualityRow{Q4_0, false, {6.7001, 0.0719}},
    QualityRow{Q3_K_L, true, {6.6712, 0.0731}},   QualityRow{Q3_K_L, false, {6.7879, 0.0872}},
    QualityRow{Q3_K_M, true, {6.7343, 0.0844}},   QualityRow{Q3_K_M, false, {6.8885, 0.1019}},
    QualityRow{Q3_K_S, true, {7.6029, 0.1998}},   QualityRow{Q3_K_S, false, {7.8638, 0.2282}},
    QualityRow{IQ3_M, true, {6.8983, 0.1025}},    QualityRow{IQ3_S, true, {6.9655, 0.1113}},
    QualityRow{IQ3_XS, true, {7.1630, 0.1387}},   QualityRow{IQ3_XXS, true, {7.4584, 0.1836}},
    QualityRow{IQ2_M, true, {8.6008, 0.326}},     QualityRow{Q2_K, true, {8.648, 0.332}},
    QualityRow{Q2_K, false, {9.752, 0.445}},      QualityRow{Q2_K_S, true, {9.324, 0.403}},
    QualityRow{IQ2_S, true, {9.651, 0.439}},      QualityRow{IQ2_XS, true, {10.76, 0.546}},
    QualityRow{IQ2_XXS, true, {14.09, 0.812}},    QualityRow{IQ1_M, true, {25.49, 1.39}},
    QualityRow{IQ1_S, true, {60.69, 2.25}},
};

} // namespace

std::optional<PublishedQuality> publishedQuality(FileType type, bool weighted) {
    const auto found =
        std::ranges::find_if(rows, [&](const QualityRow& row) { return row.type == type && row.weighted == weighted; });
    return found == rows.end() ? std::nullopt : std::optional(found->quality);
}

PublishedDivergence publishedDivergence(FileType type) {
    if (type == F32 || type == F16 || type == BF16) return {0.0, std::nullopt};
    const auto of = [type](bool weighted) -> std::optional<double> {
        const auto quality = publishedQuality(type, weighted);
        return quality ? std::optional(quality->divergence) : std::nullopt;
    };
    return {of(false), of(true)};
}

// The borders are between the figures above: Q6_K, Q5_K and Q4_K_M with a matrix, Q3_K_L, Q3_K_S.
LossBand lossBand(double divergence) {
    if (divergence <= 0) return LossBand::None;
    if (divergence < 0.01) return LossBand::Unnoticed;
    if (divergence < 0.05) return LossBand::Small;
    if (divergence < 0.1) return LossBand::Noticeable;
    return divergence < 0.3 ? LossBand::Large : LossBand::Severe;
}

} // namespace wb::quant
