// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string_view>
#include <vector>

namespace wb::pickle {

// The rows of a list made of lines and tabs, without those that start with #. The fields are views into the text.
template <std::size_t Fields>
std::vector<std::array<std::string_view, Fields>> tableRows(std::string_view text) {
    std::vector<std::array<std::string_view, Fields>> rows;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.empty() || line.starts_with('#')) continue;
        auto& row = rows.emplace_back();
        for (std::string_view& field : row) {
            const std::size_t tab = line.find('\t');
            field = line.substr(0, tab);
            line.remove_prefix(tab == std::string_view::npos ? line.size() : tab + 1);
        }
    }
    return rows;
}

} // namespace wb::pickle
