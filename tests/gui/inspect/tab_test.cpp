// SPDX-License-Identifier: MIT
#include "tests/gui/inspect/fake_backend.h"
#include "tests/gui/inspect/manual_jobs.h"
#include "tests/gui/inspect/sample_models.h"
#include "core/formats/gguf/writer.h"
#include "core/formats/open.h"
#include "tests/gui/support/gui_test.h"
#include "tests/gui/support/test_services.h"
#include "ui/inspect/map/comparison_choice.h"
#include "ui/inspect/inspect_tab.h"
#include "ui/widgets/message_bar.h"
#include "ui/inspect/model_page.h"
#include "ui/inspect/tensors/search_line.h"
#include "ui/inspect/tensors/tensor_panel.h"
#include "ui/inspect/tensors/tensor_table_model.h"
#include "ui/inspect/map/heat_map_panel.h"
#include "ui/shell/palette/page_commands.h"
#include "ui/shell/settings/language.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/theme.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QScopeGuard>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>
#include <functional>
#include <memory>

using namespace wb;
using namespace wb::ui;
using namespace wb::ui::inspect;

namespace {

// A tab with services of its own and one sample file.
struct Desk {
    Desk() : services(&jobs, {.threads = 1, .cacheFolder = folder.filePath(QStringLiteral("cache"))}, &backend), tab(services) {
        path = test::writeSafetensors(folder, QStringLiteral("sample.safetensors"), test::sampleTensors());
        tab.resize(1200, 700);
        tab.show();
    }
    // Shortcuts reach only what has the focus in the active window.
    bool focus(QWidget* widget) {
        tab.activateWindow();
        widget->setFocus();
        return QTest::qWaitForWindowActive(&tab) && widget->hasFocus();
    }

    void open(const QString& file) {
        tab.openPaths({file});
        jobs.runAll();
    }
    QTableView* table() const { return tab.currentPage()->findChild<QTableView*>(QStringLiteral("tensorTable")); }
    QLineEdit* search() const { return tab.currentPage()->findChild<QLineEdit*>(QStringLiteral("tensorSearch")); }
    QString bar(const QWidget* parent) const {
        const auto* found = parent->findChild<MessageBar*>();
        return found->isHidden() ? QString() : found->text();
    }
    QTabWidget* pages() const { return tab.findChild<QTabWidget*>(QStringLiteral("models")); }

    QTemporaryDir folder;
    test::ManualJobs jobs;
    test::FakeBackend backend;
    test::TestDevices devices;
    test::TestServices services;
    QString path;
    InspectTab tab;
};

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

QString nameInRow(const QTableView* table, int row) { return table->model()->index(row, 0).data().toString(); }

QByteArray contentFromPath(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TabTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { applyLanguage(QStringLiteral("en")); }

    // A line edit with the focus, as the search has it at first, keeps its own keys: under X11 Ctrl+U.
    void noShortcutIsOneOfLineEdits() {
        Desk desk;
        const auto actions = desk.tab.actions();
        QVERIFY(actions.size() > 5);
        for (const QAction* action : actions)
            QVERIFY2(action->shortcut() != QKeySequence(Qt::CTRL | Qt::Key_U), qPrintable(action->text()));
    }

    void handsTheModelInFrontToAnotherTab() {
        Desk desk;
        desk.open(desk.path);
        QSignalSpy handedOver(&desk.tab, &Tab::handOverWanted);
        for (QAction* action : desk.tab.actions())
            if (action->text() == QStringLiteral("Chat with model") || action->text() == QStringLiteral("Quantize…"))
                action->trigger();
        QCOMPARE(handedOver.size(), 2);
        QCOMPARE(handedOver[0][0].toString(), QStringLiteral("convert"));
        QCOMPARE(handedOver[1][0].toString(), QStringLiteral("chat"));
        QCOMPARE(handedOver[1][1].toStringList(), QStringList{desk.path});
    }

    // The badge is made of the model's header in the background, and leads to the part by part account.
    void saysWhetherTheModelRunsHere() {
        const QString model = QStringLiteral(WEIGHBRIDGE_SHARED "/corpus/llm/stories260K.gguf");
        if (!QFile::exists(model)) QSKIP("../shared/corpus is not there");
        Desk desk;
        desk.devices.cards = {{.name = "Tiny card", .bytes = 1 << 20}};
        desk.services.devices = &desk.devices;
        desk.open(desk.path);
        const auto badgeInFront = [&] { return desk.tab.currentPage()->findChild<QToolButton*>(QStringLiteral("badge-fit")); };
        QVERIFY2(badgeInFront() && !badgeInFront()->isVisible(), "three tensors are no model that runs");
        desk.open(model);
        QToolButton* badge = badgeInFront();
        QVERIFY(badge->isVisible());
        QCOMPARE(badge->text(), QStringLiteral("Runs here"));
        QVERIFY2(badge->accessibleName().contains(QStringLiteral("Fits in RAM: needs ")), qPrintable(badge->accessibleName()));
        const QSignalSpy handed(&desk.tab, &Tab::handOverWanted);
        badge->click();
        QCOMPARE(handed.count(), 1);
        QCOMPARE(handed[0][0].toString(), QStringLiteral("memory"));
        QCOMPARE(handed[0][1].toStringList(), QStringList{model});
    }

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

    void searchesAfterAPause() {
        Desk desk;
        desk.open(desk.path);
        QTest::keyClicks(desk.search(), QStringLiteral("q_proj layer:1"));
        QTRY_COMPARE(desk.table()->model()->rowCount(), 1);
        QCOMPARE(nameInRow(desk.table(), 0), QStringLiteral("model.layers.1.self_attn.q_proj.weight"));
        desk.search()->clear();
        QTRY_COMPARE(desk.table()->model()->rowCount(), 3);
    }

    void theDownKeyLeadsFromTheSearchToItsResults() {
        Desk desk;
        desk.open(desk.path);
        QVERIFY(desk.focus(desk.search()));
        QTest::keyClick(desk.search(), Qt::Key_Down);
        QVERIFY(desk.table()->hasFocus());
        QCOMPARE(desk.table()->currentIndex().row(), 0);
    }

    void aRowReachedByTabIsHighlighted() {
        Desk desk;
        desk.open(desk.path);
        QVERIFY(desk.focus(desk.search()));
        desk.table()->clearSelection();
        desk.table()->setFocus(Qt::TabFocusReason);
        QVERIFY(desk.table()->selectionModel()->hasSelection());
    }

    void explainsWrongQueries() {
        Desk desk;
        desk.open(desk.path);
        auto* problem = desk.tab.currentPage()->findChild<QLabel*>(QStringLiteral("searchProblem"));
        desk.tab.currentPage()->tensors()->search(QStringLiteral("dtyp:f32"));
        QVERIFY(!problem->isHidden());
        QVERIFY(problem->text().contains(QStringLiteral("type")));
        QCOMPARE(desk.table()->model()->rowCount(), 3); // the last good query stays
        desk.tab.currentPage()->tensors()->search(QStringLiteral("dtype:f32"));
        QVERIFY(problem->isHidden());
    }

    void asksAgainWhenStatisticsArrive() {
        Desk desk;
        desk.open(desk.path);
        desk.tab.currentPage()->tensors()->search(QStringLiteral("absmax>4"));
        QCOMPARE(desk.table()->model()->rowCount(), 0);
        desk.tab.currentPage()->computeAll();
        desk.jobs.runAll();
        QCOMPARE(desk.table()->model()->rowCount(), 2);
    }

    void sortsByAClickOnTheHeader() {
        Desk desk;
        desk.open(desk.path);
        desk.table()->sortByColumn(static_cast<int>(Column::Elements), Qt::DescendingOrder);
        QCOMPARE(nameInRow(desk.table(), 0), QStringLiteral("embed.weight"));
        desk.table()->sortByColumn(static_cast<int>(Column::Elements), Qt::AscendingOrder);
        QCOMPARE(nameInRow(desk.table(), 2), QStringLiteral("embed.weight"));
    }

    void copiesSelectedRowsAndOneCell() {
        Desk desk;
        desk.open(desk.path);
        desk.table()->selectRow(0);
        desk.table()->selectionModel()->select(desk.table()->model()->index(2, 0),
                                               QItemSelectionModel::Select | QItemSelectionModel::Rows);
        QVERIFY(desk.focus(desk.table()));
        QTest::keyClick(desk.table(), Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 2);
        QVERIFY(lines[0].startsWith(QStringLiteral("embed.weight\tF32\t[2, 3]\t6\t24\t")));
        QTest::keyClick(desk.table(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("embed.weight"));
    }

    void exportsTheListedTensorsAsCsv() {
        Desk desk;
        desk.open(desk.path);
        desk.tab.currentPage()->tensors()->search(QStringLiteral("layer:0-1"));
        const QString target = desk.folder.filePath(QStringLiteral("list.csv"));
        desk.tab.currentPage()->exportTo(target, ExportFormat::Csv);
        desk.jobs.runAll();
        const QList<QByteArray> lines = contentFromPath(target).split('\n');
        QCOMPARE(lines.size(), 4); // header, two rows, the end
        QVERIFY(lines[0].startsWith("name,dtype,shape,elements,bytes,share,role,layer,file,min"));
        QVERIFY2(
            lines[1].startsWith(
                "model.layers.0.self_attn.q_proj.weight,F32,\"[2, 2]\",4,16,0.2857142857142857,attention,0,sample.safetensors,,"),
            lines[1].constData());
    }

    void exportsAsJsonWithStatistics() {
        Desk desk;
        desk.open(desk.path);
        desk.tab.currentPage()->computeAll();
        desk.jobs.runAll();
        const QString target = desk.folder.filePath(QStringLiteral("list.json"));
        desk.tab.currentPage()->exportTo(target, ExportFormat::Json);
        desk.jobs.runAll();
        const QJsonArray tensors = QJsonDocument::fromJson(contentFromPath(target)).array();
        QCOMPARE(tensors.size(), 3);
        const QJsonObject first = tensors[0].toObject();
        QCOMPARE(first[QStringLiteral("name")].toString(), QStringLiteral("embed.weight"));
        QCOMPARE(first[QStringLiteral("shape")].toArray(), (QJsonArray{2, 3}));
        QCOMPARE(first[QStringLiteral("bytes")].toInt(), 24);
        QCOMPARE(first[QStringLiteral("logical")].toBool(true), false);
        QCOMPARE(first[QStringLiteral("stats")].toObject()[QStringLiteral("absmax")].toDouble(), 5.0);
    }

    void savesTheValuesOfATensorAsNumPyFile() {
        Desk desk;
        desk.open(desk.path);
        desk.table()->setCurrentIndex(desk.table()->model()->index(0, 0));
        std::vector<std::uint32_t> asked;
        TensorPanel* tensors = desk.tab.currentPage()->tensors();
        QObject::connect(tensors, &TensorPanel::valuesWanted, tensors,
                         [&asked](const std::vector<std::uint32_t>& wanted) { asked = wanted; });
        QObject::disconnect(tensors, &TensorPanel::valuesWanted, desk.tab.currentPage(), nullptr); // it would ask for a name
        auto* action = desk.table()->findChild<QAction*>(QStringLiteral("saveValues"));
        QVERIFY(action && desk.table()->actions().contains(action)); // of the context menu
        action->trigger();
        QCOMPARE(asked, std::vector<std::uint32_t>{0});
        const QString target = desk.folder.filePath(QStringLiteral("embed.npy"));
        desk.tab.currentPage()->exportValues({0}, target);
        desk.jobs.runAll();
        const QByteArray file = contentFromPath(target);
        QVERIFY(file.startsWith("\x93NUMPY") && file.contains("'shape': (2, 3)"));
        float last = 0;
        QVERIFY(file.size() > 24);
        std::memcpy(&last, file.constData() + file.size() - sizeof(float), sizeof(float));
        QCOMPARE(last, test::sampleTensors()[0].values.back());
        desk.tab.currentPage()->exportValues({0}, desk.path); // the model itself
        desk.jobs.runAll();
        QVERIFY(desk.bar(desk.tab.currentPage()).contains(QStringLiteral("would be overwritten")));
        const QString other = desk.folder.filePath(QStringLiteral("other.safetensors"));
        QVERIFY(QFile::copy(desk.path, other));
        desk.services.models.set(QStringLiteral("chat"), {{other, nullptr}});
        const QByteArray before = contentFromPath(other);
        desk.tab.currentPage()->exportValues({0}, other);
        desk.tab.currentPage()->exportTo(other, ExportFormat::Csv);
        desk.jobs.runAll();
        QVERIFY(contentFromPath(other) == before);
    }

    // Several that are selected go into one file, each in its own type.
    void savesTheValuesOfSeveralTensorsAtOnce() {
        Desk desk;
        desk.open(desk.path);
        TensorPanel* tensors = desk.tab.currentPage()->tensors();
        std::vector<std::uint32_t> asked;
        QObject::connect(tensors, &TensorPanel::valuesWanted, tensors,
                         [&asked](const std::vector<std::uint32_t>& wanted) { asked = wanted; });
        QObject::disconnect(tensors, &TensorPanel::valuesWanted, desk.tab.currentPage(), nullptr); // it would ask for a name
        desk.table()->selectAll();
        desk.table()->findChild<QAction*>(QStringLiteral("saveValues"))->trigger();
        const ModelPtr model = *formats::open(fsPath(desk.path));
        QVERIFY(model->tensors.size() > 1);
        QCOMPARE(asked.size(), model->tensors.size());
        const QString target = desk.folder.filePath(QStringLiteral("all.safetensors"));
        desk.tab.currentPage()->exportValues(asked, target);
        desk.jobs.runAll();
        const auto written = formats::open(fsPath(target));
        QVERIFY2(written.has_value(), written ? "" : written.error().message().c_str());
        QCOMPARE((*written)->tensors.size(), model->tensors.size());
        for (const TensorInfo& tensor : (*written)->tensors) {
            const auto same = std::ranges::find(model->tensors, tensor.name, &TensorInfo::name);
            QVERIFY(same != model->tensors.end() && same->shape == tensor.shape && same->dtypeName() == tensor.dtypeName());
        }
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
        test::turnLoop();
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

    void theNameStaysWhileTheColumnsAreScrolled() {
        Desk desk;
        desk.open(desk.path);
        desk.tab.currentPage()->computeAll();
        desk.jobs.runAll();
        desk.tab.resize(700, 500);
        desk.tab.show();
        auto* frozen = desk.table()->findChild<QTableView*>(QStringLiteral("frozenColumn"));
        QVERIFY(frozen && frozen->isHidden());
        desk.table()->horizontalScrollBar()->setValue(desk.table()->horizontalScrollBar()->maximum());
        QVERIFY(!frozen->isHidden());
        QCOMPARE(frozen->width(), desk.table()->columnWidth(0));
        QCOMPARE(frozen->indexAt({5, 5}).data().toString(), nameInRow(desk.table(), 0));
        QVERIFY(desk.table()->columnViewportPosition(0) < 0); // the column itself is gone
        desk.table()->sortByColumn(0, Qt::DescendingOrder);
        QCOMPARE(frozen->indexAt({5, 5}).data().toString(), nameInRow(desk.table(), 0));
        QTest::mouseClick(frozen->viewport(), Qt::LeftButton, {}, {5, frozen->rowHeight(0) + 5});
        QCOMPARE(desk.table()->currentIndex().row(), 1);
        desk.table()->setColumnWidth(0, 120);
        QCOMPARE(frozen->width(), 120);
    }

    void columnsCanBeHiddenAndStayHidden() {
        Desk desk;
        desk.open(desk.path);
        const auto role = static_cast<int>(Column::Role), kurtosis = static_cast<int>(Column::Kurtosis);
        auto* columns = desk.table()->findChild<QMenu*>(QStringLiteral("columns"));
        QVERIFY(columns && desk.table()->actions().contains(columns->menuAction()));
        emit columns->aboutToShow();
        QStringList offered;
        for (QAction* action : columns->actions()) {
            if (action->isCheckable()) offered << action->text();
            if (action->text() == columnTitle(Column::Role)) action->trigger();
        }
        QVERIFY(!offered.contains(columnTitle(Column::Name)) && !offered.contains(columnTitle(Column::Kurtosis)));
        QVERIFY(desk.table()->isColumnHidden(role));
        desk.tab.currentPage()->computeAll();
        desk.jobs.runAll();
        QVERIFY(!desk.table()->isColumnHidden(kurtosis) && desk.table()->isColumnHidden(role));
        const QJsonObject state = desk.tab.currentPage()->save();
        Desk other;
        other.open(other.path);
        other.tab.currentPage()->restore(state);
        QVERIFY(other.table()->isColumnHidden(role));
        emit other.table()->findChild<QMenu*>(QStringLiteral("columns"))->aboutToShow();
        other.table()->findChild<QMenu*>(QStringLiteral("columns"))->actions().last()->trigger();
        QVERIFY(!other.table()->isColumnHidden(role));
    }

    void viewsOfTheWholeModelAskForTheRestOfItsStatistics() {
        Desk desk;
        desk.tab.resize(1100, 700);
        desk.tab.show();
        desk.open(desk.path);
        for (const auto detail : {ModelPage::Detail::Trend, ModelPage::Detail::Model}) {
            desk.tab.currentPage()->showDetail(detail);
            const auto seen = [&desk]() -> QPushButton* {
                for (QPushButton* button : desk.tab.currentPage()->findChildren<QPushButton*>(QStringLiteral("computeRest")))
                    if (button->isVisible()) return button;
                return nullptr;
            };
            test::turnLoop();
            QPushButton* const compute = seen();
            if (detail == ModelPage::Detail::Model) {
                QVERIFY2(!compute, "all is known by now");
                continue;
            }
            QVERIFY(compute);
            compute->click();
            desk.jobs.runAll();
            QVERIFY(!compute->isVisible());
        }
        QCOMPARE(desk.backend.calls, 3);
    }

    void saysWhyAnExportFailed() {
        Desk desk;
        desk.open(desk.path);
        desk.tab.currentPage()->exportTo(desk.folder.filePath(QStringLiteral("no/such/folder/list.csv")), ExportFormat::Csv);
        desk.jobs.runAll();
        QVERIFY(desk.bar(desk.tab.currentPage()).contains(QStringLiteral("list.csv")));
    }

    void showsNumbersOfTheChosenTensor() {
        Desk desk;
        desk.open(desk.path);
        desk.table()->selectRow(1);
        desk.table()->setCurrentIndex(desk.table()->model()->index(2, 0));
        desk.jobs.runAll();
        auto* scalars = desk.tab.currentPage()->findChild<QTableView*>(QStringLiteral("scalars"));
        QCOMPARE(desk.backend.calls, 1); // the first choice was overtaken
        QCOMPARE(scalars->model()->index(3, 1).data(ExactRole).toString(), QStringLiteral("8"));
        QVERIFY(!desk.table()->isColumnHidden(static_cast<int>(Column::Max)));
    }

    void switchesToTheTreeAndBack() {
        Desk desk;
        desk.open(desk.path);
        desk.tab.currentPage()->tensors()->chooseTensor(2);
        desk.tab.currentPage()->tensors()->setTree(true);
        auto* tree = desk.tab.currentPage()->findChild<QTreeView*>(QStringLiteral("tensorTree"));
        QCOMPARE(tree->currentIndex().data(TensorRole).toUInt(), 2U);
        QVERIFY(tree->isExpanded(tree->currentIndex().parent()));
        desk.tab.currentPage()->tensors()->setTree(false);
        QCOMPARE(desk.table()->currentIndex().row(), 2);
    }

    void offersToReloadAChangedModel() {
        Desk desk;
        desk.open(desk.path);
        desk.tab.currentPage()->tensors()->search(QStringLiteral("embed"));
        auto tensors = test::sampleTensors();
        tensors.push_back({"embed.new", {1}, {3}});
        QVERIFY(QFile::remove(desk.path));
        test::writeSafetensors(desk.folder, QStringLiteral("sample.safetensors"), tensors);
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

    void bringsTheSessionBack() {
        QJsonObject session;
        Desk desk;
        const QString other = test::writeSafetensors(desk.folder, QStringLiteral("other.safetensors"), test::sampleTensors());
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

    void findsActionsModelsAndTensors() {
        Desk desk;
        const auto texts = [&](const QString& wanted) {
            QStringList out;
            for (const QAction* action : desk.tab.paletteActions(wanted, 10)) out << action->text();
            return out;
        };
        QVERIFY(texts(QStringLiteral("reload")).isEmpty()); // nothing is open
        desk.open(desk.path);
        QCOMPARE(texts(QStringLiteral("reload")), QStringList{QStringLiteral("Reload model")});
        QVERIFY(texts(QStringLiteral("sample")).contains(QStringLiteral("sample.safetensors")));
        const auto actions = desk.tab.paletteActions(QStringLiteral("LAYERS.1 q_proj"), 10);
        QCOMPARE(actions.size(), 1);
        QVERIFY(desk.focus(desk.search()));
        actions[0]->trigger();
        QCOMPARE(desk.tab.currentPage()->tensors()->currentTensor(), std::optional(2U));
        QVERIFY(desk.table()->hasFocus()); // so that an arrow key goes on from there
        QCOMPARE(desk.tab.paletteActions(QString(), 4).size(), 4);
    }

    // By its name or by a word that means the same; English words also in the Chinese window.
    void paletteFindsEveryPanel() {
        for (const char* language : {"en", "zh_CN"}) {
            applyLanguage(QLatin1String(language));
            const auto restore = qScopeGuard([] { applyLanguage(QStringLiteral("en")); });
            Desk desk;
            desk.open(desk.path);
            desk.jobs.runAll();
            QTRY_VERIFY(desk.tab.currentPage());
            const auto* sides = desk.tab.currentPage()->findChild<QTabWidget*>(QStringLiteral("sides"));
            QCOMPARE(sides->count(), 4); // with Safety
            for (const char* wanted : {"heat", "distribution", "histogram", "layer trend", "what if", "compare", "compare types",
                                       "storage", "offset", "safety", "opcodes", "metadata", "problems", "totals", "model map"}) {
                CommandModel found;
                QList<Command> commands = commandsIn(&desk.tab, {}, [] {});
                for (Command& command : commands) command.synonyms = commandSynonyms(command.title, command.alias);
                found.setCommands(commands, QLatin1String(wanted));
                QVERIFY2(found.rowCount() > 0,
                         qPrintable(QStringLiteral("%1 %2").arg(QLatin1String(language), QLatin1String(wanted))));
            }
        }
    }

    void paletteOpensThePanel() {
        Desk desk;
        desk.open(desk.path);
        desk.jobs.runAll();
        const auto* details = desk.tab.currentPage()->findChild<QTabWidget*>(QStringLiteral("details"));
        const auto commands = commandsIn(&desk.tab, {}, [] {});
        const auto heatMap = std::ranges::find(commands, QStringLiteral("Heat map"), &Command::title);
        QVERIFY(heatMap != commands.end());
        heatMap->run();
        QCOMPARE(details->tabText(details->currentIndex()), QStringLiteral("Heat map"));
        QVERIFY(std::ranges::find(commands, QStringLiteral("sample.safetensors"), &Command::title) == commands.end());
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

    // Not the bytes of its tensors, and not what it should have been.
    void theSizeIsThatOfTheFile() {
        Desk desk;
        desk.open(desk.path);
        const quint64 bytes = static_cast<quint64>(QFileInfo(desk.path).size());
        QCOMPARE(desk.tab.describe(desk.path).bytes, bytes); // of the start page
        const auto* size = desk.tab.currentPage()->findChild<QLabel*>(QStringLiteral("fileSize"));
        QCOMPARE(size->text(), bytesText(bytes));
        QVERIFY(size->toolTip().contains(shownCount(bytes)));
    }

    void whatIsNotInACutFileIsMarked() {
        Desk desk;
        const QString gguf = desk.folder.filePath(QStringLiteral("cut.gguf"));
        const Shape shape = *Shape::make({8, 64});
        const auto layout = gguf::layOut({gguf::makePair("general.architecture", std::string_view("llama"))},
                                         {{"blk.0.attn_q.weight", shape, Dtype::F32}, {"blk.1.attn_q.weight", shape, Dtype::F32}});
        QFile file(gguf);
        QVERIFY(layout && file.open(QIODevice::WriteOnly));
        const auto whole = static_cast<qsizetype>(layout->fileBytes);
        file.write(QByteArray::fromStdString(layout->header).leftJustified(whole, '\0').first(whole - 1000));
        file.close();
        desk.open(gguf);
        ModelPage* page = desk.tab.currentPage();
        QVERIFY(page);
        QCOMPARE(page->findChild<QLabel*>(QStringLiteral("fileSize"))->text(), bytesText(static_cast<quint64>(whole - 1000)));
        const auto* badge = page->findChild<QToolButton*>(QStringLiteral("badge-error"));
        QVERIFY(badge && badge->property("isError").toBool());
        const auto scaleColor = [&desk](int row) { return desk.table()->model()->index(row, 0).data(Qt::ForegroundRole); };
        QVERIFY2(!scaleColor(0).isValid(), "it is there whole");
        QCOMPARE(scaleColor(1).value<QColor>(), themeColors().error);
        QVERIFY(desk.table()->model()->index(1, 0).data(Qt::ToolTipRole).toString().contains(QStringLiteral("cannot be read")));
    }

    void theHeaderLeadsOn() {
        Desk desk;
        const QString gguf = desk.folder.filePath(QStringLiteral("tiny.gguf"));
        const std::vector<gguf::StoredPair> pairs = {
            gguf::makePair("general.architecture", std::string_view("llama")),
            gguf::makePair("general.file_type", std::uint32_t{7}),
            gguf::makePair("llama.block_count", std::uint32_t{1}),
            gguf::makePair("llama.context_length", std::uint32_t{8192}),
            gguf::makePair("llama.embedding_length", std::uint32_t{64}),
            gguf::makePair("llama.attention.head_count", std::uint32_t{4}),
            gguf::makePair("llama.attention.head_count_kv", std::uint32_t{2}),
            gguf::makePair("tokenizer.chat_template", std::string_view("{% for message in messages %}{{ message }}{% endfor %}"))};
        const auto layout = gguf::layOut(pairs, {{"token_embd.weight", *Shape::make({8, 64}), Dtype::F32}});
        QFile file(gguf);
        QVERIFY(layout && file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(layout->header).leftJustified(static_cast<qsizetype>(layout->fileBytes), '\0'));
        file.close();
        desk.open(gguf);
        ModelPage* page = desk.tab.currentPage();
        QVERIFY(page);
        const QString facts = page->findChild<QLabel*>(QStringLiteral("shapeFacts"))->text();
        for (const char* fact : {"Q8_0", "32.00 bits per weight", "context length 8,192", "1 layer", "4 heads, 2 KV heads"})
            QVERIFY2(facts.contains(QLatin1String(fact)), qPrintable(facts));
        const auto press = [&](const char* name) {
            QTest::mouseClick(page->findChild<QPushButton*>(QLatin1String(name)), Qt::LeftButton);
        };
        press("showTemplate");
        auto* whole = page->findChild<QPlainTextEdit*>(QStringLiteral("wholeValue"));
        QVERIFY(whole->isVisible() && whole->toPlainText().startsWith(QStringLiteral("{% for message")));
        const QSignalSpy handed(&desk.tab, &Tab::handOverWanted);
        press("quantizeThis");
        QCOMPARE(handed.count(), 1);
        QCOMPARE(handed[0][1].toStringList(), QStringList(gguf));
        QCOMPARE(desk.services.models.paths(desk.tab.id()), QStringList(gguf));
        page->tensors()->chooseTensor(0);
        auto* shown = page->findChild<QLabel*>(QStringLiteral("shownTensor"));
        QVERIFY(!shown->isVisible());
        page->enlargeDetail(true);
        QVERIFY2(shown->isVisible() && shown->text() == QStringLiteral("token_embd.weight"), "the table is not there to say it");
    }

    void speaksChineseWithoutLosingItsPlace() {
        Desk desk;
        desk.open(desk.path);
        desk.tab.currentPage()->tensors()->search(QStringLiteral("q_proj"));
        desk.tab.currentPage()->computeAll();
        const auto back = qScopeGuard([] { applyLanguage(QStringLiteral("en")); });
        applyLanguage(QStringLiteral("zh_CN"));
        QTRY_COMPARE(desk.table()->model()->headerData(0, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("名称"));
        QCOMPARE(desk.table()->model()->rowCount(), 2);
        QCOMPARE(desk.tab.title(), QStringLiteral("检视"));
        QVERIFY(desk.jobs.find(QStringLiteral("Statistics of"))); // still waiting, not started twice
        desk.jobs.runAll();
        QCOMPARE(desk.backend.calls, 3);
        QVERIFY(!desk.table()->isColumnHidden(static_cast<int>(Column::Max)));
    }

    void namesEverythingForScreenReaders() {
        Desk desk;
        desk.open(desk.path);
        desk.tab.currentPage()->tensors()->chooseTensor(1);
        desk.tab.currentPage()->tensors()->setTree(true);
        desk.jobs.runAll();
        for (const QAbstractButton* button : desk.tab.findChildren<QAbstractButton*>()) {
            const bool isOwn = !button->objectName().startsWith(QStringLiteral("qt_")) &&
                               button->metaObject()->className() != QByteArray("QLineEditIconButton") &&
                               button->metaObject()->className() != QByteArray("QTableCornerButton");
            if (isOwn && button->text().isEmpty() && button->isVisibleTo(&desk.tab))
                QVERIFY2(!button->accessibleName().isEmpty(), qPrintable(button->objectName()));
        }
        for (const char* name : {"tensorTable", "tensorTree", "metadata", "scalars", "top", "percentiles", "bins"}) {
            auto* view = desk.tab.findChild<QWidget*>(QLatin1String(name));
            QVERIFY2(view && !view->accessibleName().isEmpty(), name);
        }
    }
};

WB_GUI_TEST(TabTest)

#include "tab_test.moc"
