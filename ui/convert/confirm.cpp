// SPDX-License-Identifier: MIT
#include "ui/convert/confirm.h"

#include "ui/widgets/ask.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

namespace wb::ui::convert {
namespace {

struct Confirm {
    Q_DECLARE_TR_FUNCTIONS(Confirm)
};

} // namespace

bool isConfirmed(QWidget* asker, const QString& title, const QString& text, const QString& confirm) {
    return confirmOr(asker, title, text, confirm, {}) == Answer::Confirm;
}

Answer confirmOr(QWidget* asker, const QString& title, const QString& text, const QString& confirm, const QString& other) {
    return askFrom(asker, [&](QWidget* window) {
        QMessageBox box(QMessageBox::Question, title, text, QMessageBox::NoButton, window);
        box.setTextFormat(Qt::PlainText); // names of files may look like markup
        const QPushButton* confirmButton = box.addButton(confirm, QMessageBox::DestructiveRole);
        const QPushButton* otherButton = other.isEmpty() ? nullptr : box.addButton(other, QMessageBox::AcceptRole);
        box.setDefaultButton(box.addButton(Confirm::tr("Cancel"), QMessageBox::RejectRole));
        box.exec();
        if (box.clickedButton() == confirmButton) return Answer::Confirm;
        return otherButton && box.clickedButton() == otherButton ? Answer::Other : Answer::Cancel;
    });
}

void warn(QWidget* asker, const QString& title, const QString& text) {
    auto* box = new QMessageBox(QMessageBox::Warning, title, text, QMessageBox::Ok, asker->window());
    box->setTextFormat(Qt::PlainText);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

} // namespace wb::ui::convert
