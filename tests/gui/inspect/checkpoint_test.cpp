// SPDX-License-Identifier: MIT
#include "core/formats/open.h"
#include "core/model/checkpoint.h"
#include "tests/gui/inspect/fake_backend.h"
#include "tests/gui/inspect/manual_jobs.h"
#include "tests/gui/inspect/sample_models.h"
#include "tests/gui/support/gui_test.h"
#include "tests/gui/support/test_services.h"
#include "ui/inspect/checkpoint/checkpoint_panel.h"
#include "ui/inspect/checkpoint/series_panel.h"
#include "ui/inspect/metadata/header_card.h"
#include "ui/inspect/tables/cell_table_view.h"
#include "ui/inspect/trend/trend_view.h"
#include "ui/shell/settings/language.h"
#include "ui/widgets/elided_label.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <limits>

using namespace wb;
using namespace wb::ui;
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

// A folder with three checkpoints of a run: steps 10, 20 and 30, the last one with NaN, and its panel.
struct Run {
    Run() : services(&jobs, {.threads = 1}, &backend) {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        write(10, 4, {1, 2}, {1, 1});
        write(20, 2, {1, 4}, {1, 2});
        write(30, 1, {1, nan}, {1, 3});
    }
    void write(int step, double loss, const std::vector<float>& one, const std::vector<float>& other) {
        const QString name = QStringLiteral("checkpoint-%1").arg(step);
        QDir(folder.path()).mkdir(name);
        test::writeSafetensors(folder, name + QStringLiteral("/model.safetensors"), {{"one", {2}, one}, {"other", {2}, other}});
        QFile state(folder.filePath(name + QStringLiteral("/trainer_state.json")));
        QVERIFY(state.open(QIODevice::WriteOnly));
        state.write(QByteArrayLiteral(R"({"global_step":)") + QByteArray::number(step) + R"(,"log_history":[{"loss":)" +
                    QByteArray::number(loss) + "}]}");
    }
    SeriesPanel& open() {
        const auto model = formats::open(folder.path().toStdString());
        document = std::make_unique<Document>(stats::modelContents(*model), folder.path());
        panel = std::make_unique<CheckpointPanel>(*document, services);
        panel->resize(900, 300);
        panel->show();
        return *panel->series();
    }
    CellTableView* table() const { return panel->findChild<CellTableView*>(QStringLiteral("checkpointSeries")); }
    TrendView* plot() const { return panel->findChild<TrendView*>(QStringLiteral("seriesPlot")); }
    QString hint() const { return panel->findChild<QLabel*>(QStringLiteral("seriesHint"))->text(); }

    QTemporaryDir folder;
    test::ManualJobs jobs;
    test::FakeBackend backend;
    test::TestServices services;
    std::unique_ptr<Document> document;
    std::unique_ptr<CheckpointPanel> panel;
};

} // namespace

class CheckpointTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { applyLanguage(QStringLiteral("en")); }

    void showsAnatomyAndMissingParts() {
        auto model = std::make_shared<Model>();
        model->checkpoint = std::make_shared<const Checkpoint>(sampleCheckpoint());
        Document document(stats::modelContents(model));
        const test::TestServices services;
        const CheckpointPanel panel(document, services);
        const auto* facts = panel.findChild<CellTableView*>(QStringLiteral("checkpointFacts"));
        const auto* parts = panel.findChild<CellTableView*>(QStringLiteral("checkpointParts"));
        const auto* missing = panel.findChild<CellTableView*>(QStringLiteral("checkpointMissing"));
        QVERIFY(facts && parts && missing && !panel.series());
        for (const CellTableView* table : {facts, parts, missing}) {
            const QAbstractItemModelTester tester(table->model(), strictly);
            QVERIFY(!table->accessibleName().isEmpty());
        }
        QVERIFY(column(facts, 1).contains(QStringLiteral("deepspeed")));
        QVERIFY(column(facts, 1).contains(QStringLiteral("1,200")));
        QCOMPARE(column(parts, 0), QStringList{QStringLiteral("Weights")});
        QCOMPARE(column(parts, 4), QStringList{QStringLiteral("2 files")});
        QCOMPARE(column(missing, 1), (QStringList{QStringLiteral("rank 1: b.pt"), QString()}));
    }

    void showsASeriesWithoutACheckpoint() {
        auto model = std::make_shared<Model>();
        SeriesEntry entry;
        entry.path = "checkpoint-10";
        entry.step = 10;
        entry.loss = 2.5;
        entry.parts = {CheckpointPart::Weights, CheckpointPart::Optimizer};
        model->series = std::make_shared<const std::vector<SeriesEntry>>(std::vector{entry});
        Document document(stats::modelContents(model));
        const test::TestServices services;
        const CheckpointPanel panel(document, services);
        QVERIFY(panel.series());
        const auto* series = panel.findChild<CellTableView*>(QStringLiteral("checkpointSeries"));
        QVERIFY(series);
        QCOMPARE(column(series, 0), QStringList{QStringLiteral("checkpoint-10")});
        QCOMPARE(column(series, 3), QStringList{QStringLiteral("2.5")});
        QCOMPARE(column(series, 5), QStringList{QStringLiteral("Weights, Optimizer")});
        QCOMPARE(series->textElideMode(), Qt::ElideMiddle);
    }

    void theHeaderNamesTheCheckpointOfASeries() {
        Run run;
        run.open();
        const HeaderCard header(run.document->contents(), QStringLiteral("run"), run.folder.path());
        const auto* facts = header.findChild<ElidedLabel*>(QStringLiteral("shapeFacts"));
        QVERIFY(facts);
        QVERIFY2(facts->text().startsWith(QStringLiteral("newest of 3 checkpoints: checkpoint-30")), qPrintable(facts->text()));
    }

    void plotsTheLossOverTheSteps() {
        Run run;
        run.open();
        const QAbstractItemModelTester tester(run.table()->model(), strictly);
        QCOMPARE(column(run.table(), 1), (QStringList{QStringLiteral("10"), QStringLiteral("20"), QStringLiteral("30")}));
        QCOMPARE(column(run.table(), 3), (QStringList{QStringLiteral("4"), QStringLiteral("2"), QStringLiteral("1")}));
        const QString sentence = run.plot()->accessibleDescription();
        QVERIFY2(sentence.contains(QStringLiteral("steps 10 to 30")), qPrintable(sentence));
        run.plot()->grab();
    }

    void measuresATensorInEveryCheckpoint() {
        Run run;
        SeriesPanel& series = run.open();
        const QAbstractItemModelTester tester(run.table()->model(), strictly);
        auto* button = run.panel->findChild<QPushButton*>(QStringLiteral("seriesCompute"));
        QVERIFY(!button->isEnabled());
        series.setTensor(1);
        QVERIFY(button->isEnabled());
        button->click();
        const auto job = run.jobs.find(QStringLiteral("Statistics of other over"));
        QVERIFY(job && job->visible);
        run.jobs.runAll();
        QVERIFY(!series.isComputing());
        series.showStatistic(Column::Max);
        QCOMPARE(run.table()->model()->headerData(2, Qt::Horizontal).toString(), QStringLiteral("other"));
        QCOMPARE(column(run.table(), 2), (QStringList{QStringLiteral("1"), QStringLiteral("2"), QStringLiteral("3")}));
        QVERIFY(run.plot()->accessibleDescription().contains(QStringLiteral("between 1 and 3")));
        QSignalSpy chosen(&series, &SeriesPanel::tensorChosen);
        for (const auto key : {Qt::Key_Down, Qt::Key_Right, Qt::Key_Return}) QTest::keyClick(run.plot(), key);
        QVERIFY(run.plot()->accessibleDescription().contains(QStringLiteral("step 20")));
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toUInt(), 1U);
    }

    void measuresAllTensorsAndCanBeCanceled() {
        Run run;
        SeriesPanel& series = run.open();
        const QAbstractItemModelTester tester(run.table()->model(), strictly);
        series.computeAll();
        series.computeAll();
        QVERIFY(!series.isComputing());
        run.jobs.runAll();
        QCOMPARE(run.table()->model()->columnCount(), 5);
        series.computeAll();
        run.jobs.runAll();
        QCOMPARE(run.table()->model()->columnCount(), 7);
        series.showStatistic(Column::NaN);
        QCOMPARE(column(run.table(), 2), (QStringList{QStringLiteral("0"), QStringLiteral("0"), QStringLiteral("1")}));
        QVERIFY(run.table()->cells()->cell(2, 2).severity == Severity::Warning);
        QVERIFY(run.table()->cells()->cell(2, 3).severity == std::nullopt);
    }

    void namesACheckpointThatCannotBeRead() {
        Run run;
        QFile broken(run.folder.filePath(QStringLiteral("checkpoint-20/model.safetensors")));
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write("broken");
        broken.close();
        SeriesPanel& series = run.open();
        series.setTensor(0);
        series.compute();
        run.jobs.runAll();
        series.showStatistic(Column::Mean);
        QVERIFY2(!run.hint().isEmpty(), "a sentence names the problem");
        QCOMPARE(run.table()->model()->index(1, 2).data().toString(), QStringLiteral("–"));
        QVERIFY(run.table()->cells()->cell(1, 0).severity.has_value());
        QVERIFY(run.plot()->accessibleDescription().contains(QStringLiteral("steps 10 to 30")));
    }
};

WB_GUI_TEST(CheckpointTest)
#include "checkpoint_test.moc"
