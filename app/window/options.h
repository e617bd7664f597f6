// SPDX-License-Identifier: MIT
#pragma once

#include "app/window/screenshots.h"

#include <QStringList>

namespace wb {

// What the command line of the window asked for.
struct WindowOptions {
    QStringList paths; // to open
    ScreenshotOptions screenshots; // with a folder: save pictures there and end
};

// True if the command line wants only text (--help, --version), for which no display is needed.
bool wantsOnlyText(int argc, char** argv);

// Needs an application object. Prints and ends the program for --help, --version and a wrong option.
WindowOptions parseOptions();

} // namespace wb
