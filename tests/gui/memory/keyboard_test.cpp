// SPDX-License-Identifier: MIT
#include "tests/gui/support/gui_test.h"
#include "tests/gui/support/tab_walk.h"
#include "tests/gui/support/test_services.h"

#include "ui/memory/memory_tab.h"
#include "ui/memory/memory_view.h"
#include "ui/shell/jobs/job_runner.h"
#include "ui/widgets/theme.h"

#include <QComboBox>
#include <QTabWidget>

namespace wb::test {

// Every table and every panel of settings without a mouse and without a screen: Tab reaches everything, and everything has a name.
class MemoryKeyboardTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { ui::applyTheme(ui::Theme::Dark); }

    void everyTableAndPanel() {
        ui::QueuedJobRunner jobs;
        TestServices services(&jobs);
        ui::MemoryTab tab(services);
        tab.resize(1200, 800);
        tab.show();
        tab.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&tab));
        QVERIFY(tab.openPaths({QStringLiteral("7B")}));
        QTRY_VERIFY(tab.session().counted());
        auto* const use = tab.findChild<QComboBox*>(QStringLiteral("use"));
        auto* const tables = tab.view().findChild<QTabWidget*>();
        for (const int shown : {0, 3}) { // running, and QLoRA
            use->setCurrentIndex(shown);
            for (int table = 0; table < tables->count(); ++table) {
                if (!tables->isTabVisible(table)) continue;
                tables->setCurrentIndex(table);
                tab.session().keep();
                turnLoop();
                QVERIFY2(keyboardTrouble(tab).isEmpty(),
                         qPrintable(tables->tabText(table) + QStringLiteral(": ") + keyboardTrouble(tab)));
            }
        }
    }
};

WB_GUI_TEST(MemoryKeyboardTest)

} // namespace wb::test

#include "keyboard_test.moc"
