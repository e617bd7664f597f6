// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QStringList>

class QMimeData;
class QWidget;

namespace wb::ui {

// The local files and folders of a drag, as native absolute paths; empty if it carries none.
QStringList droppedPaths(const QMimeData* data);

// Lets files and folders be dropped anywhere on one window, over fields and tables too: it looks at drag events of the whole
// application before their receivers and takes those that carry local files and aim at a widget of that window.
class FileDrop : public QObject {
    Q_OBJECT

public:
    explicit FileDrop(QWidget* window);

    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    void hovering(bool isOver); // files are being held over the window
    void dropped(const QStringList& paths);

private:
    QWidget* m_window;
};

} // namespace wb::ui
