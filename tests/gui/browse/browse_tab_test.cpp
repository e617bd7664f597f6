// SPDX-License-Identifier: MIT
#include "app/net/qt_transport.h"
#include "core/formats/gguf/writer.h"
#include "tests/gui/support/gui_test.h"
#include "tests/servers/servers.h"
#include "ui/browse/browse_tab.h"
#include "ui/browse/card_view.h"
#include "ui/browse/page_view.h"
#include "ui/browse/results_model.h"
#include "ui/inspect/inspect_tab.h"
#include "ui/library/library_model.h"
#include "ui/library/library_tab.h"
#include "ui/shell/jobs/job_runner.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/paths.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTreeWidget>

#include <map>

using namespace wb;
using namespace wb::ui;
using namespace wb::ui::browse;

namespace {

std::string smallGguf() {
    const std::vector<gguf::StoredPair> pairs = {gguf::makePair("general.architecture", std::string_view("llama")),
                                                 gguf::makePair("general.file_type", std::uint32_t{7})};
    const auto layout = gguf::layOut(pairs, {{"token_embd.weight", *Shape::make({64, 64}), Dtype::Q8_0}});
    std::string file = layout->header;
    file.resize(static_cast<std::size_t>(layout->fileBytes), 'x');
    return file;
}

// Hubs on this machine, and the tabs over them.
struct Bench {
    test::Servers servers;
    QTemporaryDir home;
    std::unique_ptr<net::Transport> transport;
    net::Clock clock;
    wb::ui::library::LibraryPlaces places;
    wb::library::MemoryIndex index;
    QueuedJobRunner jobs;
    Services services;
    std::unique_ptr<BrowseTab> tab;

    Bench() {
        test::ServedRepository tiny{.id = "acme/tiny-gguf", .downloads = 7, .tags = {"gguf", "license:mit"}};
        tiny.files = {test::textFile("README.md", "---\nlicense: mit\n---\n# Tiny\n\n![picture](https://example.org/x.png)\n"),
                      test::textFile("tiny-Q8_0.gguf", smallGguf()), test::formulaFile("tiny-Q4_K_M.gguf", 100'003, 7),
                      test::formulaFile("mmproj-F16.gguf", 10'001, 8)};
        test::ServedRepository chinese = tiny;
        chinese.id = "达摩/小模型";
        chinese.chineseName = "小模型";
        servers.add(tiny);
        servers.addToModelScope(chinese);
        for (int i = 0; i < 7; ++i) {
            test::ServedRepository more = tiny;
            more.id = "many/model-" + std::to_string(i);
            more.downloads = 100 + static_cast<std::uint64_t>(i);
            servers.add(more);
        }
        services.jobs = &jobs;
        services.threads = 1;
        transport = std::move(*makeQtTransport({}));
        makeTab();
    }

    void makeTab() {
        BrowseNetwork network;
        const auto environment = [hub = servers.url("HUB"), ms = servers.url("MS"),
                                  home = home.path().toStdString()](const char* name) {
            const std::map<std::string, std::string> values = {{"HF_ENDPOINT", hub}, {"MODELSCOPE_ENDPOINT", ms}, {"HOME", home}};
            const auto found = values.find(name);
            return found == values.end() ? std::string() : found->second;
        };
        network.settings = [environment] { return hub::settingsFrom(environment); };
        network.transport = [this]() -> Result<net::Transport*> { return transport.get(); };
        network.clock = &clock;
        network.modelsFolder = fsPath(home.filePath(QStringLiteral("models")));
        network.stateFolder = fsPath(home.filePath(QStringLiteral("state")));
        network.cacheFolder = fsPath(home.filePath(QStringLiteral("cache")));
        tab = std::make_unique<BrowseTab>(services, network);
        tab->resize(1200, 700);
    }

    std::size_t asked() const { return servers.recorded().size(); }
    QLineEdit* text() const { return tab->findChild<QLineEdit*>(QStringLiteral("browseText")); }
    bool settles() const {
        return QTest::qWaitFor([this] { return !tab->session().isAsking(); }, 30000);
    }
    bool search(const QString& words) const {
        text()->setText(words);
        return QTest::qWaitFor([this] { return tab->session().isAsking(); }, 30000) && settles();
    }
    std::vector<std::string> ids() const {
        std::vector<std::string> all;
        for (const hub::ModelRow& row : tab->session().rows()) all.push_back(row.id);
        return all;
    }
    bool open(int row) const {
        QSignalSpy opened(&tab->session(), &BrowseSession::pageOpened);
        tab->table().selectRow(row);
        return QTest::qWaitFor([&] { return opened.size() == 1; }, 30000);
    }
};

} // namespace

class BrowseTabTest : public QObject {
    Q_OBJECT

private slots:
    void asksNothingBeforeItIsSeen() {
        Bench bench;
        bench.tab->restoreSession({{QStringLiteral("text"), QStringLiteral("tiny")}});
        test::turnLoop();
        QCOMPARE(bench.asked(), std::size_t{0});
        bench.tab->show();
        QVERIFY(bench.settles());
        QVERIFY(bench.asked() > 0);
    }

    void listsBothHubsByDownloads() {
        Bench bench;
        QAbstractItemModelTester tester(bench.tab->table().model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        bench.tab->show();
        QVERIFY(bench.settles());
        while (bench.tab->session().hasMore()) {
            bench.tab->session().askForMore();
            QVERIFY(bench.settles());
        }
        const auto ids = bench.ids();
        QCOMPARE(ids.size(), std::size_t{9});
        QCOMPARE(ids.front(), std::string("many/model-6"));
        QVERIFY(std::ranges::find(ids, "达摩/小模型") != ids.end());
        for (std::size_t i = 1; i < ids.size(); ++i)
            QVERIFY(bench.tab->session().rows()[i - 1].downloads >= bench.tab->session().rows()[i].downloads);
    }

    void answersOnlyTheNewestQuestion() {
        Bench bench;
        bench.tab->show();
        QVERIFY(bench.settles());
        bench.servers.forget();
        for (const char* words : {"m", "ma", "man", "tiny"}) bench.text()->setText(QString::fromLatin1(words));
        QVERIFY(bench.settles());
        QCOMPARE(bench.ids(), std::vector<std::string>{"acme/tiny-gguf"});
        std::size_t lists = 0;
        for (const auto& recorded : bench.servers.recorded())
            if (recorded.request.listener == "HUB") ++lists;
        QCOMPARE(lists, std::size_t{1}); // typing without a pause is one question
    }

    void showsThePageOfAModel() {
        Bench bench;
        bench.tab->show();
        QVERIFY(bench.search(QStringLiteral("tiny-gguf")));
        QVERIFY(bench.open(0));
        const QTreeWidget* files = bench.tab->page().files();
        QStringList labels;
        for (int i = 0; i < files->topLevelItemCount(); ++i) labels << files->topLevelItem(i)->text(0);
        QVERIFY2(labels.first().startsWith(QStringLiteral("Q4_K_M")), qPrintable(labels.join(u',')));
        QVERIFY2(labels[1].contains(QStringLiteral("recommended")), qPrintable(labels.join(u','))); // Q8_0 is the smaller one here
        QCOMPARE(bench.tab->page().chosenFiles(),
                 (QStringList{QStringLiteral("tiny-Q8_0.gguf"), QStringLiteral("mmproj-F16.gguf")}));
        const auto* card = bench.tab->findChild<CardView*>();
        QVERIFY(card->toPlainText().startsWith(QStringLiteral("Tiny")));
        for (const auto& recorded : bench.servers.recorded()) QVERIFY(recorded.request.target.find("x.png") == std::string::npos);
        QCOMPARE(bench.servers.violations(), std::vector<std::string>());
    }

    void showsWhatItSawBeforeWhereNoHubAnswers() {
        Bench bench;
        bench.tab->show();
        QVERIFY(bench.search(QStringLiteral("tiny-gguf")));
        QVERIFY(bench.open(0));
        bench.servers.fault({.listener = "HUB",
                             .part = "",
                             .skip = 0,
                             .times = 1000,
                             .onlyRanged = false,
                             .change = [](const test::HttpRequest&, test::HttpResponse& response) { response = {.status = 404}; }});
        bench.makeTab();
        bench.tab->show();
        QVERIFY(bench.search(QStringLiteral("tiny-gguf")));
        QCOMPARE(bench.ids(), std::vector<std::string>{"acme/tiny-gguf"});
        QVERIFY(bench.tab->findChild<MessageBar*>()->isVisible());
        QVERIFY(bench.open(0));
        QVERIFY(bench.tab->page().files()->topLevelItemCount() > 2);
    }

    void downloadsIntoTheLibraryAndOpensInInspect() {
        Bench bench;
        bench.places.environment.ours = fsPath(bench.home.filePath(QStringLiteral("models")));
        bench.places.stateFolder = fsPath(bench.home.filePath(QStringLiteral("state")));
        bench.places.index = &bench.index;
        LibraryTab libraryTab(bench.services, bench.places);
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

    void saysWhetherAFileFits() {
        WB_NEED_SHARED_QT("corpus/llm/stories260K.gguf");
        Bench bench;
        QFile file(QStringLiteral(WEIGHBRIDGE_SHARED "/corpus/llm/stories260K.gguf"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        test::ServedRepository stories{.id = "acme/stories", .downloads = 1, .tags = {"gguf"}};
        stories.files = {test::textFile("stories-F32.gguf", file.readAll().toStdString())};
        bench.servers.add(stories);
        bench.tab->show();
        QVERIFY(bench.search(QStringLiteral("stories")));
        QVERIFY(bench.open(0));
        bench.servers.forget();
        QSignalSpy counted(&bench.tab->session(), &BrowseSession::memoryCounted);
        QTreeWidget* files = bench.tab->page().files();
        files->setCurrentItem(files->topLevelItem(0));
        QVERIFY(QTest::qWaitFor([&] { return counted.size() == 1; }, 30000));
        QVERIFY2(bench.tab->page().fitText().startsWith(QStringLiteral("Fits in main memory")),
                 qPrintable(bench.tab->page().fitText()));
        std::size_t gets = 0;
        for (const auto& recorded : bench.servers.recorded())
            if (recorded.request.method == "GET") ++gets;
        QVERIFY(gets <= 3);
        QCOMPARE(bench.servers.violations(), std::vector<std::string>());
    }

    void findsTheSameBytesOnTheOtherHub() {
        Bench bench;
        test::ServedRepository both{.id = "acme/both", .downloads = 1, .tags = {"gguf"}};
        both.files = {test::formulaFile("both-Q8_0.gguf", 50'003, 9)};
        bench.servers.add(both);
        bench.servers.addToModelScope(both);
        bench.tab->show();
        QVERIFY(bench.search(QStringLiteral("both")));
        QVERIFY(bench.open(0));
        QVERIFY(QTest::qWaitFor([&] { return bench.tab->page().page()->twin.has_value(); }, 30000));
        QCOMPARE(bench.tab->page().page()->twin->files, std::size_t{1});
        bench.servers.fault({.listener = "CDN",
                             .part = "",
                             .skip = 0,
                             .times = 1000,
                             .onlyRanged = false,
                             .change = [](const test::HttpRequest&, test::HttpResponse& response) { response = {.status = 404}; }});
        QSignalSpy downloaded(bench.tab.get(), &BrowseTab::downloaded);
        bench.tab->findChild<QPushButton*>(QStringLiteral("download"))->click();
        QVERIFY(QTest::qWaitFor([&] { return downloaded.size() == 1; }, 60000)); // from whichever hub has it
    }

    void cardsHaveNoFrontMatter() {
        QVERIFY(withoutFrontMatter("---\na: b\n---\ntext") == "text");
        QVERIFY(withoutFrontMatter("---\nno end") == "---\nno end");
        QVERIFY(withoutFrontMatter("text") == "text");
    }
};

WB_GUI_TEST(BrowseTabTest)
#include "browse_tab_test.moc"
