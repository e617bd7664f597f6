// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"
#include "core/base/result.h"
#include "core/formats/options.h"

#include <map>
#include <string_view>

namespace wb::formats {

// Text from a file as a sentence may show it: valid UTF-8, on one line, of at most 120 bytes.
std::string shown(std::string_view text);

// Collects the problems of one file while its reader goes through it. Every sentence has the file's name as its first field; every
// error is about the file. Not thread-safe.
class Findings {
public:
    Findings(std::string file, Strictness strictness) : m_file(std::move(file)), m_strict(strictness == Strictness::Strict) {}

    const std::string& file() const { return m_file; }
    bool strict() const { return m_strict; }
    // Whether the file breaks a rule that all other programs enforce.
    bool hasDefect() const { return m_hasDefect; }

    // Nothing can be shown of the file: the error of both views.
    template <typename... Args>
    std::unexpected<Error> refuse(ErrorCode errorCode, Reason reason, const char* format, Args&&... args) const {
        return fail(errorCode, reason, About{m_file}, format, m_file, std::forward<Args>(args)...);
    }

    // The file breaks a rule that all other programs enforce, but its tensors can be listed: the error (Malformed) of the strict
    // view, a problem in the lenient one. `offset` is the byte of the file that it is about.
    template <typename... Args>
    Result<void> defect(Severity severity, Reason code, std::optional<std::uint64_t> offset, const char* format, Args&&... args) {
        if (m_strict) return refuse(ErrorCode::Malformed, code, format, std::forward<Args>(args)...);
        m_hasDefect = true;
        add(severity, code, offset, format, std::forward<Args>(args)...);
        return {};
    }

    // A problem that keeps no program from loading the file.
    template <typename... Args>
    void add(Severity severity, Reason code, std::optional<std::uint64_t> offset, const char* format, Args&&... args) {
        if (m_counts[code.id()]++ < listedOfOneCode)
            m_problems.push_back(makeProblem(severity, code, m_file, offset, format, m_file, std::forward<Args>(args)...));
    }

    // What another reader of the same file refuses, as a problem.
    void add(Severity severity, Reason code, const Error& error) {
        if (m_counts[code.id()]++ >= listedOfOneCode) return;
        m_problems.push_back(makeProblem(severity, code, m_file, std::nullopt, error.format));
        m_problems.back().arguments = error.arguments;
    }

    // The problems: of each code the first 50, and one more that counts the others.
    std::vector<Problem> take();

private:
    static constexpr std::uint64_t listedOfOneCode = 50;

    std::string m_file;
    bool m_strict;
    bool m_hasDefect = false;
    std::vector<Problem> m_problems;
    std::map<std::string_view, std::uint64_t> m_counts;
};

} // namespace wb::formats
