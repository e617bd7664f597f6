// SPDX-License-Identifier: MIT
#include "tests/gui/convert/inline_jobs.h"
#include "tests/gui/convert/wizard_bench.h"
#include "ui/convert/quantize/history.h"

#include <QFile>
#include <QSignalSpy>

namespace wb::test {

using ui::convert::History;
using ui::convert::QuantizeChoices;
using ui::convert::Wizard;

// The classes behind the pages: what ends a job, and which of two jobs wins.
class SessionsTest : public QObject {
    Q_OBJECT

private:
    Wizard& wizard() const { return m_bench->wizard(); }
    QString path(const char* name) const { return m_bench->path(name); }
    QString savedPlan(const char* name) const {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(wizard().plans().planText().toUtf8()) <= 0) return {};
        return path(name);
    }

    InlineJobs m_jobs;
    std::unique_ptr<WizardBench> m_bench;

private Q_SLOTS:
    void init() {
        m_jobs.never = QStringLiteral("Estimating speed");
        m_bench = std::make_unique<WizardBench>(m_jobs);
        QVERIFY(m_bench->open());
    }
    void cleanup() { m_bench.reset(); }

    void aHistoryGoesBackAndForth() {
        History<int> history;
        for (int state = 0; state < 3; ++state) history.remember(state);
        QCOMPARE(history.undo(3), 2);
        QCOMPARE(history.undo(2), 1);
        QCOMPARE(history.redo(1), 2);
        history.remember(7);
        QVERIFY(!history.canRedo());
        QCOMPARE(history.undo(8), 7);
    }

    void aHistoryDropsItsOldestStates() {
        History<std::size_t> history;
        for (std::size_t state = 0; state < History<std::size_t>::maxStates + 5; ++state) history.remember(state);
        std::size_t state = 0;
        while (history.canUndo()) state = history.undo(state);
        QCOMPARE(state, std::size_t{5});
    }

    void choicesAreValuesThatTellOfEveryStep() {
        QuantizeChoices choices;
        QSignalSpy changed(&choices, &QuantizeChoices::changed);
        QVERIFY(choices.isDefault());
        choices.setPure(true);
        choices.setTypes({"a"}, Dtype::Q8_0);
        choices.setMatrix({}); // as it is
        QCOMPARE(changed.size(), 2);
        choices.setMix(quant::FileType::Q6_K);
        QVERIFY(choices.request().types.empty() && choices.request().mix.pure);
        choices.undo();
        QCOMPARE(choices.request().types.size(), std::size_t{1});
        choices.undo();
        choices.undo();
        QVERIFY(choices.isDefault() && !choices.canUndo() && choices.canRedo());
        QCOMPARE(changed.size(), 6);
    }

    void aChoiceEndsTheCheckOfATarget() {
        QFile there(path("there.gguf"));
        QVERIFY(there.open(QIODevice::WriteOnly));
        wizard().checkRun(path("there.gguf"));
        QVERIFY(wizard().runs().isChecking());
        wizard().choices().setMix(quant::FileType::Q8_0);
        QVERIFY(!wizard().runs().isChecking());
        QVERIFY(m_bench->settle());
        QCOMPARE(wizard().step(), Wizard::Step::Plan);
        QVERIFY(!QApplication::activeModalWidget());
    }

    void aRunCanBeCanceledBeforeItsJobStarts() {
        wizard().run(path("out.gguf"), false);
        QCOMPARE(wizard().step(), Wizard::Step::Run);
        wizard().runs().cancel();
        QCOMPARE(wizard().step(), Wizard::Step::Plan);
        QTRY_VERIFY(wizard().canRun());
        QVERIFY(!QFile::exists(path("out.gguf")) && m_bench->failure().isEmpty());
        wizard().run(path("out.gguf"), false);
        QVERIFY(m_bench->waitFor(Wizard::Step::Result));
    }

    void theLatestOfTwoPlansIsLoaded() {
        wizard().choices().setMix(quant::FileType::Q8_0);
        QVERIFY(m_bench->settle());
        const QString first = savedPlan("first.plan.json");
        wizard().choices().setMix(quant::FileType::Q6_K);
        QVERIFY(m_bench->settle());
        const QString second = savedPlan("second.plan.json");
        QVERIFY(!first.isEmpty() && !second.isEmpty());
        wizard().plans().loadPlan(second);
        wizard().plans().loadPlan(first);
        QVERIFY(wizard().plans().isPlanning() && !wizard().canRun());
        QVERIFY(m_bench->settle());
        QCOMPARE(wizard().plans().plan()->fileType, quant::FileType::Q8_0);
    }

    void closingTheModelEndsItsPlanning() {
        wizard().choices().setMix(quant::FileType::Q8_0);
        wizard().closeModel();
        QVERIFY(!wizard().plans().isPlanning());
        QTest::qWait(0);
        QCOMPARE(wizard().step(), Wizard::Step::Choose);
        QVERIFY(!wizard().plans().plan() && !wizard().plans().model());
    }

    void aPlanReplacesNoOpenModel() {
        const auto contentOf = [](const QString& file) {
            QFile opened(file);
            return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
        };
        const QString own = wizard().plans().path(), other = path("other.gguf");
        QVERIFY(QFile::copy(own, other));
        m_bench->services.models.set(QStringLiteral("chat"), {{other, nullptr}});
        QSignalSpy failed(&wizard().plans(), &ui::convert::PlanSession::saveFailed);
        for (const QString& target : {own, other}) {
            const QByteArray before = contentOf(target);
            failed.clear();
            wizard().plans().savePlan(target);
            QTRY_COMPARE(failed.size(), 1);
            const QString why = failed[0][0].value<ui::Sentence>().text();
            QVERIFY2(why.contains(QStringLiteral("would be overwritten")), qPrintable(why));
            QVERIFY(contentOf(target) == before);
        }
        wizard().plans().savePlan(path("good.plan.json"));
        QTRY_VERIFY(QFile::exists(path("good.plan.json")));
    }

    void aPlanThatCannotBeSavedIsSaid() {
        QSignalSpy failed(&wizard().plans(), &ui::convert::PlanSession::saveFailed);
        wizard().plans().savePlan(path("no folder/plan.json"));
        QTRY_COMPARE(failed.size(), 1);
        const QString why = failed[0][0].value<ui::Sentence>().text();
        QVERIFY2(why.contains(QStringLiteral("plan.json")), qPrintable(why));
    }
};

WB_GUI_TEST(SessionsTest)

} // namespace wb::test

#include "sessions_test.moc"
