// SPDX-License-Identifier: MIT
#include "core/formats/safetensors/report.h"

#include "core/base/text.h"

#include <algorithm>

namespace wb::safetensors {
namespace {

constexpr std::uint64_t listedPerCode = 50;
constexpr std::size_t shownBytes = 200;

} // namespace

void Report::add(Problem problem) {
    if (++m_counts[problem.code] <= listedPerCode) m_problems.push_back(std::move(problem));
}

std::vector<Problem> Report::take() {
    for (const auto& [code, count] : m_counts) {
        if (count <= listedPerCode) continue;
        const auto last =
            std::ranges::find_if(m_problems.rbegin(), m_problems.rend(), [&](const Problem& p) { return code == p.code; });
        const Problem like = *last; // its offset puts the sum behind what is listed
        m_problems.push_back(makeProblem(like.severity, like.code, m_file, like.offset,
                                         WB_TEXT("{}: {} more problems of the same kind ({}) are not listed."), m_file,
                                         count - listedPerCode, code));
    }
    return std::move(m_problems);
}

std::string shown(std::string_view name) {
    const std::string text = escapeControls(toUtf8(name.substr(0, shownBytes)));
    return name.size() > shownBytes ? text + "…" : text;
}

} // namespace wb::safetensors
