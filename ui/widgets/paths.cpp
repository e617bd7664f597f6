// SPDX-License-Identifier: MIT
#include "ui/widgets/paths.h"

#include <QDir>

namespace wb::ui {

std::filesystem::path fsPath(const QString& path) { return std::filesystem::path(path.toStdU16String()); }

QString qtPath(const std::filesystem::path& path) { return QString::fromStdU16String(path.u16string()); }

QString shortPath(const QString& path) {
#ifndef Q_OS_WIN
    const QString home = QDir::homePath();
    if (home.size() > 1 && path.startsWith(home + u'/')) return u'~' + path.mid(home.size());
#endif
    return QDir::toNativeSeparators(path);
}

} // namespace wb::ui
