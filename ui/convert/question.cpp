// SPDX-License-Identifier: MIT
#include "ui/convert/question.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

namespace wb::ui::convert {
namespace {

struct Question {
    Q_DECLARE_TR_FUNCTIONS(Question)
};

} // namespace

bool isConfirmed(QWidget* parent, const QString& title, const QString& text, const QString& yes) {
    return ask(parent, title, text, yes, {}) == Answer::Yes;
}

Answer ask(QWidget* parent, const QString& title, const QString& text, const QString& yes, const QString& besides) {
    QMessageBox box(QMessageBox::Question, title, text, QMessageBox::NoButton, parent);
    box.setTextFormat(Qt::PlainText); // names of files may look like markup
    const QPushButton* button = box.addButton(yes, QMessageBox::DestructiveRole);
    const QPushButton* other = besides.isEmpty() ? nullptr : box.addButton(besides, QMessageBox::AcceptRole);
    box.setDefaultButton(box.addButton(Question::tr("Cancel"), QMessageBox::RejectRole));
    box.exec();
    if (box.clickedButton() == button) return Answer::Yes;
    return other && box.clickedButton() == other ? Answer::Besides : Answer::Cancel;
}

} // namespace wb::ui::convert
