// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QString>

#include <functional>

namespace wb::ui {

// Calls `open` with each path that the system hands to the running program: macOS sends a file that is opened in the Finder as an
// event and never as an argument. Installs itself on the application, which must exist; for the GUI thread.
// Reference: https://doc.qt.io/qt-6/qfileopenevent.html
class FileOpenFilter final : public QObject {
public:
    explicit FileOpenFilter(std::function<void(const QString& path)> open);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    std::function<void(const QString& path)> m_open;
};

} // namespace wb::ui
