// SPDX-License-Identifier: MIT
#pragma once

#include "core/arch/model_spec.h"
#include "core/convert/gguf/folder_rules.h"
#include "core/model/recipe.h"

// Orders of rows (arch::RowOrder) in both directions.
namespace wb::convert {

struct RowPlace {
    std::uint32_t input = 0; // which of the tensors
    std::uint32_t row = 0;

    friend bool operator==(const RowPlace&, const RowPlace&) = default;
};

// Where each row of a tensor is found in others, and, if rows are divided, each of their equal parts in that row.
struct RowMap {
    std::vector<RowPlace> rows;
    std::vector<std::uint32_t> parts; // empty: rows are not divided
};

// Whether a model's tensors are the same in this order: it has as many key heads as value heads.
bool isIdentity(RowOrder order, const arch::RecurrentSpec& spec);

// Where the rows of the new tensor are in a source of so many rows, and backwards: where the rows of the source are in the tensor,
// or for TakeMixed in this tensor and that of TakeGates. Empty where the rows or columns cannot be divided like this.
std::optional<RowMap> takenRows(RowOrder order, const arch::RecurrentSpec& spec, std::uint64_t rows, std::uint64_t columns);
std::optional<RowMap> givenRows(RowOrder order, const arch::RecurrentSpec& spec, std::uint64_t rows, std::uint64_t columns);

// Makes `view`, which has the shape and the type of the source or a part of its axes, the rows of the source in this order.
// Unsupported with the tensor's name where takenRows() is empty.
Result<void> orderRows(const TensorInfo& source, RowOrder order, const arch::RecurrentSpec& spec, TensorInfo& view);

// Rows of other tensors by a map; the elements are the inputs' own, or F32 where they are blocks that a row's parts divide.
class MappedRows final : public Recipe {
public:
    // `columns`: elements of a row, of the inputs and of the new tensor.
    MappedRows(std::vector<std::string> inputs, RowMap map, std::uint64_t columns, Dtype dtype)
        : m_inputs(std::move(inputs)), m_map(std::move(map)), m_columns(columns), m_dtype(dtype) {}

    const std::vector<std::string>& inputs() const override { return m_inputs; }
    Result<void> check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const override;
    Result<void> readRaw(std::span<const TensorReader> inputs, std::uint64_t first, std::uint64_t count,
                         std::span<std::byte> out) const override;

private:
    std::vector<std::string> m_inputs;
    RowMap m_map;
    std::uint64_t m_columns;
    Dtype m_dtype;
};

// Columns of a tensor as rows of it are counted: 1 of a vector.
std::uint64_t shapeColumns(const Shape& shape);

} // namespace wb::convert
