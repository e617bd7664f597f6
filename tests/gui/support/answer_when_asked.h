// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractButton>
#include <QApplication>
#include <QMessageBox>
#include <QTimer>

namespace wb::test {

// Answers one question whenever it comes, and notes it. A job may have to end before it is asked.
class AnswerWhenAsked {
public:
    explicit AnswerWhenAsked(QMessageBox::ButtonRole role) {
        m_look.setInterval(5);
        QObject::connect(&m_look, &QTimer::timeout, [this, role] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (!box) return;
            m_look.stop();
            m_question = box->text();
            for (QAbstractButton* button : box->buttons())
                if (box->buttonRole(button) == role) return button->click();
            box->close();
        });
        m_look.start();
    }

    bool wasAsked() const { return !m_question.isEmpty(); }
    const QString& question() const { return m_question; }

private:
    QTimer m_look;
    QString m_question;
};

} // namespace wb::test
