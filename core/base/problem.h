// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <optional>

namespace wb {

enum class Severity { Note, Warning, Error };

// Something worth saying about a model that could be opened still. `code` is its reason, `file` is relative to the
// model's folder (empty: the model as a whole), `offset` is the byte it is about where there is one.
struct Problem {
    Severity severity = Severity::Note;
    Reason code;
    std::string file;
    std::optional<std::uint64_t> offset;
    const char* format = "";
    std::vector<std::string> arguments;

    std::string message() const { return fillSentence(format, arguments); }
};

template <typename... Args>
Problem makeProblem(Severity severity, Reason code, std::string file, std::optional<std::uint64_t> offset, const char* format,
                    Args&&... args) {
    return Problem{severity, code, std::move(file), offset, format, {fmt::format("{}", std::forward<Args>(args))...}};
}

// A problem that ends the work: the same sentence, its code as the reason, its file as the subject.
Error asError(ErrorCode code, const Problem& problem);

// An error that the work survives: the same sentence under its own code, about `file` of the model.
Problem asProblem(Severity severity, Reason code, std::string file, const Error& error);

// "note", "warning", "error".
const char* severityName(Severity severity);

} // namespace wb
