// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/gguf/convert_plan.h"
#include "core/model/tensor_reader.h"

namespace wb::convert {

// What a conversion reads: the folder's files, each held open once however many tensors it has, and a reader for every source of
// every planned tensor. Thread-safe.
class TensorInputs {
public:
    static Result<std::shared_ptr<const TensorInputs>> open(const ConvertPlan& plan);

    std::span<const TensorReader> of(std::size_t tensor) const { return m_readers[tensor]; } // by index into ConvertPlan::tensors
    Result<void> checkUnchanged() const;

private:
    Model m_source;
    std::vector<std::vector<TensorReader>> m_readers;
};

} // namespace wb::convert
