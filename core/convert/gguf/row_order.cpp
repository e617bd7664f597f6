// SPDX-License-Identifier: MIT
#include "core/convert/gguf/row_order.h"

#include <algorithm>
#include <cstring>
#include <limits>

// The orders of ggml-org/llama.cpp: conversion/qwen.py (class _LinearAttentionVReorderBase, and Qwen3NextModel for the rows of
// in_proj_qkvz).
namespace wb::convert {
namespace {

using arch::RecurrentSpec;

bool isWhole(const RecurrentSpec& spec) {
    return spec.groups > 0 && spec.steps > 0 && spec.steps % spec.groups == 0 && spec.inner % spec.steps == 0;
}

// The value head, counted one key head after another, that is number `head` of the tiled order.
std::uint64_t storedHead(const RecurrentSpec& spec, std::uint64_t head) {
    return head % spec.groups * (spec.steps / spec.groups) + head / spec.groups;
}

RowPlace place(std::uint64_t row) { return {0, static_cast<std::uint32_t>(row)}; }

// Rows from `first` on are those of value heads.
std::vector<RowPlace> tiled(const RecurrentSpec& spec, std::uint64_t rows, std::uint64_t first) {
    const std::uint64_t each = (rows - first) / spec.steps;
    std::vector<RowPlace> places;
    places.reserve(rows);
    for (std::uint64_t row = 0; row < first; ++row) places.push_back(place(row));
    for (std::uint64_t head = 0; head < spec.steps; ++head)
        for (std::uint64_t row = 0; row < each; ++row) places.push_back(place(first + storedHead(spec, head) * each + row));
    return places;
}

// Each key head has its queries, keys, values and gates next to each other.
std::vector<RowPlace> taken(const RecurrentSpec& spec, RowOrder order) {
    const std::uint64_t values = spec.inner / spec.groups, each = 2 * (spec.state + values);
    std::vector<RowPlace> places;
    const auto take = [&](std::uint64_t first, std::uint64_t count) {
        for (std::uint64_t head = 0; head < spec.groups; ++head)
            for (std::uint64_t row = 0; row < count; ++row) places.push_back(place(head * each + first + row));
    };
    if (order == RowOrder::TakeGates) {
        take(2 * spec.state + values, values);
        return places;
    }
    take(0, spec.state);
    take(spec.state, spec.state);
    take(2 * spec.state, values);
    return places;
}

std::uint64_t rowsOfQueriesAndKeys(const RecurrentSpec& spec) { return 2 * spec.groups * spec.state; }

bool fits(RowOrder order, const RecurrentSpec& spec, std::uint64_t rows, std::uint64_t columns) {
    const std::uint64_t mixed = rowsOfQueriesAndKeys(spec);
    if (rows > std::numeric_limits<std::uint32_t>::max()) return false;
    if (order != RowOrder::Stored && !isWhole(spec)) return false;
    switch (order) {
    case RowOrder::Stored: return true;
    case RowOrder::TileHeads: return rows % spec.steps == 0;
    case RowOrder::TileMixed: return rows >= mixed && (rows - mixed) % spec.steps == 0;
    case RowOrder::TileColumns: return columns % spec.steps == 0;
    case RowOrder::TakeMixed:
    case RowOrder::TakeGates: return rows == mixed + 2 * spec.inner;
    }
    return false;
}

Result<void> readElements(const TensorReader& input, Dtype dtype, std::uint64_t first, std::uint64_t count,
                          std::span<std::byte> out) {
    if (input.dtype() == dtype) return input.readRaw(first, count, out);
    std::vector<float> values(count);
    std::vector<std::byte> scratch;
    WB_TRY(input.readF32(first, values, scratch));
    std::memcpy(out.data(), values.data(), values.size() * sizeof(float));
    return {};
}

std::unexpected<Error> unfit(const TensorInfo& tensor) {
    return fail(ErrorCode::Unsupported, Reason("convert.view"), About{tensor.name},
                WB_TEXT("The tensor {} of shape {} is stored in a layout that cannot be converted."), tensor.name,
                tensor.shape.toString());
}

} // namespace

std::uint64_t shapeColumns(const Shape& shape) { return shape.rank() > 1 ? std::max<std::uint64_t>(shape.rowLength(), 1) : 1; }

bool isIdentity(RowOrder order, const RecurrentSpec& spec) {
    const bool takes = order == RowOrder::TakeMixed || order == RowOrder::TakeGates;
    return order == RowOrder::Stored || (!takes && spec.groups == spec.steps);
}

std::optional<RowMap> takenRows(RowOrder order, const RecurrentSpec& spec, std::uint64_t rows, std::uint64_t columns) {
    if (!fits(order, spec, rows, columns)) return std::nullopt;
    RowMap map;
    if (order == RowOrder::TakeMixed || order == RowOrder::TakeGates) map.rows = taken(spec, order);
    else if (order == RowOrder::TileHeads) map.rows = tiled(spec, rows, 0);
    else if (order == RowOrder::TileMixed) map.rows = tiled(spec, rows, rowsOfQueriesAndKeys(spec));
    else
        for (std::uint64_t row = 0; row < rows; ++row) map.rows.push_back(place(row));
    for (std::uint64_t head = 0; order == RowOrder::TileColumns && head < spec.steps; ++head)
        map.parts.push_back(static_cast<std::uint32_t>(storedHead(spec, head)));
    return map;
}

std::optional<RowMap> givenRows(RowOrder order, const RecurrentSpec& spec, std::uint64_t rows, std::uint64_t columns) {
    const bool joins = order == RowOrder::TakeMixed;
    const std::uint64_t all = joins ? rows + spec.inner : rows; // of the source
    const auto forward = order == RowOrder::TakeGates ? std::nullopt : takenRows(order, spec, all, columns);
    if (!forward || forward->rows.size() != rows) return std::nullopt;
    RowMap map;
    map.rows.resize(all);
    for (std::uint32_t row = 0; row < forward->rows.size(); ++row) map.rows[forward->rows[row].row] = {0, row};
    const auto gates = joins ? takenRows(RowOrder::TakeGates, spec, all, columns) : std::nullopt;
    for (std::uint32_t row = 0; gates && row < gates->rows.size(); ++row) map.rows[gates->rows[row].row] = {1, row};
    map.parts.resize(forward->parts.size());
    for (std::uint32_t part = 0; part < forward->parts.size(); ++part) map.parts[forward->parts[part]] = part;
    return map;
}

Result<void> orderRows(const TensorInfo& source, RowOrder order, const RecurrentSpec& spec, TensorInfo& view) {
    const std::uint64_t columns = shapeColumns(source.shape), rows = source.shape.elements() / columns;
    auto map = takenRows(order, spec, rows, columns);
    if (!map) return unfit(source);
    std::vector<std::uint64_t> dimensions(view.shape.dimensions().begin(), view.shape.dimensions().end());
    if (map->rows.size() != rows) dimensions.front() = map->rows.size();
    const auto shape = Shape::make(dimensions);
    if (!shape || shape->elements() != map->rows.size() * columns) return unfit(source);
    const bool divides = !map->parts.empty() && info(source.dtype).blockElements != 1;
    view.shape = *shape;
    view.dtype = divides ? Dtype::F32 : source.dtype;
    view.source = TensorSource::recipe(
        std::make_shared<MappedRows>(std::vector<std::string>{source.name}, std::move(*map), columns, view.dtype), source.bytes());
    return {};
}

Result<void> MappedRows::check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const {
    bool fits = dtype == m_dtype && m_columns > 0 && shape.elements() == m_map.rows.size() * m_columns &&
                (m_map.parts.empty() || (m_columns % m_map.parts.size() == 0 && info(dtype).blockElements == 1));
    for (const TensorReader& input : inputs)
        fits = fits && input.elements() % m_columns == 0 &&
               (input.dtype() == dtype || (dtype == Dtype::F32 && info(input.dtype()).kind == DtypeKind::Block));
    for (const RowPlace& at : m_map.rows)
        fits = fits && at.input < inputs.size() && at.row < inputs[at.input].elements() / m_columns;
    if (fits) return {};
    return fail(ErrorCode::Malformed, Reason("convert.view_input"), About{m_inputs[0]},
                WB_TEXT("{} changed since the file was opened."), m_inputs[0]);
}

Result<void> MappedRows::readRaw(std::span<const TensorReader> inputs, std::uint64_t first, std::uint64_t count,
                                 std::span<std::byte> out) const {
    const std::uint64_t part = m_map.parts.empty() ? m_columns : m_columns / m_map.parts.size();
    std::vector<std::byte> row;
    for (std::uint64_t done = 0; done < count;) {
        const std::uint64_t at = first + done, within = at % m_columns, run = std::min(m_columns - within, count - done);
        const RowPlace& from = m_map.rows[at / m_columns];
        const auto to = out.subspan(*rowBytes(m_dtype, done), *rowBytes(m_dtype, run));
        done += run;
        if (m_map.parts.empty()) {
            WB_TRY(readElements(inputs[from.input], m_dtype, from.row * m_columns + within, run, to));
            continue;
        }
        const std::uint64_t size = info(m_dtype).blockBytes;
        row.resize(m_columns * size);
        WB_TRY(readElements(inputs[from.input], m_dtype, from.row * m_columns, m_columns, row));
        for (std::uint64_t i = 0; i < run; ++i) {
            const std::uint64_t column = within + i;
            std::memcpy(&to[i * size], &row[(m_map.parts[column / part] * part + column % part) * size], size);
        }
    }
    return {};
}

} // namespace wb::convert
