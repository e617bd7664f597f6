// SPDX-License-Identifier: MIT
#include "tests/gui/convert/inline_jobs.h"
#include "tests/gui/convert/turnstile.h"
#include "tests/gui/convert/wizard_bench.h"
#include "ui/convert/unfinished.h"
#include "ui/shell/jobs/job_runner.h"
#include "ui/shell/jobs/jobs_model.h"

#include <QAbstractItemModelTester>
#include <QDir>
#include <QLineEdit>
#include <QMenu>
#include <QTabBar>
#include <QTableView>

namespace wb::test {

using quant::FileType;
using ui::convert::QueuedRun;
using ui::convert::RunQueue;
using ui::convert::Wizard;
using State = QueuedRun::State;

namespace {

constexpr int allJobs = 100'000;
const std::vector<FileType> threeTypes{FileType::Q4_0, FileType::Q5_0, FileType::Q8_0};

QByteArray content(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

// Several runs one after another, on the window's own runner.
class QueueTest : public QObject {
    Q_OBJECT

private:
    Wizard& wizard() const { return m_bench->wizard(); }
    RunQueue& queue() const { return wizard().queue(); }
    QString path(const char* name) const { return m_bench->path(name); }
    QString file(const char* type) const { return path(qPrintable(QStringLiteral("model-%1.gguf").arg(QLatin1String(type)))); }
    QList<State> states() const {
        QList<State> states;
        for (const QueuedRun& run : queue().runs()) states << run.state;
        return states;
    }
    QStringList savedRuns() const { return QDir(path("state/queue")).entryList(QDir::Files); }

    // Files of the three types, written one by one.
    void writeExpected() {
        m_turnstile->allow(allJobs);
        for (const FileType type : threeTypes) {
            wizard().choices().setMix(type);
            QVERIFY(m_bench->settle());
            wizard().run(wizard().target(), false);
            QVERIFY(m_bench->waitFor(Wizard::Step::Result));
            m_expected << content(wizard().runs().target());
            QFile::remove(wizard().runs().target());
            wizard().backToPlan();
        }
        QCOMPARE(states(), QList<State>(3, State::Done)); // the Jobs page lists finished runs
        queue().clearDone();
        QTRY_VERIFY(wizard().speeds().planSeconds(*wizard().plans().plan()) >= 0); // as in init()
        m_turnstile = std::make_shared<Turnstile>();
    }

    // The program ends as after a kill: nothing is told to the queue.
    void restart() {
        m_bench->tab.reset();
        m_runner = std::make_unique<ui::QueuedJobRunner>(); // the one before stops its jobs and waits for them
        m_bench->services.jobs = m_runner.get();
        m_bench->restart();
    }

    // The queue of three types, with its first run done and two tensors of its second, which is paused.
    void runIntoTheSecond() {
        writeExpected();
        wizard().checkMixes(threeTypes);
        QTRY_COMPARE(m_turnstile->arrived(), 1);
        QCOMPARE(wizard().step(), Wizard::Step::Run);
        int tensors = 0; // of the first run, as the next one waits at its own first
        while (states().first() != State::Done) {
            m_turnstile->allow(1);
            ++tensors;
            QTRY_COMPARE(m_turnstile->arrived(), tensors + 1);
        }
        m_turnstile->allow(2);
        QTRY_COMPARE(m_turnstile->arrived(), tensors + 3);
        QCOMPARE(states(), (QList<State>{State::Done, State::Running, State::Waiting}));
        QTRY_VERIFY(wizard().runs().isRunning());
        QTRY_VERIFY(wizard().runs().doneBytes() > 0);
        m_bench->click("pause");
        QTRY_VERIFY(wizard().runs().isPaused());
        m_turnstile->allow(allJobs);
        QTRY_COMPARE(m_turnstile->done(), tensors + 3);
    }

    std::shared_ptr<Turnstile> m_turnstile;
    std::unique_ptr<ui::QueuedJobRunner> m_runner;
    std::unique_ptr<WizardBench> m_bench;
    QList<QByteArray> m_expected;

private Q_SLOTS:
    void init() {
        m_expected.clear();
        m_turnstile = std::make_shared<Turnstile>();
        m_runner = std::make_unique<ui::QueuedJobRunner>();
        m_bench = std::make_unique<WizardBench>(*m_runner);
        QVERIFY(m_bench->open());
        QTRY_VERIFY(wizard().canRun());
        QTRY_VERIFY(wizard().speeds().planSeconds(*wizard().plans().plan()) >= 0); // measuring would pass the turnstile, too
        m_bench->services.quantizer = [this] { return m_turnstile; };
    }
    void cleanup() {
        m_turnstile->allow(allJobs);
        m_bench.reset();
        m_runner.reset();
    }

    void threeTypesAreFinishedAfterARestartInTheMiddle() {
        runIntoTheSecond();
        QCOMPARE(savedRuns().size(), 2);
        restart();
        QTRY_COMPARE(states(), (QList<State>{State::Waiting, State::Waiting}));
        QCOMPARE(content(file("Q4_0")), m_expected[0]);
        QVERIFY(!QFile::exists(file("Q5_0")));
        auto* strip = m_bench->find<QLabel>("queueText");
        QTRY_VERIFY2(strip->text().contains(QStringLiteral("2 jobs waiting")), qPrintable(strip->text()));
        QTRY_VERIFY(queue().runs().first().percent.value_or(0) > 0);
        QCOMPARE(m_bench->tab->workSource()->items().size(), 2); // the output of the first is not a second job
        QList<quint64> resumed;
        connect(&queue(), &RunQueue::ended, this, [this, &resumed](quint64) {
            if (wizard().runs().outcome()) resumed << wizard().runs().outcome()->resumedItems;
        });
        m_bench->resumeJob("model-Q5_0.gguf");
        QTRY_COMPARE(states(), (QList<State>{State::Done, State::Done}));
        QVERIFY(resumed.size() == 2 && resumed[0] >= 2 && resumed[1] == 0);
        QCOMPARE(content(file("Q5_0")), m_expected[1]);
        QCOMPARE(content(file("Q8_0")), m_expected[2]);
        QVERIFY(savedRuns().isEmpty());
    }

    void cancelSaysWhatIsKeptAndTheRestGoesOnWithoutIt() {
        runIntoTheSecond();
        m_bench->click("cancel");
        QTRY_COMPARE(states(), (QList<State>{State::Done, State::Stopped, State::Waiting}));
        QCOMPARE(wizard().step(), Wizard::Step::Run);
        auto* summary = m_bench->find<QLabel>("queueText");
        QVERIFY(summary->isVisible());
        QTRY_VERIFY2(summary->text().contains(QStringLiteral("% of it was saved")), qPrintable(summary->text()));
        QVERIFY2(summary->text().contains(QStringLiteral("model-Q5_0.gguf")), qPrintable(summary->text()));
        m_bench->answerNext(true);
        m_bench->removeJob("model-Q5_0.gguf");
        QTRY_COMPARE(states(), (QList<State>{State::Done, State::Waiting}));
        QTRY_VERIFY(!QFile::exists(file("Q5_0.gguf.part")) && !QFile::exists(path("model-Q5_0.gguf.part")));
        m_bench->resumeJob("model-Q8_0.gguf");
        QTRY_COMPARE(states(), (QList<State>{State::Done, State::Done}));
        QCOMPARE(content(file("Q8_0")), m_expected[2]);
        QTRY_VERIFY(savedRuns().isEmpty());
    }

    // The Jobs page has every run of the queue, the running one together with its job, and steers them.
    void theJobsPageHasEachRunOnce() {
        ui::JobsModel model;
        connect(m_runner.get(), &ui::QueuedJobRunner::jobAdded, &model, &ui::JobsModel::add);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        model.addSource(m_bench->tab->workSource());
        runIntoTheSecond();
        const auto shown = [&model](const char* file) {
            for (int row = 0; row < model.rowCount(); ++row)
                if (model.work(row).title.contains(QLatin1String(file))) return row;
            return -1;
        };
        QTRY_VERIFY(model.work(shown("model-Q5_0.gguf")).state == ui::WorkState::Paused);
        QVERIFY(model.work(shown("model-Q4_0.gguf")).state == ui::WorkState::Done);
        QCOMPARE(model.work(shown("model-Q4_0.gguf")).result, file("Q4_0"));
        QVERIFY(model.work(shown("model-Q8_0.gguf")).state == ui::WorkState::Queued);
        QVERIFY(model.job(shown("model-Q5_0.gguf")) != nullptr);
        model.cancel(shown("model-Q5_0.gguf"));
        QTRY_VERIFY(model.work(shown("model-Q5_0.gguf")).state == ui::WorkState::Canceled);
        QVERIFY(model.work(shown("model-Q8_0.gguf")).state == ui::WorkState::Paused);
        model.resume(shown("model-Q5_0.gguf"));
        QTRY_COMPARE(states(), (QList<State>{State::Done, State::Done, State::Done}));
        QCOMPARE(content(file("Q5_0")), m_expected[1]);
    }

    void canceledItGoesOnWhereItWas() {
        runIntoTheSecond();
        m_bench->click("cancel");
        QTRY_COMPARE(states(), (QList<State>{State::Done, State::Stopped, State::Waiting}));
        m_bench->resumeJob("model-Q5_0.gguf");
        QTRY_COMPARE(states(), (QList<State>{State::Done, State::Done, State::Done}));
        QCOMPARE(content(file("Q5_0")), m_expected[1]);
        QCOMPARE(content(file("Q8_0")), m_expected[2]);
    }

    void aRunOfAnotherModelJoinsWhileOneRuns() {
        const QString other = writeModelWith(path("other.gguf"), {"blk.0.ffn_up.weight", "token_embd.weight"});
        wizard().run(wizard().target(), false);
        QTRY_COMPARE(m_turnstile->arrived(), 1);
        m_bench->click("leaveRuns");
        QCOMPARE(wizard().step(), Wizard::Step::Plan);
        QVERIFY(m_bench->open(other));
        QCOMPARE(m_bench->find<QPushButton>("run")->text(), QStringLiteral("Add to queue"));
        QVERIFY(m_bench->clickRun());
        QTRY_COMPARE(states(), (QList<State>{State::Running, State::Waiting}));
        QCOMPARE(wizard().step(), Wizard::Step::Plan);
        QTRY_COMPARE(savedRuns().size(), 2);
        QVERIFY(m_bench->clickRun()); // the same once more
        QVERIFY2(m_bench->failure().contains(QStringLiteral("queued job already writes")), qPrintable(m_bench->failure()));
        m_turnstile->allow(allJobs);
        QTRY_COMPARE(states(), (QList<State>{State::Done, State::Done}));
        QVERIFY(QFile::exists(path("other-Q4_K_M.gguf")) && QFile::exists(file("Q4_K_M")));
        QTRY_VERIFY(savedRuns().isEmpty());
    }

    void theQueueStopsAfterTheRunThatIsUnderWay() {
        wizard().checkMixes({FileType::Q4_0, FileType::Q8_0});
        QTRY_COMPARE(m_turnstile->arrived(), 1);
        QMenu menu;
        m_bench->tab->workSource()->addCommands(&menu, {});
        auto* hold = menu.findChild<QAction*>(QStringLiteral("holdQueue"));
        QVERIFY(hold && !hold->isChecked());
        hold->trigger();
        m_turnstile->allow(allJobs);
        QTRY_COMPARE(states(), (QList<State>{State::Done, State::Waiting}));
        m_bench->resumeJob("model-Q8_0.gguf");
        QTRY_COMPARE(states(), (QList<State>{State::Done, State::Done}));
    }

    void aRunThatFailsLetsTheOthersGoOn() {
        const QString target = path("out/first.gguf");
        QVERIFY(QDir().mkpath(path("out")));
        wizard().run(wizard().target(), false);
        QTRY_COMPARE(m_turnstile->arrived(), 1);
        wizard().leaveRuns();
        wizard().choices().setMix(FileType::Q8_0);
        QVERIFY(m_bench->settle());
        wizard().run(target, false);
        wizard().choices().setMix(FileType::Q5_0);
        QVERIFY(m_bench->settle());
        wizard().run(path("last.gguf"), false);
        QVERIFY(QDir(path("out")).removeRecursively());
        m_turnstile->allow(allJobs);
        QTRY_COMPARE(states(), (QList<State>{State::Done, State::Failed, State::Done}));
        QVERIFY(!queue().runs()[1].failure.text().isEmpty());
        QCOMPARE(savedRuns().size(), 1);
        QVERIFY(QDir().mkpath(path("out")));
        queue().retry(queue().runs()[1].id);
        QTRY_COMPARE(states(), (QList<State>{State::Done, State::Done, State::Done}));
        QVERIFY(QFile::exists(target));
    }

    void whatIsNoRunOfAQueueIsLeftOut() {
        QVERIFY(QDir().mkpath(path("state/queue")));
        for (const char* text : {"", "{", "[]", R"({"weighbridge_queue": 9, "model": "a", "target": "b", "plan": "c"})",
                                 R"({"weighbridge_queue": 1, "model": 3, "target": [], "plan": {}})"}) {
            QFile damaged(path("state/queue/00000000000000000007.json"));
            QVERIFY(damaged.open(QIODevice::WriteOnly));
            damaged.write(text);
            damaged.close();
            QVERIFY2(ui::convert::QueueStore(path("state")).all().isEmpty(), text);
        }
    }

    void aPlanThatIsNoneFailsWithASentence() {
        QVERIFY(QDir().mkpath(path("state/queue")));
        QFile damaged(path("state/queue/00000000000000000007.json"));
        QVERIFY(damaged.open(QIODevice::WriteOnly));
        damaged.write(R"({"weighbridge_queue": 1, "model": "/nowhere/a.gguf", "target": "/nowhere/b.gguf", "plan": "{}"})");
        damaged.close();
        restart();
        QTRY_COMPARE(states(), (QList<State>{State::Waiting}));
        queue().goOn();
        QTRY_COMPARE(states(), (QList<State>{State::Failed}));
        QVERIFY2(queue().runs()[0].failure.text().contains(QStringLiteral("b.gguf")), qPrintable(queue().runs()[0].failure.text()));
        queue().remove(queue().runs()[0].id);
        QTRY_VERIFY(savedRuns().isEmpty());
    }
};

WB_GUI_TEST(QueueTest)

// What a page offers of a run that was cancelled, and of several mixes at once.
class QueuePagesTest : public QObject {
    Q_OBJECT

private:
    Wizard& wizard() const { return m_bench->wizard(); }
    QString path(const char* name) const { return m_bench->path(name); }

    InlineJobs m_jobs;
    std::unique_ptr<WizardBench> m_bench;

    void cancelInTheMiddle() {
        m_jobs.stopAfter = 2;
        wizard().run(path("small.gguf"), false);
        QVERIFY(m_bench->waitFor(Wizard::Step::Plan));
        m_jobs.stopAfter = -1;
        QTRY_VERIFY(wizard().kept());
    }

private Q_SLOTS:
    void init() {
        m_jobs.stopAfter = -1;
        m_jobs.never = QStringLiteral("Estimating speed");
        m_bench = std::make_unique<WizardBench>(m_jobs);
        QVERIFY(m_bench->open());
    }
    void cleanup() { m_bench.reset(); }

    void aCanceledRunSaysWhatIsKeptAndGoesOn() {
        cancelInTheMiddle();
        const QString text = m_bench->find<QLabel>("keptText")->text();
        QVERIFY2(text.contains(QStringLiteral("% of small.gguf is saved")), qPrintable(text));
        m_bench->click("keptResume");
        QVERIFY(m_bench->waitFor(Wizard::Step::Result));
        QVERIFY(wizard().runs().outcome()->resumedItems > 0);
        QVERIFY(!wizard().kept());
    }

    void aCanceledRunCanBeDiscardedAtOnce() {
        cancelInTheMiddle();
        QVERIFY(QFile::exists(path("small.gguf.part")));
        m_bench->answerNext(true);
        m_bench->click("keptDiscard");
        QTRY_VERIFY(!QFile::exists(path("small.gguf.part")));
        QVERIFY(!m_bench->find<QWidget>("keptBar")->isVisible());
    }

    void theMixesThatAreSelectedRunOneAfterAnother() {
        m_bench->find<QTabBar>("parts")->setCurrentIndex(3);
        QTRY_VERIFY(wizard().mixes().table());
        auto* table = m_bench->find<QTableView>("mixTable");
        const QStringList wanted{QStringLiteral("Q8_0"), QStringLiteral("Q6_K"), QStringLiteral("Q4_K_M")};
        for (int row = 0; row < table->model()->rowCount(); ++row)
            if (wanted.contains(table->model()->index(row, 0).data().toString()))
                table->selectionModel()->select(table->model()->index(row, 0),
                                                QItemSelectionModel::Select | QItemSelectionModel::Rows);
        QVERIFY(!m_bench->find<QPushButton>("takeMix")->isEnabled());
        m_bench->click("queueMixes");
        QTRY_COMPARE(wizard().queue().runs().size(), 3);
        for (const QString& type : wanted) QTRY_VERIFY(QFile::exists(path(qPrintable(QStringLiteral("model-%1.gguf").arg(type)))));
        QTRY_VERIFY(!wizard().queue().isBusy());
        m_bench->answerNext(false); // all of them are there now
        wizard().leaveRuns();
        m_bench->click("queueMixes");
        QTRY_VERIFY2(m_bench->question.contains(QStringLiteral("model-Q6_K.gguf")), qPrintable(m_bench->question));
        QCOMPARE(wizard().queue().runs().size(), 3);
    }
};

WB_GUI_TEST(QueuePagesTest)

} // namespace wb::test

#include "queue_test.moc"
