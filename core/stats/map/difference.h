// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/model/tensor_reader.h"

#include <optional>

// How far one tensor is from another of equal shape, e = w - v (docs/reference/statistics.md, "Quantization and error measures").
namespace wb::stats {

struct Difference {
    std::uint64_t count = 0;    // elements
    std::uint64_t compared = 0; // pairs of finite elements; all measures below but `changed` are over these
    std::uint64_t changed = 0;  // pairs that are not the same number; NaN equals NaN, -0 and 0 differ
    // Empty where nothing was compared.
    std::optional<double> mae, rmse, maxError;
    std::optional<float> nearlyMax;     // the 99.9th percentile of |e|, nearest rank, rounded to f32
    std::uint64_t maxIndex = 0;         // flat index of the first element with the largest |e|
    std::optional<double> relativeRmse; // sqrt(Σe² / Σw²); empty where Σw² is 0
    std::optional<double> snr;          // 10 log10(Σw² / Σe²) in dB; infinite where Σe² is 0; empty where Σw² is 0
    std::optional<double> cosine;       // Σwv / sqrt(Σw² Σv²); empty where either is 0

    double changedRatio() const { return count == 0 ? 0 : static_cast<double>(changed) / static_cast<double>(count); }
};

// w is `original`, v `other`. Sums are formed in f64 over fixed slabs in their order, so that the result does not depend on the
// threads (0: as many as the machine has). Invalid where the shapes differ. Both tensors are read twice, the second time for the
// percentile; progress counts elements of both passes.
Result<Difference> compareTensors(const TensorReader& original, const TensorReader& other, unsigned threads,
                                  const Progress& progress);

} // namespace wb::stats
