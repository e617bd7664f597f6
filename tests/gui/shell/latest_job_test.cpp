// SPDX-License-Identifier: MIT
#include "tests/gui/support/gui_test.h"
#include "ui/shell/jobs/job_runner.h"
#include "ui/shell/jobs/latest_job.h"

#include <thread>

using namespace wb;
using namespace wb::ui;

namespace {

// Work that ends when it is stopped.
Result<int> endless(const Progress& progress) {
    while (true) {
        WB_TRY(progress.at(0, 1));
        std::this_thread::yield();
    }
}

void unexpectedly(const Error& error) { QFAIL(error.message().c_str()); }

} // namespace

class LatestJobTest : public QObject {
    Q_OBJECT

private slots:
    void onlyTheNewestRequestIsAnswered() {
        QueuedJobRunner runner;
        LatestJob job(&runner);
        QList<int> answers;
        const auto keep = [&](const int& answer) { answers.append(answer); };
        job.start<int>(QStringLiteral("first"), endless, keep, unexpectedly);
        job.start<int>(QStringLiteral("second"), [](const Progress&) -> Result<int> { return 2; }, keep, unexpectedly);
        QVERIFY(job.isRunning());
        QTRY_COMPARE(runner.unfinishedCount(), 0);
        QCOMPARE(answers, QList<int>{2});
        QVERIFY(!job.isRunning());
    }

    void anErrorIsHandedOver() {
        QueuedJobRunner runner;
        LatestJob job(&runner);
        ErrorCode code = ErrorCode::Internal;
        job.start<int>(
            QStringLiteral("work"),
            [](const Progress&) -> Result<int> {
                return fail(ErrorCode::NotFound, Reason("test.failure"), "{} is gone.", "a.gguf");
            },
            [](const int&) { QFAIL("there is no answer"); }, [&](const Error& error) { code = error.code; });
        QTRY_VERIFY(!job.isRunning());
        QCOMPARE(code, ErrorCode::NotFound);
    }

    void nobodyIsCalledAfterCancel() {
        QueuedJobRunner runner;
        LatestJob job(&runner);
        int calls = 0;
        job.start<int>(
            QStringLiteral("work"), endless, [&](const int&) { ++calls; }, [&](const Error&) { ++calls; }, true, [&] { ++calls; });
        job.cancel();
        QVERIFY(!job.isRunning());
        QTRY_COMPARE(runner.unfinishedCount(), 0);
        QCOMPARE(calls, 0);
    }

    void theUserMayStopAVisibleOne() {
        QueuedJobRunner runner;
        LatestJob job(&runner);
        std::shared_ptr<Job> shown;
        connect(&runner, &QueuedJobRunner::jobAdded, this, [&](const std::shared_ptr<Job>& added) { shown = added; });
        bool stopped = false;
        job.start<int>(
            QStringLiteral("work"), endless, [](const int&) { QFAIL("there is no answer"); }, unexpectedly, true,
            [&] { stopped = true; });
        QVERIFY(shown);
        shown->cancel();
        QTRY_VERIFY(stopped);
        QVERIFY(!job.isRunning());
    }

    void anAnswerMayStartTheNextRequest() {
        QueuedJobRunner runner;
        LatestJob job(&runner);
        int last = 0;
        const std::function<void(const int&)> next = [&](const int& answer) {
            last = answer;
            if (answer < 3)
                job.start<int>(
                    QStringLiteral("next"), [answer](const Progress&) -> Result<int> { return answer + 1; }, next, unexpectedly);
        };
        next(0);
        QTRY_COMPARE(last, 3);
    }
};

WB_GUI_TEST(LatestJobTest)

#include "latest_job_test.moc"
