// SPDX-License-Identifier: MIT
#include "app/window/paths.h"

#include <QStandardPaths>

namespace wb {

WindowPaths windowPaths() {
    const QString config = QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + QStringLiteral("/weighbridge/");
    const QString cache = QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) + QStringLiteral("/weighbridge");
    return {config + QStringLiteral("settings.json"), config + QStringLiteral("session.json"), config + QStringLiteral("window.ini"),
            cache, cache + QStringLiteral("/models/SmolLM2-135M-Instruct.Q4_1.gguf")};
}

} // namespace wb
