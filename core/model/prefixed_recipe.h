// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/recipe.h"

#include <memory>

namespace wb {

// Another recipe whose inputs have longer names in this model: a model joined of several gives the tensors of each a prefix, so
// that no two have one name.
class PrefixedRecipe final : public Recipe {
public:
    PrefixedRecipe(std::shared_ptr<const Recipe> recipe, const std::string& prefix) : m_recipe(std::move(recipe)) {
        for (const std::string& input : m_recipe->inputs()) m_inputs.push_back(prefix + input);
    }

    const std::vector<std::string>& inputs() const override { return m_inputs; }
    const Recipe& original() const { return *m_recipe; }
    bool isTransposed(std::size_t index) const override { return m_recipe->isTransposed(index); }
    Result<void> check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const override {
        return m_recipe->check(inputs, dtype, shape);
    }
    Result<void> readRaw(std::span<const TensorReader> inputs, std::uint64_t first, std::uint64_t count,
                         std::span<std::byte> out) const override {
        return m_recipe->readRaw(inputs, first, count, out);
    }

private:
    std::shared_ptr<const Recipe> m_recipe;
    std::vector<std::string> m_inputs;
};

// The tensor under its name with `prefix`, its inputs, if it is computed, with that too.
inline TensorInfo withPrefix(TensorInfo tensor, const std::string& prefix) {
    tensor.name = prefix + tensor.name;
    if (const auto recipe = tensor.source.recipe())
        tensor.source = TensorSource::recipe(std::make_shared<PrefixedRecipe>(recipe, prefix), tensor.bytes());
    return tensor;
}

} // namespace wb
