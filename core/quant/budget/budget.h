// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/quant/backend.h"
#include "core/quant/imatrix/imatrix.h"
#include "core/quant/mix/mix.h"

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

// The best types for a given size: every tensor gets its own, so that all errors together are as small as the bytes allow.
namespace wb::quant {

// What one tensor costs as one type.
struct TypeCost {
    Dtype type = Dtype::Unknown;
    std::uint64_t bytes = 0; // padded as it is stored
    double error = 0;        // anything that adds up over tensors; infinite where the type cannot hold the values

    bool isPossible() const { return std::isfinite(error); }
};

// An index into each list, chosen so that the sum of the bytes stays within `budget` and the sum of the errors is near its minimum:
// from the smallest types upwards along the lower convex hulls, always the step that saves most error a byte, then single steps
// that still fit (a Lagrangian relaxation with its gap filled). Lists are not empty, errors finite. Empty where even the smallest
// types do not fit.
std::vector<std::size_t> solveBudget(std::span<const std::vector<TypeCost>> tensors, std::uint64_t budget);

// Types to choose from for tensors whose rows they divide; for others their fallbacks count. Those that no model is made of are
// omitted, and without importance data those that need them.
std::span<const Dtype> budgetTypes(bool hasMatrix);

struct BudgetOptions {
    std::uint64_t sampledElements = 1 << 18; // a tensor and type: rows spread evenly; 0: all of them, which is exact and slow
    unsigned threads = 0;
    Backend* backend = nullptr; // who quantizes; null: the CPU. Outlives the measurement.

    bool isExact() const { return sampledElements == 0; }
};

// The candidate types of a tensor: `also`, the type a mix gives it, then the type it has, which is lossless, before budgetTypes.
// Types that need importance data are omitted if none exist for this tensor.
std::vector<Dtype> tensorBudgetTypes(const TensorInfo& tensor, bool hasWeights, Dtype also);

// The bytes of a tensor as this type with the padding that follows it in a file.
std::uint64_t paddedBytes(const TensorInfo& tensor, Dtype type);

// The cost of a tensor in each of these types. The error is Σh·e² over all elements, extrapolated from the sampled rows, h being
// the importance of the column (1 where `columns` is empty): with a matrix that is the expected squared error of the product's
// output. It is 0 for the type the tensor has. Fails as reading and quantizing do, and where none of the types can hold the values
// or they are not finite; sentences name the tensor. Progress counts the tensor's elements, a type being an equal share of them; it
// may be reported from several threads.
Result<std::vector<TypeCost>> measureTypes(const Model& model, const TensorInfo& tensor, const ColumnWeights& columns,
                                           std::span<const Dtype> types, const BudgetOptions& options, const Progress& progress);

// Leaves out types of fewer bits per weight than are worth giving the tensor while the budget leaves a choice, unless nothing would
// remain: the output and the embeddings suffer first.
void dropLowTypes(const TensorInfo& tensor, std::vector<TypeCost>& costs);

// Types by tensor as rules in the form of --tensor-type and of the reference tool's option: one for each kind of tensor and type,
// in the order of the model. A rule fits the names it was made for and no other, whatever they hold (in the byte order of their
// file); its pattern is visible ASCII without quotes, '=' and capitals.
std::vector<TensorTypeRule> rulesFor(const std::vector<std::pair<std::string, Dtype>>& types);

} // namespace wb::quant
