// SPDX-License-Identifier: MIT
#include "ui/chat/questions.h"

#include "ui/widgets/ask.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QMessageBox>

namespace wb::ui::chat {
namespace {

struct Questions {
    Q_DECLARE_TR_FUNCTIONS(wb::ui::chat::Questions)
};

// `yes` or cancel, which is what Enter means.
bool isConfirmed(QWidget* parent, const QString& title, const QString& question, QMessageBox::StandardButton yes) {
    const auto answer = askFrom(parent, [&](QWidget* window) {
        QMessageBox box(QMessageBox::Question, title, question, yes | QMessageBox::Cancel, window);
        box.setTextFormat(Qt::PlainText);
        box.setDefaultButton(QMessageBox::Cancel);
        return box.exec();
    });
    return answer == yes;
}

} // namespace

QString askForModelFile(QWidget* parent, const QString& folder) {
    return askFrom(parent, [&folder](QWidget* window) {
        return QFileDialog::getOpenFileName(window, Questions::tr("Choose a model to chat with"), folder,
                                            Questions::tr("GGUF models (*.gguf)"));
    });
}

bool askWhetherToDelete(QWidget* parent, const QString& title) {
    return isConfirmed(parent, Questions::tr("Delete chat"),
                       Questions::tr("Delete the chat “%1”? This cannot be undone.").arg(title), QMessageBox::Yes);
}

bool askWhetherToOpen(QWidget* parent, const QString& address) {
    return isConfirmed(parent, Questions::tr("Open link"),
                       Questions::tr("This link was written by the model. Open it in your browser?\n\n%1").arg(address),
                       QMessageBox::Open);
}

std::optional<ExportTarget> askWhereToExport(QWidget* parent) {
    const QString json = Questions::tr("JSON (*.json)");
    QString kind;
    const QString path = askFrom(parent, [&](QWidget* window) {
        return QFileDialog::getSaveFileName(window, Questions::tr("Export chat"), QString(),
                                            Questions::tr("Markdown (*.md)") + QStringLiteral(";;") + json, &kind);
    });
    if (path.isEmpty()) return std::nullopt;
    return ExportTarget{path, kind == json || path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive)};
}

} // namespace wb::ui::chat
