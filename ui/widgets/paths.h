// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <filesystem>

namespace wb::ui {

// The same path for the core and for Qt, whatever its characters.
std::filesystem::path fsPath(const QString& path);
QString qtPath(const std::filesystem::path& path);

// A path as people read it: native separators, and "~" for the home folder where that is customary.
QString shortPath(const QString& path);

} // namespace wb::ui
