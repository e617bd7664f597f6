// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace wb {

// The only place that decides where the window keeps its files.
struct WindowPaths {
    QString settingsFile;
    QString sessionFile;
    QString geometryFile;
    QString cacheFolder; // the default; the settings may name another
    QString starterModel;
};
WindowPaths windowPaths();

} // namespace wb
