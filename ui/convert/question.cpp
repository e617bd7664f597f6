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
    QMessageBox box(QMessageBox::Question, title, text, QMessageBox::NoButton, parent);
    box.setTextFormat(Qt::PlainText); // names of files may look like markup
    const QPushButton* button = box.addButton(yes, QMessageBox::DestructiveRole);
    box.setDefaultButton(box.addButton(Question::tr("Cancel"), QMessageBox::RejectRole));
    box.exec();
    return box.clickedButton() == button;
}

} // namespace wb::ui::convert
