// SPDX-License-Identifier: MIT
#include "ui/shell/file_open_filter.h"

#include <QCoreApplication>
#include <QFileOpenEvent>

#include <utility>

namespace wb::ui {

FileOpenFilter::FileOpenFilter(std::function<void(const QString& path)> open) : m_open(std::move(open)) {
    QCoreApplication::instance()->installEventFilter(this);
}

bool FileOpenFilter::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::FileOpen) return QObject::eventFilter(watched, event);
    // A link to a page is not a file.
    if (const QString path = static_cast<QFileOpenEvent*>(event)->file(); !path.isEmpty()) m_open(path);
    return true;
}

} // namespace wb::ui
