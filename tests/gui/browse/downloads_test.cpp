// SPDX-License-Identifier: MIT
#include "tests/gui/browse/browse_bench.h"
#include "ui/browse/page_view.h"
#include "ui/inspect/inspect_tab.h"
#include "ui/library/library_model.h"
#include "ui/library/library_session.h"
#include "ui/library/library_tab.h"
#include "ui/shell/jobs/jobs_model.h"
#include "ui/widgets/paths.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QPushButton>
#include <QTreeWidget>

#include <algorithm>

namespace wb::test {

// The queue of downloads over restarts, removals and the end of the program.
class DownloadsTest : public QObject {
    Q_OBJECT

private slots:
    void downloadsIntoTheLibraryAndOpensInInspect() {
        Bench bench;
        bench.places.environment.ours = fsPath(bench.home.filePath(QStringLiteral("models")));
        bench.places.index = &bench.index;
        bench.services.library = &bench.places;
        LibraryTab libraryTab(bench.services);
        InspectTab inspectTab(bench.services);
        libraryTab.resize(1200, 700);
        libraryTab.show();
        inspectTab.show();
        QVERIFY(QTest::qWaitFor([&] { return libraryTab.session().wasScanned(); }, 30000));
        connect(bench.tab.get(), &BrowseTab::downloaded, &libraryTab.session(), &wb::ui::library::LibrarySession::scan);
        connect(&libraryTab, &Tab::handOverWanted, &inspectTab, [&](const QString& tab, const QStringList& paths) {
            QCOMPARE(tab, QStringLiteral("inspect"));
            inspectTab.openPaths(paths);
        });
        bench.tab->show();
        QVERIFY(bench.search(QStringLiteral("tiny-gguf")));
        QVERIFY(bench.open(0));
        QTreeWidget* files = bench.tab->page().files();
        for (QTreeWidgetItem* item : files->findItems(QStringLiteral("Q8_0"), Qt::MatchStartsWith)) files->setCurrentItem(item);
        bench.tab->findChild<QPushButton*>(QStringLiteral("download"))->click();
        QVERIFY(QTest::qWaitFor([&] { return libraryTab.model().rowCount() == 1; }, 60000));
        QFile file(bench.home.filePath(QStringLiteral("models/acme/tiny-gguf/tiny-Q8_0.gguf")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll().toStdString(), smallGguf());
        QSignalSpy opened(&inspectTab, &Tab::opened);
        libraryTab.table().selectRow(0);
        emit libraryTab.table().activated(libraryTab.table().currentIndex());
        QVERIFY(QTest::qWaitFor([&] { return opened.size() == 1; }, 60000));
        QCOMPARE(bench.servers.violations(), std::vector<std::string>());
    }

    // A queue of five: the server delays one at a time, the order is changed, one is paused; a new window resumes the queue.
    void keepsItsQueueOverARestart() {
        Bench bench;
        std::vector<std::string> paths;
        ServedRepository five{.id = "acme/five", .downloads = 1, .tags = {"gguf"}};
        for (const char* name : {"a.bin", "b.bin", "c.bin", "d.bin", "e.bin"}) {
            five.files.push_back(formulaFile(name, 200'003, 20 + paths.size()));
            paths.emplace_back(name);
        }
        bench.servers.add(five);
        bench.tab->show();
        Downloads& downloads = bench.tab->downloads();
        JobsModel jobs;
        const QAbstractItemModelTester tester(&jobs, QAbstractItemModelTester::FailureReportingMode::QtTest);
        jobs.addSource(bench.tab->workSource());
        downloads.pauseAll(true);
        std::vector<quint64> ids;
        for (const std::string& path : paths) {
            hub::QueuedDownload download;
            download.request.repository = {hub::Hub::HuggingFace, "acme/five", five.commit};
            download.request.files = {path};
            download.request.place.root = fsPath(bench.home.filePath(QStringLiteral("models/acme/five")));
            ids.push_back(downloads.add(download));
        }
        QVERIFY(QTest::qWaitFor([&] { return QFile::exists(bench.home.filePath(QStringLiteral("state/downloads.json"))); }, 30000));
        const auto order = [](const Downloads& of) {
            std::string names;
            for (const auto& each : of.queue().entries()) names += each.request.files.front().front();
            return names;
        };
        const auto idOf = [](const Downloads& of, const std::string& file) {
            for (const auto& each : of.queue().entries())
                if (each.request.files.front() == file) return each.id;
            return std::uint64_t{0};
        };
        int row = 4;
        for (int i = 0; i < 4; ++i) row = jobs.move(row, -1); // as on the Jobs page
        QCOMPARE(row, 0);
        QCOMPARE(jobs.move(0, -1), 0);
        QCOMPARE(jobs.work(0).title, QStringLiteral("Download e.bin"));
        QCOMPARE(jobs.work(4).title, QStringLiteral("Download d.bin"));
        QVERIFY(jobs.work(0).canMoveDown && !jobs.work(4).canMoveDown);
        downloads.pause(idOf(downloads, "b.bin"));
        downloads.setTotalLimit(50'000'000);
        QCOMPARE(order(downloads), std::string("eabcd"));
        QVERIFY(downloads.isSaved() || QTest::qWaitFor([&] { return downloads.isSaved(); }, 30000));
        bench.tab.reset();
        bench.makeTab();
        bench.tab->show();
        Downloads& again = bench.tab->downloads();
        QVERIFY(QTest::qWaitFor([&] { return again.rowCount() == 5; }, 30000));
        QCOMPARE(order(again), std::string("eabcd"));
        QCOMPARE(again.queue().totalLimit(), std::uint64_t{50'000'000});
        QVERIFY(again.queue().isPaused());
        again.pauseAll(false);
        const auto isOver = [&] {
            return std::ranges::all_of(again.queue().entries(), [](const auto& each) {
                return each.state == hub::QueuedDownload::State::Done || each.state == hub::QueuedDownload::State::Paused;
            });
        };
        QVERIFY(QTest::qWaitFor(isOver, 60000));
        for (const std::string& path : paths)
            QCOMPARE(QFile::exists(bench.home.filePath(QStringLiteral("models/acme/five/") + QString::fromStdString(path))),
                     path != "b.bin");
        again.removeDone();
        QCOMPARE(again.rowCount(), 1);
        again.resume(idOf(again, "b.bin"));
        QVERIFY(QTest::qWaitFor(isOver, 60000));
        QVERIFY(QFile::exists(bench.home.filePath(QStringLiteral("models/acme/five/b.bin"))));
        QCOMPARE(bench.servers.violations(), std::vector<std::string>());
    }

    // One that flows is removed and wanted again at once: it waits until the old one has let go, then it is fetched whole.
    void fetchesAgainWhatWasJustRemoved() {
        Bench bench;
        ServedRepository large{.id = "acme/large", .downloads = 1, .tags = {"gguf"}};
        large.files = {formulaFile("one.bin", 3'000'001, 31)};
        bench.servers.add(large);
        bench.tab->show();
        QVERIFY(bench.settles());
        Downloads& downloads = bench.tab->downloads();
        using State = hub::QueuedDownload::State;
        bool wasBlocked = false;
        const auto look = [&] {
            for (const auto& each : downloads.queue().entries()) wasBlocked = wasBlocked || each.state == State::Blocked;
        };
        connect(&downloads, &Downloads::changed, this, look);
        hub::QueuedDownload download;
        download.request.repository = {hub::Hub::HuggingFace, large.id, large.commit};
        download.request.files = {"one.bin"};
        download.request.place.root = fsPath(bench.home.filePath(QStringLiteral("models/acme/large")));
        for (int i = 0; i < 3; ++i) {
            hub::QueuedDownload slow = download;
            slow.bytesPerSecond = 200'000;
            const quint64 id = downloads.add(slow);
            QVERIFY(QTest::qWaitFor([&] { return downloads.queue().find(id)->doneBytes > 0; }, 30000));
            downloads.remove(id);
        }
        const quint64 last = downloads.add(download);
        QVERIFY(QTest::qWaitFor([&] { return downloads.queue().find(last)->state == State::Done; }, 60000));
        QVERIFY(!wasBlocked);
        QFile file(bench.home.filePath(QStringLiteral("models/acme/large/one.bin")));
        QCOMPARE(file.size(), qint64{3'000'001});
    }

    // Closing the program does not pause downloads: those that ran are queued again.
    void whatTheProgramsEndStopsIsQueued() {
        Bench bench;
        bench.addLarge();
        bench.tab->show();
        QVERIFY(bench.settles());
        const quint64 id = bench.downloadSlowly();
        bench.tab->downloads().pauseAll(true); // otherwise it restarts immediately
        bench.jobs.cancelAll();
        QVERIFY(QTest::qWaitFor([&] { return bench.tab->downloads().runningCount() == 0; }, 30000));
        QVERIFY(bench.tab->downloads().queue().find(id)->state == hub::QueuedDownload::State::Queued);
    }
};

WB_GUI_TEST(DownloadsTest)

} // namespace wb::test

#include "downloads_test.moc"
