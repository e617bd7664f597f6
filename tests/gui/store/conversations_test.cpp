// SPDX-License-Identifier: MIT
#include "tests/gui/support/gui_test.h"

#include "app/store/chat/conversations.h"
#include "core/io/system/limits.h"

#include <QDir>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>

#ifdef Q_OS_LINUX
#include <sys/resource.h>
#endif

namespace wb::test {

using chat::Conversation;
using chat::ConversationChange;
using chat::ConversationHead;
using chat::ConversationStore;

// What is saved comes back, from a file of our own and from a damaged one.
class ConversationsTest : public QObject {
    Q_OBJECT

private:
    QString file() const { return m_folder->filePath(QStringLiteral("state/conversations.sqlite")); }

    std::unique_ptr<ConversationStore> open() const {
        auto store = store::openConversations(file());
        if (!store) qWarning("%s", store.error().message().c_str());
        return store ? std::move(*store) : nullptr;
    }

    static ConversationChange talk(std::int64_t id, const std::string& title, const std::string& text, std::int64_t changed = 5) {
        ConversationHead head{id, title, "/models/a.gguf", "{}", 2, 1, changed};
        return {head,
                {},
                {{1, 0, chat::Role::User, text, {}},
                 {2, 1, chat::Role::Assistant, "An answer", {infer::FinishReason::EndOfText, 7, 0.25, 1.5, "a.gguf"}}}};
    }

    static std::vector<std::string> titles(ConversationStore& store, const std::string& words = {}) {
        std::vector<std::string> titles;
        const auto heads = store.list(words);
        if (heads)
            for (const ConversationHead& head : *heads) titles.push_back(head.title);
        return titles;
    }

    std::unique_ptr<QTemporaryDir> m_folder;

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void whatIsSavedComesBackAfterAReopening() {
        const ConversationChange saved = talk(7, "Weights 重量", "How heavy\nis it? 🙂");
        QVERIFY(open()->save(saved));
        const auto loaded = open()->load(7);
        QVERIFY(loaded);
        QCOMPARE(loaded->head, saved.head);
        QCOMPARE(loaded->turns(), saved.changed);
        QCOMPARE(loaded->branch().size(), 2u);
    }

    void aStoreOfTheFirstVersionIsUpgraded() {
        QVERIFY(QDir().mkpath(m_folder->filePath(QStringLiteral("state"))));
        {
            QSqlDatabase old = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("old"));
            old.setDatabaseName(file());
            QVERIFY(old.open());
            QSqlQuery query(old);
            for (const char* statement :
                 {"CREATE TABLE conversation(id INTEGER PRIMARY KEY, title TEXT NOT NULL, model TEXT NOT NULL, settings TEXT NOT "
                  "NULL, leaf INTEGER NOT NULL, created INTEGER NOT NULL, changed INTEGER NOT NULL)",
                  "CREATE TABLE turn(conversation INTEGER NOT NULL REFERENCES conversation(id) ON DELETE CASCADE, id INTEGER NOT "
                  "NULL, parent INTEGER NOT NULL, role TEXT NOT NULL, text TEXT NOT NULL, ending TEXT NOT NULL, tokens INTEGER NOT "
                  "NULL, first_seconds REAL NOT NULL, seconds REAL NOT NULL, PRIMARY KEY(conversation, id)) WITHOUT ROWID",
                  "INSERT INTO conversation VALUES(7, 'Old', '/models/a.gguf', '{}', 2, 1, 5)",
                  "INSERT INTO turn VALUES(7, 1, 0, 'user', 'Hello', '', 0, 0, 0)",
                  "INSERT INTO turn VALUES(7, 2, 1, 'assistant', 'Hi', 'eos', 3, 0.5, 1)", "PRAGMA user_version = 1"})
                QVERIFY2(query.exec(QLatin1String(statement)), statement);
            query.finish();
            old.close();
        }
        QSqlDatabase::removeDatabase(QStringLiteral("old"));
        const auto loaded = open()->load(7);
        QVERIFY(loaded);
        QCOMPARE(loaded->branch().size(), 2u);
        QCOMPARE(loaded->branch()[1]->text, std::string("Hi"));
        QVERIFY(loaded->branch()[1]->facts.model.empty());
        QVERIFY(open()->save(talk(8, "New", "Hello"))); // and again by the next program
        QCOMPARE(open()->load(8)->branch()[1]->facts.model, std::string("a.gguf"));
    }

    void savingAgainChangesAddsAndRemovesTurns() {
        const auto store = open();
        ConversationChange change = talk(7, "First", "Hello");
        QVERIFY(store->save(change));
        change.head.title = "Second";
        change.removed = {2};
        change.changed = {{1, 0, chat::Role::User, "Hello again", {}}, {3, 1, chat::Role::Assistant, "Other", {}}};
        QVERIFY(store->save(change));
        const auto loaded = store->load(7);
        QVERIFY(loaded);
        QCOMPARE(loaded->head.title, std::string("Second"));
        QCOMPARE(loaded->turns(), change.changed);
    }

    void theListIsNewestFirstAndSearchesTitlesAndTurns() {
        const auto store = open();
        QVERIFY(store->save(talk(1, "Apples", "about fruit", 10)));
        QVERIFY(store->save(talk(2, "Pears", "more of it", 30)));
        QVERIFY(store->save(talk(3, "100% sure_", "nothing", 20)));
        QCOMPARE(titles(*store), (std::vector<std::string>{"Pears", "100% sure_", "Apples"}));
        QCOMPARE(titles(*store, "FRUIT"), std::vector<std::string>{"Apples"});
        QCOMPARE(titles(*store, "pear"), std::vector<std::string>{"Pears"});
        QCOMPARE(titles(*store, "0%"), std::vector<std::string>{"100% sure_"});
        QCOMPARE(titles(*store, "e_"), std::vector<std::string>{"100% sure_"});
        QCOMPARE(titles(*store, "'; DROP TABLE turn; --"), std::vector<std::string>{});
    }

    void renamingAndRemoving() {
        const auto store = open();
        QVERIFY(store->save(talk(1, "Old", "x")));
        QVERIFY(store->rename(1, "New"));
        QCOMPARE(titles(*store), std::vector<std::string>{"New"});
        QVERIFY(store->remove(1));
        QVERIFY(titles(*store).empty());
        const auto gone = store->load(1);
        QVERIFY(!gone);
        QVERIFY(gone.error().reason == Reason("store.no_conversation"));
    }

    void aDamagedFileIsSetAsideAndItsTurnsAreSaved() {
        {
            const auto store = open();
            for (int id = 1; id <= 200; ++id) QVERIFY(store->save(talk(id, "Title", std::string(2000, 'x'))));
        }
        QFile damaged(file());
        QVERIFY(damaged.open(QIODevice::ReadWrite));
        QVERIFY(damaged.seek(damaged.size() / 2));
        damaged.write(QByteArray(4096 * 4, '\xAA'));
        damaged.close();
        const auto store = open();
        QVERIFY(store);
        const auto notice = store->takeNotice();
        QVERIFY(notice);
        QVERIFY(notice->reason == Reason("store.mended"));
        QVERIFY(!store->takeNotice());
        QVERIFY2(titles(*store).size() > 20, "most conversations lie before the damage");
        QCOMPARE(QDir(m_folder->filePath(QStringLiteral("state"))).entryList({QStringLiteral("*.damaged-*.sqlite")}).size(), 1);
    }

    void whatIsNoDatabaseIsSetAside() {
        QDir().mkpath(m_folder->filePath(QStringLiteral("state")));
        QFile other(file());
        QVERIFY(other.open(QIODevice::WriteOnly));
        other.write(QByteArray(10000, 'a'));
        other.close();
        const auto store = open();
        QVERIFY(store);
        QVERIFY(store->takeNotice());
        QVERIFY(titles(*store).empty());
        QVERIFY(store->save(talk(1, "Goes on", "x")));
    }

    void aFileOfANewerProgramIsLeftAlone() {
        open();
        {
            QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("newer"));
            database.setDatabaseName(file());
            QVERIFY(database.open());
            QSqlQuery(database).exec(QStringLiteral("PRAGMA user_version = 99"));
        }
        QSqlDatabase::removeDatabase(QStringLiteral("newer"));
        const auto refused = store::openConversations(file());
        QVERIFY(!refused);
        QVERIFY(refused.error().reason == Reason("store.newer"));
    }

#ifdef Q_OS_LINUX
    // A disk without room, as a limit of the size of files stands for it.
    void whatFindsNoRoomIsRefusedAndNothingIsLost() {
        io::ignoreFileSizeSignal();
        const auto store = open();
        QVERIFY(store->save(talk(1, "Before", "Kept")));
        rlimit before{};
        ::getrlimit(RLIMIT_FSIZE, &before);
        const rlimit less{64 << 10, before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &less);
        const auto refused = store->save(talk(2, "Large", std::string(1 << 20, 'x')));
        ::setrlimit(RLIMIT_FSIZE, &before);
        QVERIFY(!refused);
        QVERIFY2(QString::fromStdString(refused.error().message()).contains(QStringLiteral("conversations.sqlite")),
                 refused.error().message().c_str());
        QCOMPARE(titles(*store), (std::vector<std::string>{"Before"}));
        QVERIFY(store->save(talk(2, "Large", std::string(1 << 20, 'x'), 6)));
        QCOMPARE(open()->load(2)->turns().front().text.size(), std::size_t{1 << 20});
        QCOMPARE(titles(*open()), (std::vector<std::string>{"Large", "Before"}));
    }
#endif

    void aFolderThatCannotBeMadeIsOneSentence() {
        QFile inTheWay(m_folder->filePath(QStringLiteral("state")));
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        const auto refused = store::openConversations(file());
        QVERIFY(!refused);
        QVERIFY(refused.error().code == ErrorCode::NotWritable);
    }
};

WB_GUI_TEST(ConversationsTest)

} // namespace wb::test

#include "conversations_test.moc"
