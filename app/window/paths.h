// SPDX-License-Identifier: MIT
#pragma once

#include "core/library/stores.h"
#include "ui/shell/main_window.h"

namespace wb {

// The only place that decides where the window keeps its files.
struct WindowPaths {
    QString settingsFile;
    QString cacheFolder;                     // where the settings name no other
    QString stateFolder;                     // that of the session
    library::Environment libraryEnvironment; // where models are searched
    ui::WindowPlaces places;
};

// The user's own folders.
WindowPaths userPaths();

} // namespace wb
