// SPDX-License-Identifier: MIT
#include "app/cli/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace wb::cli {
namespace {

// The blocks a terminal draws two cells wide: Hangul Jamo, CJK to Yi, Hangul, compatibility and full-width forms, emoji,
// extensions.
bool isWide(unsigned code) {
    return (code >= 0x1100 && code <= 0x115F) || (code >= 0x2E80 && code <= 0xA4CF) || (code >= 0xAC00 && code <= 0xD7A3) ||
           (code >= 0xF900 && code <= 0xFAFF) || (code >= 0xFE30 && code <= 0xFE6F) || (code >= 0xFF00 && code <= 0xFF60) ||
           (code >= 0x1F300 && code <= 0x1FAFF) || (code >= 0x20000 && code <= 0x3FFFD);
}

std::size_t width(std::string_view text) {
    std::size_t cells = 0;
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i]);
        const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        unsigned code = length == 1 ? lead : lead & (0xFFu >> (length + 1));
        for (std::size_t k = 1; k < length && i + k < text.size(); ++k)
            code = code << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3F);
        cells += isWide(code) ? 2 : 1;
        i += length;
    }
    return cells;
}

} // namespace

void Table::print() const {
    std::vector<std::size_t> widths;
    for (const Column& column : m_columns) widths.push_back(width(column.title));
    for (const auto& row : m_rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
    const auto line = [&](auto cellOf) {
        std::string text;
        for (std::size_t i = 0; i < m_columns.size(); ++i) {
            const std::string& cell = cellOf(i);
            const std::string padding(widths[i] - width(cell), ' ');
            text += (i == 0 ? "" : "  ") + (m_columns[i].right ? padding + cell : cell + padding);
        }
        text.erase(text.find_last_not_of(' ') + 1);
        fmt::print("{}\n", text);
    };
    line([&](std::size_t i) -> const std::string& { return m_columns[i].title; });
    for (const auto& row : m_rows) line([&](std::size_t i) -> const std::string& { return row[i]; });
}

} // namespace wb::cli
