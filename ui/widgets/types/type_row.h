// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/cards/fit.h"
#include "core/quant/mix/published_quality.h"

#include <QString>

#include <optional>

namespace wb::ui {

// A type in the table of types (TypeTableModel): of one tensor in Inspect, of the model in Convert, of the weights in Memory. Who
// fills a row leaves empty what does not apply.
struct TypeRow {
    QString name;             // "Q4_K_M", as both programs call it
    QString note;             // its use in a sentence, for the tool tip
    quint64 bytes = 0;        // of the tensor, the file or the weights as this type; 0: not known
    double bitsPerWeight = 0; // with scales and minima; 0: not known
    quant::PublishedDivergence published;

    // Measured on this tensor or model.
    std::optional<double> error;         // relative RMS error
    std::optional<double> weightedError; // the same, weighted by the importance matrix
    std::optional<double> snr, rmse, maxError, cosine;
    std::optional<double> rows;            // that were measured
    bool isExact = false;                  // nothing is lost, so there is no SNR
    QString missing = QStringLiteral("–"); // instead of an error that is not known

    // While the model runs.
    std::optional<quint64> need; // bytes of weights, KV cache and compute buffers
    std::optional<memory::Verdict> fit;

    QString mark = {}; // why the row is shown in bold: the type of the tensor, or the recommended one; empty: it is not

    bool operator==(const TypeRow&) const = default;
};

// The use of a quantization type, in plain words, translated.
QString typeNote(quant::FileType type);

// "0.0313 (small)": a published divergence and its meaning; "none" for 0, "–" where nothing was published.
QString qualityLossText(const std::optional<double>& divergence);

} // namespace wb::ui
