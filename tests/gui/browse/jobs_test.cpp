// SPDX-License-Identifier: MIT
#include "tests/gui/browse/browse_bench.h"
#include "ui/convert/unfinished.h"
#include "ui/shell/jobs/jobs_model.h"
#include "ui/shell/settings/language.h"
#include "ui/widgets/paths.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QDir>
#include <QFile>
#include <QPushButton>
#include <QMessageBox>
#include <QMenu>

namespace wb::test {

// Downloads on the Jobs page.
class DownloadJobsTest : public QObject {
    Q_OBJECT

private slots:
    // On the Jobs page a download is one row with its job, can be paused, canceled and resumed there, and is opened when it is
    // done.
    void theJobsPageHasEachDownloadOnce() {
        Bench bench;
        JobsModel model;
        connect(&bench.jobs, &QueuedJobRunner::jobAdded, &model, &JobsModel::add);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        model.addSource(bench.tab->workSource());
        bench.addLarge();
        bench.tab->show();
        QVERIFY(bench.settles());
        const quint64 id = bench.downloadSlowly();
        Downloads& downloads = bench.tab->downloads();
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.work(0).title, QStringLiteral("Download one.bin"));
        QVERIFY(model.work(0).state == WorkState::Running && model.work(0).permille > 0);
        model.pause(0);
        QVERIFY(model.work(0).state == WorkState::Paused);
        QVERIFY(downloads.queue().find(id)->state == hub::QueuedDownload::State::Paused);
        model.resume(0);
        QVERIFY(model.work(0).state == WorkState::Running);
        model.cancel(0);
        QTRY_VERIFY(model.work(0).state == WorkState::Canceled);
        QVERIFY(model.work(0).result.isEmpty());
        QTRY_COMPARE(downloads.runningCount(), 0);
        downloads.setLimit(id, 0);
        model.resume(0);
        QVERIFY(QTest::qWaitFor([&] { return model.work(0).state == WorkState::Done; }, 60000));
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.work(0).result, bench.home.filePath(QStringLiteral("models/acme/large")));
        model.clearFinished();
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(downloads.rowCount(), 0);
    }

    // Downloads that a kill or `wb download` interrupted are listed and can be resumed or removed with their parts.
    void offersWhatWasInterrupted() {
        Bench bench;
        ServedRepository large{.id = "acme/large", .downloads = 1, .tags = {"gguf"}};
        large.files = {formulaFile("one.bin", 3'000'001, 31), formulaFile("two.bin", 3'000'001, 32)};
        bench.servers.add(large);
        bench.interrupt(large.id, "one.bin");
        bench.interrupt(large.id, "two.bin");
        bench.tab->show();
        Downloads& downloads = bench.tab->downloads();
        QVERIFY(QTest::qWaitFor([&] { return downloads.rowCount() == 2; }, 30000));
        QVERIFY(downloads.row(0).run && downloads.row(1).run);
        QVERIFY(bench.tab->workSource()->items().first().state == WorkState::Interrupted);
        const QString folder = bench.home.filePath(QStringLiteral("models/acme/large/"));
        const std::string first = downloads.row(0).request->files.front();
        downloads.discard(*downloads.row(1).request);
        QVERIFY(
            QTest::qWaitFor([&] { return QDir(folder).entryList({QStringLiteral("*.part")}, QDir::Files).size() == 1; }, 30000));
        bench.tab->workSource()->resume(bench.tab->workSource()->items().first().id);
        QVERIFY(QTest::qWaitFor([&] { return QFile::exists(folder + QString::fromStdString(first)); }, 60000));
        QVERIFY(QTest::qWaitFor([&] { return downloads.runningCount() == 0; }, 60000));
        QVERIFY(QDir(folder).entryList({QStringLiteral("*.part")}, QDir::Files).isEmpty());
    }

    // A pause is saved wherever it was pressed, and every program shows the progress of the journal.
    void aPauseInJobsIsKeptAndHasOneFigure() {
        Bench bench;
        bench.addLarge();
        bench.tab->show();
        QVERIFY(bench.settles());
        const quint64 id = bench.downloadSlowly();
        QVERIFY(bench.lastJob);
        bench.lastJob->setPaused(true);
        const auto entry = [&bench] { return bench.tab->downloads().queue().entries().front(); };
        using State = hub::QueuedDownload::State;
        QVERIFY(entry().state == State::Paused);
        const auto written = [&bench] { return run::listUnfinished(bench.stateFolder()).front().written; };
        QVERIFY(QTest::qWaitFor([&] { return written() == entry().doneBytes; }, 30000));
        QCOMPARE(bench.lastJob->doneUnits(), quint64{entry().doneBytes});
        QVERIFY2(ui::convert::unfinishedRuns(qtPath(bench.stateFolder())).empty(), "Convert offers no download");
        QVERIFY(QTest::qWaitFor([&] { return bench.tab->downloads().isSaved(); }, 30000));
        const quint64 done = entry().doneBytes;
        bench.tab.reset();
        QTRY_VERIFY_WITH_TIMEOUT(bench.lastJob->isFinished(), 30000); // else the file still belongs to it
        bench.makeTab();
        bench.tab->show();
        Downloads& again = bench.tab->downloads();
        QVERIFY(QTest::qWaitFor([&] { return again.rowCount() == 1; }, 30000));
        QVERIFY(entry().state == State::Paused);
        QCOMPARE(quint64{entry().doneBytes}, done);
        QCOMPARE(again.runningCount(), 0);
        again.setLimit(entry().id, 0);
        again.resume(entry().id);
        QVERIFY(QTest::qWaitFor([&] { return entry().state == State::Done; }, 60000));
        QCOMPARE(QFile(bench.home.filePath(QStringLiteral("models/acme/large/one.bin"))).size(), qint64{3'000'001});
        Q_UNUSED(id);
    }

    // The list pauses the job itself, so Jobs shows it as paused; both can resume it.
    void aPausedDownloadIsAPausedJob() {
        Bench bench;
        bench.addLarge();
        bench.tab->show();
        QVERIFY(bench.settles());
        const quint64 id = bench.downloadSlowly();
        Downloads& downloads = bench.tab->downloads();
        using State = hub::QueuedDownload::State;
        downloads.pause(id);
        QVERIFY(bench.lastJob->state() == JobState::Paused);
        bench.lastJob->setPaused(false);
        QVERIFY(downloads.queue().find(id)->state == State::Running);
        downloads.pauseAll(true);
        QVERIFY(bench.lastJob->state() == JobState::Paused);
        downloads.pauseAll(false);
        QVERIFY(downloads.queue().find(id)->state == State::Running);
        downloads.pause(id);
        downloads.setLimit(id, 0);
        downloads.add(*downloads.queue().find(id)); // who asks again wants it now
        QVERIFY(QTest::qWaitFor([&] { return downloads.queue().find(id)->state == State::Done; }, 60000));
    }

    void aCancelInJobsIsACancel() {
        Bench bench;
        bench.addLarge();
        bench.tab->show();
        QVERIFY(bench.settles());
        const quint64 id = bench.downloadSlowly();
        Downloads& downloads = bench.tab->downloads();
        bench.lastJob->cancelByUser();
        QVERIFY(QTest::qWaitFor([&] { return downloads.runningCount() == 0; }, 30000));
        QVERIFY(downloads.queue().find(id)->state == hub::QueuedDownload::State::Canceled);
        QVERIFY(bench.tab->workSource()->items().first().state == WorkState::Canceled);
        QVERIFY(QTest::qWaitFor([&] { return downloads.isSaved(); }, 30000));
        bench.tab.reset();
        bench.makeTab();
        bench.tab->show();
        QVERIFY(QTest::qWaitFor([&] { return bench.tab->downloads().rowCount() == 1; }, 30000));
        QCOMPARE(bench.tab->downloads().runningCount(), 0);
        QVERIFY(bench.tab->downloads().queue().entries().front().state == hub::QueuedDownload::State::Canceled);
    }

    // Speed, schedule and a pause of all are commands there; Browse has one line that leads to it.
    void theJobsPageHasTheCommandsOfTheQueue() {
        ui::applyLanguage(QStringLiteral("en"));
        Bench bench;
        bench.addLarge();
        bench.tab->show();
        QVERIFY(bench.settles());
        auto* line = bench.tab->findChild<QPushButton*>(QStringLiteral("showDownloads"));
        QVERIFY(line->isHidden());
        const quint64 id = bench.downloadSlowly();
        QVERIFY(line->isVisible());
        QCOMPARE(line->text(), QStringLiteral("Show 1 download in Jobs"));
        QSignalSpy wanted(bench.tab.get(), &Tab::jobsWanted);
        line->click();
        QCOMPARE(wanted.size(), 1);
        Downloads& downloads = bench.tab->downloads();
        const auto trigger = [&bench](const QString& item, const QString& menuTitle, const QString& command) {
            QMenu menu;
            bench.tab->workSource()->addCommands(&menu, item);
            for (const QMenu* part : menu.findChildren<QMenu*>())
                for (QAction* action : part->actions())
                    if (part->title() == menuTitle && action->text() == command) action->trigger();
        };
        trigger({}, QStringLiteral("Speed limit of all downloads"), QStringLiteral("Up to 5 MB/s"));
        QCOMPARE(downloads.queue().totalLimit(), std::uint64_t{5'000'000});
        trigger(bench.tab->workSource()->items().first().id, QStringLiteral("Speed limit of this download"),
                QStringLiteral("Up to 20 MB/s"));
        QCOMPARE(downloads.queue().find(id)->bytesPerSecond, std::uint64_t{20'000'000});
        QMenu menu;
        bench.tab->workSource()->addCommands(&menu, {});
        menu.findChild<QAction*>(QStringLiteral("pauseDownloads"))->trigger();
        QVERIFY(downloads.queue().isPaused());
        for (QAction* action : menu.findChildren<QMenu*>().last()->actions()) action->trigger();
        QVERIFY(downloads.queue().hours().has_value());
        downloads.pauseAll(false);
    }

    void removingAnUnfinishedOneIsAsked() {
        Bench bench;
        bench.addLarge();
        bench.tab->show();
        QVERIFY(bench.settles());
        bench.downloadSlowly();
        bench.tab->workSource()->remove(bench.tab->workSource()->items().first().id);
        const auto question = [&] { return bench.tab->window()->findChild<QMessageBox*>(QStringLiteral("removeDownload")); };
        QTRY_VERIFY(question());
        QCOMPARE(bench.tab->downloads().rowCount(), 1);
        for (QAbstractButton* button : question()->buttons())
            if (question()->buttonRole(button) == QMessageBox::DestructiveRole) button->click();
        QTRY_COMPARE(bench.tab->downloads().rowCount(), 0);
    }
};

WB_GUI_TEST(DownloadJobsTest)

} // namespace wb::test

#include "jobs_test.moc"
