// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/model/tensor_reader.h"
#include "core/quant/backend.h"
#include "core/quant/whatif/error_map.h"

#include <optional>
#include <vector>

// The loss of a tensor in another type: its rows are quantized in memory by the real quantizers and compared
// (docs/reference/statistics.md, "Quantization and error measures"). Nothing is written.
namespace wb::quant {

struct WhatIfOptions {
    std::uint64_t rowStep = 1;     // 16 looks at every sixteenth row: a preview
    std::uint64_t maxElements = 0; // look at evenly spread rows of at most about this many elements; 0: no limit
    unsigned threads = 0;
    std::size_t worstBlocks = 100; // how many to keep
    std::size_t mapRows = 0;       // cells of the error map; 0: none
    std::size_t mapColumns = 0;
    bool levels = false;        // gather those of a typical block
    Backend* backend = nullptr; // who quantizes; null: the CPU. Outlives the measurement.
};

struct WhatIf {
    Dtype type = Dtype::Unknown;
    std::uint64_t bytes = 0; // of the whole tensor
    double bitsPerWeight = 0;
    std::uint64_t elements = 0;             // that were looked at
    double squaredError = 0;                // Σe² over these
    double squaredValues = 0;               // Σw²
    double weightedError = 0;               // Σh·e² with column weights h, Σe² without
    double weightedValues = 0;              // Σh·w², likewise
    std::optional<double> weightedRelative; // sqrt(Σh·e²/Σh·w²); empty without weights or where the sum below is 0
    double rmse = 0;
    std::optional<double> relativeRmse; // empty where the source is all zero
    std::optional<double> snr;          // dB; empty where it is exact or the source is all zero
    std::optional<double> cosine;
    double maxError = 0; // |e|
    std::uint64_t maxRow = 0;
    std::uint64_t maxColumn = 0;
    std::vector<WorstBlock> worst; // largest first
    ErrorMap map;
    std::vector<double> levels; // what elements of a typical block can become (TypicalLevels), from at most some 65,536 scales
    std::string device;         // Backend::name of who quantized
    double seconds = 0;
};

// Why measure refuses values: they are not finite, or would not be as the type.
inline constexpr Reason rowNotFinite = "whatif.not_finite";
inline constexpr Reason beyondRange = "whatif.beyond_range";

// The types this tensor can become: all targets whose block divides its rows, without those that need importance data if none
// exist, in order of size.
std::vector<Dtype> possibleTypes(const Shape& shape, bool hasWeights);

// Quantizes and measures. `weights`: a value a column of every matrix, as in an importance matrix, or empty. Fails with Canceled,
// with what reading fails with, and with Unsupported where the type does not divide the rows, and by rowNotFinite or beyondRange.
// The numbers depend neither on the threads nor on the backend.
Result<WhatIf> measure(const TensorReader& reader, Dtype type, std::span<const float> weights, const WhatIfOptions& options,
                       const Progress& progress);

} // namespace wb::quant
