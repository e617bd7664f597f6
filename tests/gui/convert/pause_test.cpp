// SPDX-License-Identifier: MIT
#include "tests/gui/convert/turnstile.h"
#include "tests/gui/convert/wizard_bench.h"
#include "ui/convert/unfinished.h"
#include "ui/shell/jobs/job_runner.h"

#include <QFile>
#include <QLabel>
#include <QProgressBar>

namespace wb::test {

using ui::convert::Wizard;

namespace {

constexpr int all = 1000;

} // namespace

// The wizard's run on the window's own runner, whose jobs can be paused.
class PauseTest : public QObject {
    Q_OBJECT

private:
    template <typename Widget>
    Widget* find(const char* name) const {
        return m_bench->find<Widget>(name);
    }
    void click(const char* name) const { m_bench->click(name); }
    Wizard& wizard() const { return m_bench->wizard(); }
    QString path(const char* name) const { return m_bench->path(name); }

    QByteArray content(const QString& file) const {
        QFile opened(file);
        return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
    }

    // What a run without a pause writes.
    QByteArray straight() {
        m_turnstile->allow(all);
        wizard().run(path("straight.gguf"), false);
        if (!m_bench->waitFor(Wizard::Step::Result)) return {};
        m_turnstile = std::make_shared<Turnstile>();
        wizard().backToPlan();
        return content(path("straight.gguf"));
    }

    // A run that has done two tensors and is paused while it does the third.
    void runAndPause() {
        wizard().run(path("paused.gguf"), false);
        m_turnstile->allow(2);
        QTRY_COMPARE(m_turnstile->arrived(), 3);
        QTRY_COMPARE(m_job->state(), ui::JobState::Running); // the window may hear of it later
        click("pause");
        QVERIFY(wizard().runs().isPaused());
        m_turnstile->allow(all);
    }

    std::shared_ptr<Turnstile> m_turnstile;
    std::unique_ptr<ui::QueuedJobRunner> m_runner;
    std::unique_ptr<WizardBench> m_bench;
    std::shared_ptr<ui::Job> m_job; // the run

private Q_SLOTS:
    void init() {
        m_turnstile = std::make_shared<Turnstile>();
        m_runner = std::make_unique<ui::QueuedJobRunner>();
        connect(m_runner.get(), &ui::QueuedJobRunner::jobAdded, this,
                [this](const std::shared_ptr<ui::Job>& added) { m_job = added; });
        m_bench = std::make_unique<WizardBench>(*m_runner);
        QVERIFY(m_bench->open());
        QTRY_VERIFY(wizard().canRun());
        QTRY_VERIFY(wizard().speeds().planSeconds(*wizard().plans().plan()) >=
                    0); // measuring the speed would pass the turnstile, too
        m_bench->services.quantizer = [this] { return m_turnstile; };
    }
    void cleanup() {
        m_turnstile->allow(all);
        m_bench.reset();
        m_job.reset();
        m_runner.reset();
    }

    void aPausedRunStandsStillAndGoesOn() {
        const QByteArray expected = straight();
        QVERIFY(!expected.isEmpty());
        runAndPause();
        QTRY_VERIFY(find<QLabel>("figures")->text().contains(QStringLiteral("paused")));
        QCOMPARE(find<QPushButton>("pause")->text(), QStringLiteral("Resume"));
        QTRY_COMPARE(m_turnstile->done(), 3);
        turnLoop();
        QCOMPARE(m_turnstile->arrived(), 3);
        QVERIFY(!QFile::exists(path("paused.gguf")));
        click("pause");
        QVERIFY(!wizard().runs().isPaused());
        QTRY_COMPARE(wizard().step(), Wizard::Step::Result);
        QCOMPARE(content(path("paused.gguf")), expected);
    }

    void aPausedRunCanBeCanceledAndContinuedAfterARestart() {
        const QByteArray expected = straight();
        QVERIFY(!expected.isEmpty());
        runAndPause();
        click("cancel");
        QTRY_COMPARE(wizard().step(), Wizard::Step::Plan);
        QVERIFY(!QFile::exists(path("paused.gguf")));
        QVERIFY(QFile::exists(path("paused.gguf.part")));
        QVERIFY(m_turnstile->arrived() <= 3);
        m_bench->restart();
        m_bench->resumeJob("paused.gguf");
        QTRY_COMPARE(wizard().step(), Wizard::Step::Result);
        QVERIFY(wizard().runs().outcome()->resumedItems >= 2);
        QCOMPARE(content(path("paused.gguf")), expected);
    }

    void theWindowMayCloseWhileARunIsPaused() {
        runAndPause();
        m_bench->tab.reset();
        m_runner = std::make_unique<ui::QueuedJobRunner>(); // the one before stops its jobs and waits for them
        m_bench->services.jobs = m_runner.get();
        m_bench->restart();
        QCOMPARE(ui::convert::unfinishedRuns(m_bench->services.stateFolder).size(), std::size_t{1});
        m_bench->resumeJob("paused.gguf");
        QTRY_COMPARE(wizard().step(), Wizard::Step::Result);
        QVERIFY(wizard().runs().outcome()->resumedItems >= 2);
    }

    void thePageFollowsAPauseInTheTray() {
        wizard().run(path("tray.gguf"), false);
        QTRY_COMPARE(m_turnstile->arrived(), 1);
        QTRY_COMPARE(m_job->state(), ui::JobState::Running);
        m_job->setPaused(true);
        QVERIFY(wizard().runs().isPaused());
        QCOMPARE(find<QPushButton>("pause")->text(), QStringLiteral("Resume"));
        m_job->setPaused(false);
        QVERIFY(!wizard().runs().isPaused());
        m_turnstile->allow(all);
        QTRY_COMPARE(wizard().step(), Wizard::Step::Result);
    }
};

WB_GUI_TEST(PauseTest)

} // namespace wb::test

#include "pause_test.moc"
