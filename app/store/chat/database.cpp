// SPDX-License-Identifier: MIT
#include "app/store/chat/database.h"

#include <QDir>
#include <QFileInfo>
#include <QSqlError>
#include <QUuid>

namespace wb::store {
namespace {

// SQLite's primary result codes (sqlite.org/rescode.html).
constexpr int full = 13, corrupt = 11, notADatabase = 26;

} // namespace

Database::~Database() { close(); }

void Database::close() {
    const QString name = m_database.connectionName();
    m_database = QSqlDatabase();
    if (!name.isEmpty()) QSqlDatabase::removeDatabase(name);
}

Result<void> Database::open(const QString& file) {
    m_file = file;
    QDir().mkpath(QFileInfo(file).path());
    m_database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QUuid::createUuid().toString());
    m_database.setDatabaseName(file);
    m_database.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=5000"));
    if (!m_database.open()) return std::unexpected(sqlError(m_database.lastError()));
    WB_TRY(run(QStringLiteral("PRAGMA journal_mode = WAL")));
    // In WAL mode this keeps every transaction over a kill of the program; only a loss of power may cost the last ones.
    WB_TRY(run(QStringLiteral("PRAGMA synchronous = NORMAL")));
    WB_TRY(run(QStringLiteral("PRAGMA foreign_keys = ON")));
    return {};
}

Result<QSqlQuery> Database::run(const QString& statement, const QVariantList& values) {
    QSqlQuery query(m_database);
    query.setForwardOnly(true);
    if (!query.prepare(statement)) return std::unexpected(sqlError(query.lastError()));
    for (const QVariant& value : values) query.addBindValue(value);
    if (!query.exec()) return std::unexpected(sqlError(query.lastError()));
    return query;
}

Error Database::sqlError(const QSqlError& error) const {
    const int code = error.nativeErrorCode().toInt() & 0xFF;
    const std::string name = QDir::toNativeSeparators(m_file).toStdString();
    Error made;
    if (code == full)
        made = makeError(ErrorCode::NoSpace, Reason("store.no_space"), About{name},
                         WB_TEXT("The disk is full; {} could not be written. Free some disk space."), name);
    else if (code == corrupt || code == notADatabase)
        made = makeError(ErrorCode::Malformed, Reason("store.damaged"), About{name}, WB_TEXT("{} is corrupted."), name);
    else
        made = makeError(ErrorCode::NotWritable, Reason("store.failed"), About{name},
                         WB_TEXT("Cannot read or write {}; check that its folder is writable."), name);
    made.detail = error.text().toStdString();
    return made;
}

} // namespace wb::store
