// SPDX-License-Identifier: MIT
#include "tests/gui/support/gui_test.h"
#include "tests/gui/support/tab_walk.h"
#include "tests/gui/support/test_services.h"

#include "app/store/chat/conversations.h"
#include "core/infer/backend.h"
#include "ui/chat/chat_tab.h"
#include "ui/chat/composer.h"
#include "ui/chat/chat_session.h"
#include "ui/chat/talk_page.h"
#include "ui/shell/jobs/job_runner.h"
#include "ui/widgets/theme.h"

#include <QAction>
#include <QJsonArray>
#include <QJsonObject>
#include <QListView>
#include <QTemporaryDir>

namespace wb::test {

// Each page of the tab without a mouse and without a screen: Tab reaches everything, and everything has a name.
class ChatKeyboardTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<ui::ChatTab> makeTab(const QTemporaryDir& folder) {
        m_devices.run = [](const DeviceRef&) { return infer::makeCpuBackend(); };
        m_services.devices = &m_devices;
        m_services.openConversations = [file = folder.filePath(QStringLiteral("talks.sqlite"))] {
            return store::openConversations(file);
        };
        auto tab = std::make_unique<ui::ChatTab>(m_services);
        tab->resize(1200, 800);
        tab->show();
        tab->activateWindow();
        return tab;
    }

    TestDevices m_devices;
    ui::QueuedJobRunner m_jobs;
    TestServices m_services{&m_jobs, {.threads = 1, .device = {DeviceRef::Kind::Processor}}};

private Q_SLOTS:
    void initTestCase() { ui::applyTheme(ui::Theme::Light); }

    void thePageThatAsksForAModel() {
        const QTemporaryDir folder;
        const auto tab = makeTab(folder);
        tab->restoreSession(
            {{QStringLiteral("recent"), QJsonArray{QStringLiteral("/models/one.gguf"), QStringLiteral("/two.gguf")}}});
        QVERIFY(QTest::qWaitForWindowActive(tab.get()));
        QTRY_COMPARE(m_jobs.unfinishedCount(), 0);
        QCOMPARE(keyboardTrouble(*tab), QString());
    }

    void theConversationWithAllItsPanels() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        const QTemporaryDir folder;
        const auto tab = makeTab(folder);
        QVERIFY(QTest::qWaitForWindowActive(tab.get()));
        QVERIFY(tab->openPaths({QStringLiteral(WEIGHBRIDGE_SHARED "/corpus/llm/stories260K.gguf")}));
        QVERIFY(QTest::qWaitFor([&] { return tab->session().state() == ui::chat::ModelState::Ready; }, 60'000));
        tab->session().model().holdAfter(20);
        tab->findChild<ui::chat::Composer*>()->setPlainText(QStringLiteral("Once upon a time"));
        tab->send();
        QVERIFY(QTest::qWaitFor([&] { return tab->session().messages().back().content.size() >= 20; }, 60'000));
        tab->session().stop();
        QVERIFY(QTest::qWaitFor([&] { return tab->session().state() == ui::chat::ModelState::Ready; }, 60'000));
        const auto* list = tab->findChild<QListView*>(QStringLiteral("conversations"));
        QTRY_COMPARE(list->model()->rowCount(), 1);
        for (QAction* action : tab->actions())
            if (action->isCheckable()) action->setChecked(true);
        tab->editTurn(tab->session().conversation().branch().front()->id);
        tab->findChild<ui::chat::TalkPage*>()->setChoice({16'384, 2, true});
        turnLoop();
        QCOMPARE(keyboardTrouble(*tab), QString());
    }
};

WB_GUI_TEST(ChatKeyboardTest)

} // namespace wb::test

#include "keyboard_test.moc"
