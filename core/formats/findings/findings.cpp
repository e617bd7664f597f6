// SPDX-License-Identifier: MIT
#include "core/formats/findings/findings.h"

#include "core/base/text.h"

#include <algorithm>

namespace wb::formats {

std::string shown(std::string_view text) {
    constexpr std::size_t maxBytes = 120;
    const std::string line = escapeControls(toUtf8(text.substr(0, maxBytes)));
    return text.size() > maxBytes ? line + "…" : line;
}

std::vector<Problem> Findings::take() {
    for (const auto& [code, count] : m_counts) {
        if (count <= listedOfOneCode) continue;
        const auto isOfCode = [code = code](const Problem& problem) { return code == problem.code.id(); };
        const Problem last = *std::ranges::find_if(m_problems.rbegin(), m_problems.rend(), isOfCode);
        m_problems.push_back(makeProblem(last.severity, last.code, m_file, last.offset, // so that it is sorted after the others
                                         WB_TEXT("{}: {} more problems of the same type ({}) are not listed."), m_file,
                                         count - listedOfOneCode, code));
    }
    return std::move(m_problems);
}

} // namespace wb::formats
