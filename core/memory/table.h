// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace wb::memory {

// A row of one of this room's tables of text: columns between tabs, "-" for unknown.
class TableRow {
public:
    explicit TableRow(std::string_view line);

    std::string_view text(std::size_t column) const { return column < m_columns.size() ? m_columns[column] : std::string_view(); }
    std::uint64_t number(std::size_t column) const; // 0 if unknown

private:
    std::vector<std::string_view> m_columns;
};

// The rows below the line of titles, without comments.
std::vector<TableRow> tableRows(std::string_view table);

} // namespace wb::memory
