// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/infer/graph/operations.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace wb::infer {

// The error of a hyperparameter with which a model cannot be run.
std::unexpected<Error> invalidKey(const std::string& file, const char* key);

struct NormTensors {
    Slice weight, bias;
};

// Finds tensors by name and refuses other shapes and types that cannot be computed with.
class TensorFinder {
public:
    explicit TensorFinder(const Model& model);

    // Malformed if none exists of that name.
    Result<const TensorInfo*> need(const std::string& name, std::initializer_list<std::uint64_t> shape) const;

    // Null if none exists of that name.
    Result<const TensorInfo*> find(const std::string& name, std::initializer_list<std::uint64_t> shape) const;

    // The same as a slice of all its rows (of all its elements, if it is a vector).
    Result<Slice> needSlice(const std::string& name, std::initializer_list<std::uint64_t> shape) const;
    Result<Slice> findSlice(const std::string& name, std::initializer_list<std::uint64_t> shape) const;

    // All elements of a tensor that has this shape beside dimensions of 1, which converters add to vectors and to kernels.
    Result<Slice> needNumbers(const std::string& name, std::initializer_list<std::uint64_t> shape) const;

    // A norm of `width` numbers; the bias is never needed. The weight is named NAME.weight, or NAME (Falcon-H1).
    bool hasNorm(const std::string& name) const { return has(name + ".weight") || has(name); }
    Result<NormTensors> needNorm(const std::string& name, std::uint64_t width) const;
    Result<NormTensors> findNorm(const std::string& name, std::uint64_t width) const;

    // The rows of a matrix with a given row length.
    Result<std::uint64_t> tensorRows(const std::string& name) const;

    bool has(std::string_view name) const { return m_byName.contains(name); }

    std::string file() const; // the model's, for errors

private:
    Result<const TensorInfo*> check(const TensorInfo& tensor, std::initializer_list<std::uint64_t> shape, bool hasShape) const;
    std::unexpected<Error> missing(const std::string& name) const;

    const Model& m_model;
    std::unordered_map<std::string_view, const TensorInfo*> m_byName;
};

} // namespace wb::infer
