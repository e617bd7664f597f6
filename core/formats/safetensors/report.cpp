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
        const auto first = std::ranges::find_if(m_problems, [&](const Problem& p) { return code == p.code; });
        m_problems.push_back(makeProblem(first->severity, first->code, m_file, std::nullopt,
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
