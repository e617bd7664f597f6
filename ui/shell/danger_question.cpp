// SPDX-License-Identifier: MIT
#include "ui/shell/danger_question.h"

#include "core/formats/gguf/gguf.h"
#include "core/formats/safetensors/safetensors.h"
#include "core/model/danger.h"
#include "core/scan/scan.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"

#include <QDir>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>

#include <algorithm>

namespace wb::ui {
namespace {

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

namespace {

using Found = DangerQuestion::Found;

// The scan of all suspects, on a worker. What cannot be read at all is left to whoever opens it.
Result<QList<Found>> scanAll(const QStringList& files, const Progress& progress) {
    QList<Found> found;
    for (qsizetype i = 0; i < files.size(); ++i) {
        WB_TRY(progress.at(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(files.size())));
        scan::Options options;
        options.progress = files.size() == 1 ? progress : Progress{progress.stop, {}};
        const auto danger = scan::scan(fsPath(files[i]), options);
        if (!danger && danger.error().code == ErrorCode::Cancelled) return std::unexpected(danger.error());
        if (danger && danger->level() >= DangerLevel::C)
            found.append({files[i], danger->level() == DangerLevel::D, worstName(*danger)});
    }
    return found;
}

bool isWanted(QWidget* asker, const Found& found) {
    QString question = found.isKnown
                           ? DangerQuestion::tr("Loading %1 with the program it was made for would run dangerous code.")
                           : DangerQuestion::tr("Loading %1 with the program it was made for would run code that is not known.");
    question = question.arg(QFileInfo(found.file).fileName());
    if (!found.name.isEmpty()) question += QLatin1Char(' ') + DangerQuestion::tr("It would use %1.").arg(found.name);
    question += QLatin1Char(' ') + DangerQuestion::tr("Weighbridge reads its tensors without running it. Use it all the same?");
    return askFrom(asker, [&](QWidget* window) {
        QMessageBox box(QMessageBox::Warning, DangerQuestion::tr("Code in a Model"), question, QMessageBox::NoButton, window);
        box.setTextFormat(Qt::PlainText); // names of files may look like markup
        const QPushButton* use = box.addButton(DangerQuestion::tr("Use It"), QMessageBox::DestructiveRole);
        box.setDefaultButton(box.addButton(DangerQuestion::tr("Cancel"), QMessageBox::RejectRole));
        box.exec();
        return box.clickedButton() == use;
    });
}

} // namespace

DangerQuestion::DangerQuestion(const Services& services, QWidget* asker)
    : QObject(asker), m_asker(asker), m_scan(services.jobs, this) {}

void DangerQuestion::ask(const QString& path, std::function<void()> use) {
    m_scan.cancel();
    const QStringList files = suspects(path);
    if (files.isEmpty()) return use();
    const auto done = [this, use = std::move(use)](const QList<Found>& found) {
        // Questions run a loop of their own, in which this may be deleted: not inside the job's last call.
        QTimer::singleShot(0, this, [this, found, use] { askAbout(found, use); });
    };
    m_scan.start<QList<Found>>([name = QFileInfo(path).fileName()] { return tr("Looking for code in %1").arg(name); },
                               [files](const Progress& progress) { return scanAll(files, progress); }, done, [](const Error&) {},
                               true);
}

void DangerQuestion::askAbout(const QList<Found>& found, const std::function<void()>& use) {
    for (const Found& one : found)
        if (!isWanted(m_asker, one)) return; // which may mean that this is gone
    use();
}

} // namespace wb::ui
