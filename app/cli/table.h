// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace wb::cli {

// Text in columns for reading: numbers to the right, text to the left, two spaces between. Widths count code points, and
// double-width ones (CJK) as two.
class Table {
public:
    struct Column {
        std::string title;
        bool right = false;
    };

    explicit Table(std::vector<Column> columns) : m_columns(std::move(columns)) {}
    void add(std::vector<std::string> cells) { m_rows.push_back(std::move(cells)); }
    void print() const; // to stdout

private:
    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

} // namespace wb::cli
