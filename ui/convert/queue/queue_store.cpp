// SPDX-License-Identifier: MIT
#include "ui/convert/queue/queue_store.h"

#include "ui/widgets/paths.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

namespace wb::ui::convert {
namespace {

constexpr int version = 1;
constexpr qint64 maxBytes = 64 << 20; // more than the plan of any model takes

QJsonObject toJson(const QueuedRun& run) {
    return {{QStringLiteral("weighbridge_queue"), version},
            {QStringLiteral("model"), run.model},
            {QStringLiteral("type"), run.type},
            {QStringLiteral("target"), run.target},
            {QStringLiteral("replace"), run.replace},
            {QStringLiteral("plan"), run.plan}};
}

std::optional<QueuedRun> read(const QString& path, quint64 id) {
    QFile file(path);
    if (file.size() > maxBytes || !file.open(QIODevice::ReadOnly)) return std::nullopt;
    const QJsonObject json = QJsonDocument::fromJson(file.readAll()).object();
    if (json[QLatin1String("weighbridge_queue")].toInt() != version) return std::nullopt;
    QueuedRun run;
    run.id = id;
    run.model = json[QLatin1String("model")].toString();
    run.type = json[QLatin1String("type")].toString();
    run.target = json[QLatin1String("target")].toString();
    run.replace = json[QLatin1String("replace")].toBool();
    run.plan = json[QLatin1String("plan")].toString();
    if (run.model.isEmpty() || run.target.isEmpty() || run.plan.isEmpty()) return std::nullopt;
    return run;
}

} // namespace

QueueStore::QueueStore(const QString& stateFolder)
    : m_folder(stateFolder.isEmpty() ? QString() : stateFolder + QStringLiteral("/queue")) {}

// Files sort as their runs do.
QString QueueStore::runFile(quint64 id) const {
    return QStringLiteral("%1/%2.json").arg(m_folder).arg(id, 20, 10, QLatin1Char('0'));
}

Result<void> QueueStore::save(const QueuedRun& run) {
    if (m_folder.isEmpty() || run.plan.isEmpty()) return {};
    const std::lock_guard lock(m_mutex);
    if (m_removed.contains(run.id)) return {};
    QDir().mkpath(m_folder);
    QSaveFile file(runFile(run.id));
    const QByteArray text = QJsonDocument(toJson(run)).toJson(QJsonDocument::Compact);
    if (file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.commit()) return {};
    return fail(ErrorCode::NotWritable, Reason("queue.not_saved"), About{file.fileName().toStdString()},
                WB_TEXT("Could not save the queue to {}; it keeps running, but will be lost when Weighbridge quits."),
                shortPath(m_folder).toStdString());
}

void QueueStore::remove(quint64 id) {
    const std::lock_guard lock(m_mutex);
    m_removed.insert(id);
    if (!m_folder.isEmpty()) QFile::remove(runFile(id));
}

QList<QueuedRun> QueueStore::all() const {
    QList<QueuedRun> runs;
    if (m_folder.isEmpty()) return runs;
    const QDir folder(m_folder);
    for (const QString& name : folder.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name)) {
        bool isNumber = false;
        const quint64 id = name.chopped(5).toULongLong(&isNumber);
        if (!isNumber) continue;
        if (const auto run = read(folder.filePath(name), id)) runs.append(*run);
    }
    return runs;
}

} // namespace wb::ui::convert
