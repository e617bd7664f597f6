// SPDX-License-Identifier: MIT
#pragma once

#include <QFrame>

namespace wb::ui {

// The large invitation of the start page: drop a file or folder, or choose one.
class DropCard : public QFrame {
    Q_OBJECT

public:
    explicit DropCard(QWidget* parent = nullptr);
    void setActive(bool active); // files are being held over the window

signals:
    void openFileWanted();
    void openFolderWanted();
};

} // namespace wb::ui
