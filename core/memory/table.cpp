// SPDX-License-Identifier: MIT
#include "core/memory/table.h"

#include <charconv>

namespace wb::memory {
namespace {

std::string_view takeUntil(std::string_view& text, char end) {
    const std::size_t at = text.find(end);
    const std::string_view taken = text.substr(0, at);
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
    return taken;
}

} // namespace

TableRow::TableRow(std::string_view line) {
    while (!line.empty()) m_columns.push_back(takeUntil(line, '\t'));
}

std::uint64_t TableRow::number(std::size_t column) const {
    const std::string_view digits = text(column);
    std::uint64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
}

std::vector<TableRow> tableRows(std::string_view table) {
    std::vector<TableRow> rows;
    bool isTitle = true;
    while (!table.empty()) {
        const std::string_view line = takeUntil(table, '\n');
        if (line.empty() || line.starts_with('#')) continue;
        if (!isTitle) rows.emplace_back(line);
        isTitle = false;
    }
    return rows;
}

} // namespace wb::memory
