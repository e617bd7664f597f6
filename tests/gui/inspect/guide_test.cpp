// SPDX-License-Identifier: MIT
#include "tests/gui/support/gui_test.h"
#include "ui/inspect/guide/guide_dialog.h"
#include "ui/inspect/tables/cell_table_view.h"
#include "ui/shell/settings/language.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

#include <algorithm>
#include <set>

using namespace wb;
using namespace wb::ui;
using namespace wb::ui::inspect;

class GuideTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { applyLanguage(QStringLiteral("en")); }

    void everyGoalHasAFormatOnEveryDevice() {
        for (int goal = 0; goal <= static_cast<int>(Goal::Exchange); ++goal)
            for (int target = 0; target <= static_cast<int>(Target::Intel); ++target) {
                const GuideEntry& entry = recommendedFormat(static_cast<Goal>(goal), static_cast<Target>(target));
                QVERIFY(std::ranges::find(entry.goals, static_cast<Goal>(goal)) != entry.goals.end());
            }
        std::set<FormatId> formats;
        for (const GuideEntry& entry : guideEntries()) QVERIFY(formats.insert(entry.format).second);
    }

    void questionsEndInAFormatAndOpenTheConversion() {
        GuideDialog dialog;
        dialog.show();
        dialog.choose(Goal::Mobile, Target::Apple);
        QCOMPARE(dialog.answer().format, FormatId::MlPackage);
        auto* convert = dialog.findChild<QPushButton*>(QStringLiteral("guideConvert"));
        QVERIFY(!convert->isEnabled());
        dialog.choose(Goal::RunLocally, Target::Nvidia);
        QCOMPARE(dialog.findChild<QLabel*>(QStringLiteral("guideAnswer"))->text(), QStringLiteral("GGUF"));
        const auto* formats = dialog.findChild<CellTableView*>(QStringLiteral("guideFormats"));
        const QAbstractItemModelTester tester(formats->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(formats->currentIndex().row(), 0);
        const QSignalSpy wanted(&dialog, &GuideDialog::convertWanted);
        convert->click();
        QCOMPARE(wanted.size(), 1);
    }
};

WB_GUI_TEST(GuideTest)
#include "guide_test.moc"
