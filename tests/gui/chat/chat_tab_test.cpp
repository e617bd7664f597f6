// SPDX-License-Identifier: MIT
#include "tests/gui/support/gui_test.h"

#include "ui/chat/chat_tab.h"
#include "ui/chat/composer.h"
#include "ui/chat/model_thread.h"
#include "ui/chat/transcript.h"

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTextBlock>

namespace wb::test {

using ui::chat::Composer;
using ui::chat::ModelState;
using ui::chat::Transcript;

// A small storyteller answers in the tab.
class ChatTabTest : public QObject {
    Q_OBJECT

private:
    static QString model() { return QStringLiteral(WEIGHBRIDGE_SHARED "/corpus/llm/stories260K.gguf"); }
    Composer* composer() const { return m_tab->findChild<Composer*>(); }
    QString transcript() const { return m_tab->findChild<Transcript*>()->toPlainText(); }
    QString status() const { return m_tab->findChild<QLabel*>(QStringLiteral("status"))->text(); }
    bool becomes(ModelState state) const {
        return QTest::qWaitFor([this, state] { return m_tab->state() == state; }, 60'000);
    }
    bool load() const { return m_tab->openPaths({model()}) && becomes(ModelState::Ready); }
    void write(const QString& text) const {
        composer()->setFocus();
        composer()->setPlainText(text);
        QTest::keyClick(composer(), Qt::Key_Return);
    }
    // Waits for text and stops the answer, which would go on to the end of the context.
    bool answerAndStop() const {
        if (!QTest::qWaitFor([this] { return m_tab->messages().back().content.size() > 40; }, 60'000)) return false;
        QTest::keyClick(composer(), Qt::Key_Escape);
        return becomes(ModelState::Ready);
    }

    ui::Services m_services;
    std::unique_ptr<ui::ChatTab> m_tab;

private Q_SLOTS:
    void init() {
        m_services.threads = 2;
        m_tab = std::make_unique<ui::ChatTab>(m_services);
        m_tab->show();
        m_tab->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_tab.get()));
    }
    void cleanup() { m_tab.reset(); }

    void headingsTakeTheColourOfTheTheme() {
        Transcript transcript;
        transcript.addTurn({"user", "Hello"});
        QPalette palette = transcript.palette();
        palette.setColor(QPalette::Link, Qt::magenta);
        transcript.setPalette(palette);
        const auto colourOf = [&](int block) {
            return transcript.document()->findBlockByNumber(block).begin().fragment().charFormat().foreground().color();
        };
        QCOMPARE(colourOf(0), QColor(Qt::magenta));
        QVERIFY(colourOf(1) != QColor(Qt::magenta));
    }

    void anAnswerStreamsAndEscStopsIt() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        QVERIFY(load());
        write(QStringLiteral("Once upon a time"));
        QCOMPARE(m_tab->state(), ModelState::Answering);
        QCOMPARE(composer()->toPlainText(), QString());
        QVERIFY(answerAndStop());
        QCOMPARE(m_tab->messages().size(), 2u);
        QVERIFY2(transcript().contains(QString::fromStdString(m_tab->messages().back().content)), qPrintable(transcript()));
        QVERIFY(transcript().contains(QStringLiteral("You stopped the answer.")));
        QVERIFY2(status().contains(QStringLiteral("tokens")), qPrintable(status()));
    }

    void aSecondTurnSeesTheFirst() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        QVERIFY(load());
        write(QStringLiteral("Once upon a time"));
        QVERIFY(answerAndStop());
        write(QStringLiteral("The end. Once"));
        m_tab->stop();
        QVERIFY(becomes(ModelState::Ready));
        QCOMPARE(m_tab->messages().size(), 4u);
        for (QAction* action : m_tab->actions())
            if (action->text() == QStringLiteral("New Conversation")) action->trigger();
        QVERIFY(m_tab->messages().empty());
        QCOMPARE(transcript(), QString());
    }

    void shiftEnterBeginsALine() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        QVERIFY(load());
        composer()->setFocus();
        QTest::keyClicks(composer(), QStringLiteral("one"));
        QTest::keyClick(composer(), Qt::Key_Return, Qt::ShiftModifier);
        QTest::keyClicks(composer(), QStringLiteral("two"));
        QCOMPARE(composer()->toPlainText(), QStringLiteral("one\ntwo"));
        QVERIFY(m_tab->messages().empty());
    }

    void whatIsNoModelIsRefusedVisibly() {
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("no-model.gguf")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("GGUF, but not really");
        file.close();
        QSignalSpy messages(m_tab.get(), &ui::Tab::message);
        QVERIFY(m_tab->openPaths({file.fileName()}));
        QVERIFY(becomes(ModelState::Failed));
        QCOMPARE(messages.size(), 1);
        auto* error = m_tab->findChild<QLabel*>(QStringLiteral("error"));
        QVERIFY(error->isVisible());
        QVERIFY2(error->text().contains(QStringLiteral("no-model.gguf")), qPrintable(error->text()));
    }

    void aMessageThatDoesNotFitComesBack() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        QVERIFY(load());
        const QString text = QStringLiteral("a dog and ").repeated(2000);
        write(text);
        QVERIFY(becomes(ModelState::Ready));
        QTRY_VERIFY(m_tab->messages().empty());
        QCOMPARE(composer()->toPlainText(), text);
        QVERIFY2(status().contains(QStringLiteral("context")), qPrintable(status()));
    }

    void recentModelsComeBack() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        QVERIFY(load());
        ui::ChatTab other(m_services);
        other.restoreSession(m_tab->saveSession());
        QCOMPARE(other.saveSession(), m_tab->saveSession());
        QVERIFY(m_tab->saveSession().value(QStringLiteral("recent")).toVariant().toStringList().contains(model()));
    }

    void itMayGoAwayInTheMiddle() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        QVERIFY(load());
        write(QStringLiteral("Once upon a time"));
        m_tab.reset();
        m_tab = std::make_unique<ui::ChatTab>(m_services);
        m_tab->openPaths({model()}); // and while loading
    }
};

WB_GUI_TEST(ChatTabTest)

} // namespace wb::test

#include "chat_tab_test.moc"
