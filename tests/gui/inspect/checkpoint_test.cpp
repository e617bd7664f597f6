// SPDX-License-Identifier: MIT
#include "core/model/checkpoint.h"
#include "tests/gui/support/gui_test.h"
#include "ui/inspect/checkpoint/checkpoint_panel.h"
#include "ui/inspect/tables/cell_table_view.h"

#include <QAbstractItemModelTester>

using namespace wb;
using namespace wb::ui::inspect;

namespace {

constexpr auto strictly = QAbstractItemModelTester::FailureReportingMode::QtTest;

Checkpoint sampleCheckpoint() {
    Checkpoint checkpoint;
    checkpoint.framework = "deepspeed";
    checkpoint.step = 1200;
    checkpoint.learningRate = 0.5;
    checkpoint.world.data = 4;
    checkpoint.parts = {{CheckpointPart::Weights, 3, 1000, 4096, {"a.pt", "b.pt"}}};
    checkpoint.missing = {{CheckpointPart::Optimizer, "rank 1: b.pt"}, {CheckpointPart::Rng, ""}};
    return checkpoint;
}

QStringList column(const CellTableView* table, int number) {
    QStringList list;
    for (int row = 0; row < table->model()->rowCount(); ++row) list << table->model()->index(row, number).data().toString();
    return list;
}

} // namespace

class CheckpointTest : public QObject {
    Q_OBJECT

private slots:
    void showsAnatomyAndMissingParts() {
        auto model = std::make_shared<Model>();
        model->checkpoint = std::make_shared<const Checkpoint>(sampleCheckpoint());
        const CheckpointPanel panel(model);
        const auto* facts = panel.findChild<CellTableView*>(QStringLiteral("checkpointFacts"));
        const auto* parts = panel.findChild<CellTableView*>(QStringLiteral("checkpointParts"));
        const auto* missing = panel.findChild<CellTableView*>(QStringLiteral("checkpointMissing"));
        const auto* series = panel.findChild<CellTableView*>(QStringLiteral("checkpointSeries"));
        QVERIFY(facts && parts && missing && series);
        for (const CellTableView* table : {facts, parts, missing, series}) {
            const QAbstractItemModelTester tester(table->model(), strictly);
            QVERIFY(!table->accessibleName().isEmpty());
        }
        QVERIFY(column(facts, 1).contains(QStringLiteral("deepspeed")));
        QVERIFY(column(facts, 1).contains(QStringLiteral("1,200")));
        QCOMPARE(column(parts, 0), QStringList{QStringLiteral("Weights")});
        QCOMPARE(column(parts, 4), QStringList{QStringLiteral("2 files")});
        QCOMPARE(column(missing, 1), (QStringList{QStringLiteral("rank 1: b.pt"), QString()}));
        QVERIFY(series->isHidden() || series->parentWidget()->isHidden());
    }

    void showsASeriesWithoutACheckpoint() {
        auto model = std::make_shared<Model>();
        SeriesEntry entry;
        entry.path = "checkpoint-10";
        entry.step = 10;
        entry.loss = 2.5;
        entry.parts = {CheckpointPart::Weights, CheckpointPart::Optimizer};
        model->series = std::make_shared<const std::vector<SeriesEntry>>(std::vector{entry});
        const CheckpointPanel panel(model);
        const auto* series = panel.findChild<CellTableView*>(QStringLiteral("checkpointSeries"));
        QVERIFY(series);
        QCOMPARE(column(series, 0), QStringList{QStringLiteral("checkpoint-10")});
        QCOMPARE(column(series, 3), QStringList{QStringLiteral("2.5")});
        QCOMPARE(column(series, 5), QStringList{QStringLiteral("Weights, Optimizer")});
    }
};

WB_GUI_TEST(CheckpointTest)
#include "checkpoint_test.moc"
