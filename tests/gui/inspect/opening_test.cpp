// SPDX-License-Identifier: MIT
#include "tests/gui/inspect/desk.h"
#include "ui/inspect/map/comparison_choice.h"
#include "ui/inspect/map/heat_map_panel.h"

#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QFile>
#include <QFileDialog>
#include <QJsonArray>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTimer>
#include <QToolButton>

#include <functional>

namespace wb::test {

namespace {

// Reloads the model while what `ask` opens is open, and answers once the page that asked is gone. Whether it came to that.
bool reloadDuring(Desk& desk, const std::function<void()>& ask) {
    const QPointer<ModelPage> page = desk.tab.currentPage();
    QPointer<QWidget> open;
    bool isReloaded = false;
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, &timer, [&] {
        if (!isReloaded) {
            open = QApplication::activeModalWidget() ? QApplication::activeModalWidget() : QApplication::activePopupWidget();
            if (!open) return;
            desk.tab.paletteActions(QStringLiteral("reload"), 1).value(0)->trigger();
            desk.jobs.runAll();
            isReloaded = true;
        } else if (!page) {
            timer.stop();
            auto* dialog = qobject_cast<QFileDialog*>(open);
            if (!dialog) return;
            dialog->selectFile(desk.path);
            static_cast<QDialog*>(dialog)->done(QDialog::Accepted);
        }
    });
    timer.start(1);
    ask();
    return QTest::qWaitFor([&] { return !timer.isActive(); }) && !page && desk.tab.currentPage();
}

} // namespace

// Models open, fail to open, change on the disk and close; sessions bring them back.
class OpeningTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { applyLanguage(QStringLiteral("en")); }

    void opensAModel() {
        Desk desk;
        QVERIFY(!desk.tab.currentPage());
        const QSignalSpy opened(&desk.tab, &Tab::opened);
        desk.open(desk.path);
        QCOMPARE(desk.tab.modelCount(), 1);
        QCOMPARE(desk.table()->model()->rowCount(), 3);
        QCOMPARE(opened.count(), 1);
        QCOMPARE(desk.pages()->tabToolTip(0), desk.path);
        QCOMPARE(desk.tab.currentPage()->findChild<QPushButton*>(QStringLiteral("quantizeThis"))->text(),
                 QStringLiteral("Convert"));
        QCOMPARE(desk.tab.describe(desk.path).format, QStringLiteral("safetensors"));
        desk.open(desk.path); // again: the page that is there comes to the front
        QCOMPARE(desk.tab.modelCount(), 1);
    }

    void saysWhyAModelDoesNotOpen() {
        Desk desk;
        const QSignalSpy messages(&desk.tab, &Tab::message);
        desk.open(desk.folder.filePath(QStringLiteral("missing.gguf")));
        QVERIFY(desk.bar(&desk.tab).contains(QStringLiteral("missing.gguf")));
        QCOMPARE(messages.count(), 1);
        QCOMPARE(messages[0][1].toBool(), true);
        QFile broken(desk.folder.filePath(QStringLiteral("broken.safetensors")));
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write("this is not a model");
        broken.close();
        desk.open(broken.fileName());
        QVERIFY(desk.bar(&desk.tab).contains(QStringLiteral("broken.safetensors")));
        QCOMPARE(desk.tab.modelCount(), 0);
        desk.open(desk.path); // a model that opens takes the message away
        QCOMPARE(desk.bar(&desk.tab), QString());
    }

    void saysWhyEachOfSeveralDoesNotOpen() {
        Desk desk;
        const QString first = desk.folder.filePath(QStringLiteral("first.gguf")),
                      second = desk.folder.filePath(QStringLiteral("second.gguf"));
        desk.tab.openPaths({first, second, desk.path});
        desk.jobs.runAll();
        QCOMPARE(desk.tab.modelCount(), 1);
        const QString text = desk.bar(&desk.tab);
        QVERIFY2(text.contains(QStringLiteral("first.gguf")) && text.contains(QStringLiteral("second.gguf")), qPrintable(text));
    }

    void showsABusyRowOnlyForSlowModels() {
        Desk desk;
        auto* busy = desk.tab.findChild<QWidget*>(QStringLiteral("busy"));
        desk.tab.openPaths({desk.path});
        QVERIFY(busy->isHidden());
        QTRY_VERIFY(!busy->isHidden());
        desk.jobs.runAll();
        QVERIFY(busy->isHidden());
    }

    void cancelsOpening() {
        Desk desk;
        desk.tab.openPaths({desk.path, desk.folder.filePath(QStringLiteral("missing.gguf"))});
        desk.tab.findChild<QWidget*>(QStringLiteral("busy"))->findChild<QPushButton*>()->click();
        desk.jobs.runAll();
        QCOMPARE(desk.tab.modelCount(), 0);
        QCOMPARE(desk.bar(&desk.tab), QString());
    }

    void offersToReloadAChangedModel() {
        Desk desk;
        desk.open(desk.path);
        desk.tab.currentPage()->tensors()->search(QStringLiteral("embed"));
        auto tensors = sampleTensors();
        tensors.push_back({"embed.new", {1}, {3}});
        QVERIFY(QFile::remove(desk.path));
        writeSafetensors(desk.folder, QStringLiteral("sample.safetensors"), tensors);
        desk.tab.currentPage()->checkFiles();
        desk.jobs.runAll();
        QVERIFY(desk.bar(desk.tab.currentPage()).contains(QStringLiteral("sample.safetensors")));
        desk.tab.currentPage()->findChild<QPushButton*>(QStringLiteral("messageAction"))->click();
        desk.jobs.runAll();
        QCOMPARE(desk.tab.modelCount(), 1);
        QCOMPARE(desk.search()->text(), QStringLiteral("embed"));
        QCOMPARE(desk.table()->model()->rowCount(), 2);
        QCOMPARE(desk.bar(desk.tab.currentPage()), QString());
    }

    void leavesFilesAloneThatWereMissingFromTheBeginning() {
        WB_NEED_SHARED_QT("fixtures/safetensors/sharded_missing.expected.json");
        Desk desk;
        desk.open(QStringLiteral(WEIGHBRIDGE_SHARED "/fixtures/safetensors/sharded_missing"));
        QVERIFY(desk.tab.currentPage());
        desk.tab.currentPage()->checkFiles();
        desk.jobs.runAll();
        QCOMPARE(desk.bar(desk.tab.currentPage()), QString());
    }

    void closesModelsAndStopsTheirWork() {
        Desk desk;
        desk.open(desk.path);
        desk.tab.currentPage()->computeAll();
        const auto job = desk.jobs.find(QStringLiteral("Statistics of"));
        QVERIFY(desk.focus(desk.table()));
        QTest::keyClick(desk.table(), Qt::Key_W, Qt::ControlModifier);
        QCOMPARE(desk.tab.modelCount(), 0);
        QVERIFY(job->isCanceled());
        desk.jobs.runAll();
        QVERIFY(!desk.tab.currentPage());
    }

    void survivesAReloadWhileAPageAsks() {
        Desk desk;
        desk.open(desk.path);
        QVERIFY(reloadDuring(desk, [&] { desk.tab.currentPage()->askForExport(); }));
        QVERIFY2(!desk.jobs.find(QStringLiteral("Exporting")), "nobody is there to take the answer");
        desk.tab.currentPage()->showDetail(ModelPage::Detail::WhatIf);
        QVERIFY(reloadDuring(desk, [&] { desk.tab.findChild<QPushButton*>(QStringLiteral("chooseMatrix"))->click(); }));
        desk.tab.currentPage()->tensors()->chooseTensor(1);
        ComparisonChoice* choice = desk.tab.currentPage()->heatMapPanel()->comparison();
        QVERIFY(reloadDuring(desk, [&] { emit choice->activated(choice->count() - 1); })); // a file
    }

    void survivesAReloadWhileAMenuIsOpen() {
        Desk desk;
        desk.open(desk.path);
        QVERIFY(reloadDuring(desk, [&] {
            QWidget* rows = desk.table()->viewport();
            QContextMenuEvent event(QContextMenuEvent::Mouse, QPoint(5, 5), rows->mapToGlobal(QPoint(5, 5)));
            QApplication::sendEvent(rows, &event);
        }));
    }

    void bringsTheSessionBack() {
        QJsonObject session;
        Desk desk;
        const QString other = writeSafetensors(desk.folder, QStringLiteral("other.safetensors"), sampleTensors());
        desk.open(desk.path);
        desk.open(other);
        desk.pages()->setCurrentIndex(0);
        TensorPanel* tensors = desk.tab.currentPage()->tensors();
        tensors->search(QStringLiteral("q_proj"));
        desk.table()->sortByColumn(0, Qt::DescendingOrder);
        tensors->chooseTensor(2);
        desk.tab.currentPage()->showDetail(ModelPage::Detail::Trend);
        session = desk.tab.saveSession();

        InspectTab again(desk.services);
        again.restoreSession(session);
        desk.jobs.runAll();
        QCOMPARE(again.modelCount(), 2);
        QCOMPARE(again.findChild<QTabWidget*>(QStringLiteral("models"))->currentIndex(), 0);
        QCOMPARE(again.currentPage()->tensors()->shownTensors(), (std::vector<std::uint32_t>{2, 1}));
        QCOMPARE(again.currentPage()->tensors()->currentTensor(), std::optional(2U));
        QCOMPARE(again.saveSession(), session);
    }

    void survivesBrokenSessions() {
        Desk desk;
        desk.tab.restoreSession(
            {{QStringLiteral("models"),
              QJsonArray{7, QJsonObject{},
                         QJsonObject{{QStringLiteral("path"), desk.path},
                                     {QStringLiteral("state"),
                                      QJsonObject{{QStringLiteral("tensors"), QJsonObject{{QStringLiteral("sortColumn"), 99}}},
                                                  {QStringLiteral("columns"), QStringLiteral("###")}}}}}}});
        desk.jobs.runAll();
        QCOMPARE(desk.tab.modelCount(), 1);
    }

    // Each tab keeps a readable name, and a list has all of them.
    void manyOpenModelsStayReadable() {
        Desk desk;
        const int many = 14;
        for (int i = 0; i < many; ++i) {
            const QString copy = desk.folder.filePath(QStringLiteral("a-model-with-a-name-%1.safetensors").arg(i));
            QVERIFY(QFile::copy(desk.path, copy));
            desk.open(copy);
        }
        desk.tab.resize(1000, 700);
        desk.tab.show();
        turnLoop();
        auto* pages = desk.tab.findChild<QTabWidget*>(QStringLiteral("models"));
        QCOMPARE(pages->count(), many);
        for (int i = 0; i < many; ++i) QVERIFY2(pages->tabBar()->tabRect(i).width() >= 110, qPrintable(QString::number(i)));
        auto* list = desk.tab.findChild<QToolButton*>(QStringLiteral("openModels"));
        QVERIFY(list->isVisible());
        emit list->menu()->aboutToShow();
        const QList<QAction*> entries = list->menu()->actions();
        QCOMPARE(entries.size(), many);
        QVERIFY(entries.last()->isChecked());
        entries.first()->trigger();
        QCOMPARE(pages->currentIndex(), 0);
    }
};

WB_GUI_TEST(OpeningTest)

} // namespace wb::test

#include "opening_test.moc"
