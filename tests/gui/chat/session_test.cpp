// SPDX-License-Identifier: MIT
#include "tests/gui/support/gui_test.h"
#include "tests/gui/support/test_services.h"

#include "ui/chat/chat_session.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

namespace wb::test {

using ui::chat::ChatSession;
using ui::chat::ModelState;

// The state of the Chat tab, without a widget.
class ChatSessionTest : public QObject {
    Q_OBJECT

private:
    static QString model() { return QStringLiteral(WEIGHBRIDGE_SHARED "/corpus/llm/stories260K.gguf"); }
    static constexpr std::size_t held = 40; // bytes

    bool becomes(ModelState state) const {
        return QTest::qWaitFor([&] { return m_session->state() == state; }, 60'000);
    }
    bool load() const {
        m_session->load(model());
        if (!becomes(ModelState::Ready)) return false;
        chat::ConversationSettings settings;
        settings.temperature = 0;
        m_session->setSettings(settings);
        m_session->model().holdAfter(held);
        return true;
    }
    bool ask(const QString& text) const {
        return m_session->send(text) &&
               QTest::qWaitFor([&] { return m_session->messages().back().content.size() >= held; }, 60'000);
    }
    bool stop() const {
        m_session->stop();
        return becomes(ModelState::Ready);
    }

    TestServices m_services;
    std::unique_ptr<ChatSession> m_session;

private Q_SLOTS:
    void init() { m_session = std::make_unique<ChatSession>(m_services); }
    void cleanup() { m_session.reset(); }

    void textArrivesInPieces() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        QVERIFY(load());
        std::string text;
        connect(m_session.get(), &ChatSession::lastTurnGrew, this, [&](const std::string& piece) { text += piece; });
        QSignalSpy turns(m_session.get(), &ChatSession::turnsChanged);
        QVERIFY(ask(QStringLiteral("Once upon a time")));
        QCOMPARE(turns.size(), 1); // and not for each piece
        QVERIFY(m_session->answering() > 0);
        QVERIFY(stop());
        QCOMPARE(m_session->answering(), 0);
        QCOMPARE(text, m_session->messages().back().content);
        QVERIFY(m_session->conversation().turns().back().facts.end == infer::FinishReason::Stopped);
        QVERIFY2(m_session->status().contains(QStringLiteral("tokens")), qPrintable(m_session->status()));
    }

    void aBlankMessageIsNotSent() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        QVERIFY(!m_session->send(QStringLiteral("Hello"))); // no model
        QVERIFY(load());
        QVERIFY(!m_session->send(QStringLiteral(" \n ")));
        QVERIFY(m_session->messages().empty());
    }

    void aDamagedChoiceLeavesTheModel() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        QVERIFY(load());
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("damaged.gguf")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("GGUF, but not really");
        file.close();
        m_session->load(file.fileName());
        QVERIFY(becomes(ModelState::Ready));
        QVERIFY2(m_session->error().contains(QStringLiteral("damaged.gguf")), qPrintable(m_session->error()));
        QCOMPARE(m_session->model().path(), model());
        QVERIFY(m_session->model().plan().has_value());
        QVERIFY(ask(QStringLiteral("Once upon a time")));
        QVERIFY(stop());
    }

    void aStoppedLoadEndsWithoutAnError() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        QSignalSpy messages(m_session.get(), &ChatSession::message);
        m_session->load(model());
        m_session->stop();
        QTRY_VERIFY(m_session->state() != ModelState::Loading); // None, or Ready if it was quicker
        QVERIFY(m_session->state() != ModelState::Failed);
        QVERIFY(messages.isEmpty());
    }

    void aNewerLoadReplacesTheOlder() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        QSignalSpy loaded(m_session.get(), &ChatSession::modelLoaded);
        m_session->load(QStringLiteral("/nowhere/none.gguf"));
        m_session->load(model());
        QVERIFY(becomes(ModelState::Ready));
        QCOMPARE(loaded.size(), 1);
        QCOMPARE(m_session->error(), QString());
        QCOMPARE(m_session->recentModels(), QStringList{model()});
    }

    void aMessageThatDoesNotFitIsTheDraftAgain() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        QVERIFY(load());
        QSignalSpy drafts(m_session.get(), &ChatSession::draftChanged);
        const QString text = QStringLiteral("a dog and ").repeated(2000);
        QVERIFY(m_session->send(text));
        QVERIFY(becomes(ModelState::Ready));
        QTRY_COMPARE(drafts.size(), 1);
        QCOMPARE(drafts[0][0].toString(), text);
        QVERIFY(m_session->messages().empty());
        QVERIFY(!m_session->choice().isOffered); // neither a longer context nor a new chat would help
    }
};

WB_GUI_TEST(ChatSessionTest)

} // namespace wb::test

#include "session_test.moc"
