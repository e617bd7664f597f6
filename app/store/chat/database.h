// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QString>
#include <QVariant>

namespace wb::store {

// One connection to a file of SQLite, for the thread that opened it. Writes are atomically and outlive a kill (WAL).
class Database {
public:
    Database() = default;
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    // Makes the file and its folder where they do not exist. Malformed: SQLite says that the file is damaged or none of its.
    Result<void> open(const QString& file);
    void close();

    // Runs one statement with these values in the places of its question marks.
    Result<QSqlQuery> run(const QString& statement, const QVariantList& values = {});

    // All of `work` or nothing of it.
    template <class Work>
    Result<void> transaction(Work work) {
        WB_TRY(run(QStringLiteral("BEGIN IMMEDIATE")));
        if (auto done = work(); !done) {
            (void)run(QStringLiteral("ROLLBACK"));
            return done;
        }
        WB_TRY(run(QStringLiteral("COMMIT")));
        return {};
    }

    const QString& file() const { return m_file; }

private:
    Error sqlError(const class QSqlError& error) const;

    QSqlDatabase m_database;
    QString m_file;
};

} // namespace wb::store
