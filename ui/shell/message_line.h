// SPDX-License-Identifier: MIT
#pragma once

#include <QLabel>
#include <QTimer>

namespace wb::ui {

// One sentence at the bottom of the window. An ordinary message goes after some seconds; an error stays until the next message or
// until it is taken back.
class MessageLine : public QLabel {
    Q_OBJECT

public:
    explicit MessageLine(QWidget* parent = nullptr);
    void showMessage(const QString& text, bool isError);
    void retract(const QString& text); // if it is the one that is shown
    void forgetError();                // what it was about is over

private:
    QTimer m_clear;
    bool m_isError = false;
};

} // namespace wb::ui
