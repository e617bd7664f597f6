// SPDX-License-Identifier: MIT
#include "app/window/paths.h"

#include "core/io/system/own_program.h"
#include "ui/widgets/paths.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace wb {
namespace {

QString beneath(QStandardPaths::StandardLocation location) {
    return QStandardPaths::writableLocation(location) + QStringLiteral("/weighbridge");
}

// Built in the folder of its sources, where there is a ./dev to fetch the starter model with.
bool isBuiltHere() {
    const QDir sources(QCoreApplication::applicationDirPath() + QStringLiteral("/../../.."));
    return sources.exists(QStringLiteral("dev")) && sources.exists(QStringLiteral("CMakePresets.json"));
}

std::filesystem::path folderNamedBy(const char* variable) { return ui::fsPath(qEnvironmentVariable(variable)); }

} // namespace

WindowPaths userPaths() {
    const std::filesystem::path portable = io::portableFolder();
    const auto folder = [&](const char* name, QStandardPaths::StandardLocation location) {
        return portable.empty() ? beneath(location) : ui::qtPath(portable / name);
    };
    const QString config = folder("settings", QStandardPaths::GenericConfigLocation);
    const QString cache = folder("cache", QStandardPaths::GenericCacheLocation);
    QString starter = cache + QStringLiteral("/models/SmolLM2-135M-Instruct.Q4_1.gguf"); // where ./dev puts it
    if (!isBuiltHere() && !QFileInfo::exists(starter)) starter.clear();
    const QString models = portable.empty() ? beneath(QStandardPaths::GenericDataLocation) + QStringLiteral("/models")
                                            : ui::qtPath(portable / "models");
    return {config + QStringLiteral("/settings.json"),
            cache,
            config,
            library::storeEnvironment(ui::fsPath(QDir::homePath()), ui::fsPath(models), folderNamedBy),
            {config + QStringLiteral("/session.json"), config + QStringLiteral("/window.ini"), cache, starter, models}};
}

} // namespace wb
