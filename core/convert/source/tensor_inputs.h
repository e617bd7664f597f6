// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/tensor_reader.h"

#include <memory>
#include <span>

namespace wb::convert {

// The input of a job: the files of a model, each opened once, and the readers of every planned tensor. Thread-safe once filled.
class TensorInputs {
public:
    // Opens the files of `model`. Recipes find their inputs among `named`, the tensors of these files.
    static Result<std::shared_ptr<TensorInputs>> open(const Model& model, const std::vector<TensorInfo>& named);

    // Adds the readers of the next planned tensor.
    Result<void> add(std::span<const TensorInfo* const> sources);

    std::span<const TensorReader> of(std::size_t tensor) const { return m_readers[tensor]; } // by index of the planned tensor
    const TensorReader& first(std::size_t tensor) const { return m_readers[tensor].front(); }
    Result<void> checkUnchanged() const; // of the files

private:
    Model m_model;
    std::vector<std::vector<TensorReader>> m_readers;
};

} // namespace wb::convert
