// SPDX-License-Identifier: MIT
#include "core/infer/tensor_finder.h"

#include "core/io/byte_source.h"
#include "core/tensor/decode.h"

#include <algorithm>
#include <ranges>

namespace wb::infer {

std::unexpected<Error> invalidKey(const std::string& file, const char* key) {
    return fail(ErrorCode::Malformed, Reason("infer.key"), About{file},
                WB_TEXT("{} cannot be run: the value of {} is missing or invalid."), file, key);
}

TensorFinder::TensorFinder(const Model& model) : m_model(model) {
    for (const TensorInfo& tensor : model.tensors) m_byName.emplace(tensor.name, &tensor);
}

std::string TensorFinder::file() const { return io::baseName(m_model.path); }

std::unexpected<Error> TensorFinder::missing(const std::string& name) const {
    return fail(ErrorCode::Malformed, Reason("infer.missing_tensor"), About{file()},
                WB_TEXT("{} is missing the tensor {}, which its architecture requires."), file(), name);
}

Result<const TensorInfo*> TensorFinder::need(const std::string& name, std::initializer_list<std::uint64_t> shape) const {
    WB_TRY_ASSIGN(const TensorInfo* const tensor, find(name, shape));
    if (!tensor) return missing(name);
    return tensor;
}

Result<const TensorInfo*> TensorFinder::find(const std::string& name, std::initializer_list<std::uint64_t> shape) const {
    const auto found = m_byName.find(name);
    if (found == m_byName.end()) return nullptr;
    const TensorInfo& tensor = *found->second;
    const auto wanted = Shape::make(shape);
    return check(tensor, shape, wanted && tensor.shape == *wanted);
}

Result<const TensorInfo*> TensorFinder::check(const TensorInfo& tensor, std::initializer_list<std::uint64_t> shape,
                                              bool hasShape) const {
    if (!hasShape) {
        const auto wanted = Shape::make(shape);
        return fail(ErrorCode::Malformed, Reason("infer.wrong_shape"), About{file()},
                    WB_TEXT("{}: the tensor {} has the shape {}, but its architecture requires {}."), file(), tensor.name,
                    tensor.shape.toString(), wanted ? wanted->toString() : "[]");
    }
    if (!canDecode(tensor.dtype))
        return fail(ErrorCode::Unsupported, Reason("infer.type"), About{file()},
                    WB_TEXT("{}: the tensor {} has the type {}, which cannot be used for inference."), file(), tensor.name,
                    tensor.dtypeName());
    return &tensor;
}

Result<Slice> TensorFinder::needSlice(const std::string& name, std::initializer_list<std::uint64_t> shape) const {
    WB_TRY_ASSIGN(const Slice slice, findSlice(name, shape));
    if (!slice) return missing(name);
    return slice;
}

Result<Slice> TensorFinder::findSlice(const std::string& name, std::initializer_list<std::uint64_t> shape) const {
    WB_TRY_ASSIGN(const TensorInfo* const tensor, find(name, shape));
    return Slice{tensor, 0, tensor ? *shape.begin() : 0};
}

Result<Slice> TensorFinder::needNumbers(const std::string& name, std::initializer_list<std::uint64_t> shape) const {
    const auto found = m_byName.find(name);
    if (found == m_byName.end()) return missing(name);
    const auto isNotOne = [](std::uint64_t dimension) { return dimension != 1; };
    const bool hasShape =
        std::ranges::equal(found->second->shape.dimensions() | std::views::filter(isNotOne), shape | std::views::filter(isNotOne));
    WB_TRY_ASSIGN(const TensorInfo* const tensor, check(*found->second, shape, hasShape));
    return Slice{tensor, 0, tensor->shape.elements()};
}

Result<NormTensors> TensorFinder::needNorm(const std::string& name, std::uint64_t width) const {
    if (!hasNorm(name)) return missing(name + ".weight");
    return findNorm(name, width);
}

Result<NormTensors> TensorFinder::findNorm(const std::string& name, std::uint64_t width) const {
    NormTensors norm;
    WB_TRY_ASSIGN(norm.weight, findSlice(has(name + ".weight") ? name + ".weight" : name, {width}));
    WB_TRY_ASSIGN(norm.bias, findSlice(name + ".bias", {width}));
    return norm;
}

Result<std::uint64_t> TensorFinder::tensorRows(const std::string& name) const {
    const auto found = m_byName.find(name);
    if (found == m_byName.end() || found->second->shape.rank() != 2) return missing(name);
    return found->second->shape[0];
}

} // namespace wb::infer
