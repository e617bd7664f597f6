// SPDX-License-Identifier: MIT
#include "core/formats/trees/columns.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace wb::trees {
namespace {

template <typename T>
T rounded(double number) {
    if (std::isnan(number)) return 0;
    constexpr double low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    return static_cast<T>(std::clamp(number, low, high));
}

} // namespace

Columns::Column Columns::column(std::string_view name, Dtype dtype) {
    const auto found = m_names.find(name);
    if (found != m_names.end()) return found->second;
    m_columns.push_back({std::string(name), dtype, 0, {}});
    m_names.emplace(name, m_columns.size() - 1);
    return m_columns.size() - 1;
}

template <typename T>
void Columns::append(Content& content, T number) {
    ++content.elements;
    m_bytes += sizeof(T);
    if (m_bytes > formats::Index::maxCopied) return;
    auto bytes = std::bit_cast<std::array<std::byte, sizeof(T)>>(number);
    if constexpr (std::endian::native == std::endian::big) std::ranges::reverse(bytes);
    content.bytes.insert(content.bytes.end(), bytes.begin(), bytes.end());
}

void Columns::add(Column column, double number) {
    Content& content = m_columns[column];
    switch (content.dtype) {
    case Dtype::F64: return append(content, number);
    case Dtype::I32: return append(content, rounded<std::int32_t>(number));
    case Dtype::U32: return append(content, rounded<std::uint32_t>(number));
    case Dtype::U8: return append(content, rounded<std::uint8_t>(number));
    default: return append(content, static_cast<float>(number));
    }
}

std::uint64_t Columns::elements(std::string_view name) const {
    const auto found = m_names.find(name);
    return found == m_names.end() ? 0 : m_columns[found->second].elements;
}

void Columns::finish(formats::Index& index) {
    for (Content& content : m_columns) {
        TensorInfo tensor;
        tensor.name = std::move(content.name);
        tensor.dtype = content.dtype;
        tensor.shape = Shape::make({content.elements}).value_or(Shape());
        const bool isWhole = content.bytes.size() == content.elements * info(content.dtype).blockBytes;
        const auto copied = isWhole ? index.copy(content.bytes) : std::nullopt;
        tensor.source = copied ? *copied
                               : TensorSource::unavailable(Reason("trees.size"),
                                                           WB_TEXT("the numbers of all trees together are too long to be copied"));
        index.model.tensors.push_back(std::move(tensor));
    }
    m_columns.clear();
    m_names.clear();
}

} // namespace wb::trees
