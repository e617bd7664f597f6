// SPDX-License-Identifier: MIT
#include "ui/inspect/document/problem_text.h"

#include "ui/widgets/numbers.h"
#include "ui/shell/services.h"

#include <QCoreApplication>

namespace wb::ui::inspect {

QString severityTitle(Severity severity) {
    switch (severity) {
    case Severity::Error: return QCoreApplication::translate("Problems", "Error");
    case Severity::Warning: return QCoreApplication::translate("Problems", "Warning");
    case Severity::Note: break;
    }
    return QCoreApplication::translate("Problems", "Note");
}

QString problemText(const Problem& problem) { return translated(asError(ErrorCode::Malformed, problem)); }

QString problemPlace(const Problem& problem) {
    if (!problem.offset) return text(problem.file);
    const QString byte = QCoreApplication::translate("Problems", "byte %1").arg(shownCount(*problem.offset));
    return problem.file.empty() ? byte : QStringLiteral("%1, %2").arg(text(problem.file), byte);
}

} // namespace wb::ui::inspect
