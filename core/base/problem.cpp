// SPDX-License-Identifier: MIT
#include "core/base/problem.h"

namespace wb {

Error asError(ErrorCode code, const Problem& problem) {
    return Error{code, problem.format, problem.arguments, {}, problem.code, problem.file, {}};
}

Problem asProblem(Severity severity, Reason code, std::string file, const Error& error) {
    return {severity, code, std::move(file), std::nullopt, error.format, error.arguments};
}

const char* severityName(Severity severity) {
    switch (severity) {
    case Severity::Note: return "note";
    case Severity::Warning: return "warning";
    case Severity::Error: return "error";
    }
    return "note";
}

} // namespace wb
