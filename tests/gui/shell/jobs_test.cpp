// SPDX-License-Identifier: MIT
#include "tests/gui/support/gui_test.h"
#include "ui/shell/jobs/job_runner.h"
#include "ui/shell/jobs/jobs_model.h"
#include "ui/shell/jobs/jobs_tab.h"
#include "ui/shell/settings/language.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QLabel>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QThread>
#include <QTreeView>

#include <atomic>
#include <semaphore>

using namespace wb;
using namespace wb::ui;

namespace {

// Counts up through Progress::at until it is told to end or stopped.
struct Counter {
    std::atomic<bool> end{false};
    std::atomic<quint64> reached{0};

    std::function<Result<void>(const Progress&)> work() {
        return [this](const Progress& progress) -> Result<void> {
            while (!end) {
                WB_TRY(progress.at(++reached, 1'000'000'000));
                std::this_thread::yield();
            }
            return {};
        };
    }
};

// A fake list of work that records its calls.
class FakeWork : public WorkSource {
public:
    void set(const QList<WorkItem>& items) {
        m_items = items;
        emit changed();
    }
    QList<WorkItem> items() const override { return m_items; }
    void pause(const QString& id) override { asked << QStringLiteral("pause ") + id; }
    void resume(const QString& id) override { asked << QStringLiteral("resume ") + id; }
    void cancel(const QString& id) override { asked << QStringLiteral("cancel ") + id; }
    void remove(const QString& id) override { asked << QStringLiteral("remove ") + id; }

    QStringList asked;

private:
    QList<WorkItem> m_items;
};

// With a fragment of a sentence as its argument.
Error cutFile() {
    return makeError(ErrorCode::Malformed, Reason("test.cut"), "{}: {}", "a.gguf", "the file ends before its last byte");
}

} // namespace

class JobsTest : public QObject {
    Q_OBJECT

private slots:
    void resultArrivesOnTheGuiThread() {
        QueuedJobRunner runner;
        std::atomic<QThread*> worker{nullptr};
        QThread* receiver = nullptr;
        bool succeeded = false;
        const auto job = runner.start(
            QStringLiteral("work"), nullptr,
            [&](const Progress&) -> Result<void> {
                worker = QThread::currentThread();
                return {};
            },
            [&](Result<void> result) {
                receiver = QThread::currentThread();
                succeeded = result.has_value();
            });
        QSignalSpy finished(job.get(), &JobHandle::finished);
        QVERIFY(finished.wait());
        QVERIFY(job->isFinished());
        QVERIFY(succeeded);
        QCOMPARE(receiver, QThread::currentThread());
        QVERIFY(worker != QThread::currentThread());
        QCOMPARE(runner.unfinishedCount(), 0);
    }

    void failureIsShownTranslated() {
        QueuedJobRunner runner;
        JobsModel model;
        connect(&runner, &QueuedJobRunner::jobAdded, &model, &JobsModel::add);
        const auto job = runner.start(QStringLiteral("work"), nullptr,
                                      [](const Progress&) -> Result<void> {
                                          return fail(ErrorCode::NotFound, Reason("test.failure"), "{} is gone.", "a.gguf");
                                      },
                                      {});
        QVERIFY(QSignalSpy(job.get(), &JobHandle::finished).wait());
        QVERIFY(model.job(0)->state() == JobState::Failed);
        QCOMPARE(model.index(0, 0).data(Qt::ToolTipRole).toString(), QStringLiteral("a.gguf is gone."));
    }

    void selectsTheRunningJobWhenAsked() {
        QueuedJobRunner runner;
        JobsModel model;
        connect(&runner, &QueuedJobRunner::jobAdded, &model, &JobsModel::add);
        JobsTab tab(model);
        const auto failed = runner.start(QStringLiteral("first"), nullptr,
                                         [](const Progress&) -> Result<void> { return std::unexpected(cutFile()); }, {});
        QVERIFY(QSignalSpy(failed.get(), &JobHandle::finished).wait());
        QTRY_COMPARE(tab.view()->currentIndex().row(), 0);
        tab.selectRunning();
        QCOMPARE(tab.view()->currentIndex().row(), 0);
        std::binary_semaphore go(0);
        const auto running = runner.start(QStringLiteral("second"), nullptr,
                                          [&go](const Progress&) -> Result<void> {
                                              go.acquire();
                                              return {};
                                          },
                                          {});
        QSignalSpy finished(running.get(), &JobHandle::finished);
        const auto end = qScopeGuard([&] {
            go.release();
            finished.wait();
        });
        QTRY_COMPARE(model.currentRow(), 1);
        QCOMPARE(tab.view()->currentIndex().row(), 0); // a job that starts moves nothing
        tab.selectRunning();
        QCOMPARE(tab.view()->currentIndex().row(), 1);
    }

    void titlesAndFailuresFollowTheLanguage() {
        QueuedJobRunner runner;
        JobsModel model;
        connect(&runner, &QueuedJobRunner::jobAdded, &model, &JobsModel::add);
        const auto job = runner.start([] { return JobsModel::tr("Queued"); }, nullptr,
                                      [](const Progress&) -> Result<void> { return std::unexpected(cutFile()); }, {});
        QVERIFY(QSignalSpy(job.get(), &JobHandle::finished).wait());
        const auto title = [&model] { return model.index(0, JobsModel::Title).data().toString(); };
        const auto failure = [&model] { return model.index(0, 0).data(Qt::ToolTipRole).toString(); };
        QCOMPARE(title(), QStringLiteral("Queued"));
        QVERIFY(failure().contains(QStringLiteral("the file ends before its last byte")));
        const auto back = qScopeGuard([] { applyLanguage(QStringLiteral("en")); });
        applyLanguage(QStringLiteral("zh_CN"));
        QVERIFY2(title() != QStringLiteral("Waiting"), qPrintable(title()));
        QVERIFY2(!failure().contains(QStringLiteral("the file ends")), qPrintable(failure()));
    }

    void exceptionsBecomeErrors() {
        QueuedJobRunner runner;
        Result<void> seen;
        const auto job = runner.start(
            QStringLiteral("work"), nullptr, [](const Progress&) -> Result<void> { throw std::bad_alloc(); },
            [&](Result<void> result) { seen = std::move(result); });
        QVERIFY(QSignalSpy(job.get(), &JobHandle::finished).wait());
        QVERIFY(!seen);
        QVERIFY(seen.error().code == ErrorCode::TooLarge);
    }

    void progressIsThinned() {
        QueuedJobRunner runner;
        Counter counter;
        const auto job = runner.start(QStringLiteral("work"), nullptr, counter.work(), {});
        QSignalSpy progressed(job.get(), &JobHandle::progressed);
        QTRY_VERIFY(progressed.count() >= 3);
        QVERIFY(counter.reached > static_cast<quint64>(progressed.count()));
        counter.end = true;
        QTRY_VERIFY(job->isFinished());
        QCOMPARE(progressed.last().at(0).toULongLong(), counter.reached.load());
    }

    void pauseHoldsTheWorkAndResumeGoesOn() {
        QueuedJobRunner runner;
        JobsModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        connect(&runner, &QueuedJobRunner::jobAdded, &model, &JobsModel::add);
        Counter counter;
        const auto handle = runner.start(QStringLiteral("work"), nullptr, counter.work(), {});
        const auto job = model.job(0);
        QTRY_VERIFY(job->state() == JobState::Running && counter.reached > 0);
        job->setPaused(true);
        quint64 before = 0;
        QTRY_VERIFY(std::exchange(before, counter.reached.load()) == counter.reached.load());
        QVERIFY(job->state() == JobState::Paused);
        job->setPaused(false);
        const quint64 held = counter.reached;
        QTRY_VERIFY(counter.reached > held + 10);
        counter.end = true;
        QTRY_VERIFY(job->state() == JobState::Done);
        QCOMPARE(model.index(0, JobsModel::Progress).data(JobsModel::PermilleRole).toInt(), 1000);
        model.clearFinished();
        QCOMPARE(model.rowCount(), 0);
    }

    void cancelEndsAPausedJob() {
        QueuedJobRunner runner;
        JobsModel model;
        connect(&runner, &QueuedJobRunner::jobAdded, &model, &JobsModel::add);
        Counter counter;
        Result<void> seen;
        runner.start(QStringLiteral("work"), nullptr, counter.work(), [&](Result<void> result) { seen = std::move(result); });
        const auto job = model.job(0);
        QTRY_VERIFY(job->state() == JobState::Running);
        job->setPaused(true);
        job->cancel();
        QTRY_VERIFY(job->state() == JobState::Canceled);
        QVERIFY(!seen && seen.error().code == ErrorCode::Canceled);
    }

    void cancelEndsAWaitingJobAtOnce() {
        QueuedJobRunner runner;
        std::vector<std::unique_ptr<Counter>> busy;
        for (int i = 0; i < 16; ++i) {
            busy.push_back(std::make_unique<Counter>());
            runner.start(QStringLiteral("busy"), nullptr, busy.back()->work(), {});
        }
        std::atomic<bool> ran{false};
        const auto waiting = runner.start(QStringLiteral("waiting"), nullptr,
                                          [&](const Progress&) -> Result<void> {
                                              ran = true;
                                              return {};
                                          },
                                          {});
        waiting->cancel();
        QVERIFY(waiting->isFinished());
        runner.cancelAll();
        QTRY_COMPARE(runner.unfinishedCount(), 0);
        QVERIFY(!ran);
    }

    void quickWorkIsNotHeldUpByPausedJobs() {
        QueuedJobRunner runner;
        JobsModel model;
        connect(&runner, &QueuedJobRunner::jobAdded, &model, &JobsModel::add);
        std::vector<std::unique_ptr<Counter>> busy;
        for (int i = 0; i < 8; ++i) {
            busy.push_back(std::make_unique<Counter>());
            runner.start(QStringLiteral("busy"), nullptr, busy.back()->work(), {});
        }
        const auto quick =
            runner.start(QStringLiteral("quick"), nullptr, [](const Progress&) -> Result<void> { return {}; }, {}, false);
        QTRY_VERIFY(quick->isFinished());
        QCOMPARE(model.rowCount(), 8); // quick work is not shown
        runner.cancelAll();
        QTRY_COMPARE(runner.unfinishedCount(), 0);
    }

    void contextThatGoesCancelsAndIsNotCalled() {
        QueuedJobRunner runner;
        Counter counter;
        bool called = false;
        auto context = std::make_unique<QObject>();
        const auto job = runner.start(QStringLiteral("work"), context.get(), counter.work(), [&](Result<void>) { called = true; });
        QTRY_VERIFY(counter.reached > 0);
        context.reset();
        QTRY_VERIFY(job->isFinished());
        QVERIFY(!called);
        QVERIFY(!counter.end); // it was the stop that ended it
    }

    void destroyedRunnerStopsItsWork() {
        Counter counter;
        bool called = false;
        std::shared_ptr<JobHandle> job;
        {
            QueuedJobRunner runner;
            job = runner.start(QStringLiteral("work"), nullptr, counter.work(), [&](Result<void>) { called = true; });
            QTRY_VERIFY(counter.reached > 0);
        }
        const quint64 reached = counter.reached;
        QCoreApplication::processEvents();
        QCOMPARE(counter.reached.load(), reached);
        QVERIFY(!called);
    }

    void namesOfFilesAreNoMarkup() {
        QueuedJobRunner runner;
        JobsModel model;
        connect(&runner, &QueuedJobRunner::jobAdded, &model, &JobsModel::add);
        runner.start(QStringLiteral("Quantizing <h1>big</h1>.gguf"), nullptr, [](const Progress&) -> Result<void> { return {}; },
                     {});
        QVERIFY(!model.index(0, JobsModel::Title).data(Qt::ToolTipRole).toString().contains(QStringLiteral("<h1>")));
    }

    void theButtonsActOnTheChosenJob() {
        QueuedJobRunner runner;
        JobsModel model;
        connect(&runner, &QueuedJobRunner::jobAdded, &model, &JobsModel::add);
        JobsTab page(model);
        const auto action = [&page](const char* name) { return page.findChild<QAction*>(QLatin1String(name)); };
        Counter counter;
        runner.start(QStringLiteral("work"), nullptr, counter.work(), {});
        QTRY_VERIFY(action("pauseJob")->isEnabled());
        action("pauseJob")->trigger();
        QVERIFY(model.job(0)->state() == JobState::Paused);
        QVERIFY(!action("pauseJob")->isEnabled());
        action("resumeJob")->trigger();
        QVERIFY(model.job(0)->state() == JobState::Running);
        QVERIFY(!action("removeJob")->isEnabled());
        action("cancelJob")->trigger();
        QTRY_VERIFY(model.job(0)->state() == JobState::Canceled);
        QVERIFY(!action("cancelJob")->isEnabled());
        action("removeJob")->trigger();
        QCOMPARE(model.rowCount(), 0);
        for (const QAction* const each : page.actions()) QVERIFY2(!each->isEnabled(), qPrintable(each->text()));
    }

    // Whatever takes the last row away, no button is left that acts on it.
    void withoutARowNoButtonIsActive() {
        JobsModel model;
        JobsTab page(model);
        const auto active = [&page] { return std::ranges::any_of(page.actions(), &QAction::isEnabled); };
        QVERIFY(!active());
        {
            FakeWork work;
            work.set({{.id = QStringLiteral("a"), .title = QStringLiteral("Download a"), .canPause = true, .canCancel = true}});
            model.addSource(&work);
            QVERIFY(active());
        }
        QCOMPARE(model.rowCount(), 0);
        QVERIFY(!active());
    }

    // Work of a tab and the job that does it are one row, which keeps its place through all states.
    void aJobJoinsTheWorkThatItIsFor() {
        QueuedJobRunner runner;
        JobsModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        connect(&runner, &QueuedJobRunner::jobAdded, &model, &JobsModel::add);
        FakeWork work;
        work.set({{.id = QStringLiteral("a"), .title = QStringLiteral("Download a"), .canPause = true}});
        model.addSource(&work);
        Counter other, counter;
        runner.start(QStringLiteral("other"), nullptr, other.work(), {});
        QCOMPARE(model.rowCount(), 2);
        const auto state = [&model](int row) { return model.index(row, JobsModel::State).data().toString(); };
        QCOMPARE(state(0), QStringLiteral("Queued"));
        const auto job = runner.start(QStringLiteral("its job"), nullptr, counter.work(), {});
        QCOMPARE(model.rowCount(), 3); // until it is claimed
        WorkItem item = work.items()[0];
        item.job = job.get();
        item.state = WorkState::Running;
        work.set({item});
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.index(0, JobsModel::Title).data().toString(), QStringLiteral("Download a"));
        QTRY_VERIFY(!model.index(0, JobsModel::Progress).data().toString().isEmpty());
        model.pause(0);
        QCOMPARE(work.asked, QStringList(QStringLiteral("pause a")));
        job->setPaused(true);
        QCOMPARE(state(0), QStringLiteral("Paused"));
        job->setPaused(false);
        counter.end = true;
        QTRY_VERIFY(job->isFinished());
        item.job = nullptr;
        item.state = WorkState::Done;
        item.canPause = false;
        item.canRemove = true;
        item.result = QStringLiteral("/models/a.gguf");
        work.set({item});
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(state(0), QStringLiteral("Done"));
        QCOMPARE(model.currentRow(), 1); // the other still runs
        model.clearFinished();
        QCOMPARE(work.asked.last(), QStringLiteral("remove a"));
        work.set({});
        QCOMPARE(model.rowCount(), 1);
        other.end = true;
        QTRY_COMPARE(model.unfinishedCount(), 0);
    }

    // Paused work counts, too: the status bar shows unfinished jobs.
    void pausedWorkIsCountedWithAndWithoutAJob() {
        QueuedJobRunner runner;
        JobsModel model;
        connect(&runner, &QueuedJobRunner::jobAdded, &model, &JobsModel::add);
        FakeWork work;
        work.set({{.id = QStringLiteral("a"), .state = WorkState::Paused, .canResume = true},
                  {.id = QStringLiteral("b"), .state = WorkState::Interrupted, .canResume = true}});
        model.addSource(&work);
        QCOMPARE(model.pausedCount(), 1);
        QCOMPARE(model.waitingCount(), 2);
        QCOMPARE(model.activeCount(), 0);
        Counter counter, other;
        const auto job = runner.start(QStringLiteral("paused"), nullptr, counter.work(), {});
        runner.start(QStringLiteral("other"), nullptr, other.work(), {});
        QTRY_VERIFY(counter.reached > 0 && model.currentRow() >= 0); // a job that waits cannot be paused
        job->setPaused(true);
        QCOMPARE(model.pausedCount(), 2);
        QCOMPARE(model.activeCount(), 1);
        QCOMPARE(model.unfinishedCount(), 2);
        runner.cancelAll();
        QTRY_COMPARE(model.unfinishedCount(), 0);
        QCOMPARE(model.pausedCount(), 1);
    }

    // A finished job can be opened; an interrupted one says why and can be resumed.
    void resultsAreOpenedFromThePage() {
        JobsModel model;
        FakeWork work;
        work.set({{.id = QStringLiteral("a"),
                   .title = QStringLiteral("Download a"),
                   .state = WorkState::Done,
                   .canRemove = true,
                   .result = QStringLiteral("/models/a.gguf")},
                  {.id = QStringLiteral("b"),
                   .title = QStringLiteral("Download b"),
                   .state = WorkState::Failed,
                   .reason = QStringLiteral("The disk is full."),
                   .canResume = true}});
        model.addSource(&work);
        JobsTab page(model);
        page.show();
        QSignalSpy opened(&page, &Tab::handOverWanted);
        const auto action = [&page](const char* name) { return page.findChild<QAction*>(QLatin1String(name)); };
        page.view()->setCurrentIndex(model.index(0, 0));
        for (const char* name : {"chatResult", "inspectResult"}) action(name)->trigger();
        QCOMPARE(opened.size(), 2);
        QCOMPARE(opened[0][0].toString(), QStringLiteral("chat"));
        QCOMPARE(opened[1][1].toStringList(), QStringList(QStringLiteral("/models/a.gguf")));
        page.view()->setCurrentIndex(model.index(1, 0));
        QVERIFY(!action("chatResult")->isEnabled());
        QCOMPARE(page.findChild<QLabel*>(QStringLiteral("jobReason"))->text(), QStringLiteral("The disk is full."));
        action("resumeJob")->trigger();
        QCOMPARE(work.asked, QStringList(QStringLiteral("resume b")));
    }
};

WB_GUI_TEST(JobsTest)
#include "jobs_test.moc"
