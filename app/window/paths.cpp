// SPDX-License-Identifier: MIT
#include "app/window/paths.h"

#include "ui/widgets/paths.h"

#include <QDir>
#include <QStandardPaths>

namespace wb {
namespace {

QString beneath(QStandardPaths::StandardLocation location) {
    return QStandardPaths::writableLocation(location) + QStringLiteral("/weighbridge");
}

std::filesystem::path folderNamedBy(const char* variable) { return ui::fsPath(qEnvironmentVariable(variable)); }

} // namespace

WindowPaths userPaths() {
    const QString config = beneath(QStandardPaths::GenericConfigLocation);
    const QString cache = beneath(QStandardPaths::GenericCacheLocation);
    const QString starter = cache + QStringLiteral("/models/SmolLM2-135M-Instruct.Q4_1.gguf"); // where ./dev puts it
    return {config + QStringLiteral("/settings.json"),
            cache,
            config,
            library::environmentOf(ui::fsPath(QDir::homePath()),
                                   ui::fsPath(beneath(QStandardPaths::GenericDataLocation) + QStringLiteral("/models")),
                                   folderNamedBy),
            {config + QStringLiteral("/session.json"), config + QStringLiteral("/window.ini"), cache, starter}};
}

} // namespace wb
