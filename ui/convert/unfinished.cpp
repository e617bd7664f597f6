// SPDX-License-Identifier: MIT
#include "ui/convert/unfinished.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

namespace wb::ui::convert {
namespace {

QString journalOf(const QString& target) { return target + QStringLiteral(".part.journal"); }

UnfinishedRun readRun(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    const QJsonObject json = QJsonDocument::fromJson(file.readAll()).object();
    UnfinishedRun run{json.value(QStringLiteral("model")).toString(), json.value(QStringLiteral("target")).toString(),
                      json.value(QStringLiteral("plan")).toString(), {}, json.value(QStringLiteral("replace")).toBool()};
    const QJsonArray parts = json.value(QStringLiteral("parts")).toArray();
    for (const QJsonValue& part : parts) run.parts.append(part.toString());
    return run;
}

} // namespace

UnfinishedRuns::UnfinishedRuns(const QString& cacheFolder) : m_folder(cacheFolder + QStringLiteral("/unfinished")) {}

QString UnfinishedRuns::fileOf(const QString& target) const {
    const QByteArray hash = QCryptographicHash::hash(target.toUtf8(), QCryptographicHash::Sha256).toHex().left(32);
    return m_folder + u'/' + QString::fromLatin1(hash) + QStringLiteral(".json");
}

void UnfinishedRuns::add(const UnfinishedRun& run) {
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

void UnfinishedRuns::discard(const UnfinishedRun& run) {
    for (const QString& part : run.parts)
        if (part.endsWith(QStringLiteral(".part"))) QFile::remove(part);
    QFile::remove(journalOf(run.target));
    remove(run.target);
}

QList<UnfinishedRun> UnfinishedRuns::all() const {
    QList<UnfinishedRun> runs;
    const QDir folder(m_folder);
    const QStringList names = folder.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Time);
    for (const QString& name : names) {
        const UnfinishedRun run = readRun(folder.filePath(name));
        if (!run.target.isEmpty() && QFile::exists(journalOf(run.target))) runs.append(run);
        else QFile::remove(folder.filePath(name));
    }
    return runs;
}

} // namespace wb::ui::convert
