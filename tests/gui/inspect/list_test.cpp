// SPDX-License-Identifier: MIT
#include "tests/gui/inspect/desk.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QTreeView>

namespace wb::test {

namespace {

QString nameInRow(const QTableView* table, int row) { return table->model()->index(row, 0).data().toString(); }

} // namespace

// The list of tensors: searched, sorted, with its columns.
class ListTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { applyLanguage(QStringLiteral("en")); }

    void searchesAfterAPause() {
        Desk desk;
        desk.open(desk.path);
        QTest::keyClicks(desk.search(), QStringLiteral("q_proj layer:1"));
        QTRY_COMPARE(desk.table()->model()->rowCount(), 1);
        QCOMPARE(nameInRow(desk.table(), 0), QStringLiteral("model.layers.1.self_attn.q_proj.weight"));
        desk.search()->clear();
        QTRY_COMPARE(desk.table()->model()->rowCount(), 3);
    }

    void theDownKeyLeadsFromTheSearchToItsResults() {
        Desk desk;
        desk.open(desk.path);
        QVERIFY(desk.focus(desk.search()));
        QTest::keyClick(desk.search(), Qt::Key_Down);
        QVERIFY(desk.table()->hasFocus());
        QCOMPARE(desk.table()->currentIndex().row(), 0);
    }

    void aRowReachedByTabIsHighlighted() {
        Desk desk;
        desk.open(desk.path);
        QVERIFY(desk.focus(desk.search()));
        desk.table()->clearSelection();
        desk.table()->setFocus(Qt::TabFocusReason);
        QVERIFY(desk.table()->selectionModel()->hasSelection());
    }

    void explainsWrongQueries() {
        Desk desk;
        desk.open(desk.path);
        auto* problem = desk.tab.currentPage()->findChild<QLabel*>(QStringLiteral("searchProblem"));
        desk.tab.currentPage()->tensors()->search(QStringLiteral("dtyp:f32"));
        QVERIFY(!problem->isHidden());
        QVERIFY(problem->text().contains(QStringLiteral("type")));
        QCOMPARE(desk.table()->model()->rowCount(), 3); // the last good query stays
        desk.tab.currentPage()->tensors()->search(QStringLiteral("dtype:f32"));
        QVERIFY(problem->isHidden());
    }

    void asksAgainWhenStatisticsArrive() {
        Desk desk;
        desk.open(desk.path);
        desk.tab.currentPage()->tensors()->search(QStringLiteral("absmax>4"));
        QCOMPARE(desk.table()->model()->rowCount(), 0);
        desk.tab.currentPage()->computeAll();
        desk.jobs.runAll();
        QCOMPARE(desk.table()->model()->rowCount(), 2);
    }

    void sortsByAClickOnTheHeader() {
        Desk desk;
        desk.open(desk.path);
        desk.table()->sortByColumn(static_cast<int>(Column::Elements), Qt::DescendingOrder);
        QCOMPARE(nameInRow(desk.table(), 0), QStringLiteral("embed.weight"));
        desk.table()->sortByColumn(static_cast<int>(Column::Elements), Qt::AscendingOrder);
        QCOMPARE(nameInRow(desk.table(), 2), QStringLiteral("embed.weight"));
    }

    void copiesSelectedRowsAndOneCell() {
        Desk desk;
        desk.open(desk.path);
        desk.table()->selectRow(0);
        desk.table()->selectionModel()->select(desk.table()->model()->index(2, 0),
                                               QItemSelectionModel::Select | QItemSelectionModel::Rows);
        QVERIFY(desk.focus(desk.table()));
        QTest::keyClick(desk.table(), Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 2);
        QVERIFY(lines[0].startsWith(QStringLiteral("embed.weight\tF32\t[2, 3]\t6\t24\t")));
        QTest::keyClick(desk.table(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("embed.weight"));
    }

    void theNameStaysWhileTheColumnsAreScrolled() {
        Desk desk;
        desk.open(desk.path);
        desk.tab.currentPage()->computeAll();
        desk.jobs.runAll();
        desk.tab.resize(700, 500);
        desk.tab.show();
        auto* frozen = desk.table()->findChild<QTableView*>(QStringLiteral("frozenColumn"));
        QVERIFY(frozen && frozen->isHidden());
        desk.table()->horizontalScrollBar()->setValue(desk.table()->horizontalScrollBar()->maximum());
        QVERIFY(!frozen->isHidden());
        QCOMPARE(frozen->width(), desk.table()->columnWidth(0));
        QCOMPARE(frozen->indexAt({5, 5}).data().toString(), nameInRow(desk.table(), 0));
        QVERIFY(desk.table()->columnViewportPosition(0) < 0); // the column itself is gone
        desk.table()->sortByColumn(0, Qt::DescendingOrder);
        QCOMPARE(frozen->indexAt({5, 5}).data().toString(), nameInRow(desk.table(), 0));
        QTest::mouseClick(frozen->viewport(), Qt::LeftButton, {}, {5, frozen->rowHeight(0) + 5});
        QCOMPARE(desk.table()->currentIndex().row(), 1);
        desk.table()->setColumnWidth(0, 120);
        QCOMPARE(frozen->width(), 120);
    }

    void columnsCanBeHiddenAndStayHidden() {
        Desk desk;
        desk.open(desk.path);
        const auto role = static_cast<int>(Column::Role), kurtosis = static_cast<int>(Column::Kurtosis);
        auto* columns = desk.table()->findChild<QMenu*>(QStringLiteral("columns"));
        QVERIFY(columns && desk.table()->actions().contains(columns->menuAction()));
        emit columns->aboutToShow();
        QStringList offered;
        for (QAction* action : columns->actions()) {
            if (action->isCheckable()) offered << action->text();
            if (action->text() == columnTitle(Column::Role)) action->trigger();
        }
        QVERIFY(!offered.contains(columnTitle(Column::Name)) && !offered.contains(columnTitle(Column::Kurtosis)));
        QVERIFY(desk.table()->isColumnHidden(role));
        desk.tab.currentPage()->computeAll();
        desk.jobs.runAll();
        QVERIFY(!desk.table()->isColumnHidden(kurtosis) && desk.table()->isColumnHidden(role));
        const QJsonObject state = desk.tab.currentPage()->save();
        Desk other;
        other.open(other.path);
        other.tab.currentPage()->restore(state);
        QVERIFY(other.table()->isColumnHidden(role));
        emit other.table()->findChild<QMenu*>(QStringLiteral("columns"))->aboutToShow();
        other.table()->findChild<QMenu*>(QStringLiteral("columns"))->actions().last()->trigger();
        QVERIFY(!other.table()->isColumnHidden(role));
    }

    void viewsOfTheWholeModelAskForTheRestOfItsStatistics() {
        Desk desk;
        desk.tab.resize(1100, 700);
        desk.tab.show();
        desk.open(desk.path);
        for (const auto detail : {ModelPage::Detail::Trend, ModelPage::Detail::Model}) {
            desk.tab.currentPage()->showDetail(detail);
            const auto seen = [&desk]() -> QPushButton* {
                for (QPushButton* button : desk.tab.currentPage()->findChildren<QPushButton*>(QStringLiteral("computeRest")))
                    if (button->isVisible()) return button;
                return nullptr;
            };
            turnLoop();
            QPushButton* const compute = seen();
            if (detail == ModelPage::Detail::Model) {
                QVERIFY2(!compute, "all is known by now");
                continue;
            }
            QVERIFY(compute);
            compute->click();
            desk.jobs.runAll();
            QVERIFY(!compute->isVisible());
        }
        QCOMPARE(desk.backend.calls, 3);
    }

    void switchesToTheTreeAndBack() {
        Desk desk;
        desk.open(desk.path);
        desk.tab.currentPage()->tensors()->chooseTensor(2);
        desk.tab.currentPage()->tensors()->setTree(true);
        auto* tree = desk.tab.currentPage()->findChild<QTreeView*>(QStringLiteral("tensorTree"));
        QCOMPARE(tree->currentIndex().data(TensorRole).toUInt(), 2U);
        QVERIFY(tree->isExpanded(tree->currentIndex().parent()));
        desk.tab.currentPage()->tensors()->setTree(false);
        QCOMPARE(desk.table()->currentIndex().row(), 2);
    }
};

WB_GUI_TEST(ListTest)

} // namespace wb::test

#include "list_test.moc"
