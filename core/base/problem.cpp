// SPDX-License-Identifier: MIT
#include "core/base/problem.h"

namespace wb {

const char* severityName(Severity severity) {
    switch (severity) {
    case Severity::Note: return "note";
    case Severity::Warning: return "warning";
    case Severity::Error: return "error";
    }
    return "note";
}

} // namespace wb
