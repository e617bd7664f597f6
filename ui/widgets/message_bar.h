// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/sentence.h"

#include <QFrame>

class QLabel;
class QPushButton;

namespace wb::ui {

// One sentence above a view that stays until it is dismissed, with at most one way out as a button.
class MessageBar : public QFrame {
    Q_OBJECT

public:
    explicit MessageBar(QWidget* parent = nullptr);

    // `action` empty: only dismissing is offered. The sentence of an Error follows the language of the window.
    void showMessage(const Sentence& sentence, const QString& action = {});
    QString text() const;

signals:
    void actionChosen();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void retranslate();

    Sentence m_sentence;
    QLabel* m_text;
    QPushButton* m_action;
};

} // namespace wb::ui
