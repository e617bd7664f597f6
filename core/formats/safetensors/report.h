// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"
#include "core/base/result.h"
#include "core/formats/options.h"

#include <map>
#include <vector>

namespace wb::safetensors {

// Collects the problems of one file. Sentences take the file's name as their first {}.
class Report {
public:
    Report(std::string file, formats::Strictness strictness)
        : m_file(std::move(file)), m_strict(strictness == formats::Strictness::Strict) {}

    const std::string& file() const { return m_file; }

    // What no reader can go on after.
    template <typename... Args>
    std::unexpected<Error> refuse(const char* sentence, Args&&... args) const {
        return fail(ErrorCode::Malformed, sentence, m_file, std::forward<Args>(args)...);
    }

    // What the reference reader refuses: the end in strict use, a problem in lenient use.
    template <typename... Args>
    Result<void> defect(Severity severity, const char* code, std::optional<std::uint64_t> offset, const char* sentence,
                        Args&&... args) {
        if (m_strict) return refuse(sentence, std::forward<Args>(args)...);
        finding(severity, code, offset, sentence, std::forward<Args>(args)...);
        return {};
    }

    // What is worth knowing and refused by nobody.
    template <typename... Args>
    void finding(Severity severity, const char* code, std::optional<std::uint64_t> offset, const char* sentence, Args&&... args) {
        add(makeProblem(severity, code, m_file, offset, sentence, m_file, std::forward<Args>(args)...));
    }

    // The problems; of each code the first ones and one that counts the rest.
    std::vector<Problem> take();

private:
    void add(Problem problem);

    std::string m_file;
    bool m_strict;
    std::map<std::string_view, std::uint64_t> m_counts;
    std::vector<Problem> m_problems;
};

// A name found in a file, fit for a sentence on one line.
std::string shown(std::string_view name);

} // namespace wb::safetensors
