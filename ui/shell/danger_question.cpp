// SPDX-License-Identifier: MIT
#include "ui/shell/danger_question.h"

#include "core/convert/trust.h"
#include "core/scan/scan.h"
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

using Found = DangerQuestion::Found;
using Files = std::vector<std::filesystem::path>;

void addFound(QList<Found>& found, const std::filesystem::path& file, const Danger& danger) {
    const auto needed = wb::convert::confirmationOf(io::pathText(file), danger);
    if (!needed) return;
    const QString name = needed->names.empty() ? QString() : text(needed->names.front());
    const bool isUnnamed = name.isEmpty() && needed->finding;
    found.append({text(needed->source), needed->level == DangerLevel::D, name,
                  isUnnamed ? translated(asError(ErrorCode::Unsupported, *needed->finding)) : QString()});
}

// Takes the files out of `files` that are judged at once.
QList<Found> scanTexts(Files& files) {
    QList<Found> found;
    std::erase_if(files, [&](const std::filesystem::path& file) {
        const auto danger = scan::scanText(file);
        if (danger) addFound(found, file, *danger);
        return danger.has_value();
    });
    return found;
}

// The scan of the other files, on a worker. Unreadable files are left to the caller.
Result<QList<Found>> scanAll(const Files& files, const Progress& progress) {
    QList<Found> found;
    for (std::size_t i = 0; i < files.size(); ++i) {
        WB_TRY(progress.at(i, files.size()));
        scan::Options options;
        options.progress = files.size() == 1 ? progress : Progress{progress.stop, {}};
        const auto danger = scan::scan(files[i], options);
        if (!danger && danger.error().code == ErrorCode::Canceled) return std::unexpected(danger.error());
        if (danger) addFound(found, files[i], *danger);
    }
    return found;
}

bool isWanted(QWidget* asker, const Found& found) {
    const QString question = found.isKnown ? DangerQuestion::tr("Loading %1 in its original program would run dangerous code.")
                                           : DangerQuestion::tr("Loading %1 in its original program would run unknown code.");
    QStringList sentences{question.arg(QFileInfo(found.file).fileName())};
    if (!found.name.isEmpty()) sentences << DangerQuestion::tr("It would call %1.").arg(found.name);
    if (!found.finding.isEmpty()) sentences << found.finding;
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
    Files files = scan::filesWithCode(fsPath(path));
    QList<Found> texts = scanTexts(files);
    if (texts.isEmpty() && files.empty()) return use();
    const auto done = [this, number = m_number, texts = std::move(texts), use = std::move(use)](const QList<Found>& others) {
        // Questions run their own loop, in which this may be deleted: not inside the job's last call, nor inside a drop.
        QTimer::singleShot(0, this, [this, number, found = texts + others, use] {
            if (number == m_number) askAbout(found, use);
        });
    };
    if (files.empty()) return done({});
    m_scan.start<QList<Found>>([name = QFileInfo(path).fileName()] { return tr("Scanning %1 for code").arg(name); },
                               [files](const Progress& progress) { return scanAll(files, progress); }, done, [](const Error&) {},
                               true);
}

void DangerQuestion::forget() {
    ++m_number;
    m_scan.cancel();
}

void DangerQuestion::askAbout(const QList<Found>& found, const std::function<void()>& use) {
    for (const Found& one : found)
        if (!isWanted(m_asker, one)) return; // which may mean that this is gone
    use();
}

} // namespace wb::ui
