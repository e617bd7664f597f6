// SPDX-License-Identifier: MIT
#pragma once

#include "core/merge/tensor_statistics.h"
#include "core/model/recipe.h"

#include <memory>

namespace wb::merge {

// A tensor merged of the base's and those of other models: computed in f32 and rounded once to the tensor's type. Inputs that have
// more elements than the tensor (longer vocabularies) count with their first rows. Malformed where an input is NaN or infinite.
class ModelsRecipe final : public Recipe {
public:
    // `inputs`: the base's tensor, then those of the other models. `models`: their names in sentences, in the same order.
    ModelsRecipe(std::vector<std::string> inputs, std::vector<std::string> models, TensorMerge merge, Dtype dtype,
                 std::uint64_t elements);

    const std::vector<std::string>& inputs() const override { return m_inputs; }
    const std::vector<std::string>& models() const { return m_models; }
    Result<void> check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const override;
    Result<void> readRaw(std::span<const TensorReader> inputs, std::uint64_t first, std::uint64_t count,
                         std::span<std::byte> out) const override;

private:
    std::vector<std::string> m_inputs, m_models;
    TensorMerge m_merge;
    Dtype m_dtype;
    std::shared_ptr<TensorStatistics> m_statistics; // null: none are needed
};

// A tensor under another name, or the first rows of one.
class CopyRecipe final : public Recipe {
public:
    CopyRecipe(std::string input, Dtype dtype) : m_inputs{std::move(input)}, m_dtype(dtype) {}

    const std::vector<std::string>& inputs() const override { return m_inputs; }
    Result<void> check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const override;
    Result<void> readRaw(std::span<const TensorReader> inputs, std::uint64_t first, std::uint64_t count,
                         std::span<std::byte> out) const override {
        return inputs[0].readRaw(first, count, out);
    }

private:
    std::vector<std::string> m_inputs;
    Dtype m_dtype;
};

} // namespace wb::merge
