// SPDX-License-Identifier: MIT
#include "ui/convert/unfinished.h"

#include "core/io/byte_source.h"
#include "core/io/failures.h"
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

#include <algorithm>
#include <string_view>
#include <utility>

namespace wb::ui::convert {
namespace {

constexpr quint64 longestJournal = 1 << 30;
constexpr std::string_view journalName = "weighbridge quantize ";
constexpr const char* claimEnding = ".lock"; // beside the record

QString journalOf(const QString& target) { return target + QStringLiteral(".part.journal"); }

// Nothing where there is no journal: asking for it would make one.
Result<std::unique_ptr<io::LockedFile>> takeJournal(const QString& target) {
    if (!QFile::exists(journalOf(target))) return nullptr;
    return io::LockedFile::open(fsPath(journalOf(target)));
}

// A journal that cannot be written at all is nobody's; whoever goes on with it will be told.
bool isHeld(const QString& target) { return !takeJournal(target) && QFileInfo(journalOf(target)).isWritable(); }

UnfinishedRun readRun(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    const QJsonObject json = QJsonDocument::fromJson(file.readAll()).object();
    UnfinishedRun run{json.value(QStringLiteral("model")).toString(), json.value(QStringLiteral("target")).toString(),
                      json.value(QStringLiteral("plan")).toString(), {}, json.value(QStringLiteral("replace")).toBool(),
                      static_cast<quint64>(std::max<qint64>(0, json.value(QStringLiteral("items")).toInteger())), {}};
    const QJsonArray parts = json.value(QStringLiteral("parts")).toArray();
    for (const QJsonValue& part : parts) run.parts.append(part.toString());
    return run;
}

} // namespace

// The first line is the job's; lines of items begin with a number, those of its part files do not.
std::optional<KeptWork> keptWork(const QString& target) {
    const auto journal = takeJournal(target);
    if (!journal || !*journal) return std::nullopt;
    const auto text = (*journal)->read(longestJournal);
    if (!text || !text->starts_with(journalName)) return std::nullopt;
    quint64 items = 0;
    for (std::size_t end = 0; (end = text->find('\n', end)) != std::string::npos;)
        items += ++end < text->size() && (*text)[end] >= '0' && (*text)[end] <= '9';
    if (items == 0) return std::nullopt;
    return KeptWork{text->substr(0, text->find('\n')), items};
}

RunClaim::RunClaim(std::unique_ptr<io::LockedFile> file) : m_file(std::move(file)) {}

RunClaim::~RunClaim() { m_file->remove(); }

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

QString UnfinishedRuns::fileOf(const QString& target, const char* ending) const {
    const QByteArray hash = QCryptographicHash::hash(target.toUtf8(), QCryptographicHash::Sha256).toHex().left(32);
    return m_folder + u'/' + QString::fromLatin1(hash) + QLatin1String(ending);
}

// One that a killed program left is removed on the way.
bool UnfinishedRuns::isClaimed(const QString& target) const {
    const QString path = fileOf(target, claimEnding);
    if (!QFile::exists(path)) return false;
    const auto claim = io::LockedFile::open(fsPath(path));
    if (claim) (*claim)->remove();
    return !claim && QFileInfo(path).isWritable();
}

UnfinishedRun::State UnfinishedRuns::stateOf(const QString& target) const {
    if (!QFileInfo(QFileInfo(target).path()).isDir()) return UnfinishedRun::State::Away;
    return isHeld(target) || isClaimed(target) ? UnfinishedRun::State::Held : UnfinishedRun::State::Waiting;
}

// The claim comes first: others forget a record without a journal. Where nothing can be written the run itself goes on all the same.
std::unique_ptr<RunClaim> UnfinishedRuns::add(const UnfinishedRun& run) {
    if (isHeld(run.target)) return nullptr;
    QDir().mkpath(m_folder);
    auto lock = io::LockedFile::open(fsPath(fileOf(run.target, claimEnding)));
    if (!lock) return nullptr;
    auto claim = std::make_unique<RunClaim>(std::move(*lock));
    QSaveFile file(fileOf(run.target));
    if (!file.open(QIODevice::WriteOnly)) return nullptr;
    const QJsonObject json{{QStringLiteral("model"), run.model},
                           {QStringLiteral("target"), run.target},
                           {QStringLiteral("plan"), run.plan},
                           {QStringLiteral("parts"), QJsonArray::fromStringList(run.parts)},
                           {QStringLiteral("replace"), run.replace},
                           {QStringLiteral("items"), static_cast<qint64>(run.items)}};
    file.write(QJsonDocument(json).toJson());
    return file.commit() ? std::move(claim) : nullptr;
}

void UnfinishedRuns::remove(const QString& target) { QFile::remove(fileOf(target)); }

Result<void> UnfinishedRuns::discard(const UnfinishedRun& run) {
    WB_TRY_ASSIGN(const auto journal, takeJournal(run.target));
    if (isClaimed(run.target)) return io::heldElsewhere(io::baseName(fsPath(run.target)));
    for (const QString& part : run.parts)
        if (part.endsWith(QStringLiteral(".part"))) QFile::remove(part);
    if (journal) journal->remove();
    remove(run.target);
    return {};
}

std::optional<UnfinishedRun> UnfinishedRuns::of(const QString& target) const {
    UnfinishedRun run = readRun(fileOf(target));
    if (run.target != target) return std::nullopt;
    run.state = stateOf(target);
    return run;
}

QList<UnfinishedRun> UnfinishedRuns::all() const {
    QList<UnfinishedRun> runs;
    const QDir folder(m_folder);
    const QStringList names = folder.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Time);
    for (const QString& name : names) {
        UnfinishedRun run = readRun(folder.filePath(name));
        run.state = stateOf(run.target);
        const bool canComeBack = run.state != UnfinishedRun::State::Waiting || QFile::exists(journalOf(run.target));
        if (!run.target.isEmpty() && canComeBack) runs.append(run);
        else QFile::remove(folder.filePath(name));
    }
    return runs;
}

} // namespace wb::ui::convert
