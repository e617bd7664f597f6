// SPDX-License-Identifier: MIT
#include "tests/gui/convert/inline_jobs.h"
#include "tests/gui/convert/turnstile.h"
#include "tests/gui/convert/wizard_bench.h"
#include "ui/convert/weights/members_model.h"
#include "ui/convert/weights/weights_model.h"
#include "ui/convert/weights/weights_session.h"
#include "ui/shell/jobs/job_runner.h"

#include <QAbstractItemModelTester>
#include <QDir>
#include <QLineEdit>
#include <QTabBar>
#include <QTableView>

namespace wb::test {

using ui::convert::MembersModel;
using ui::convert::QueuedRun;
using ui::convert::RunQueue;
using ui::convert::WeightsGoal;
using ui::convert::WeightsMember;
using ui::convert::WeightsModel;
using ui::convert::WeightsSession;
using ui::convert::Wizard;

// Runs that write weights, cancelled, gone on with after a restart, and behind others; and plans of them that are changed by hand.
class WeightsQueueTest : public QObject {
    Q_OBJECT

private:
    WeightsSession& weights() const { return m_bench->tab->weights(); }
    QString shared(const char* name) const { return QStringLiteral(WEIGHBRIDGE_SHARED "/%1").arg(QLatin1String(name)); }
    QString path(const char* name) const { return m_bench->path(name); }
    bool plan() const {
        return QTest::qWaitFor([this] { return !weights().isPlanning() && (weights().plan() || !weights().failure().isEmpty()); });
    }
    QByteArray contentFromFile(const QString& file) const {
        QFile opened(file);
        return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
    }

    InlineJobs m_jobs;
    std::unique_ptr<WizardBench> m_bench;

private Q_SLOTS:
    void init() {
        m_jobs.stopAfter = -1;
        m_bench = std::make_unique<WizardBench>(m_jobs);
    }
    void cleanup() { m_bench.reset(); }

    void aCanceledFolderGoesOnAfterARestart() {
        WB_NEED_SHARED_QT("arch");
        weights().begin(WeightsGoal::Folder, shared("arch/qwen3-k256/model.gguf"));
        QVERIFY(plan());
        QTRY_VERIFY(weights().seconds() >= 0);
        QVERIFY(weights().peakMemory() > 0 && weights().peakMemory() < (512ull << 20));
        const QString target = path("out");
        weights().setTarget(target);
        m_jobs.stopAfter = 3;
        m_bench->click("writeWeights");
        QTRY_VERIFY(weights().isKept());
        QVERIFY(!QFile::exists(target + QStringLiteral("/model.safetensors")));
        QVERIFY(m_bench->find<QLabel>("weightsFigures")->text().contains(QStringLiteral("progress is saved")));
        m_jobs.stopAfter = -1;
        m_bench->restart();
        QVERIFY(!weights().isOpen());
        m_bench->resumeJob("out");
        QTRY_VERIFY(weights().outcome());
        QVERIFY(weights().outcome()->resumedItems > 0);
        QCOMPARE(weights().target(), target);
        QCOMPARE(contentFromFile(target + QStringLiteral("/model.safetensors")),
                 contentFromFile(shared("arch/qwen3-k256/hf/model.safetensors")));
        QVERIFY(m_bench->find<QLineEdit>("vllmCommand")->text().startsWith(QStringLiteral("vllm serve ")));
        QTRY_COMPARE(m_bench->job("out").state, ui::WorkState::Done);
        QVERIFY(!m_bench->job("out").result.isEmpty());
    }

    void itWaitsForTheRunsBeforeIt() {
        WB_NEED_SHARED_QT("fixtures/torch/peft");
        ui::QueuedJobRunner jobs;
        m_bench = std::make_unique<WizardBench>(jobs);
        const auto turnstile = std::make_shared<Turnstile>();
        QVERIFY(m_bench->open());
        QTRY_VERIFY(m_bench->wizard().canRun());
        QTRY_VERIFY(m_bench->wizard().speeds().planSeconds(*m_bench->wizard().plans().plan()) >= 0);
        m_bench->services.quantizer = [turnstile] { return turnstile; };
        const RunQueue& queue = m_bench->wizard().queue();
        m_bench->wizard().run(m_bench->wizard().target(), false);
        QTRY_COMPARE(turnstile->arrived(), 1);
        m_bench->wizard().leaveRuns();
        weights().begin(WeightsGoal::Merge, shared("fixtures/torch/peft/base_llama"));
        auto choices = weights().choices();
        choices.file.adapters.push_back({shared("fixtures/torch/peft/lora").toStdString(), 1});
        weights().choose(choices);
        QVERIFY(plan());
        QTRY_COMPARE(m_bench->find<QPushButton>("writeWeights")->text(), QStringLiteral("Add to queue"));
        weights().setTarget(path("merged"));
        m_bench->click("writeWeights");
        QTRY_COMPARE(queue.runs().size(), 2);
        QVERIFY(!weights().isOpen());
        QCOMPARE(queue.runs().last().state, QueuedRun::State::Waiting);
        QVERIFY(!QFile::exists(path("merged")));
        turnstile->allow(100'000);
        QTRY_COMPARE(queue.runs().last().state, QueuedRun::State::Done);
        QVERIFY(QFile::exists(path("merged/model.safetensors")) && QFile::exists(path("merged/config.json")));
        m_bench.reset(); // before its runner
    }

    // What a queue of an earlier start still holds is planned anew from its text.
    void aWaitingOneOutlivesTheProgram() {
        WB_NEED_SHARED_QT("arch");
        weights().begin(WeightsGoal::Safetensors, shared("arch/llama/hf/model.safetensors"));
        QVERIFY(plan());
        RunQueue& queue = m_bench->wizard().queue();
        QueuedRun run;
        run.model = weights().choices().source;
        run.type = QStringLiteral("safetensors");
        run.target = path("again.safetensors");
        run.plan = weights().planText();
        queue.add({run});
        QTRY_COMPARE(queue.runs().last().state, QueuedRun::State::Done);
        QCOMPARE(contentFromFile(path("again.safetensors")), contentFromFile(shared("arch/llama/hf/model.safetensors")));
    }

    void theProposedNameHasTheChosenType() {
        WB_NEED_SHARED_QT("arch");
        const QString source = path("tiny-F32.safetensors");
        QVERIFY(QFile::copy(shared("arch/llama/hf/model.safetensors"), source));
        weights().begin(WeightsGoal::Safetensors, source);
        QVERIFY(plan());
        QCOMPARE(QFileInfo(weights().target()).fileName(), QStringLiteral("tiny-F32.safetensors"));
        auto choices = weights().choices();
        choices.file.type = Dtype::BF16;
        weights().choose(choices);
        QVERIFY(plan());
        QCOMPARE(QFileInfo(weights().target()).fileName(), QStringLiteral("tiny-BF16.safetensors"));
    }

    void aPlanReplacesNoOpenModel() {
        WB_NEED_SHARED_QT("arch");
        const QString source = path("source.safetensors");
        QVERIFY(QFile::copy(shared("arch/llama/hf/model.safetensors"), source));
        const QByteArray before = contentFromFile(source);
        weights().begin(WeightsGoal::Safetensors, source);
        QVERIFY(plan());
        weights().savePlan(source);
        QTRY_VERIFY2(weights().failure().contains(QStringLiteral("would be overwritten")), qPrintable(weights().failure()));
        QVERIFY(contentFromFile(source) == before);
    }

    void namesAndTypesAreChangedInTheTable() {
        WB_NEED_SHARED_QT("arch");
        weights().begin(WeightsGoal::Safetensors, shared("arch/llama/hf/model.safetensors"));
        QVERIFY(plan());
        auto* table = m_bench->find<QTableView>("weightsTable");
        const auto cell = [table](int column) { return table->model()->index(0, column); };
        const QString name = cell(WeightsModel::Name).data().toString();
        QVERIFY(table->model()->setData(cell(WeightsModel::Name), QStringLiteral("my.own.name")));
        QVERIFY(plan());
        QCOMPARE(cell(WeightsModel::Name).data().toString(), QStringLiteral("my.own.name"));
        QVERIFY(table->model()->setData(cell(WeightsModel::To), QStringLiteral("F32")));
        QVERIFY(plan());
        QCOMPARE(cell(WeightsModel::To).data().toString(), QStringLiteral("F32"));
        QCOMPARE(weights().plan()->tensors[1].to, Dtype::BF16);
        const QString text = weights().planText();
        weights().undo();
        weights().undo();
        QVERIFY(plan());
        QCOMPARE(cell(WeightsModel::Name).data().toString(), name);
        QVERIFY(weights().canRedo() && !weights().canUndo());
        const auto kept = ui::convert::readChoices(weights().choices().source, text, QStringLiteral("p.plan.json"));
        QVERIFY(kept && kept->file.names.size() == 1 && kept->file.types.size() == 1);
        weights().savePlan(path("p.plan.json"));
        QTRY_VERIFY(QFile::exists(path("p.plan.json")));
        weights().redo();
        QVERIFY(plan());
        weights().loadPlan(path("p.plan.json"));
        QTRY_VERIFY(weights().choices().file.names.empty());
        QVERIFY(plan());
        weights().loadPlan(shared("arch/llama/hf/config.json"));
        QTRY_VERIFY2(weights().failure().contains(QStringLiteral("config.json is not a Weighbridge plan")),
                     qPrintable(weights().failure()));
    }

    void thePlanSaysWhereTheConfigurationComesFrom() {
        WB_NEED_SHARED_QT("arch");
        weights().begin(WeightsGoal::Folder, shared("arch/qwen3/model.gguf"));
        QVERIFY(plan());
        MembersModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setMembers(weights().members());
        QSet<QString> origins;
        for (int row = 0; row < model.rowCount(); ++row) origins << model.index(row, MembersModel::OriginColumn).data().toString();
        QCOMPARE(origins, (QSet<QString>{QStringLiteral("GGUF file"), QStringLiteral("inferred from architecture")}));
        m_bench->find<QTabBar>("weightsParts")->setCurrentIndex(1);
        QVERIFY(m_bench->find<QTableView>("membersTable")->isVisible());
        QVERIFY(!m_bench->find<QTableView>("weightsTable")->isVisible());
    }

    void aPlanOutlivesTheWindow() {
        WB_NEED_SHARED_QT("arch");
        weights().begin(WeightsGoal::Folder, shared("arch/qwen3/model.gguf"));
        QVERIFY(plan());
        weights().setTarget(path("mine"));
        const QJsonObject session = m_bench->tab->saveSession();
        m_bench->restart();
        m_bench->tab->restoreSession(session);
        QVERIFY(plan());
        QCOMPARE(weights().choices().goal, WeightsGoal::Folder);
        QCOMPARE(weights().target(), path("mine"));
    }

    void aGgufFileIsRegisteredWithOllama() {
        WB_NEED_SHARED_QT("arch");
        m_jobs.never = QStringLiteral("Estimating speed");
        QVERIFY(m_bench->open(shared("arch/llama/hf")));
        m_bench->wizard().setTarget(path("out.gguf"));
        m_bench->wizard().run(path("out.gguf"), false);
        QVERIFY(m_bench->waitFor(Wizard::Step::Result));
        QCOMPARE(m_bench->find<QLineEdit>("ollamaCommand")->text(), QStringLiteral("ollama create out -f Modelfile"));
        m_bench->find<QPushButton>("writeModelfile")->click(); // it may not be laid out yet
        QTRY_VERIFY(QFile::exists(path("Modelfile")));
        QVERIFY(contentFromFile(path("Modelfile")).startsWith("FROM ./out.gguf\n"));
        m_bench->answerNext(false);
        m_bench->find<QPushButton>("writeModelfile")->click();
        QVERIFY2(m_bench->question.contains(QStringLiteral("Modelfile")), qPrintable(m_bench->question));
        m_jobs.never.clear();
    }
};

WB_GUI_TEST(WeightsQueueTest)

} // namespace wb::test

#include "weights_queue_test.moc"
