// SPDX-License-Identifier: MIT
#include "tests/gui/support/gui_test.h"
#include "tests/gui/support/test_services.h"

#include "app/store/chat/conversations.h"
#include "ui/chat/chat_tab.h"
#include "ui/chat/composer.h"
#include "ui/chat/conversations_model.h"
#include "ui/chat/history_panel.h"
#include "ui/chat/chat_session.h"
#include "ui/chat/transcript.h"

#include <QApplication>
#include <QCoreApplication>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QProcess>
#include <QTemporaryDir>

namespace wb::test {

using chat::ConversationHead;
using ui::chat::ConversationsModel;
using ui::chat::HistoryPanel;
using ui::chat::ModelState;
using ui::chat::Transcript;

constexpr auto databaseVariable = "WEIGHBRIDGE_TEST_CONVERSATIONS";
constexpr std::size_t held = 24; // bytes at which an answer stands still: its end must not come before what a test does to it

// Conversations with a small storyteller outlive the tab, and a program that is killed.
class ChatHistoryTest : public QObject {
    Q_OBJECT

private:
    static QString model() { return QStringLiteral(WEIGHBRIDGE_SHARED "/corpus/llm/stories260K.gguf"); }

    std::unique_ptr<ui::ChatTab> makeTab() {
        m_services.openConversations = [file = m_file] { return store::openConversations(file); };
        return std::make_unique<ui::ChatTab>(m_services);
    }

    static bool becomes(ui::ChatTab& tab, ModelState state) {
        return QTest::qWaitFor([&] { return tab.session().state() == state; }, 60'000);
    }
    static bool answers(ui::ChatTab& tab, std::size_t bytes = held) {
        return QTest::qWaitFor([&] { return tab.session().messages().back().content.size() >= bytes; }, 60'000);
    }
    // The model begins the likeliest answer, which is long, and stands still in its middle.
    static bool ask(ui::ChatTab& tab, const QString& words) {
        if (tab.session().state() != ModelState::Ready && !(tab.openPaths({model()}) && becomes(tab, ModelState::Ready)))
            return false;
        tab.findChild<QDoubleSpinBox*>(QStringLiteral("temperature"))->setValue(0);
        tab.session().model().holdAfter(held);
        tab.findChild<ui::chat::Composer*>()->setPlainText(words);
        tab.send();
        return answers(tab);
    }
    static bool stop(ui::ChatTab& tab) {
        tab.session().stop();
        return becomes(tab, ModelState::Ready);
    }
    static ConversationsModel* list(ui::ChatTab& tab) { return tab.findChild<HistoryPanel*>()->model(); }
    static bool lists(ui::ChatTab& tab, int count) {
        return QTest::qWaitFor([&] { return list(tab)->rowCount() == count; }, 10'000);
    }
    static void choose(ui::ChatTab& tab, int row) {
        auto* view = tab.findChild<QListView*>(QStringLiteral("conversations"));
        view->setCurrentIndex(list(tab)->index(row));
        emit view->activated(list(tab)->index(row));
    }

    QTemporaryDir m_folder;
    QString m_file;
    TestServices m_services{nullptr, {.threads = 2}};

private Q_SLOTS:
    void init() {
        static int number = 0;
        const QString given = qEnvironmentVariable(databaseVariable);
        m_file = given.isEmpty() ? m_folder.filePath(QStringLiteral("%1.sqlite").arg(++number)) : given;
    }

    // What the killed program does; by itself it does nothing.
    void talksUntilItIsKilled() {
        if (!qEnvironmentVariableIsSet(databaseVariable)) return;
        const auto tab = makeTab();
        QVERIFY(ask(*tab, QStringLiteral("Once upon a time")));
        QTest::qWait(600'000);
    }

    void aKilledProgramLosesASecondAtMost() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        QProcess child;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QLatin1String(databaseVariable), m_file);
        child.setProcessEnvironment(environment);
        child.start(QCoreApplication::applicationFilePath(), {QStringLiteral("talksUntilItIsKilled")});
        QVERIFY(child.waitForStarted());
        const auto isSaved = [this] {
            if (!QFile::exists(m_file)) return false;
            const auto store = store::openConversations(m_file);
            if (!store) return false; // is being made
            const auto heads = (*store)->list({});
            if (!heads || heads->empty()) return false;
            const auto stored = (*store)->load(heads->front().id);
            return stored && stored->turns().size() == 2 && stored->turns()[1].text.size() >= held;
        };
        QVERIFY(QTest::qWaitFor(isSaved, 60'000));
        child.kill();
        QVERIFY(child.waitForFinished());

        const auto tab = makeTab();
        QVERIFY(lists(*tab, 1));
        choose(*tab, 0);
        QTRY_COMPARE(tab->session().messages().size(), 2u);
        QCOMPARE(tab->session().messages()[0].content, std::string("Once upon a time"));
        QVERIFY(tab->session().messages()[1].content.size() >= held);
        QVERIFY(tab->findChild<Transcript*>()->toPlainText().contains(
            QStringLiteral("Interrupted: Weighbridge closed while generating.")));
    }

    void aConversationComesBackWithItsBranches() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        std::vector<chat::Message> said;
        QJsonObject session;
        {
            const auto tab = makeTab();
            QVERIFY(ask(*tab, QStringLiteral("Once upon a time")));
            QVERIFY(stop(*tab));
            tab->session().model().holdAfter(2 * held); // so that the versions differ
            tab->session().answerAgain(tab->session().conversation().head.leaf);
            QVERIFY(answers(*tab, 2 * held));
            QVERIFY(stop(*tab));
            said = tab->session().messages();
            session = tab->saveSession();
        }
        const auto tab = makeTab();
        tab->restoreSession(session);
        QTRY_COMPARE(tab->session().messages(), said);
        QCOMPARE(tab->session().conversation().turns().size(), 3u);
        tab->session().showVersion(tab->session().conversation().head.leaf, -1);
        QVERIFY(tab->session().messages() != said);
    }

    void anAnswerThatGrowsIsKeptWhenTheTabGoesAway() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        QString said;
        {
            const auto tab = makeTab();
            QVERIFY(ask(*tab, QStringLiteral("Once upon a time")));
            said = QString::fromStdString(tab->session().messages().back().content);
        }
        const auto tab = makeTab();
        QVERIFY(lists(*tab, 1));
        choose(*tab, 0);
        QTRY_VERIFY(!tab->session().messages().empty());
        QCOMPARE(QString::fromStdString(tab->session().messages().back().content), said);
    }

    // Turns that found no room on the disk are saved with the next ones.
    void whatCouldNotBeSavedIsSavedLater() {
        struct Full final : chat::ConversationStore {
            std::vector<chat::ConversationChange>& saved;
            bool& isFull;
            Full(std::vector<chat::ConversationChange>& changes, bool& full) : saved(changes), isFull(full) {}
            Result<std::vector<ConversationHead>> list(const std::string&) override { return std::vector<ConversationHead>(); }
            Result<chat::Conversation> load(std::int64_t) override { return chat::Conversation(); }
            Result<void> save(const chat::ConversationChange& change) override {
                if (isFull) return fail(ErrorCode::NoSpace, Reason("test.full"), "The disk is full.");
                saved.push_back(change);
                return {};
            }
            Result<void> rename(std::int64_t, const std::string&) override { return {}; }
            Result<void> remove(std::int64_t) override { return {}; }
            std::optional<Error> takeNotice() override { return {}; }
        };
        std::vector<chat::ConversationChange> saved;
        bool isFull = true;
        ui::chat::History history(
            [&] { return Result<std::unique_ptr<chat::ConversationStore>>(std::make_unique<Full>(saved, isFull)); });
        const ConversationHead head{5, "A talk", "", "{}", 2, 1, 1};
        history.save({head,
                      {},
                      {{1, 0, chat::Role::User, "Hello", {}},
                       {2, 1, chat::Role::Assistant, "Go", {}},
                       {3, 1, chat::Role::Assistant, "No", {}}}});
        history.save({head, {3}, {{2, 1, chat::Role::Assistant, "Good day", {}}}});
        history.wait();
        QVERIFY(saved.empty());
        isFull = false;
        history.save({head, {}, {{4, 2, chat::Role::User, "And you?", {}}}});
        history.wait();
        QCOMPARE(saved.size(), std::size_t{1});
        QCOMPARE(saved[0].removed, std::vector<std::int64_t>{3});
        std::vector<std::string> texts;
        for (const auto& turn : saved[0].changed) texts.push_back(turn.text);
        QCOMPARE(texts, (std::vector<std::string>{"Hello", "Good day", "And you?"}));
    }

    // A click on a conversation shows it and leaves the keyboard in the list, where F2 renames and Del deletes.
    void aChosenConversationIsRenamedByTheKeyboard() {
        const auto store = *store::openConversations(m_file);
        for (std::int64_t id : {1, 2})
            QVERIFY(store->save(
                {{id, "Talk " + std::to_string(id), "", "{}", 1, id, id}, {}, {{1, 0, chat::Role::User, "Hello", {}}}}));
        const auto tab = makeTab();
        tab->resize(1000, 600);
        tab->show();
        tab->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(tab.get()));
        QVERIFY(lists(*tab, 2));
        auto* view = tab->findChild<QListView*>(QStringLiteral("conversations"));
        const QModelIndex second = view->model()->index(1, 0);
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(second).center());
        QTRY_COMPARE(tab->session().conversation().head.id, std::int64_t{1});
        turnLoop();
        QVERIFY2(view->hasFocus(), QApplication::focusWidget() ? qPrintable(QApplication::focusWidget()->objectName()) : "none");
        QTest::keyClick(view, Qt::Key_F2);
        auto* editor = view->findChild<QLineEdit*>();
        QVERIFY(editor);
        QTest::keyClicks(editor, QStringLiteral("Renamed"));
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(view->model()->index(1, 0).data().toString(), QStringLiteral("Renamed"));
    }

    void searchRenameAndANewConversation() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        const auto tab = makeTab();
        QVERIFY(ask(*tab, QStringLiteral("A tale of apples")));
        QVERIFY(stop(*tab));
        tab->startAgain();
        QVERIFY(tab->session().messages().empty());
        QVERIFY(ask(*tab, QStringLiteral("A tale of pears")));
        QVERIFY(stop(*tab));
        QVERIFY(lists(*tab, 2));
        auto* search = tab->findChild<QLineEdit*>(QStringLiteral("search"));
        QTest::keyClicks(search, QStringLiteral("apples"));
        QVERIFY(lists(*tab, 1));
        auto* const empty = tab->findChild<QLabel*>(QStringLiteral("noChats"));
        QVERIFY(empty->isHidden());
        search->setText(QStringLiteral("plums"));
        QVERIFY(lists(*tab, 0));
        QVERIFY(!empty->isHidden());
        QCOMPARE(empty->text(), ui::chat::HistoryPanel::tr("No chats contain these words."));
        search->setText(QStringLiteral("apples"));
        QVERIFY(lists(*tab, 1));
        QVERIFY(list(*tab)->setData(list(*tab)->index(0), QStringLiteral("Of apples and trees")));
        search->clear();
        QVERIFY(lists(*tab, 2));
        const auto titles = [&] { return list(*tab)->index(0).data().toString() + list(*tab)->index(1).data().toString(); };
        QTRY_VERIFY(titles().contains(QStringLiteral("Of apples and trees")));
    }
};

WB_GUI_TEST(ChatHistoryTest)

} // namespace wb::test

#include "chat_history_test.moc"
