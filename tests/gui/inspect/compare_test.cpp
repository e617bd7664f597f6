// SPDX-License-Identifier: MIT
#include "tests/gui/inspect/manual_jobs.h"
#include "tests/gui/inspect/sample_models.h"
#include "tests/gui/inspect/tester_mode.h"
#include "tests/gui/support/gui_test.h"
#include "tests/gui/support/test_services.h"
#include "ui/inspect/compare/compare_page.h"
#include "ui/inspect/compare/comparison_model.h"
#include "ui/inspect/compare/difference_map.h"
#include "ui/inspect/compare/difference_view.h"
#include "ui/inspect/inspect_tab.h"
#include "ui/inspect/tables/cell_table_view.h"
#include "ui/shell/settings/language.h"
#include "ui/widgets/message_bar.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>

#include <limits>

using namespace wb;
using namespace wb::ui;
using namespace wb::ui::inspect;

namespace {

// Two files that differ in one tensor by a little, in one by much, and in names.
struct CompareBench {
    CompareBench() : services(&jobs), tab(services) {
        applyLanguage(QStringLiteral("en"));
        services.stateFolder = folder.filePath(QStringLiteral("state"));
        const float nan = std::numeric_limits<float>::quiet_NaN();
        a = test::writeSafetensors(folder, QStringLiteral("a.safetensors"),
                                   {{"same", {2}, {1, 2}},
                                    {"little", {2, 2}, {1, 2, 3, 4}},
                                    {"much", {2}, {1, 2}},
                                    {"nan", {2}, {nan, 1}},
                                    {"empty", {0, 3}, {}},
                                    {"left", {5}, {1, 2, 3, 4, 5}}});
        b = test::writeSafetensors(folder, QStringLiteral("b.safetensors"),
                                   {{"same", {2}, {1, 2}},
                                    {"little", {2, 2}, {1, 2, 3, 4.125F}},
                                    {"much", {2}, {-1, 2}},
                                    {"nan", {2}, {nan, nan}},
                                    {"empty", {0, 3}, {}},
                                    {"right", {7}, {7, 6, 5, 4, 3, 2, 1}},
                                    {"other", {5}, {9, -2, 8, 0, 4}}});
        tab.resize(1000, 640);
        tab.show();
    }

    ComparePage& compare() {
        tab.comparePaths({a, b});
        jobs.runAll();
        return *tab.currentComparison();
    }
    QString cell(const ComparePage& page, int row, int column) const {
        return page.table()->model()->index(row, column).data().toString();
    }
    QString bar(const ComparePage& page, const QString& name = QStringLiteral("compareBar")) const {
        for (const auto* bar : page.findChildren<MessageBar*>())
            if (bar->objectName() == name && !bar->isHidden()) return bar->text();
        return {};
    }

    QTemporaryDir folder;
    test::ManualJobs jobs;
    test::TestServices services;
    InspectTab tab;
    QString a, b;
};

} // namespace

class CompareTest : public QObject {
    Q_OBJECT

private slots:
    void listsPairsByTheirError() {
        CompareBench bench;
        ComparePage& page = bench.compare();
        const QAbstractItemModelTester ofModel(page.model(), wb::test::fatal), ofFilter(page.table()->model(), wb::test::fatal);
        QCOMPARE(page.title(), QStringLiteral("a.safetensors ↔ b.safetensors"));
        QCOMPARE(page.table()->model()->rowCount(), 8);
        QCOMPARE(bench.cell(page, 0, ComparisonModel::A), QStringLiteral("nan")); // has no measurable error
        QCOMPARE(bench.cell(page, 1, ComparisonModel::A), QStringLiteral("much"));
        QCOMPARE(bench.cell(page, 1, ComparisonModel::Result), QStringLiteral("different"));
        QVERIFY(page.findChild<QLabel*>(QStringLiteral("compareSummary"))
                    ->text()
                    .contains(QStringLiteral("5 matched tensors: 2 equal")));

        auto* states = page.findChild<QComboBox*>(QStringLiteral("compareStates"));
        states->setCurrentIndex(states->findText(QStringLiteral("Only in B")));
        QCOMPARE(page.table()->model()->rowCount(), 2);
        states->setCurrentIndex(0);
        page.findChild<QLineEdit*>(QStringLiteral("compareFilter"))->setText(QStringLiteral("LITT"));
        QCOMPARE(page.table()->model()->rowCount(), 1);
        for (int column = 0; column < ComparisonModel::columns; ++column) page.table()->sortByColumn(column, Qt::AscendingOrder);
        page.model()->setComparison({});
        QCOMPARE(page.model()->rowCount(), 0);
    }

    void theChosenPairHasAMapAndAHistogram() {
        CompareBench bench;
        ComparePage& page = bench.compare();
        QVERIFY(page.difference()->detail()); // of the first pair
        page.table()->selectRow(1);
        bench.jobs.runAll();
        QVERIFY(page.difference()->detail());
        QCOMPARE(page.difference()->detail()->limit, 2.0);
        auto* map = page.findChild<DifferenceMap*>();
        map->setFocus(Qt::TabFocusReason);
        QTest::keyClick(map, Qt::Key_Right);
        QTest::keyClick(map, Qt::Key_Left);
        QVERIFY2(map->sentence().contains(u'2'), qPrintable(map->sentence()));
        map->grab();
        QCOMPARE(page.findChild<CellTableView*>(QStringLiteral("differenceBins"))->model()->rowCount() > 0, true);
        for (int row = 0; row < page.table()->model()->rowCount(); ++row) { // also NaN, no elements, one side alone
            page.table()->selectRow(row);
            bench.jobs.runAll();
            page.difference()->grab();
        }
    }

    void aCanceledComparisonCanBeMadeAgain() {
        CompareBench bench;
        bench.tab.comparePaths({bench.a, bench.b});
        ComparePage& page = *bench.tab.currentComparison();
        const auto job = bench.jobs.find(QStringLiteral("Comparing a.safetensors with b.safetensors"));
        QVERIFY(job && job->visible);
        auto* start = page.findChild<QPushButton*>(QStringLiteral("compareStart"));
        QCOMPARE(start->text(), QStringLiteral("Cancel"));
        start->click();
        QVERIFY(job->isCanceled());
        bench.jobs.runAll();
        QVERIFY(!page.session().comparison());
        QCOMPARE(page.model()->rowCount(), 0);
        QCOMPARE(start->text(), QStringLiteral("Compare"));
        start->click();
        bench.jobs.runAll();
        QVERIFY(page.session().comparison());
    }

    void theMappingCanBeChangedAndIsKept() {
        CompareBench bench;
        ComparePage& page = bench.compare();
        QVERIFY(!page.session().pairUp("left", "little")); // of another shape
        QVERIFY(page.session().pairUp("left", "other"));
        page.session().ignore({"same"});
        QVERIFY(!bench.bar(page, QStringLiteral("staleBar")).isEmpty());
        page.session().start();
        bench.jobs.runAll();
        QVERIFY(bench.bar(page, QStringLiteral("staleBar")).isEmpty());
        QCOMPARE(page.session().comparison()->pairs.size(), std::size_t{5});
        ComparePage& again = bench.compare();
        QVERIFY(&again != &page);
        QCOMPARE(again.session().comparison()->pairs.size(), std::size_t{5});
        QCOMPARE(again.session().comparison()->onlyA.size(), std::size_t{0});

        const QString file = bench.folder.filePath(QStringLiteral("map.json"));
        again.saveMapping(file);
        bench.jobs.runAll();
        again.session().setMapping({});
        again.loadMapping(file);
        bench.jobs.runAll();
        QCOMPARE(again.session().mapping().ignored.size(), std::size_t{1});
    }

    void exportsWhatTheCommandLinePrints() {
        CompareBench bench;
        ComparePage& page = bench.compare();
        for (const QString& name : {QStringLiteral("out.json"), QStringLiteral("out.csv")}) {
            page.exportTo(bench.folder.filePath(name));
            bench.jobs.runAll();
            QFile file(bench.folder.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray text = file.readAll();
            if (name.endsWith(QLatin1String("json"))) {
                QVERIFY(text.startsWith("{\"matched\":5"));
                QVERIFY(!QJsonDocument::fromJson(text).isNull());
            } else {
                QVERIFY(text.startsWith("a,b,a_parts"));
            }
        }
        page.exportTo(bench.folder.filePath(QStringLiteral("no/such/folder.json")));
        bench.jobs.runAll();
        QVERIFY(bench.bar(page).contains(QStringLiteral("folder.json")));
    }

    void asksForTheSecondModel() {
        CompareBench bench;
        bench.tab.openPaths({bench.a, bench.b});
        bench.jobs.runAll();
        const auto actions = bench.tab.paletteActions(QStringLiteral("compare with"), 20);
        QCOMPARE(actions.size(), 2); // "Compare with…" and the other open model
        actions.first()->trigger();
        ComparePage* page = bench.tab.currentComparison();
        QVERIFY(page);
        auto* open = page->findChild<QListWidget*>(QStringLiteral("compareOpenModels"));
        QCOMPARE(open->count(), 1);
        QVERIFY(!bench.tab.takeDrop({bench.a, bench.b, bench.a}));
        QVERIFY(bench.tab.takeDrop({bench.a}));
        bench.jobs.runAll();
        QVERIFY(page->session().comparison());
        QVERIFY(!page->session().comparison()->isDifferent() || page->session().a().path != page->session().b().path);
        QVERIFY(!bench.tab.takeDrop({bench.a})); // opened as ever
        QVERIFY(bench.tab.takeDrop({bench.b, bench.a}));
        QCOMPARE(bench.tab.currentComparison()->title(), QStringLiteral("b.safetensors ↔ a.safetensors"));
        bench.tab.paletteActions(QStringLiteral("close model"), 1).first()->trigger();
        bench.jobs.runAll();
    }

    void comesBackAtTheNextStartAndInAnotherLanguage() {
        CompareBench bench;
        bench.compare();
        const QJsonObject session = bench.tab.saveSession();
        applyLanguage(QStringLiteral("zh_CN"));
        test::turnLoop();
        QVERIFY(bench.tab.currentComparison());
        QVERIFY(bench.tab.currentComparison()->session().comparison()); // not made again
        applyLanguage(QStringLiteral("en"));
        test::turnLoop();
        InspectTab later(bench.services);
        later.restoreSession(session);
        QVERIFY(later.currentComparison());
        QVERIFY(!later.currentComparison()->session().isRunning()); // large models are read on request only
    }

    void namesMappingsInTheLanguage() {
        const auto comparison = std::make_shared<diff::Comparison>();
        diff::Pair pair;
        pair.a = pair.b = {"w"};
        pair.mapping = {diff::Mapping::Cast, diff::Mapping::Padded};
        comparison->pairs = {pair};
        ComparisonModel model;
        model.setComparison(comparison);
        const auto shown = [&] { return model.index(0, ComparisonModel::Mapping).data().toString(); };
        applyLanguage(QStringLiteral("en"));
        QCOMPARE(shown(), QStringLiteral("cast + padded"));
        applyLanguage(QStringLiteral("zh_CN"));
        QCOMPARE(shown(), QStringLiteral("转换类型 + 填充"));
        applyLanguage(QStringLiteral("en"));
    }

    void aBrokenModelIsNamed() {
        CompareBench bench;
        QFile file(bench.folder.filePath(QStringLiteral("cut.safetensors")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("12");
        file.close();
        bench.tab.comparePaths({bench.a, file.fileName()});
        bench.jobs.runAll();
        QVERIFY(bench.bar(*bench.tab.currentComparison()).contains(QStringLiteral("cut.safetensors")));
    }
};

WB_GUI_TEST(CompareTest)
#include "compare_test.moc"
