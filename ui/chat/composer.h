// SPDX-License-Identifier: MIT
#pragma once

#include <QPlainTextEdit>

namespace wb::ui::chat {

// Where the next message is written. Enter sends it, Shift+Enter starts a new line; Enter that ends the composition of an input
// method does neither.
class Composer : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit Composer(QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    void sendWanted();

protected:
    void keyPressEvent(QKeyEvent* event) override;
};

} // namespace wb::ui::chat
