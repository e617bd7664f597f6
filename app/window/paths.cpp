// SPDX-License-Identifier: MIT
#include "app/window/paths.h"

#include <QStandardPaths>

namespace wb {
namespace {

QString beneath(QStandardPaths::StandardLocation location) {
    return QStandardPaths::writableLocation(location) + QStringLiteral("/weighbridge");
}

WindowPaths makePaths(const QString& config, const QString& cache) {
    const QString usual = beneath(QStandardPaths::GenericCacheLocation);
    const QString starter = usual + QStringLiteral("/models/SmolLM2-135M-Instruct.Q4_1.gguf"); // where ./dev puts it
    return {config + QStringLiteral("/settings.json"),
            cache,
            config,
            {config + QStringLiteral("/session.json"), config + QStringLiteral("/window.ini"), usual, starter}};
}

} // namespace

WindowPaths userPaths() {
    return makePaths(beneath(QStandardPaths::GenericConfigLocation), beneath(QStandardPaths::GenericCacheLocation));
}

WindowPaths pathsBeneath(const QString& folder) { return makePaths(folder, folder + QStringLiteral("/cache")); }

} // namespace wb
