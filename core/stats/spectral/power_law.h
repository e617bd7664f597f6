// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace wb::stats {

// p(λ) ~ λ^-alpha for λ >= lambdaMin.
struct PowerLaw {
    double alpha = 0;
    double lambdaMin = 0;
    double distance = 0;    // Kolmogorov–Smirnov, between the fit and the values of the tail
    std::size_t values = 0; // of the tail
};

// The fit of the tail by maximum likelihood, alpha = 1 + m / Σ ln(λ_i / λ_min), whose λ_min minimizes the Kolmogorov–Smirnov
// distance (A. Clauset, C. R. Shalizi, M. E. J. Newman: Power-law distributions in empirical data, 2009), as WeightWatcher's
// WWFit computes it. `ascending`: positive. Empty with fewer than two different values. Quadratic in the number of values.
std::optional<PowerLaw> fitPowerLaw(std::span<const double> ascending);

} // namespace wb::stats
