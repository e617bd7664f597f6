// SPDX-License-Identifier: MIT
#include "core/merge/models_recipe.h"

#include "core/base/thread_object.h"
#include "core/merge/store_values.h"
#include "core/tensor/decode.h"

#include <algorithm>
#include <utility>

namespace wb::merge {
namespace {

std::unexpected<Error> changed(const std::string& name) {
    return fail(ErrorCode::Malformed, Reason("merge.input"), About{name}, WB_TEXT("{} changed since the model was opened."), name);
}

// Kept by each thread from slab to slab: a new allocation costs more than the arithmetic.
struct Buffers {
    std::vector<std::vector<float>> values; // of the base and the other models
    std::vector<float> result;
    std::vector<std::byte> raw;
};

} // namespace

ModelsRecipe::ModelsRecipe(std::vector<std::string> inputs, std::vector<std::string> models, TensorMerge merge, Dtype dtype,
                           std::uint64_t elements)
    : m_inputs(std::move(inputs)), m_models(std::move(models)), m_merge(std::move(merge)), m_dtype(dtype),
      m_statistics(TensorStatistics::areNeeded(m_merge) ? std::make_shared<TensorStatistics>(m_merge, elements) : nullptr) {}

Result<void> ModelsRecipe::check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const {
    const bool isWritten = dtype == Dtype::F32 || dtype == Dtype::F16 || dtype == Dtype::BF16;
    if (!isWritten || dtype != m_dtype || inputs.size() != m_merge.weights.size() + 1) return changed(m_inputs[0]);
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (inputs[i].elements() < shape.elements() || !canDecode(inputs[i].dtype())) return changed(m_inputs[i]);
    return {};
}

Result<void> ModelsRecipe::readRaw(std::span<const TensorReader> inputs, std::uint64_t first, std::uint64_t count,
                                   std::span<std::byte> out) const {
    if (m_statistics) WB_TRY(m_statistics->gather(inputs));
    Buffers buffers = std::exchange(threadObject<Buffers>(), {}); // an input may be merged too
    auto& [values, result, raw] = buffers;
    values.resize(std::max(values.size(), inputs.size()));
    std::vector<std::span<const float>> others;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        values[i].resize(count);
        WB_TRY(inputs[i].readF32(first, values[i], raw));
        if (!areFinite(values[i]))
            return fail(ErrorCode::Malformed, Reason("merge.not_finite"), About{m_models[i]},
                        WB_TEXT("{} of {} contains NaN or infinite values, so it cannot be merged."), m_inputs[i], m_models[i]);
        if (i > 0) others.emplace_back(values[i]);
    }
    result.resize(count);
    std::vector<Kept> keepsAll(m_merge.weights.size());
    std::vector<std::uint64_t> equalBefore;
    std::span<const Kept> kept = keepsAll;
    SlerpFactors slerp;
    if (m_statistics) {
        if (!m_statistics->kept().empty()) kept = m_statistics->kept();
        slerp = m_statistics->slerp();
        WB_TRY_ASSIGN(equalBefore, m_statistics->equalBefore(inputs, first));
    }
    mergePiece(m_merge, {first, values[0], others}, kept, equalBefore, slerp, result);
    storeValues(result, m_dtype, out);
    threadObject<Buffers>() = std::move(buffers);
    return {};
}

Result<void> CopyRecipe::check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const {
    if (inputs[0].dtype() == dtype && dtype == m_dtype && inputs[0].elements() >= shape.elements()) return {};
    return changed(m_inputs[0]);
}

} // namespace wb::merge
