// SPDX-License-Identifier: MIT
#include "app/store/library_index.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QUuid>
#include <QVariant>

namespace wb {
namespace {

constexpr int schema = 2; // PRAGMA user_version; a file of another version is replaced. 1 called fewer files damaged

qint64 stored(std::uint64_t value) { return static_cast<qint64>(value); }
std::uint64_t restored(const QVariant& value) { return static_cast<std::uint64_t>(value.toLongLong()); }
QString text(const std::string& utf8) { return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size())); }

// A connection belongs to the thread that made it, so each read and write opens a separate one.
class Connection {
public:
    explicit Connection(const std::filesystem::path& file) : m_name(QUuid::createUuid().toString()) {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_name);
        database.setDatabaseName(text(io::pathText(file)));
        database.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=3000"));
        m_isOpen = database.open();
    }
    ~Connection() { QSqlDatabase::removeDatabase(m_name); }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    bool isOpen() const { return m_isOpen; }
    QSqlDatabase database() const { return QSqlDatabase::database(m_name, false); }
    bool run(const char* statement) const { return QSqlQuery(database()).exec(QLatin1String(statement)); }

    int version() const {
        QSqlQuery query(database());
        return query.exec(QStringLiteral("PRAGMA user_version")) && query.next() ? query.value(0).toInt() : -1;
    }

private:
    QString m_name;
    bool m_isOpen = false;
};

bool makeTable(const Connection& connection) {
    return connection.run("CREATE TABLE IF NOT EXISTS facts (device INTEGER, inode INTEGER, bytes INTEGER, modified INTEGER, "
                          "format TEXT, architecture TEXT, quant TEXT, licence TEXT, sha256 TEXT, parameters INTEGER, "
                          "tensor_bytes INTEGER, context INTEGER, damaged INTEGER, "
                          "PRIMARY KEY (device, inode, bytes, modified)) WITHOUT ROWID") &&
           connection.run("PRAGMA user_version = 2");
}

bool insertAll(const Connection& connection, const std::vector<std::pair<io::Identity, library::FileFacts>>& rows) {
    QSqlQuery query(connection.database());
    if (!query.prepare(QStringLiteral("INSERT OR REPLACE INTO facts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"))) return false;
    for (const auto& [file, facts] : rows) {
        int column = 0;
        for (const qint64 number : {stored(file.device), stored(file.inode), stored(file.bytes), qint64{file.modifiedNs}})
            query.bindValue(column++, number);
        for (const std::string& value :
             {std::string(formatName(facts.format)), facts.architecture, facts.quant, facts.licence, facts.sha256})
            query.bindValue(column++, text(value));
        for (const std::uint64_t number : {facts.parameters, facts.tensorBytes, facts.context})
            query.bindValue(column++, stored(number));
        query.bindValue(column, facts.isDamaged ? 1 : 0);
        if (!query.exec()) return false;
    }
    return true;
}

bool writeAll(const std::filesystem::path& file, const std::vector<std::pair<io::Identity, library::FileFacts>>& rows) {
    const Connection connection(file);
    constexpr int newFile = 0;
    const int version = connection.isOpen() ? connection.version() : -1;
    if ((version != newFile && version != schema) || !makeTable(connection)) return false;
    QSqlDatabase database = connection.database();
    return database.transaction() && insertAll(connection, rows) && database.commit();
}

} // namespace

void LibraryIndex::load() {
    const std::lock_guard lock(m_mutex);
    read();
}

void LibraryIndex::read() {
    std::error_code error;
    if (std::exchange(m_isLoaded, true) || !std::filesystem::exists(m_file, error)) return;
    const Connection connection(m_file);
    if (!connection.isOpen() || connection.version() != schema) return; // flush() starts again
    QSqlQuery query(connection.database());
    query.setForwardOnly(true);
    if (!query.exec(QStringLiteral("SELECT * FROM facts"))) return;
    while (query.next()) {
        const io::Identity file{restored(query.value(0)), restored(query.value(1)), restored(query.value(2)),
                                query.value(3).toLongLong()};
        library::FileFacts facts;
        facts.format = formatFromName(query.value(4).toString().toStdString()).value_or(FormatId::Unknown);
        facts.architecture = query.value(5).toString().toStdString();
        facts.quant = query.value(6).toString().toStdString();
        facts.licence = query.value(7).toString().toStdString();
        facts.sha256 = query.value(8).toString().toStdString();
        facts.parameters = restored(query.value(9));
        facts.tensorBytes = restored(query.value(10));
        facts.context = restored(query.value(11));
        facts.isDamaged = query.value(12).toInt() != 0;
        m_known.keep(file, facts);
    }
}

std::optional<library::FileFacts> LibraryIndex::find(const io::Identity& file) {
    const std::lock_guard lock(m_mutex);
    read();
    return m_known.find(file);
}

bool LibraryIndex::knows(const io::Identity& file) {
    const std::lock_guard lock(m_mutex);
    read();
    return m_known.knows(file);
}

void LibraryIndex::keep(const io::Identity& file, const library::FileFacts& facts) {
    const std::lock_guard lock(m_mutex);
    read();
    m_known.keep(file, facts);
    m_new.emplace_back(file, facts);
}

void LibraryIndex::flush() {
    const std::lock_guard lock(m_mutex);
    if (m_new.empty()) return;
    std::error_code ignored;
    std::filesystem::create_directories(m_file.parent_path(), ignored);
    if (!writeAll(m_file, m_new)) { // damaged, or of another version
        std::filesystem::remove(m_file, ignored);
        writeAll(m_file, m_new);
    }
    m_new.clear();
}

} // namespace wb
