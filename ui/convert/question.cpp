// SPDX-License-Identifier: MIT
#include "ui/convert/question.h"

#include "ui/widgets/ask.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

namespace wb::ui::convert {
namespace {

struct Question {
    Q_DECLARE_TR_FUNCTIONS(Question)
};

} // namespace

bool isConfirmed(QWidget* asker, const QString& title, const QString& text, const QString& yes) {
    return ask(asker, title, text, yes, {}) == Answer::Yes;
}

Answer ask(QWidget* asker, const QString& title, const QString& text, const QString& yes, const QString& besides) {
    return askFrom(asker, [&](QWidget* window) {
        QMessageBox box(QMessageBox::Question, title, text, QMessageBox::NoButton, window);
        box.setTextFormat(Qt::PlainText); // names of files may look like markup
        const QPushButton* button = box.addButton(yes, QMessageBox::DestructiveRole);
        const QPushButton* other = besides.isEmpty() ? nullptr : box.addButton(besides, QMessageBox::AcceptRole);
        box.setDefaultButton(box.addButton(Question::tr("Cancel"), QMessageBox::RejectRole));
        box.exec();
        if (box.clickedButton() == button) return Answer::Yes;
        return other && box.clickedButton() == other ? Answer::Besides : Answer::Cancel;
    });
}

void warn(QWidget* asker, const QString& title, const QString& text) {
    auto* box = new QMessageBox(QMessageBox::Warning, title, text, QMessageBox::Ok, asker->window());
    box->setTextFormat(Qt::PlainText);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

} // namespace wb::ui::convert
