// SPDX-License-Identifier: MIT
#pragma once

#include <QLabel>
#include <QTimer>

namespace wb::ui {

// One sentence at the bottom of the window. An ordinary message goes after some seconds; an error stays until the next message.
class MessageLine : public QLabel {
    Q_OBJECT

public:
    explicit MessageLine(QWidget* parent = nullptr);
    void showMessage(const QString& text, bool isError);

private:
    QTimer m_clear;
};

} // namespace wb::ui
