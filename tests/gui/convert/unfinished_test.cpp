// SPDX-License-Identifier: MIT
#include "core/io/system/locked_file.h"
#include "tests/gui/convert/inline_jobs.h"
#include "tests/gui/convert/wizard_bench.h"
#include "ui/convert/unfinished.h"
#include "ui/widgets/paths.h"

#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>

namespace wb::test {

using ui::convert::UnfinishedRun;
using ui::convert::Wizard;

// A run that was cancelled, on the page where it is offered again.
class UnfinishedTest : public QObject {
    Q_OBJECT

private:
    QString path(const char* name) const { return m_bench->path(name); }
    ui::WorkItem job() const { return m_bench->job("small.gguf"); }
    bool hasLeftovers() const {
        return QFile::exists(path("out/small.gguf.part")) && QFile::exists(path("out/small.gguf.part.journal"));
    }
    std::vector<UnfinishedRun> runs() const { return ui::convert::unfinishedRuns(m_bench->services.stateFolder); }
    std::unique_ptr<run::Claim> add(const run::RunRecord& record) const {
        return run::claim(ui::fsPath(m_bench->services.stateFolder), record).value_or(nullptr);
    }
    auto hold() const { return io::LockedFile::open(ui::fsPath(path("out/small.gguf.part.journal"))); }
    QByteArray journal() const {
        QFile file(path("out/small.gguf.part.journal"));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    void planForItsTarget() {
        QVERIFY(m_bench->open(path("model-f32.gguf")));
        m_bench->wizard().setTarget(path("out/small.gguf"));
        m_bench->wizard().choices().setMix(quant::FileType::Q2_K);
        QVERIFY(m_bench->settle());
        QCOMPARE(m_bench->find<QLineEdit>("target")->text(), path("out/small.gguf"));
    }
    void discard(bool yes) {
        m_bench->answerNext(yes);
        m_bench->removeJob("small.gguf");
        QTRY_VERIFY(!m_bench->question.isEmpty());
    }

    InlineJobs m_jobs;
    std::unique_ptr<WizardBench> m_bench;

private Q_SLOTS:
    void init() {
        m_jobs.stopAfter = -1;
        m_jobs.never = QStringLiteral("Estimating speed");
        m_bench = std::make_unique<WizardBench>(m_jobs);
        QVERIFY(m_bench->open());
        QVERIFY(QDir().mkpath(path("out")));
        m_jobs.stopAfter = 2;
        m_bench->wizard().run(path("out/small.gguf"), false);
        QVERIFY(m_bench->waitFor(Wizard::Step::Plan));
        m_jobs.stopAfter = -1;
        m_bench->restart();
    }
    void cleanup() { m_bench.reset(); }

    void itIsDiscardedOnlyWhenThatIsConfirmed() {
        discard(false);
        QVERIFY2(m_bench->question.contains(QStringLiteral("small.gguf")), qPrintable(m_bench->question));
        QVERIFY(job().canRemove && hasLeftovers());
        discard(true);
        QTRY_VERIFY(job().id.isEmpty());
        QVERIFY(!QFile::exists(path("out/small.gguf.part")));
        QVERIFY(!QFile::exists(path("out/small.gguf.part.journal")));
        QVERIFY(runs().empty());
    }

    void oneThatRunsElsewhereIsOnlyShown() {
        auto held = hold();
        QVERIFY(held.has_value());
        m_bench->restart();
        QVERIFY(!job().canResume && !job().canRemove);
        QCOMPARE(job().reason, QStringLiteral("Running in another process."));
        held->reset();
        m_bench->tab->workSource()->refresh(); // as the Jobs page does when it is shown
        QTRY_VERIFY(job().canResume && job().canRemove);
    }

    void oneThatBeganElsewhereMeanwhileIsLeftAlone() {
        QSignalSpy said(m_bench->tab.get(), &ui::Tab::message);
        const auto held = hold();
        discard(true);
        QTRY_COMPARE(said.size(), 1);
        QVERIFY2(said[0][0].toString().contains(QStringLiteral("another unfinished job")), qPrintable(said[0][0].toString()));
        QVERIFY(hasLeftovers());
        QCOMPARE(runs().at(0).state, UnfinishedRun::State::Held);
    }

    void theRecordOfARunElsewhereIsNotReplaced() {
        const auto held = hold();
        run::RunRecord other = runs().at(0).record;
        other.plan = "another";
        QVERIFY(!add(other));
        QVERIFY(runs().at(0).record.plan != other.plan);
    }

    void itSaysHowMuchIsDoneAndSinceWhen() {
        QVERIFY(job().permille > 0);
        QVERIFY2(job().reason.startsWith(QStringLiteral("Last written ")), qPrintable(job().reason));
        const auto* strip = m_bench->find<QLabel>("queueText");
        QVERIFY2(strip->isVisible() && strip->text() == QStringLiteral("1 unfinished job."), qPrintable(strip->text()));
        QSignalSpy wanted(m_bench->tab.get(), &ui::Tab::jobsWanted);
        m_bench->click("showJobs");
        QCOMPARE(wanted.size(), 1);
    }

    void itIsRememberedWhileItsFolderIsAway() {
        QVERIFY(QDir().rename(path("out"), path("away")));
        m_bench->restart();
        QVERIFY(!job().canResume);
        QCOMPARE(job().reason, QStringLiteral("Its folder was not found."));
        QVERIFY(QDir().rename(path("away"), path("out")));
        m_bench->restart();
        m_bench->resumeJob("small.gguf");
        QVERIFY(m_bench->waitFor(Wizard::Step::Result));
        QVERIFY(m_bench->wizard().runs().outcome()->resumedItems > 0);
    }

    void itGoesOnToItsOwnTargetAndKnowsItsTime() {
        m_jobs.never.clear();
        m_bench->resumeJob("small.gguf");
        QVERIFY(m_bench->waitFor(Wizard::Step::Result));
        QTRY_VERIFY(!m_bench->find<QLabel>("queueText")->text().contains(QStringLiteral("unfinished")));
        m_bench->click("backToPlan");
        QCOMPARE(m_bench->find<QLineEdit>("target")->text(), path("out/small.gguf"));
        QTRY_VERIFY(m_bench->find<QLabel>("time")->text().startsWith(QStringLiteral("about")));
    }

    // Else the next file would take the name, and the place, of the one that is finished.
    void itsTargetIsNotThatOfTheNextType() {
        m_bench->resumeJob("small.gguf");
        QVERIFY(m_bench->waitFor(Wizard::Step::Result));
        m_bench->tab->openPaths({path("model-f32.gguf")}); // as Inspect hands it over
        QVERIFY(m_bench->settle());
        QCOMPARE(m_bench->find<QLineEdit>("target")->text(), path("out/small.gguf"));
        m_bench->wizard().choices().setMix(quant::FileType::Q6_K);
        QVERIFY(m_bench->settle());
        QCOMPARE(m_bench->find<QLineEdit>("target")->text(), path("model-Q6_K.gguf"));
    }

    void itIsRememberedWhenTheCacheIsElsewhere() {
        m_bench->services.work.set({.threads = 1, .cacheFolder = path("other cache")});
        m_bench->restart();
        QVERIFY(job().canResume);
    }

    // A run that waits for others in the queue, or whose device is being tested, has no journal yet.
    void oneThatHasJustBegunIsNotForgottenByOthers() {
        const run::RunRecord begun{.kind = "quantize",
                                   .target = ui::fsPath(path("out/begun.gguf")),
                                   .source = ui::fsPath(path("model-f32.gguf")),
                                   .plan = "plan"};
        auto claim = add(begun);
        QVERIFY(claim);
        const auto find = [this, &begun] {
            for (const UnfinishedRun& run : runs())
                if (run.record.target == begun.target) return std::optional(run.state);
            return std::optional<UnfinishedRun::State>();
        };
        QCOMPARE(find(), std::optional(UnfinishedRun::State::Held));
        QVERIFY2(!add(begun), "it is another's");
        QVERIFY(!run::discard(ui::fsPath(m_bench->services.stateFolder), begun.target));
        claim.reset();
        QVERIFY(!find());
        QCOMPARE(QDir(path("state/unfinished")).entryList(QDir::Files).size(), 1);
    }

    void theWizardSaysThatItsRunLives() {
        m_jobs.never = QStringLiteral("Quantizing model-f32.gguf to Q4_K_M");
        QVERIFY(m_bench->open(path("model-f32.gguf")));
        m_bench->wizard().run(path("out/queued.gguf"), false);
        QTRY_COMPARE(runs().size(), std::size_t{2});
        m_bench->restart(); // which ends it before it began
        QCOMPARE(runs().size(), std::size_t{1});
    }

    // Another plan to the same target.
    void itIsNotReplacedWithoutAQuestion() {
        const QByteArray before = journal();
        planForItsTarget();
        m_bench->answerNext(false);
        QVERIFY(m_bench->clickRun());
        QVERIFY2(m_bench->question.contains(QStringLiteral("% of ")) && m_bench->question.contains(QStringLiteral("small.gguf")),
                 qPrintable(m_bench->question));
        QCOMPARE(m_bench->wizard().step(), Wizard::Step::Plan);
        QCOMPARE(journal(), before);
        m_bench->answerNext(true);
        QVERIFY(m_bench->clickRun());
        QVERIFY(m_bench->waitFor(Wizard::Step::Result));
        QCOMPARE(m_bench->wizard().runs().outcome()->resumedItems, 0u);
        QCOMPARE(m_bench->wizard().plans().plan()->fileType, quant::FileType::Q2_K);
    }

    void itGoesOnInsteadOfTheOtherPlan() {
        planForItsTarget();
        m_bench->answerNext(QMessageBox::AcceptRole);
        QVERIFY(m_bench->clickRun());
        QVERIFY(m_bench->waitFor(Wizard::Step::Result));
        QVERIFY(m_bench->wizard().runs().outcome()->resumedItems > 0);
        QCOMPARE(m_bench->wizard().plans().plan()->fileType, quant::FileType::Q4_K_M);
    }

    // As of another user, whose records are elsewhere.
    void oneWithoutARecordIsAskedForToo() {
        QVERIFY(QDir(path("state/unfinished")).removeRecursively());
        planForItsTarget();
        m_bench->answerNext(QMessageBox::AcceptRole); // which is not offered
        QVERIFY(m_bench->clickRun());
        QVERIFY2(m_bench->question.contains(QStringLiteral("small.gguf")), qPrintable(m_bench->question));
        QCOMPARE(m_bench->wizard().step(), Wizard::Step::Plan);
        QVERIFY(hasLeftovers());
    }

    void theSamePlanGoesOnWithoutAQuestion() {
        QVERIFY(m_bench->open(path("model-f32.gguf")));
        m_bench->wizard().setTarget(path("out/small.gguf"));
        m_bench->answerNext(false);
        m_bench->wizard().choices().setKeepSplit(false); // the page takes the target
        QVERIFY(m_bench->settle());
        QVERIFY(m_bench->clickRun());
        QVERIFY(m_bench->waitFor(Wizard::Step::Result));
        QVERIFY(m_bench->question.isEmpty());
        QVERIFY(m_bench->wizard().runs().outcome()->resumedItems > 0);
    }

    void itIsForgottenWithItsJournal() {
        QVERIFY(QFile::remove(path("out/small.gguf.part.journal")));
        QVERIFY(runs().empty());
        QVERIFY(QDir().rename(path("out"), path("away")));
        QVERIFY(runs().empty());
    }
};

WB_GUI_TEST(UnfinishedTest)

} // namespace wb::test

#include "unfinished_test.moc"
