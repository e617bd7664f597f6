// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/quantize/quantize_plan.h"
#include "core/quant/budget/budget.h"

namespace wb::quantize {

// A mix of the reference tool and the size of its whole file.
struct StockMix {
    quant::FileType type = quant::FileType::Q4_K_M;
    std::uint64_t bytes = 0;
};

// The mixes that are worth offering, largest first.
std::span<const quant::FileType> commonMixes();

struct BudgetPlan {
    QuantizeRequest request; // with a type for every tensor; its mix only names the file: the stock mix where the types are all its
                             // own, else the one around the type of most bytes
    QuantizePlan plan;
    double error = 0;              // total of measureTypes
    bool exact = false;            // measured on every row, not extrapolated from samples
    std::optional<StockMix> stock; // what the reference's largest mix of at most that size would be, if there is one …
    double stockError = 0;         // … and lose; infinite where one of its types cannot hold the values
    std::vector<quant::TensorTypeRule> rules;
};

// Chooses the types of every tensor so that the whole file has at most `budget` bytes and the measured error is smallest; never
// worse than the stock mix. `request` says everything else (matrix, requantizing); its mix' rules are not asked. Invalid where the
// model cannot become so small. Reads every tensor, or samples of its rows; progress counts elements.
Result<BudgetPlan> planBudget(const ModelPtr& model, QuantizeRequest request, std::uint64_t budget,
                              const quant::BudgetOptions& options, const Progress& progress);

} // namespace wb::quantize
