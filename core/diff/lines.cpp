// SPDX-License-Identifier: MIT
#include "core/diff/lines.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace wb::diff {
namespace {

using Lines = std::vector<std::string_view>;

Lines split(std::string_view text) {
    Lines lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

// Lines of A alone next to lines of B alone.
void addChanged(std::span<const std::string_view> a, std::span<const std::string_view> b, std::vector<ComparedLine>& out) {
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
        ComparedLine& line = out.emplace_back();
        if (i < a.size()) line.a = std::string(a[i]);
        if (i < b.size()) line.b = std::string(b[i]);
    }
}

void addEqual(std::string_view line, std::vector<ComparedLine>& out) { out.push_back({std::string(line), std::string(line)}); }

// By the longest common subsequence.
void addMatched(std::span<const std::string_view> a, std::span<const std::string_view> b, std::vector<ComparedLine>& out) {
    const std::size_t width = b.size() + 1;
    std::vector<std::uint32_t> common((a.size() + 1) * width); // of the rest of both, from (i, j) on
    for (std::size_t i = a.size(); i-- > 0;)
        for (std::size_t j = b.size(); j-- > 0;)
            common[i * width + j] = a[i] == b[j] ? common[(i + 1) * width + j + 1] + 1
                                                 : std::max(common[(i + 1) * width + j], common[i * width + j + 1]);
    std::size_t i = 0, j = 0, changedA = 0, changedB = 0; // the first lines that are not written yet
    while (i < a.size() && j < b.size()) {
        if (a[i] == b[j]) {
            addChanged(a.subspan(changedA, i - changedA), b.subspan(changedB, j - changedB), out);
            addEqual(a[i], out);
            changedA = ++i, changedB = ++j;
        } else if (common[(i + 1) * width + j] >= common[i * width + j + 1]) {
            ++i;
        } else {
            ++j;
        }
    }
    addChanged(a.subspan(changedA), b.subspan(changedB), out);
}

} // namespace

std::vector<ComparedLine> compareLines(std::string_view a, std::string_view b) {
    constexpr std::size_t maxPairs = 4'000'000;
    const Lines linesA = split(a), linesB = split(b);
    std::size_t begin = 0, endA = linesA.size(), endB = linesB.size();
    while (begin < endA && begin < endB && linesA[begin] == linesB[begin]) ++begin;
    while (endA > begin && endB > begin && linesA[endA - 1] == linesB[endB - 1]) --endA, --endB;
    const auto middleA = std::span(linesA).subspan(begin, endA - begin), middleB = std::span(linesB).subspan(begin, endB - begin);
    std::vector<ComparedLine> out;
    for (std::size_t i = 0; i < begin; ++i) addEqual(linesA[i], out);
    if (middleA.size() <= maxPairs / std::max<std::size_t>(middleB.size(), 1)) {
        addMatched(middleA, middleB, out);
    } else {
        addChanged(middleA, {}, out);
        addChanged({}, middleB, out);
    }
    for (std::size_t i = endA; i < linesA.size(); ++i) addEqual(linesA[i], out);
    return out;
}

} // namespace wb::diff
