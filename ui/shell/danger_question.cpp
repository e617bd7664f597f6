// SPDX-License-Identifier: MIT
#include "ui/shell/danger_question.h"

#include "core/convert/trust.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/sentence.h"
#include "ui/widgets/translated.h"

#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>

namespace wb::ui {
namespace {

using wb::convert::Confirmation;

bool isWanted(QWidget* asker, const Confirmation& needed) {
    const bool isKnown = needed.level == DangerLevel::D; // to be dangerous, and not only unknown
    const QString question = isKnown ? DangerQuestion::tr("Loading %1 in its original program would run dangerous code.")
                                     : DangerQuestion::tr("Loading %1 in its original program would run unknown code.");
    QStringList sentences{question.arg(QFileInfo(text(needed.source)).fileName())};
    if (!needed.names.empty()) sentences << DangerQuestion::tr("It would call %1.").arg(text(needed.names.front()));
    else if (needed.finding) sentences << translated(asError(ErrorCode::Unsupported, *needed.finding));
    sentences << DangerQuestion::tr("Weighbridge reads the tensors without running the code. Open it anyway?");
    return askFrom(asker, [&](QWidget* window) {
        QMessageBox box(QMessageBox::Warning, DangerQuestion::tr("Model contains code"), joined(sentences), QMessageBox::NoButton,
                        window);
        box.setTextFormat(Qt::PlainText); // names of files may look like markup
        const QPushButton* use = box.addButton(DangerQuestion::tr("Open anyway"), QMessageBox::DestructiveRole);
        box.setDefaultButton(box.addButton(DangerQuestion::tr("Cancel"), QMessageBox::RejectRole));
        box.exec();
        return box.clickedButton() == use;
    });
}

} // namespace

DangerQuestion::DangerQuestion(const Services& services, QWidget* asker)
    : QObject(asker), m_asker(asker), m_scan(services.jobs, this) {}

void DangerQuestion::ask(const QString& path, std::function<void()> use) {
    forget();
    auto [texts, files] = wb::convert::judgeTexts(fsPath(path));
    if (texts.empty() && files.empty()) return use();
    const auto done = [this, number = m_number, texts = std::move(texts), use = std::move(use)](const Confirmations& others) {
        Confirmations all = texts;
        all.insert(all.end(), others.begin(), others.end());
        // Questions run their own loop, in which this may be deleted: not inside the job's last call, nor inside a drop.
        QTimer::singleShot(0, this, [this, number, all, use] {
            if (number == m_number) askAbout(all, use);
        });
    };
    if (files.empty()) return done({});
    m_scan.start<Confirmations>(
        [name = QFileInfo(path).fileName()] { return tr("Scanning %1 for code").arg(name); },
        [files = std::move(files)](const Progress& progress) { return wb::convert::judgeByScan(files, progress); }, done,
        [](const Error&) {}, true);
}

void DangerQuestion::forget() {
    ++m_number;
    m_scan.cancel();
}

void DangerQuestion::askAbout(const Confirmations& needed, const std::function<void()>& use) {
    for (const Confirmation& one : needed)
        if (!isWanted(m_asker, one)) return; // which may mean that this is gone
    use();
}

} // namespace wb::ui
