// SPDX-License-Identifier: MIT
#include "app/window/paths.h"

#include <QStandardPaths>

namespace wb {
namespace {

QString beneath(QStandardPaths::StandardLocation location) {
    return QStandardPaths::writableLocation(location) + QStringLiteral("/weighbridge");
}

} // namespace

WindowPaths userPaths() {
    const QString config = beneath(QStandardPaths::GenericConfigLocation);
    const QString cache = beneath(QStandardPaths::GenericCacheLocation);
    const QString starter = cache + QStringLiteral("/models/SmolLM2-135M-Instruct.Q4_1.gguf"); // where ./dev puts it
    return {config + QStringLiteral("/settings.json"),
            cache,
            config,
            {config + QStringLiteral("/session.json"), config + QStringLiteral("/window.ini"), cache, starter}};
}

} // namespace wb
