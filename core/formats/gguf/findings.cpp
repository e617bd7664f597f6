// SPDX-License-Identifier: MIT
#include "core/formats/gguf/findings.h"

namespace wb::gguf {

std::string shown(std::string_view text) {
    constexpr std::size_t longest = 120;
    if (text.size() <= longest) return escapeControls(toUtf8(text));
    return escapeControls(toUtf8(text.substr(0, longest))) + "…";
}

std::vector<Problem> Findings::take() {
    if (!m_loadable)
        m_problems.push_back(
            makeProblem(Severity::Error, "gguf.not_loadable", m_file, std::nullopt,
                        WB_TEXT("{} is not loadable: it can be looked at, but it breaks rules that every loader enforces; "
                                "get an intact copy to chat with it, convert or quantize it."),
                        m_file));
    for (const auto& [code, count] : m_counts)
        if (count > keptOfOneKind)
            m_problems.push_back(makeProblem(Severity::Note, "gguf.more", m_file, std::nullopt,
                                             WB_TEXT("{} has {} further problems of the kind {}; they are not listed."), m_file,
                                             count - keptOfOneKind, code));
    return std::move(m_problems);
}

} // namespace wb::gguf
