// SPDX-License-Identifier: MIT
#include "core/merge/merged_recipe.h"

#include "core/merge/kernels.h"
#include "core/merge/store_values.h"

#include <algorithm>

namespace wb::merge {
namespace {

constexpr std::uint64_t storeBytes = 64ull << 20;

std::unexpected<Error> unfit(const std::string& name) {
    return fail(ErrorCode::Malformed, Reason("merge.factors"), About{name},
                WB_TEXT("{} does not match the tensor it would be added to."), name);
}

// The matrix [rows, columns] of a reader, or its transpose.
Result<std::vector<float>> readerMatrix(const TensorReader& reader, bool transposed) {
    std::vector<float> values(reader.elements());
    std::vector<std::byte> scratch;
    WB_TRY(reader.readF32(0, values, scratch));
    if (!transposed) return values;
    const std::uint64_t rows = reader.shape()[0], columns = reader.shape()[1];
    std::vector<float> turned(values.size());
    for (std::uint64_t row = 0; row < rows; ++row)
        for (std::uint64_t column = 0; column < columns; ++column) turned[column * rows + row] = values[row * columns + column];
    return turned;
}

} // namespace

Result<std::shared_ptr<const FactorStore::Factors>> FactorStore::get(const std::string& key,
                                                                     const std::function<Result<Factors>()>& load) {
    {
        const std::lock_guard lock(m_mutex);
        for (auto entry = m_entries.begin(); entry != m_entries.end(); ++entry) {
            if (entry->key != key) continue;
            m_entries.splice(m_entries.begin(), m_entries, entry);
            return entry->factors;
        }
    }
    WB_TRY_ASSIGN(Factors loaded, load());
    auto factors = std::make_shared<const Factors>(std::move(loaded));
    const auto bytesOf = [](const Factors& each) {
        return (each.left.size() + each.right.size() + each.otherLeft.size() + each.otherRight.size()) * sizeof(float);
    };
    const std::lock_guard lock(m_mutex);
    m_entries.push_front({key, factors});
    m_bytes += bytesOf(*factors);
    while (m_bytes > storeBytes && m_entries.size() > 1) {
        m_bytes -= bytesOf(*m_entries.back().factors);
        m_entries.pop_back();
    }
    return factors;
}

Result<void> MergedRecipe::check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const {
    const bool isWritten = dtype == Dtype::F32 || dtype == Dtype::F16 || dtype == Dtype::BF16;
    if (!isWritten || dtype != m_dtype || inputs[0].shape() != shape) return unfit(m_inputs[0]);
    std::size_t at = 1;
    for (const Term& term : m_terms) {
        if (term.rank == 0) {
            if (inputs[at].shape() != shape) return unfit(m_inputs[at]);
            ++at;
            continue;
        }
        const Shape &a = inputs[at].shape(), &b = inputs[at + 1].shape();
        const bool fits = shape.rank() == 2 && a.rank() == 2 && b.rank() == 2 && a[0] == term.rank && b[1] == term.rank &&
                          a[1] == shape[term.isTransposed ? 0 : 1] && b[0] == shape[term.isTransposed ? 1 : 0];
        if (!fits) return unfit(m_inputs[at]);
        at += 2;
    }
    return {};
}

// Row by row; a row's sum runs over the rank in order, so that no cut of the range changes a value.
Result<void> MergedRecipe::addProduct(const Term& term, std::span<const TensorReader> factors, const Shape& shape,
                                      std::uint64_t first, std::span<float> values) const {
    const auto load = [&]() -> Result<FactorStore::Factors> {
        FactorStore::Factors made;
        WB_TRY_ASSIGN(made.left, readerMatrix(factors[term.isTransposed ? 0 : 1], term.isTransposed));
        WB_TRY_ASSIGN(made.right, readerMatrix(factors[term.isTransposed ? 1 : 0], term.isTransposed));
        return made;
    };
    WB_TRY_ASSIGN(const auto decoded, m_store->get(term.key, load));
    const std::uint64_t columns = shape[1], end = first + values.size();
    for (std::uint64_t at = first; at < end;) {
        const std::uint64_t row = at / columns, column = at % columns, count = std::min(columns - column, end - at);
        const ProductRow product{std::span(decoded->left).subspan(row * term.rank, term.rank), &decoded->right[column], columns};
        merge::addProduct(values.subspan(at - first, count), product, static_cast<float>(term.scale));
        at += count;
    }
    return {};
}

Result<void> MergedRecipe::readRaw(std::span<const TensorReader> inputs, std::uint64_t first, std::uint64_t count,
                                   std::span<std::byte> out) const {
    std::vector<float> values(count), added;
    std::vector<std::byte> scratch;
    WB_TRY(inputs[0].readF32(first, values, scratch));
    std::size_t at = 1;
    for (const Term& term : m_terms) {
        if (term.rank > 0) {
            WB_TRY(addProduct(term, inputs.subspan(at, 2), inputs[0].shape(), first, values));
            at += 2;
            continue;
        }
        added.resize(count);
        WB_TRY(inputs[at++].readF32(first, added, scratch));
        for (std::size_t i = 0; i < count; ++i) values[i] += static_cast<float>(term.scale) * added[i];
    }
    storeValues(values, m_dtype, out);
    return {};
}

} // namespace wb::merge
