// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"

#include <cstddef>
#include <span>
#include <vector>

namespace wb::stats {

// Eigenvalues of a symmetric matrix of n x n f64, row-major, whose both halves are filled; descending. Overwrites the matrix.
// Householder tridiagonalization, then QL with implicit shifts (Golub, Van Loan: Matrix Computations, 8.3). Errors are some 1e-16
// of the largest eigenvalue times n. Canceled.
Result<std::vector<double>> symmetricEigenvalues(std::vector<double>& matrix, std::size_t n, unsigned threads,
                                                 const Progress& progress);

// The upper triangular R of n x n with RᵀR = matrix; of a column that depends on the ones before, R has zeros.
std::vector<double> cholesky(std::span<const double> matrix, std::size_t n);

} // namespace wb::stats
