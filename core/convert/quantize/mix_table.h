// SPDX-License-Identifier: MIT
#pragma once

#include "core/quant/mix/published_quality.h"
#include "core/convert/quantize/quantize_plan.h"
#include "core/memory/cards/fit.h"
#include "core/quant/budget/budget.h"

// Every mix of one model side by side: what it takes and what it loses, measured on this very model, so that a user can choose one.
namespace wb::quantize {

struct MixRow {
    quant::FileType type = quant::FileType::Q4_K_M;
    std::uint64_t bytes = 0; // of the whole file
    double bitsPerWeight = 0;
    // Over the tensors that can be quantized: sqrt(Σe²/Σw²), its ratio in dB, and sqrt(Σh·e²/Σh·w²) with the importances h of those
    // that have some. Empty where a type cannot hold the values or needs importance data that do not exist; the ratio also where
    // nothing is lost, the weighted error without a matrix.
    std::optional<double> relativeError;
    std::optional<double> snr;
    std::optional<double> weightedError;
    bool needsMatrix = false;
    std::optional<quant::PublishedQuality> published; // of a plain mix of a model in floats
    bool isPublishedWithMatrix = false;
    memory::Weights weights; // for judgeMixes
};

// What planBudget would reach.
struct MixPoint {
    std::uint64_t bytes = 0; // of the whole file
    double error = 0;        // as MixRow::weightedError with a matrix, else as relativeError
};

struct MixTable {
    std::vector<MixRow> rows;    // largest file first
    std::vector<MixPoint> curve; // smallest file first
    std::uint64_t sourceBytes = 0;
    bool isQuantized = false;               // the model is already: a second time loses more than its size says
    bool isWeighted = false;                // measured with a matrix
    bool isExact = false;                   // on every row, not on samples
    std::optional<memory::Subject> subject; // empty: what the model needs in memory is not known
};

// Elements of a tensor that are inspected for each type, unless all are. A model has hundreds of tensors, whose errors add up, so
// that fewer do than for choosing the type of each.
inline constexpr std::uint64_t mixSample = 1 << 15;

// Measures each tensor once as every type that a mix or a budget gives it. `request` says the matrix and what is omitted; its mix
// is not asked, and tensors that are quantized already are accepted, as nothing is written. Progress counts elements.
Result<MixTable> compareMixes(const ModelPtr& model, QuantizeRequest request, const quant::BudgetOptions& options,
                              const Progress& progress);

// Whether a memory contains the model as each of the rows. Empty entries if unknown.
struct MixNeed {
    std::uint64_t bytes = 0; // of weights, cache and buffers
    memory::Verdict verdict = memory::Verdict::No;
};
std::vector<std::optional<MixNeed>> judgeMixes(const MixTable& table, const memory::Settings& settings,
                                               std::span<const memory::Memory> memories);

// The recommended row and the reason.
struct MixAdvice {
    enum class Why {
        Unnoticed, // the smallest whose error is below `unnoticedError`
        LeastLoss  // it has the lowest error of those that fit
    };
    std::size_t row = 0;
    Why why = Why::LeastLoss;
};

// About the error of Q6_K, whose published divergence is lost in the noise of sampling.
inline constexpr double unnoticedError = 0.025;

// Empty where the model is quantized already, no row fits, or none is smaller than the source. Rows whose need is not known count
// as fitting.
std::optional<MixAdvice> adviseMix(const MixTable& table, std::span<const std::optional<MixNeed>> needs);

} // namespace wb::quantize
