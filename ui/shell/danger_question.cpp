// SPDX-License-Identifier: MIT
#include "ui/shell/danger_question.h"

#include "core/formats/gguf/gguf.h"
#include "core/formats/safetensors/safetensors.h"
#include "core/model/danger.h"
#include "core/scan/scan.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"

#include <QApplication>
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>

namespace wb::ui {
namespace {

struct DangerQuestion {
    Q_DECLARE_TR_FUNCTIONS(DangerQuestion)
};

// What a scan would be for nothing: formats that hold no code, by their first bytes.
bool isPlain(const std::filesystem::path& path) {
    const auto source = io::FileSource::open(path);
    if (!source) return true; // whoever opens it says why it cannot
    std::vector<std::byte> head(std::min<std::uint64_t>((*source)->size(), 16));
    if (!(*source)->readAt(0, head)) return true;
    return gguf::sniff(head) || safetensors::sniff(head, (*source)->size());
}

// The files of a folder that may hold a pickle.
QStringList suspects(const QString& path) {
    if (!QFileInfo(path).isDir()) return isPlain(fsPath(path)) ? QStringList() : QStringList{path};
    QStringList files;
    const QStringList patterns{QStringLiteral("*.bin"),  QStringLiteral("*.pt"),   QStringLiteral("*.pth"),
                               QStringLiteral("*.ckpt"), QStringLiteral("*.pkl"),  QStringLiteral("*.joblib"),
                               QStringLiteral("*.h5"),   QStringLiteral("*.keras")};
    for (const QFileInfo& file : QDir(path).entryInfoList(patterns, QDir::Files)) files << file.filePath();
    return files;
}

// The worst name that loading would touch; empty where the verdict has another reason.
QString worstName(const Danger& danger) {
    const DangerousCall* worst = nullptr;
    for (const DangerousCall& call : danger.calls)
        if (call.level > DangerLevel::B && (!worst || call.level > worst->level)) worst = &call;
    return worst ? text(worst->module + "." + worst->name) : QString();
}

} // namespace

bool mayUseModel(QWidget* asker, const QString& path) {
    for (const QString& file : suspects(path)) {
        const auto danger = scan::scan(fsPath(file), {});
        if (!danger || danger->level() < DangerLevel::C) continue;
        const bool isKnown = danger->level() == DangerLevel::D;
        QString question =
            isKnown ? DangerQuestion::tr("Loading %1 with the program it was made for would run dangerous code.")
                    : DangerQuestion::tr("Loading %1 with the program it was made for would run code that is not known.");
        question = question.arg(QFileInfo(file).fileName());
        if (const QString name = worstName(*danger); !name.isEmpty())
            question += QLatin1Char(' ') + DangerQuestion::tr("It would use %1.").arg(name);
        question += QLatin1Char(' ') + DangerQuestion::tr("Weighbridge reads its tensors without running it. Use it all the same?");
        const bool goesOn = askFrom(asker, [&](QWidget* window) {
            QMessageBox box(QMessageBox::Warning, DangerQuestion::tr("Code in a Model"), question, QMessageBox::NoButton, window);
            box.setTextFormat(Qt::PlainText); // names of files may look like markup
            const QPushButton* use = box.addButton(DangerQuestion::tr("Use It"), QMessageBox::DestructiveRole);
            box.setDefaultButton(box.addButton(DangerQuestion::tr("Cancel"), QMessageBox::RejectRole));
            box.exec();
            return box.clickedButton() == use;
        });
        if (!goesOn) return false;
    }
    return true;
}

} // namespace wb::ui
