// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"
#include "core/base/text.h"
#include "core/formats/options.h"

#include <map>
#include <string_view>

namespace wb::gguf {

// Text from a file as a sentence may show it: valid UTF-8, one line, not endless.
std::string shown(std::string_view text);

// What was found wrong with one file. In the strict view the first broken rule is the refusal; in the lenient one it becomes a
// problem and the model is marked as not loadable. Every sentence's first field is the name of the file.
class Findings {
public:
    Findings(std::string file, formats::Strictness strictness)
        : m_file(std::move(file)), m_strict(strictness == formats::Strictness::Strict) {}

    const std::string& file() const { return m_file; }
    bool strict() const { return m_strict; }

    // A rule that every loader enforces is broken, but the tensor table can be shown all the same.
    template <typename... Args>
    Result<void> defect(Severity severity, const char* code, std::optional<std::uint64_t> offset, const char* format,
                        Args&&... args) {
        if (m_strict) return fail(ErrorCode::Malformed, format, m_file, std::forward<Args>(args)...);
        m_loadable = false;
        remark(severity, code, offset, format, std::forward<Args>(args)...);
        return {};
    }

    // Something to know that no loader minds.
    template <typename... Args>
    void remark(Severity severity, const char* code, std::optional<std::uint64_t> offset, const char* format, Args&&... args) {
        if (m_counts[code]++ < keptOfOneKind)
            m_problems.push_back(makeProblem(severity, code, m_file, offset, format, m_file, std::forward<Args>(args)...));
    }

    // Nothing can be shown: a refusal in both views.
    template <typename... Args>
    std::unexpected<Error> refuse(ErrorCode errorCode, const char* format, Args&&... args) const {
        return fail(errorCode, format, m_file, std::forward<Args>(args)...);
    }

    // All problems, with one that says "not loadable" where a rule was broken and one for each kind that was too frequent to list.
    std::vector<Problem> take();

private:
    static constexpr std::uint64_t keptOfOneKind = 50;

    std::string m_file;
    bool m_strict;
    bool m_loadable = true;
    std::vector<Problem> m_problems;
    std::map<std::string_view, std::uint64_t> m_counts;
};

} // namespace wb::gguf
