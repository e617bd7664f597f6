// SPDX-License-Identifier: MIT
#include "ui/widgets/paths.h"

#include <QDir>

namespace wb::ui {

QString shortPath(const QString& path) {
#ifndef Q_OS_WIN
    const QString home = QDir::homePath();
    if (home.size() > 1 && path.startsWith(home + u'/')) return u'~' + path.mid(home.size());
#endif
    return QDir::toNativeSeparators(path);
}

} // namespace wb::ui
