// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/model/tensor_reader.h"
#include "core/stats/spectral/power_law.h"

#include <array>

namespace wb {
class JsonWriter;
}

// Singular values of a matrix and the measures made of them (docs/reference/statistics.md, "Spectral measures"), after decoding,
// whatever the type is.
namespace wb::stats {

struct Spectrum {
    std::uint64_t rows = 0, columns = 0;
    std::vector<double> singularValues; // descending; all of them, or the largest of a matrix that is measured at random
    bool isComplete = true;
    double norm = 0;     // Frobenius, over all elements
    double residual = 0; // ‖W - QQᵀW‖ / ‖W‖: the share of the norm that the values do not have; 0 of a complete spectrum

    double spectralNorm = 0;                                 // the largest singular value
    std::optional<double> stableRank;                        // ‖W‖² / σ1²; like the others, empty of a matrix of zeros
    std::optional<double> effectiveRank;                     // exp(-Σ p ln p), p = σ / Σσ; of a complete spectrum
    std::optional<double> participation;                     // (Σσ²)² / Σσ⁴; of a complete spectrum
    std::array<std::optional<std::uint64_t>, 3> energyRanks; // values that have 90, 99 and 99.9 % of ‖W‖²
    std::optional<double> condition;                         // σ1 / the smallest; of a complete spectrum, up to maxCondition
    std::optional<PowerLaw> tail;                            // of σ²; of an incomplete spectrum: of the values that it has
};

// Products WᵀW keep half of the digits of f64, so that smaller singular values than σ1 divided by this are noise.
inline constexpr double maxCondition = 1e7;

inline constexpr std::uint64_t maxExactSide = 4096; // the smaller side of a matrix whose singular values are all computed

struct SpectrumOptions {
    bool isFast = false; // at random also where the smaller side is above 1,024: for all tensors of a model
    std::uint64_t memory = std::uint64_t{1} << 30; // bytes; a larger computation is refused
    unsigned threads = 0;
    Progress progress = {}; // counts steps of equal size
};

// The tensor as a matrix: of two dimensions, or filters [out, in, height, width] as [out, in · height · width]. Empty for others.
std::optional<std::pair<std::uint64_t, std::uint64_t>> spectralMatrix(Dtype dtype, const Shape& shape);

// Complete where the smaller side is at most maxExactSide: the roots of the eigenvalues of WᵀW or WWᵀ in f64. Else by a randomized
// range finder with 256 + 16 vectors, two power iterations and a fixed seed (N. Halko, P. G. Martinsson, J. A. Tropp: Finding
// structure with randomness, 2011). The result does not depend on threads. `name` is for messages. Invalid for a tensor that is no
// matrix, has no elements or has values that are not finite; TooLarge; Canceled.
Result<Spectrum> computeSpectrum(const TensorReader& reader, const std::string& name, const SpectrumOptions& options);
Result<Spectrum> computeSpectrum(const Model& model, const TensorInfo& tensor, const SpectrumOptions& options);

// The measures of singular values that are known already, `norm` included.
void measureSpectrum(Spectrum& spectrum);

void writeJson(JsonWriter& out, const Spectrum& spectrum);

} // namespace wb::stats
