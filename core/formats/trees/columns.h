// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

// Shared by the formats of gradient boosting (XGBoost, LightGBM), which store numbers tree by tree, as text or in small arrays:
// makes one array over all trees of them.
namespace wb::trees {

// Arrays of all trees, one tree after another. Each becomes a tensor of one axis whose values are copied into the model.
class Columns {
public:
    using Column = std::size_t;

    // The column of this name, which is made at its first use. `dtype` is F32, F64, I32, U32 or U8.
    Column column(std::string_view name, Dtype dtype);

    // Rounds to the column's type; integers out of its range become its nearest number, NaN becomes 0 there.
    void add(Column column, double number);

    std::uint64_t elements(std::string_view name) const; // 0 if the column does not exist
    bool empty() const { return m_columns.empty(); }

    // Adds the tensors in the order of their first use. Beyond Index::maxCopied bytes in all they have no values.
    void finish(formats::Index& index);

private:
    struct Content {
        std::string name;
        Dtype dtype = Dtype::F32;
        std::uint64_t elements = 0;
        std::vector<std::byte> bytes; // little-endian
    };

    template <typename T>
    void append(Content& content, T number);

    std::vector<Content> m_columns;
    std::map<std::string, Column, std::less<>> m_names;
    std::uint64_t m_bytes = 0;
};

} // namespace wb::trees
