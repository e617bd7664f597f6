// SPDX-License-Identifier: MIT
#include "ui/convert/run/save_plan.h"

#include "ui/widgets/paths.h"

#include <QSaveFile>

namespace wb::ui::convert {

Result<void> writePlan(const QString& path, const std::string& text, const OutputGuard& guard) {
    WB_TRY(guard.check(fsPath(path)));
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(QByteArray::fromStdString(text)) >= 0 && file.commit()) return {};
    return fail(ErrorCode::NotWritable, Reason("plan.not_saved"), About{path.toStdString()},
                WB_TEXT("Could not save the plan to {}."), shortPath(path).toStdString());
}

} // namespace wb::ui::convert
