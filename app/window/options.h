// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>

namespace wb {

// True if the command line wants only text (--help, --version), for which no display is needed.
bool wantsOnlyText(int argc, char** argv);

// The models and folders to open. Needs an application object. Prints and ends the program for --help, --version and a wrong
// option.
QStringList parsePaths();

} // namespace wb
