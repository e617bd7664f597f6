// SPDX-License-Identifier: MIT
#include "tests/gui/inspect/fake_backend.h"
#include "tests/gui/inspect/manual_jobs.h"
#include "tests/gui/inspect/sample_models.h"
#include "tests/gui/support/gui_test.h"
#include "tests/gui/support/test_services.h"
#include "ui/inspect/document/statistics_runner.h"
#include "ui/inspect/metadata/problem_delegate.h"
#include "ui/inspect/metadata/problems_panel.h"
#include "ui/inspect/model_page.h"
#include "ui/inspect/tensors/tensor_panel.h"
#include "ui/widgets/message_bar.h"

#include "core/formats/open.h"

#include <QFile>
#include <QListView>
#include <QScrollBar>
#include <QSignalSpy>

using namespace wb;
using namespace wb::ui::inspect;

namespace {

// A model on disk, everything that computes over it, and a cache.
struct StatisticsBench {
    explicit StatisticsBench(const QTemporaryDir& folder)
        : path(folder.filePath(QStringLiteral("sample.safetensors"))),
          services(&jobs, {.threads = 1, .cacheFolder = folder.filePath(QStringLiteral("cache"))}, &backend), document(open()),
          runner(document, services) {}

    stats::Contents open() const { return stats::modelContents(*formats::open(path.toStdString())); }
    const stats::TensorStats* stats(std::uint32_t tensor) const { return document.contents().statistics(tensor); }

    QString path;
    test::ManualJobs jobs;
    test::FakeBackend backend;
    test::TestServices services;
    Document document;
    StatisticsRunner runner;
};

} // namespace

class StatisticsTest : public QObject {
    Q_OBJECT

private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(!test::writeSafetensors(*m_folder, QStringLiteral("sample.safetensors"), test::sampleTensors()).isEmpty());
    }

    void computesTheTensorAskedFor() {
        StatisticsBench bench(*m_folder);
        bench.runner.request(1);
        QCOMPARE(bench.runner.requested(), std::optional(1U));
        QVERIFY(!bench.jobs.find(QStringLiteral("Statistics"))->visible);
        bench.jobs.runAll();
        QVERIFY(!bench.runner.requested());
        QCOMPARE(bench.stats(1)->absmax, stats::Element(2.0));
        QVERIFY(!bench.stats(0));
        bench.runner.request(1); // known: no second reading
        bench.jobs.runAll();
        QCOMPARE(bench.backend.calls, 1);
    }

    // NaN and a checksum that differs show only in the values.
    void listsWhatIsWrongWithValues() {
        Document document(test::makeContents(1));
        const std::size_t before = document.problems().size();
        const QSignalSpy changes(&document, &Document::problemsChanged);
        auto stats = std::make_shared<stats::TensorStats>();
        document.addStatistics(std::vector<TensorResult>{{0, stats}});
        QCOMPARE(changes.count(), 0);
        stats = std::make_shared<stats::TensorStats>();
        stats->nan = 3;
        const TensorResult result{
            0, stats, {makeProblem(Severity::Error, "zip.crc", "a.npz", std::nullopt, "{} differs.", "b.npy")}};
        document.addStatistics(std::span(&result, 1));
        document.addStatistics(std::span(&result, 1)); // the same again adds nothing
        QVERIFY(document.isDamaged(0));
        QCOMPARE(changes.count(), 1);
        QCOMPARE(document.problems().size(), before + 2);
        QCOMPARE(document.problems().front().message(), std::string("b.npy differs."));
        ProblemsPanel panel({});
        QVERIFY(panel.findChild<QListView*>()->isHidden());
        panel.setProblems(document.problems());
        QVERIFY(!panel.findChild<QListView*>()->isHidden());
        QCOMPARE(panel.findChild<QListView*>()->model()->rowCount(), static_cast<int>(before + 2));
    }

    // Every line of a few, and a scroll bar for many.
    void fitsTheListToItsRows() {
        const auto some = [](std::size_t count) {
            return std::vector(count, makeProblem(Severity::Warning, "zip.crc", "a.npz", std::nullopt,
                                                  "{} differs from the checksum that is stored for it in the archive.", "b.npy"));
        };
        constexpr int most = 300;
        ProblemsPanel panel(some(3));
        panel.fitRows(most);
        panel.resize(320, 600);
        panel.show();
        const auto* list = panel.findChild<QListView*>();
        const auto rows = [list] {
            int height = 0;
            for (int row = 0; row < list->model()->rowCount(); ++row) height += list->sizeHintForRow(row);
            return height;
        };
        QTRY_VERIFY(list->viewport()->height() == rows() && rows() > 0);
        QVERIFY(list->verticalScrollBar()->maximum() == 0);
        panel.setProblems(some(50));
        QTRY_COMPARE(list->height(), most);
        QTRY_VERIFY(list->verticalScrollBar()->maximum() > 0);
    }

    void longWordsBreakAndNumbersDoNot() {
        QCOMPARE(breakable(QStringLiteral("of 1,494 in a/b.txt")), QStringLiteral("of 1,494 in a/b.txt"));
        QCOMPARE(breakable(QStringLiteral("in cut-spectrum.safetensors,1,494")),
                 QStringLiteral("in cut-\u200Bspectrum.\u200Bsafetensors,1,494"));
        QVERIFY(breakable(QString(30, u'x')).contains(QChar(0x200B)));
    }

    void letsTheLatestRequestWin() {
        StatisticsBench bench(*m_folder);
        bench.runner.request(0);
        const auto first = bench.jobs.find(QStringLiteral("Statistics"));
        bench.runner.request(1);
        bench.runner.request(0); // the same tensor again is a new request
        QVERIFY(first->isCanceled());
        QCOMPARE(bench.runner.requested(), std::optional(0U));
        const QSignalSpy failures(&bench.runner, &StatisticsRunner::tensorFailed);
        bench.jobs.runAll();
        QVERIFY(bench.stats(0));
        QVERIFY(!bench.stats(1));
        QCOMPARE(bench.backend.calls, 1);
        QCOMPARE(failures.count(), 0);
    }

    void computesTheWholeModelWithProgressInBytes() {
        StatisticsBench bench(*m_folder);
        bench.runner.request(2);
        bench.jobs.runAll();
        bench.runner.computeAll();
        QVERIFY(bench.runner.isComputingAll());
        const auto job = bench.jobs.find(QStringLiteral("Statistics of sample"));
        QVERIFY(job->visible);
        bench.jobs.runAll();
        QVERIFY(!bench.runner.isComputingAll());
        QCOMPARE(bench.document.computedCount(), 3U);
        QCOMPARE(bench.backend.calls, 3); // the known one was not read again
        QCOMPARE(job->reports.back(), (std::pair<std::uint64_t, std::uint64_t>(40, 40)));
        QVERIFY(std::ranges::is_sorted(job->reports));
    }

    void keepsWhatIsDoneWhenCanceled() {
        StatisticsBench bench(*m_folder);
        const QSignalSpy failures(&bench.runner, &StatisticsRunner::modelFailed);
        bench.backend.beforeEach = [&] {
            if (bench.backend.calls == 2) bench.runner.cancelAll();
        };
        bench.runner.computeAll();
        bench.jobs.runAll();
        QVERIFY(!bench.runner.isComputingAll());
        QCOMPARE(bench.document.computedCount(), 1U);
        QCOMPARE(failures.count(), 0);
    }

    // A model that lies on a hub: nobody fetches megabytes by moving through a list.
    void asksBeforeItFetchesATensor() {
        std::vector<test::SampleTensor> tensors = test::sampleTensors();
        constexpr std::uint64_t many = 1'200'000; // 4.8 MB
        tensors.push_back({"large", {many}, std::vector<float>(many, 1.0f)});
        QVERIFY(!test::writeSafetensors(*m_folder, QStringLiteral("sample.safetensors"), tensors).isEmpty());
        StatisticsBench bench(*m_folder);
        Document remote(bench.open(), QStringLiteral("hf:acme/sample@main:sample.safetensors"));
        StatisticsRunner runner(remote, bench.services);
        ModelPage page(remote, runner, bench.services);
        page.resize(1200, 800);
        page.show();
        auto* bar = page.findChild<ui::MessageBar*>(QStringLiteral("fetchBar"));
        const auto choose = [&](const char* name) {
            for (std::uint32_t i = 0; i < remote.model().tensors.size(); ++i)
                if (remote.model().tensors[i].name == name) page.tensors()->chooseTensor(i);
        };
        choose("large");
        QVERIFY(bar->isVisible());
        QVERIFY2(bar->text().contains(QStringLiteral("large")), qPrintable(bar->text()));
        QVERIFY(!runner.requested());
        choose("embed.weight"); // little comes unasked
        QVERIFY(!bar->isVisible());
        QVERIFY(runner.requested());
        choose("large");
        QVERIFY(!runner.requested() || remote.model().tensors[*runner.requested()].name != "large");
        emit bar->actionChosen();
        QVERIFY(!bar->isVisible());
        QVERIFY(runner.requested() && remote.model().tensors[*runner.requested()].name == "large");
        page.computeAll();
        QVERIFY(bar->isVisible());
        QVERIFY(!runner.isComputingAll());
        emit bar->actionChosen();
        QVERIFY(runner.isComputingAll());
        runner.cancelAll();
        bench.jobs.runAll();
    }

    void findsResultsOfAnEarlierSession() {
        {
            StatisticsBench bench(*m_folder);
            bench.runner.computeAll();
            bench.jobs.runAll();
        }
        StatisticsBench again(*m_folder);
        again.runner.loadCache();
        again.jobs.runAll();
        QCOMPARE(again.document.computedCount(), 3U);
        QCOMPARE(again.stats(2)->absmax, stats::Element(8.0));
        QCOMPARE(again.stats(2)->histogram->counts.size(), std::size_t{256});
        again.runner.request(2);
        again.jobs.runAll();
        QCOMPARE(again.backend.calls, 0);
    }

    void ignoresResultsOfAnotherFile() {
        {
            StatisticsBench bench(*m_folder);
            bench.runner.computeAll();
            bench.jobs.runAll();
        }
        auto tensors = test::sampleTensors();
        tensors[0].values[0] = 7;
        QVERIFY(QFile::remove(m_folder->filePath(QStringLiteral("sample.safetensors"))));
        test::writeSafetensors(*m_folder, QStringLiteral("sample.safetensors"), tensors);
        StatisticsBench again(*m_folder);
        again.runner.loadCache();
        again.jobs.runAll();
        QCOMPARE(again.document.computedCount(), 0U);
    }

    void ignoresAndReplacesACorruptCache() {
        StatisticsBench bench(*m_folder);
        const StatisticsCache cache(bench.services.settings->cacheFolder());
        bench.runner.computeAll();
        bench.jobs.runAll();
        const QString file = cache.fileFor(bench.document.model());
        for (const char* content :
             {"", "{", "[1, {\"tensor\": 99}]", "[{\"tensor\":0,\"name\":\"embed.weight\",\"stats\":{\"count\":\"x\"}}]"}) {
            QFile broken(file);
            QVERIFY(broken.open(QIODevice::WriteOnly));
            broken.write(content);
            broken.close();
            QVERIFY(cache.load(bench.document.model()).empty());
        }
        QVERIFY(cache.save(bench.document.contents()));
        QCOMPARE(cache.load(bench.document.model()).size(), std::size_t{3});
    }

    void boundsTheCache() {
        StatisticsBench bench(*m_folder);
        bench.runner.computeAll();
        bench.jobs.runAll();
        const StatisticsCache tiny(bench.services.settings->cacheFolder(), 10);
        QVERIFY(tiny.save(bench.document.contents()));
        QVERIFY(!QFile::exists(tiny.fileFor(bench.document.model())));
    }

    void saysWhenTheFileChanged() {
        StatisticsBench bench(*m_folder);
        const QSignalSpy changed(&bench.runner, &StatisticsRunner::changedOnDisk);
        QFile file(bench.path);
        QVERIFY(file.open(QIODevice::Append));
        file.write("more");
        file.close();
        bench.runner.request(0);
        bench.jobs.runAll();
        QCOMPARE(changed.count(), 1);
        bench.runner.computeAll();
        bench.jobs.runAll();
        QCOMPARE(changed.count(), 2);
        QCOMPARE(bench.document.computedCount(), 0U);
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
};

WB_GUI_TEST(StatisticsTest)

#include "statistics_test.moc"
