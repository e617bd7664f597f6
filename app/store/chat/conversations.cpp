// SPDX-License-Identifier: MIT
#include "app/store/chat/conversations.h"

#include "app/store/chat/database.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace wb::store {
namespace {

using chat::Conversation;
using chat::ConversationChange;
using chat::ConversationHead;
using chat::Turn;

constexpr int version = 2; // PRAGMA user_version; 2 adds turn.model

constexpr const char* schema[] = {
    "CREATE TABLE IF NOT EXISTS conversation(id INTEGER PRIMARY KEY, title TEXT NOT NULL, model TEXT NOT NULL, settings TEXT NOT "
    "NULL,"
    " leaf INTEGER NOT NULL, created INTEGER NOT NULL, changed INTEGER NOT NULL)",
    "CREATE TABLE IF NOT EXISTS turn(conversation INTEGER NOT NULL REFERENCES conversation(id) ON DELETE CASCADE, id INTEGER NOT "
    "NULL,"
    " parent INTEGER NOT NULL, role TEXT NOT NULL, text TEXT NOT NULL, ending TEXT NOT NULL, tokens INTEGER NOT NULL,"
    " first_seconds REAL NOT NULL, seconds REAL NOT NULL, model TEXT NOT NULL DEFAULT '', PRIMARY KEY(conversation, id)) WITHOUT "
    "ROWID",
    "CREATE INDEX IF NOT EXISTS conversation_changed ON conversation(changed)",
};

const QString headColumns = QStringLiteral("id, title, model, settings, leaf, created, changed");
const QString turnColumns = QStringLiteral("id, parent, role, text, ending, tokens, first_seconds, seconds, model");
const QString turnColumnsOfVersion1 = QStringLiteral("id, parent, role, text, ending, tokens, first_seconds, seconds, ''");

QString text(const std::string& utf8) { return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size())); }

ConversationHead rowHead(const QSqlQuery& row) {
    return {row.value(0).toLongLong(),
            row.value(1).toString().toStdString(),
            row.value(2).toString().toStdString(),
            row.value(3).toString().toStdString(),
            row.value(4).toLongLong(),
            row.value(5).toLongLong(),
            row.value(6).toLongLong()};
}

Turn rowTurn(const QSqlQuery& row) {
    return {row.value(0).toLongLong(),
            row.value(1).toLongLong(),
            chat::findRole(row.value(2).toString().toStdString()).value_or(chat::Role::User),
            row.value(3).toString().toStdString(),
            {infer::findFinishReason(row.value(4).toString().toStdString()).value_or(infer::FinishReason::Unfinished),
             row.value(5).toLongLong(), row.value(6).toDouble(), row.value(7).toDouble(), row.value(8).toString().toStdString()}};
}

// The words as a pattern of LIKE that finds them anywhere.
QString patternFromWords(const std::string& words) {
    QString pattern = text(words);
    for (const char* special : {"\\", "%", "_"})
        pattern.replace(QLatin1String(special), QLatin1Char('\\') + QLatin1String(special));
    return u'%' + pattern + u'%';
}

class SqlConversations : public chat::ConversationStore {
public:
    // Malformed where SQLite finds the file damaged.
    Result<void> open(const QString& file) {
        WB_TRY(m_database.open(file));
        WB_TRY_ASSIGN(QSqlQuery check, m_database.run(QStringLiteral("PRAGMA quick_check(1)")));
        if (!check.next() || check.value(0).toString() != QLatin1String("ok")) return fail(damaged());
        WB_TRY_ASSIGN(QSqlQuery stored, m_database.run(QStringLiteral("PRAGMA user_version")));
        const int found = stored.next() ? stored.value(0).toInt() : 0;
        if (found > version)
            return wb::fail(ErrorCode::Unsupported, Reason("store.newer"), About{file.toStdString()},
                            WB_TEXT("{} was written by a newer version of Weighbridge; use that version."), file.toStdString());
        check.finish();
        stored.finish();
        return m_database.transaction([&]() -> Result<void> { return setUp(); }); // another program may do the same now
    }

    void close() { m_database.close(); }
    void note(Error notice) { m_notice = std::move(notice); }

    std::optional<Error> takeNotice() override { return std::exchange(m_notice, std::nullopt); }

    Result<std::vector<ConversationHead>> list(const std::string& words) override {
        QString statement = QStringLiteral("SELECT %1 FROM conversation").arg(headColumns);
        QVariantList values;
        if (!words.empty()) {
            statement += QStringLiteral(" WHERE title LIKE ? ESCAPE '\\' OR EXISTS (SELECT 1 FROM turn WHERE turn.conversation ="
                                        " conversation.id AND turn.text LIKE ? ESCAPE '\\')");
            values = {patternFromWords(words), patternFromWords(words)};
        }
        WB_TRY_ASSIGN(QSqlQuery rows, m_database.run(statement + QStringLiteral(" ORDER BY changed DESC, id DESC"), values));
        std::vector<ConversationHead> heads;
        while (rows.next()) heads.push_back(rowHead(rows));
        return heads;
    }

    Result<Conversation> load(std::int64_t id) override {
        WB_TRY_ASSIGN(QSqlQuery head, m_database.run(QStringLiteral("SELECT %1 FROM conversation WHERE id = ?").arg(headColumns),
                                                     {static_cast<qlonglong>(id)}));
        if (!head.next())
            return wb::fail(ErrorCode::NotFound, Reason("store.no_conversation"), WB_TEXT("This chat no longer exists."));
        WB_TRY_ASSIGN(QSqlQuery rows,
                      m_database.run(QStringLiteral("SELECT %1 FROM turn WHERE conversation = ? ORDER BY id").arg(turnColumns),
                                     {static_cast<qlonglong>(id)}));
        std::vector<Turn> turns;
        while (rows.next()) turns.push_back(rowTurn(rows));
        return Conversation(rowHead(head), std::move(turns));
    }

    Result<void> save(const ConversationChange& change) override {
        return m_database.transaction([&]() -> Result<void> {
            WB_TRY(saveHead(change.head));
            for (const std::int64_t id : change.removed)
                WB_TRY(m_database.run(QStringLiteral("DELETE FROM turn WHERE conversation = ? AND id = ?"),
                                      {static_cast<qlonglong>(change.head.id), static_cast<qlonglong>(id)}));
            for (const Turn& turn : change.changed) WB_TRY(saveTurn(change.head.id, turn));
            return {};
        });
    }

    Result<void> rename(std::int64_t id, const std::string& title) override {
        WB_TRY(m_database.run(QStringLiteral("UPDATE conversation SET title = ? WHERE id = ?"),
                              {text(title), static_cast<qlonglong>(id)}));
        return {};
    }

    Result<void> remove(std::int64_t id) override {
        WB_TRY(m_database.run(QStringLiteral("DELETE FROM conversation WHERE id = ?"), {static_cast<qlonglong>(id)}));
        return {};
    }

    // The readable part of a damaged store, from the newest on.
    std::vector<ConversationChange> readable() {
        std::vector<ConversationChange> found;
        auto heads = m_database.run(QStringLiteral("SELECT %1 FROM conversation ORDER BY id").arg(headColumns));
        while (heads && heads->next()) found.push_back({rowHead(*heads), {}, {}});
        for (ConversationChange& change : found) {
            const auto read = [&](const QString& columns) {
                return m_database.run(QStringLiteral("SELECT %1 FROM turn WHERE conversation = ?").arg(columns),
                                      {static_cast<qlonglong>(change.head.id)});
            };
            auto rows = read(turnColumns);
            if (!rows) rows = read(turnColumnsOfVersion1);
            while (rows && rows->next()) change.changed.push_back(rowTurn(*rows));
        }
        return found;
    }

    Result<void> attach(const QString& file) { return m_database.open(file); }

private:
    std::unexpected<Error> fail(Error error) const { return std::unexpected(std::move(error)); }

    Error damaged() const {
        return makeError(ErrorCode::Malformed, Reason("store.damaged"), WB_TEXT("{} is corrupted."),
                         m_database.file().toStdString());
    }

    Result<void> setUp() {
        WB_TRY_ASSIGN(QSqlQuery stored, m_database.run(QStringLiteral("PRAGMA user_version")));
        const int found = stored.next() ? stored.value(0).toInt() : 0;
        stored.finish();
        if (found == version) return {};
        if (found == 1) WB_TRY(m_database.run(QStringLiteral("ALTER TABLE turn ADD COLUMN model TEXT NOT NULL DEFAULT ''")));
        for (const char* statement : schema) WB_TRY(m_database.run(QLatin1String(statement)));
        WB_TRY(m_database.run(QStringLiteral("PRAGMA user_version = %1").arg(version)));
        return {};
    }

    Result<void> saveHead(const ConversationHead& head) {
        const QString statement =
            QStringLiteral(
                "INSERT INTO conversation(%1) VALUES(?, ?, ?, ?, ?, ?, ?) ON CONFLICT(id) DO UPDATE SET title = excluded.title,"
                " model = excluded.model, settings = excluded.settings, leaf = excluded.leaf, changed = excluded.changed")
                .arg(headColumns);
        WB_TRY(m_database.run(statement, {static_cast<qlonglong>(head.id), text(head.title), text(head.model), text(head.settings),
                                          static_cast<qlonglong>(head.leaf), static_cast<qlonglong>(head.created),
                                          static_cast<qlonglong>(head.changed)}));
        return {};
    }

    Result<void> saveTurn(std::int64_t conversation, const Turn& turn) {
        const QString statement =
            QStringLiteral("INSERT OR REPLACE INTO turn(conversation, %1) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").arg(turnColumns);
        WB_TRY(m_database.run(statement,
                              {static_cast<qlonglong>(conversation), static_cast<qlonglong>(turn.id),
                               static_cast<qlonglong>(turn.parent), QLatin1String(chat::roleName(turn.role)), text(turn.text),
                               QLatin1String(infer::finishReasonName(turn.facts.end)), static_cast<qlonglong>(turn.facts.tokens),
                               turn.facts.firstSeconds, turn.facts.seconds, text(turn.facts.model)}));
        return {};
    }

    Database m_database;
    std::optional<Error> m_notice;
};

// Another name next to the file that is free.
QString asideName(const QString& file) {
    const QFileInfo info(file);
    const QString day = QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd"));
    for (int number = 1;; ++number) {
        QString name =
            QStringLiteral("%1/%2.damaged-%3-%4.%5").arg(info.path(), info.completeBaseName(), day).arg(number).arg(info.suffix());
        if (!QFile::exists(name)) return name;
    }
}

// Moves the damaged file away and saves into a new one what it still gives away.
Result<std::unique_ptr<chat::ConversationStore>> mend(const QString& file) {
    std::vector<ConversationChange> kept;
    {
        SqlConversations old;
        if (old.attach(file)) kept = old.readable();
    }
    const QString aside = asideName(file);
    for (const char* suffix : {"-wal", "-shm"}) QFile::rename(file + QLatin1String(suffix), aside + QLatin1String(suffix));
    const std::string name = QDir::toNativeSeparators(file).toStdString();
    if (!QFile::rename(file, aside))
        return fail(ErrorCode::NotWritable, Reason("store.not_moved"), About{name},
                    WB_TEXT("{} is corrupted and could not be renamed; check that its folder is writable."), name);
    auto fresh = std::make_unique<SqlConversations>();
    WB_TRY(fresh->open(file));
    for (const ConversationChange& change : kept) WB_TRY(fresh->save(change));
    fresh->note(makeError(ErrorCode::Malformed, Reason("store.mended"), About{name},
                          WB_TEXT("The chat database was corrupted: {} chats were recovered; the corrupted file was saved as {}."),
                          kept.size(), QDir::toNativeSeparators(aside).toStdString()));
    return fresh;
}

} // namespace

Result<std::unique_ptr<chat::ConversationStore>> openConversations(const QString& file) {
    auto store = std::make_unique<SqlConversations>();
    const auto opened = store->open(file);
    if (opened) return store;
    store.reset();
    if (opened.error().code == ErrorCode::Malformed) return mend(file);
    return std::unexpected(opened.error());
}

} // namespace wb::store
