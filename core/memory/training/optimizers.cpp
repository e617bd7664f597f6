// SPDX-License-Identifier: MIT
#include "core/memory/training/optimizers.h"

#include "core/base/ascii.h"
#include "core/memory/amounts.h"

#include <algorithm>
#include <array>

namespace wb::memory {
namespace {

using Law = Optimizer::Law;

constexpr std::array table = {
    Optimizer{"adamw", Law::PerParameter, 8, true, false, "adamw_torch"},
    Optimizer{"adam", Law::PerParameter, 8, true, false, nullptr},
    Optimizer{"adamw-bf16", Law::PerParameter, 4, false, false, nullptr},
    Optimizer{"paged-adamw", Law::PerParameter, 8, true, true, "paged_adamw_32bit"},
    Optimizer{"adamw-8bit", Law::Blockwise8, 2, true, false, "adamw_bnb_8bit"},
    Optimizer{"adam-8bit", Law::Blockwise8, 2, true, false, "adamw_8bit"},
    Optimizer{"paged-adamw-8bit", Law::Blockwise8, 2, true, true, "paged_adamw_8bit"},
    Optimizer{"sgd", Law::PerParameter, 0, true, false, "sgd"},
    Optimizer{"sgd-momentum", Law::PerParameter, 4, true, false, nullptr},
    Optimizer{"lion", Law::PerParameter, 4, true, false, "lion_32bit"},
    Optimizer{"lion-8bit", Law::Blockwise8, 1, true, false, "lion_8bit"},
    Optimizer{"paged-lion-8bit", Law::Blockwise8, 1, true, true, "paged_lion_8bit"},
    Optimizer{"adafactor", Law::Factored, 0, true, false, "adafactor"},
    Optimizer{"adafactor-momentum", Law::Factored, 4, true, false, nullptr},
    Optimizer{"adam-mini", Law::PerParameter, 4, true, false, nullptr},
    Optimizer{"muon", Law::Muon, 4, true, false, nullptr},
    Optimizer{"galore", Law::GaLore, 8, true, false, nullptr},
};

constexpr double adamBytes = 8;
constexpr std::uint64_t smallTensor = 4096;   // elements below which 8-bit optimizers keep 32 bits
constexpr double stateScaleBytes = 4.0 / 256; // of every 8-bit state

double matrixElements(const Matrix& matrix) { return static_cast<double>(matrix.elements()); }

double blockwiseBytes(const Matrix& matrix, double states) {
    const bool isSmall = matrix.elementsOfOne() < smallTensor;
    return matrixElements(matrix) * (isSmall ? 4 * states : states * (1 + stateScaleBytes));
}

// Rows and columns of every matrix have a number each; vectors keep one for each element.
double factoredBytes(const Matrix& matrix, double momentum) {
    const double factors =
        matrix.isVector() ? matrixElements(matrix) : static_cast<double>(product(sum(matrix.rows, matrix.columns), matrix.count));
    return 4 * factors + momentum * matrixElements(matrix);
}

double galoreBytes(const Matrix& matrix, std::uint64_t rank) {
    const std::uint64_t less = std::min(matrix.rows, matrix.columns), more = std::max(matrix.rows, matrix.columns);
    if (!matrix.isHidden() || less <= rank) return adamBytes * matrixElements(matrix);
    return 4 * static_cast<double>(product(sum(product(2, rank, more), product(less, rank)), matrix.count));
}

double optimizerBytes(const Optimizer& optimizer, const Matrix& matrix, std::uint64_t rank) {
    switch (optimizer.law) {
    case Law::PerParameter: return optimizer.stateBytes * matrixElements(matrix);
    case Law::Blockwise8: return blockwiseBytes(matrix, optimizer.stateBytes);
    case Law::Factored: return factoredBytes(matrix, optimizer.stateBytes);
    case Law::Muon: return (matrix.isHidden() ? optimizer.stateBytes : adamBytes) * matrixElements(matrix);
    case Law::GaLore: return galoreBytes(matrix, rank);
    }
    return 0;
}

bool sameName(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, [](char x, char y) {
        const auto plain = [](char c) { return c == '_' ? '-' : static_cast<char>(ascii::lower(c)); };
        return plain(x) == plain(y);
    });
}

} // namespace

std::span<const Optimizer> optimizers() { return table; }

const Optimizer* optimizerFromName(std::string_view name) {
    for (const Optimizer& row : table)
        if (sameName(name, row.name) || (row.transformers && sameName(name, row.transformers))) return &row;
    return nullptr;
}

std::uint64_t stateBytes(const Optimizer& optimizer, const Trainable& trainable, std::uint64_t rank) {
    double bytes = 0;
    for (const Matrix& matrix : trainable.matrices) bytes += optimizerBytes(optimizer, matrix, rank);
    return asBytes(bytes * trainable.scale);
}

} // namespace wb::memory
