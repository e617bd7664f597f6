// SPDX-License-Identifier: MIT
#include "tests/gui/support/gui_test.h"
#include "tests/gui/support/test_services.h"
#include "ui/memory/memory_tab.h"
#include "ui/memory/memory_view.h"
#include "ui/memory/runnable_page.h"
#include "ui/shell/jobs/job_runner.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>

using namespace wb;
using namespace wb::ui;
using namespace wb::ui::memory;

namespace {

constexpr auto fatal = QAbstractItemModelTester::FailureReportingMode::QtTest;

struct Bench {
    QueuedJobRunner jobs;
    test::TestServices services{&jobs};
    std::unique_ptr<MemoryTab> tab;

    Bench() {
        tab = std::make_unique<MemoryTab>(services);
        tab->resize(1100, 700);
        tab->show();
    }

    template <typename Widget>
    Widget* find(const char* name) const {
        return tab->findChild<Widget*>(QString::fromLatin1(name));
    }

    bool type(const QString& what) {
        auto* line = find<QLineEdit>("what");
        line->setText(what);
        QTest::keyClick(line, Qt::Key_Return);
        return QTest::qWaitFor([this] { return !tab->session().isOpening(); }, 30000);
    }

    quint64 total() const { return tab->session().estimate() ? tab->session().estimate()->total() : 0; }
};

QString cell(const RowsModel& model, int row, int column) { return model.index(row, column).data().toString(); }

} // namespace

class MemoryTabTest : public QObject {
    Q_OBJECT

private slots:
    // The CPU engine of this program needs memory for each thread.
    void followsTheThreadsOfTheSettings() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        Bench bench;
        QVERIFY(bench.type(QStringLiteral(WEIGHBRIDGE_SHARED "/corpus/llm/stories260K.gguf")));
        auto settings = bench.tab->session().settings();
        settings.runtime = wb::memory::Runtime::Weighbridge;
        settings.gpuLayers = 0;
        bench.tab->session().setSettings(settings);
        QVERIFY2(bench.tab->session().estimate(), qPrintable(bench.tab->session().failure()));
        const quint64 before = bench.total();
        bench.services.work.set({.threads = 64});
        QVERIFY(bench.tab->session().estimate());
        QVERIFY(bench.total() > before);
    }

    void countsASizeThatIsTyped() {
        Bench bench;
        const QAbstractItemModelTester parts(bench.tab->view().parts(), fatal), types(bench.tab->view().types(), fatal),
            cards(bench.tab->view().cards(), fatal);
        QVERIFY(bench.type(QStringLiteral("7B")));
        QVERIFY(bench.total() > 14'000'000'000);
        QCOMPARE(bench.tab->view().parts()->rowCount(), 5);
        QCOMPARE(bench.tab->view().types()->typeRow(0).name, QStringLiteral("FP32"));
        QVERIFY(bench.tab->view().types()->rowCount() > 30);
        QVERIFY(bench.tab->view().cards()->rowCount() > 110);
        QVERIFY(bench.find<QLabel>("total")->text().contains(QStringLiteral("GiB")));
        QVERIFY(bench.find<QLabel>("rule")->text().contains(QStringLiteral("1.2")));
    }

    // Without a model the tab lists models that can run, and each row opens its estimate.
    void listsTheModelsThatACardHolds() {
        Bench bench;
        RunnablePage& page = bench.tab->runnable();
        const QAbstractItemModelTester tester(page.models(), fatal);
        QVERIFY(page.isVisible());
        auto* device = bench.find<QComboBox>("runnableDevice");
        device->setCurrentIndex(device->findText(QStringLiteral("RTX 4090"), Qt::MatchContains));
        QVERIFY(device->currentIndex() > 0);
        emit device->activated(device->currentIndex());
        // The memory that a model needs as IQ3_M; empty: it is not listed.
        const auto need = [&page](const char* model) {
            for (int row = 0; row < page.models()->rowCount(); ++row)
                if (cell(*page.models(), row, 0) == QLatin1String(model)) return cell(*page.models(), row, 3);
            return QString();
        };
        QTRY_VERIFY(!need("Qwen3-32B").isEmpty() && !need("Llama-3.1-8B").isEmpty());
        QTRY_COMPARE(bench.jobs.unfinishedCount(), 0);
        QVERIFY(need("Llama-3.1-70B").isEmpty());
        const QString before = need("Llama-3.1-8B");
        bench.find<QSpinBox>("runnableContext")->setValue(65'536);
        QTRY_VERIFY(need("Llama-3.1-8B") != before);
        QTRY_COMPARE(bench.jobs.unfinishedCount(), 0);
        bench.find<QPushButton>("estimateRunnable")->click();
        QTRY_VERIFY(bench.tab->session().isCounted());
        QVERIFY(!page.isVisible());
        QCOMPARE(bench.find<QLineEdit>("what")->text(), page.models()->index(0, 0).data().toString());
        for (QAction* action : bench.tab->actions())
            if (action->text() == QStringLiteral("What can I run?")) action->trigger();
        QVERIFY(page.isVisible());
        QVERIFY(bench.type(QStringLiteral("7B")));
        QVERIFY(!page.isVisible());
    }

    void countsAnewWhenASettingChanges() {
        Bench bench;
        QVERIFY(bench.type(QStringLiteral("7B")));
        const QAbstractItemModelTester parts(bench.tab->view().parts(), fatal), cards(bench.tab->view().cards(), fatal);
        const quint64 before = bench.total();
        const QString shown = bench.find<QLabel>("total")->text();
        bench.find<QSpinBox>("context")->setValue(32768);
        QVERIFY(bench.total() > before);
        QVERIFY(bench.find<QLabel>("total")->text() != shown);
        const quint64 longer = bench.total();
        auto* cache = bench.find<QComboBox>("cacheType");
        cache->setCurrentIndex(cache->findText(QStringLiteral("Q8_0")));
        QVERIFY(bench.total() < longer);
        auto* type = bench.find<QComboBox>("type");
        type->setCurrentIndex(type->findText(QStringLiteral("Q4_K_M")));
        QVERIFY(bench.total() < before / 2);
        bench.find<QSpinBox>("gpuLayers")->setValue(33);
        QVERIFY(bench.tab->session().estimate()->plan.gpu.total() > 0);
        QVERIFY(bench.tab->view().parts()->rowCount() > 5);
    }

    void saysWhatCannotBeCounted() {
        Bench bench;
        QVERIFY(bench.type(QStringLiteral("no such model")));
        QVERIFY(bench.tab->session().failure().contains(QStringLiteral("no such model")));
        QCOMPARE(bench.tab->session().estimate(), nullptr);
        QVERIFY(bench.type(QStringLiteral("8x7B")));
        QVERIFY(bench.tab->session().failure().isEmpty());
        QVERIFY(bench.total() > 90'000'000'000);
    }

    void countsAFileThatIsDropped() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        Bench bench;
        QSignalSpy opened(bench.tab.get(), &Tab::opened);
        QVERIFY(bench.tab->takeDrop({QStringLiteral(WEIGHBRIDGE_SHARED "/corpus/llm/stories260K.gguf")}));
        QVERIFY(QTest::qWaitFor([&] { return !bench.tab->session().isOpening(); }, 30000));
        QCOMPARE(opened.size(), 1);
        QCOMPARE(bench.tab->session().estimate()->trust, wb::memory::Trust::Header);
        QCOMPARE(bench.find<QSpinBox>("context")->value(), 2048);
    }

    void countsTraining() {
        Bench bench;
        const QAbstractItemModelTester parts(bench.tab->view().parts(), fatal), advice(bench.tab->view().advice(), fatal);
        QVERIFY(bench.type(QStringLiteral("Llama-2-7B")));
        auto* use = bench.find<QComboBox>("use");
        quint64 last = ~quint64{0};
        for (const char* method : {"Full fine-tuning", "LoRA", "QLoRA"}) {
            use->setCurrentIndex(use->findText(QString::fromLatin1(method)));
            QCOMPARE(bench.tab->session().estimate(), nullptr);
            QVERIFY(bench.tab->session().trainingEstimate());
            QVERIFY(bench.tab->session().trainingEstimate()->gpu() < last);
            last = bench.tab->session().trainingEstimate()->gpu();
            QVERIFY(bench.tab->view().advice()->rowCount() > 2);
            QVERIFY(bench.tab->view().cards()->rowCount() > 100);
        }
        bench.find<QSpinBox>("sequence")->setValue(8192);
        QVERIFY(bench.tab->session().trainingEstimate()->gpu() > last);
        use->setCurrentIndex(use->findText(QStringLiteral("Full fine-tuning")));
        auto* offload = bench.find<QComboBox>("offload");
        offload->setCurrentIndex(2);
        QVERIFY(bench.tab->session().failure().contains(QStringLiteral("ZeRO")));
        QCOMPARE(bench.tab->view().parts()->rowCount(), 0);
        offload->setCurrentIndex(0);
        QVERIFY(bench.tab->session().failure().isEmpty());
        use->setCurrentIndex(0);
        QVERIFY(bench.tab->session().estimate());
    }

    void exportsFromATypedSize() {
        Bench bench;
        QVERIFY(bench.type(QStringLiteral("7B")));
        bench.find<QComboBox>("use")->setCurrentIndex(3);
        auto* exports = bench.find<QToolButton>("export")->menu();
        emit exports->aboutToShow();
        QCOMPARE(exports->actions().size(), 4 + 5);
        exports->actions().first()->trigger();
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("quantization_bit: 4")));
        bench.find<QComboBox>("use")->setCurrentIndex(0);
        emit exports->aboutToShow();
        QCOMPARE(exports->actions().size(), 6 + 5);
        exports->actions().first()->trigger();
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("vllm serve MODEL")));
    }

    void countsAConfigAlone() {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("config.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"model_type":"llama","architectures":["LlamaForCausalLM"],"num_hidden_layers":2,"hidden_size":64,
                      "num_attention_heads":4,"intermediate_size":128,"vocab_size":1000,"max_position_embeddings":512})");
        file.close();
        Bench bench;
        QVERIFY(bench.type(file.fileName()));
        QVERIFY2(bench.tab->session().failure().isEmpty(), qPrintable(bench.tab->session().failure()));
        QCOMPARE(bench.tab->session().estimate()->trust, wb::memory::Trust::Config);
    }

    void countsAShapeThatIsTyped() {
        Bench bench;
        QVERIFY(bench.type(QStringLiteral("layers=32,hidden=4096,heads=32,kv-heads=8,head=128,ffn=14336,vocab=128256")));
        QVERIFY2(bench.tab->session().failure().isEmpty(), qPrintable(bench.tab->session().failure()));
        QCOMPARE(bench.tab->session().estimate()->trust, wb::memory::Trust::Config);
        QCOMPARE(bench.tab->session().estimate()->parameters, std::uint64_t{8'030'261'248});
        QVERIFY(bench.type(QStringLiteral("layers=32,hidden=4096")));
        QVERIFY(!bench.tab->session().failure().isEmpty());
    }

    // What a file is it says itself; a small model is a draft.
    void countsWhatIsLoadedBesideTheModel() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        Bench bench;
        QVERIFY(bench.type(QStringLiteral("7B")));
        const quint64 alone = bench.total();
        bench.tab->session().addCompanion(QStringLiteral(WEIGHBRIDGE_SHARED "/corpus/llm/stories260K.gguf"));
        QTRY_COMPARE_WITH_TIMEOUT(bench.tab->session().companions().size(), std::size_t{1}, 30000);
        QCOMPARE(bench.tab->session().companions().front().kind, Companion::Kind::Draft);
        QVERIFY(bench.tab->session().estimate()->plan.processor[wb::memory::PartKind::Draft] > 1'000'000);
        QVERIFY(bench.total() > alone);
        bench.find<QSpinBox>("context")->setValue(4096);
        QVERIFY(bench.tab->session().estimate()->plan.processor[wb::memory::PartKind::Draft] > 1'000'000);
        QSignalSpy troubles(&bench.tab->session(), &MemorySession::troubled);
        bench.tab->session().addCompanion(QStringLiteral("/no such file"));
        QTRY_COMPARE_WITH_TIMEOUT(troubles.size(), 1, 30000);
        bench.tab->session().clearCompanions();
        bench.find<QSpinBox>("context")->setValue(8192);
        QCOMPARE(bench.total(), alone);
    }

    void findsADevice() {
        Bench bench;
        QVERIFY(bench.type(QStringLiteral("7B")));
        bench.find<QLineEdit>("cardFilter")->setText(QStringLiteral("rtx 4090"));
        bool found = false;
        for (const QTableView* table : bench.tab->findChildren<QTableView*>())
            found = found || table->model()->rowCount() == 2; // the card and the laptop's
        QVERIFY(found);
    }

    void splitsOverChosenCards() {
        Bench bench;
        const QAbstractItemModelTester cards(bench.tab->view().cards(), fatal);
        QVERIFY(bench.type(QStringLiteral("Qwen3-30B-A3B")));
        std::vector<const wb::memory::Card*> chosen;
        for (const char* name : {"RTX 3060", "RTX 4090"}) chosen.push_back(wb::memory::cardsNamed(name).front());
        bench.tab->session().setCards(chosen);
        auto* type = bench.find<QComboBox>("type");
        type->setCurrentIndex(type->findText(QStringLiteral("Q4_K_M")));
        QVERIFY(bench.find<QLabel>("placement")->text().contains(QStringLiteral("RTX 4090")));
        bench.find<QPushButton>("usePlacement")->click();
        const auto* estimate = bench.tab->session().estimate();
        QVERIFY(estimate);
        QCOMPARE(estimate->plan.devices.size(), std::size_t{2});
        QCOMPARE(estimate->plan.devices[0].total() + estimate->plan.devices[1].total(), estimate->plan.gpu.total());
        QVERIFY(estimate->plan.devices[0].total() > 0 || estimate->plan.devices[1].total() > 0);
        bench.find<QPushButton>("useMachine")->click();
        QVERIFY(bench.tab->session().cards().empty());
        QVERIFY(bench.tab->session().estimate());
        QVERIFY(bench.tab->session().estimate()->plan.devices.empty());
    }

    // In a low window the page is scrolled; no text of it is cut.
    void theDevicesPageKeepsItsTextsWhole() {
        Bench bench;
        bench.tab->resize(900, 520);
        QVERIFY(bench.type(QStringLiteral("7B")));
        bench.tab->session().setCards({wb::memory::cardsNamed("RTX 3060").front(), wb::memory::cardsNamed("RTX 4090").front()});
        bench.find<QTabWidget>("memoryTables")->setCurrentIndex(2);
        const auto* placement = bench.find<QLabel>("placement");
        QTRY_VERIFY(placement->isVisible());
        QVERIFY(placement->height() >= placement->heightForWidth(placement->width()));
        QVERIFY(bench.find<QTableView>("cardsTable")->viewport()->height() >=
                3 * bench.find<QTableView>("cardsTable")->rowHeight(0));
        QVERIFY(bench.find<QTableView>("choicesTable")->viewport()->height() >=
                4 * bench.find<QTableView>("choicesTable")->rowHeight(0));
    }

    void usesTheCardsOfChosenRows() {
        Bench bench;
        QVERIFY(bench.type(QStringLiteral("7B")));
        bench.find<QLineEdit>("cardFilter")->setText(QStringLiteral("RTX 3090 Ti"));
        auto* table = bench.tab->view().findChild<QTableView*>(QStringLiteral("cardsTable"));
        QVERIFY(table);
        table->selectRow(0);
        bench.find<QSpinBox>("cardCount")->setValue(2);
        bench.find<QPushButton>("useCards")->click();
        QCOMPARE(bench.tab->session().cards().size(), std::size_t{2});
        QVERIFY(bench.tab->session().placement());
    }

    void countsForOtherPrograms() {
        Bench bench;
        QVERIFY(bench.type(QStringLiteral("Llama-3.1-8B")));
        auto* runtime = bench.find<QComboBox>("runtime");
        const quint64 before = bench.total();
        for (const char* name : {"vllm", "transformers", "llama.cpp"}) {
            runtime->setCurrentIndex(runtime->findText(QString::fromLatin1(name)));
            QVERIFY2(bench.tab->session().estimate(), qPrintable(bench.tab->session().failure()));
            QCOMPARE(QString::fromLatin1(wb::memory::runtimeName(bench.tab->session().settings().runtime)),
                     QString::fromLatin1(name));
        }
        auto* backend = bench.find<QComboBox>("backend");
        backend->setCurrentIndex(backend->findText(QStringLiteral("CPU")));
        QCOMPARE(bench.total(), before);
        backend->setCurrentIndex(backend->findText(QStringLiteral("CUDA")));
        QVERIFY(bench.tab->session().estimate()->plan.gpu[wb::memory::PartKind::Overhead] > 0);
        QCOMPARE(bench.find<QSpinBox>("gpuLayers")->value(), 33);
        bench.find<QSpinBox>("gpuLayers")->setValue(0);
        QCOMPARE(backend->currentText(), QStringLiteral("CPU"));
        QCOMPARE(bench.total(), before);
    }

    void movesTheSliderWithTheNumber() {
        Bench bench;
        QVERIFY(bench.type(QStringLiteral("Llama-3.1-8B")));
        auto* slider = bench.find<QSlider>("contextSlider");
        const quint64 before = bench.total();
        slider->setValue(64);
        QCOMPARE(bench.find<QSpinBox>("context")->value(), 65536);
        QVERIFY(bench.total() > before);
        bench.find<QSpinBox>("context")->setValue(8192);
        QCOMPARE(slider->value(), 8);
        QCOMPARE(bench.total(), before);
    }

    void comparesPlansThatWereKept() {
        Bench bench;
        const QAbstractItemModelTester plans(bench.tab->view().plans(), fatal);
        for (const char* model : {"7B", "Qwen3-8B"}) {
            QVERIFY(bench.type(QString::fromLatin1(model)));
            bench.find<QPushButton>("keepPlan")->click();
        }
        QCOMPARE(bench.tab->view().plans()->rowCount(), 2);
        QCOMPARE(cell(*bench.tab->view().plans(), 1, 0), QStringLiteral("Qwen3-8B"));
        bench.find<QPushButton>("clearPlans")->click();
        QCOMPARE(bench.tab->view().plans()->rowCount(), 0);
    }

    // The table of types as Convert and Inspect have it: the recommended row is marked, and only the shown columns are copied.
    void recommendsOneType() {
        Bench bench;
        QVERIFY(bench.type(QStringLiteral("1B")));
        const ui::TypeTableModel& types = *bench.tab->view().types();
        QStringList marked;
        for (int row = 0; row < types.rowCount(); ++row)
            if (!types.typeRow(row).mark.isEmpty()) marked << types.typeRow(row).name;
        QCOMPARE(marked, QStringList(QStringLiteral("Q6_K")));
        QVERIFY(bench.find<QLabel>("bestType")->text().contains(QStringLiteral("Q6_K")));
        bench.find<QTabWidget>("memoryTables")->setCurrentIndex(1);
        const QString json = report({}, bench.tab->view().shownTable(), bench.tab->view().shownColumns(), ReportForm::Json);
        const QJsonObject first = QJsonDocument::fromJson(json.toUtf8())[QStringLiteral("rows")].toArray()[0].toObject();
        QCOMPARE(first.value(QStringLiteral("Type")).toString(), QStringLiteral("FP32"));
        QVERIFY(first.value(QStringLiteral("Size")).toDouble() > 1e9);
        QVERIFY(first.value(QStringLiteral("KLD (imatrix)")).isNull());
        QVERIFY(!first.contains(QStringLiteral("RMSE")));
    }

    void copiesTheTableInEveryForm() {
        Bench bench;
        QVERIFY(bench.type(QStringLiteral("7B")));
        const auto text = [&](ReportForm form) {
            return report(bench.tab->view().heading(), *bench.tab->view().parts(), {0, 1, 2, 3}, form);
        };
        QVERIFY(text(ReportForm::Text).contains(QStringLiteral("Weights\t")));
        QVERIFY(text(ReportForm::Markdown).contains(QStringLiteral("| Weights |")));
        QVERIFY(text(ReportForm::Csv).startsWith(QStringLiteral("Component,Location,Memory,Formula")));
        const QJsonDocument json = QJsonDocument::fromJson(text(ReportForm::Json).toUtf8());
        QCOMPARE(json[QStringLiteral("rows")].toArray().size(), 5);
        QVERIFY(json[QStringLiteral("rows")].toArray()[0][QStringLiteral("Memory")].toDouble() > 1e10);
        auto* exports = bench.find<QToolButton>("export")->menu();
        emit exports->aboutToShow();
        for (QAction* action : exports->actions())
            if (action->text() == QStringLiteral("Copy table as Markdown")) action->trigger();
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("|---|")));
    }

    void learnsFromALogThatIsDropped() {
        QTemporaryDir folder;
        Bench bench;
        bench.services.stateFolder = folder.path();
        QFile log(folder.filePath(QStringLiteral("load.log")));
        QVERIFY(log.open(QIODevice::WriteOnly));
        log.write("load_tensors: CPU model buffer size = 14000.00 MiB\nllama_context: n_ctx = 4096\n"
                  "llama_kv_cache: CPU KV buffer size = 2048.00 MiB\n");
        log.close();
        QVERIFY(bench.type(QStringLiteral("Llama-2-7B")));
        QVERIFY(bench.tab->takeDrop({log.fileName()}));
        QTRY_COMPARE_WITH_TIMEOUT(bench.tab->session().loadCount(), std::size_t{1}, 30000);
        QCOMPARE(bench.tab->session().settings().context, std::uint64_t{4096});
        QVERIFY(bench.tab->session().settings().correction);
        QSignalSpy changed(&bench.tab->session(), &MemorySession::changed);
        QVERIFY(bench.tab->takeDrop({log.fileName()}));
        QTRY_VERIFY_WITH_TIMEOUT(!changed.isEmpty(), 30000);
        QCOMPARE(bench.tab->session().loadCount(), std::size_t{1}); // the same log says nothing new
        QVERIFY(bench.find<QLabel>("total")->text().contains(QStringLiteral("calibrated")));
        const QString file = folder.filePath(QStringLiteral("measured_loads.csv"));
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(file), 30000);
        QVERIFY(bench.tab->session().measuredCsv().contains("llama.cpp,cpu,cpu"));
        bench.tab->session().clearMeasured();
        QTRY_VERIFY_WITH_TIMEOUT(!QFileInfo::exists(file), 30000);
        QVERIFY(!bench.tab->session().settings().correction);
    }

    void offersItsSettingsToOthers() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        const QString path = QStringLiteral(WEIGHBRIDGE_SHARED "/corpus/llm/stories260K.gguf");
        Bench bench;
        QSignalSpy chats(bench.tab.get(), &MemoryTab::chatWanted), types(bench.tab.get(), &MemoryTab::quantizeWanted);
        QVERIFY(bench.type(path));
        bench.find<QSpinBox>("context")->setValue(512);
        for (QAction* action : bench.tab->actions())
            if (action->text() == QStringLiteral("Chat with these settings")) action->trigger();
        QCOMPARE(chats.size(), 1);
        QCOMPARE(chats[0][0].toString(), path);
        QCOMPARE(chats[0][1].toULongLong(), 512ULL);
        emit bench.tab->view().quantizeWanted(QStringLiteral("Q4_K_M"));
        QCOMPARE(types.size(), 1);
        QCOMPARE(types[0][1].toString(), QStringLiteral("Q4_K_M"));
        auto* runtime = bench.find<QComboBox>("runtime");
        runtime->setCurrentIndex(runtime->findText(QStringLiteral("weighbridge")));
        QVERIFY2(bench.tab->session().estimate(), qPrintable(bench.tab->session().failure()));
        QCOMPARE(bench.tab->session().estimate()->trust, wb::memory::Trust::Plan);
    }

    void dropsAnAnswerThatIsNoLongerWanted() {
        Bench bench;
        auto* line = bench.find<QLineEdit>("what");
        line->setText(QStringLiteral("70B"));
        QTest::keyClick(line, Qt::Key_Return);
        QVERIFY(bench.type(QStringLiteral("0.5B")));
        QCOMPARE(bench.tab->session().estimate()->name, std::string("0.5B"));
    }
};

WB_GUI_TEST(MemoryTabTest)
#include "memory_tab_test.moc"
