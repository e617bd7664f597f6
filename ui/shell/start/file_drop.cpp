// SPDX-License-Identifier: MIT
#include "ui/shell/start/file_drop.h"

#include <QApplication>
#include <QDir>
#include <QDropEvent>
#include <QMimeData>
#include <QUrl>
#include <QWidget>

namespace wb::ui {
namespace {

// Windows above widgets get the drag first (QWidgetWindow); only the widget's own event says where it really is.
const QWidget* targetWindow(QObject* watched) {
    const auto* widget = qobject_cast<QWidget*>(watched);
    return widget ? widget->window() : nullptr;
}

} // namespace

QStringList droppedPaths(const QMimeData* data) {
    QStringList paths;
    const QList<QUrl> urls = data->urls();
    for (const QUrl& url : urls) {
        if (url.isLocalFile()) paths.append(QDir::cleanPath(url.toLocalFile()));
    }
    return paths;
}

FileDrop::FileDrop(QWidget* window) : QObject(window), m_window(window) {
    window->setAcceptDrops(true);
    qApp->installEventFilter(this);
}

bool FileDrop::eventFilter(QObject* watched, QEvent* event) {
    const QEvent::Type type = event->type();
    if (type == QEvent::DragLeave && targetWindow(watched) == m_window) Q_EMIT hovering(false);
    if (type != QEvent::DragEnter && type != QEvent::DragMove && type != QEvent::Drop) return false;
    if (targetWindow(watched) != m_window) return false;
    auto* drop = static_cast<QDropEvent*>(event);
    const QStringList paths = droppedPaths(drop->mimeData());
    if (paths.isEmpty()) return false;
    drop->setDropAction(Qt::CopyAction);
    drop->accept();
    Q_EMIT hovering(type != QEvent::Drop);
    if (type == QEvent::Drop) Q_EMIT dropped(paths);
    return true;
}

} // namespace wb::ui
