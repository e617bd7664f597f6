// SPDX-License-Identifier: MIT
#include "ui/convert/unfinished.h"

#include "core/io/locked_file.h"
#include "ui/widgets/paths.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

namespace wb::ui::convert {
namespace {

QString journalOf(const QString& target) { return target + QStringLiteral(".part.journal"); }

// Nothing where there is no journal: asking for it would make one.
Result<std::unique_ptr<io::LockedFile>> takeJournal(const QString& target) {
    if (!QFile::exists(journalOf(target))) return nullptr;
    return io::LockedFile::open(fsPath(journalOf(target)));
}

// A journal that cannot be written at all is nobody's; whoever goes on with it will be told.
bool isHeld(const QString& target) { return !takeJournal(target) && QFileInfo(journalOf(target)).isWritable(); }

UnfinishedRun::State stateOf(const QString& target) {
    if (!QFileInfo(QFileInfo(target).path()).isDir()) return UnfinishedRun::State::Away;
    return isHeld(target) ? UnfinishedRun::State::Held : UnfinishedRun::State::Waiting;
}

UnfinishedRun readRun(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    const QJsonObject json = QJsonDocument::fromJson(file.readAll()).object();
    UnfinishedRun run{json.value(QStringLiteral("model")).toString(), json.value(QStringLiteral("target")).toString(),
                      json.value(QStringLiteral("plan")).toString(), {}, json.value(QStringLiteral("replace")).toBool(), {}};
    const QJsonArray parts = json.value(QStringLiteral("parts")).toArray();
    for (const QJsonValue& part : parts) run.parts.append(part.toString());
    return run;
}

} // namespace

UnfinishedRuns::UnfinishedRuns(const QString& stateFolder) : m_folder(stateFolder + QStringLiteral("/unfinished")) {}

void UnfinishedRuns::takeOver(const QString& cacheFolder) {
    const QDir old(cacheFolder + QStringLiteral("/unfinished"));
    const QStringList names = old.entryList({QStringLiteral("*.json")}, QDir::Files);
    if (!names.isEmpty()) QDir().mkpath(m_folder);
    for (const QString& name : names) {
        const QString place = m_folder + u'/' + name;
        if (QFile::exists(place)) QFile::remove(old.filePath(name)); // of an earlier run to the same target
        else QFile::rename(old.filePath(name), place);
    }
    QDir().rmdir(old.path());
}

QString UnfinishedRuns::fileOf(const QString& target) const {
    const QByteArray hash = QCryptographicHash::hash(target.toUtf8(), QCryptographicHash::Sha256).toHex().left(32);
    return m_folder + u'/' + QString::fromLatin1(hash) + QStringLiteral(".json");
}

void UnfinishedRuns::add(const UnfinishedRun& run) {
    if (isHeld(run.target)) return;
    QDir().mkpath(m_folder);
    QSaveFile file(fileOf(run.target));
    if (!file.open(QIODevice::WriteOnly)) return; // the run itself goes on; only its memory is lost
    const QJsonObject json{{QStringLiteral("model"), run.model},
                           {QStringLiteral("target"), run.target},
                           {QStringLiteral("plan"), run.plan},
                           {QStringLiteral("parts"), QJsonArray::fromStringList(run.parts)},
                           {QStringLiteral("replace"), run.replace}};
    file.write(QJsonDocument(json).toJson());
    file.commit();
}

void UnfinishedRuns::remove(const QString& target) { QFile::remove(fileOf(target)); }

Result<void> UnfinishedRuns::discard(const UnfinishedRun& run) {
    WB_TRY_ASSIGN(const auto journal, takeJournal(run.target));
    for (const QString& part : run.parts)
        if (part.endsWith(QStringLiteral(".part"))) QFile::remove(part);
    if (journal) journal->remove();
    remove(run.target);
    return {};
}

QList<UnfinishedRun> UnfinishedRuns::all() const {
    QList<UnfinishedRun> runs;
    const QDir folder(m_folder);
    const QStringList names = folder.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Time);
    for (const QString& name : names) {
        UnfinishedRun run = readRun(folder.filePath(name));
        run.state = stateOf(run.target);
        const bool canComeBack = run.state == UnfinishedRun::State::Away || QFile::exists(journalOf(run.target));
        if (!run.target.isEmpty() && canComeBack) runs.append(run);
        else QFile::remove(folder.filePath(name));
    }
    return runs;
}

} // namespace wb::ui::convert
