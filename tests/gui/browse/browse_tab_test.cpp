// SPDX-License-Identifier: MIT
#include "app/net/qt_transport.h"
#include "core/formats/gguf/writer.h"
#include "core/io/disk_space.h"
#include "tests/gui/support/gui_test.h"
#include "tests/gui/support/test_services.h"
#include "tests/servers/servers.h"
#include "ui/browse/browse_tab.h"
#include "ui/browse/card_view.h"
#include "ui/browse/downloads_view.h"
#include "ui/browse/page_view.h"
#include "ui/browse/remote_models.h"
#include "ui/browse/results_model.h"
#include "ui/browse/saved_searches.h"
#include "ui/browse/tokens_dialog.h"
#include "ui/convert/unfinished.h"
#include "ui/inspect/inspect_tab.h"
#include "ui/library/library_model.h"
#include "ui/library/library_tab.h"
#include "ui/shell/jobs/job_runner.h"
#include "ui/shell/jobs/jobs_model.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/paths.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>
#include <QUrl>

#include <algorithm>
#include <cstring>
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

struct FakeKeychain final : hub::TokenStore {
    std::map<hub::Hub, std::string> kept;
    void read(hub::Hub hub, std::function<void(std::string)> done) override { done(kept[hub]); }
    void write(hub::Hub hub, const std::string& token, std::function<void(bool)> done) override {
        kept[hub] = token;
        done(true);
    }
};

// The tensors of a safetensors file in two files.
std::vector<std::string> halves(const QByteArray& file) {
    quint64 length = 0;
    std::memcpy(&length, file.constData(), sizeof length);
    QJsonObject header = QJsonDocument::fromJson(file.mid(8, static_cast<qsizetype>(length))).object();
    header.remove(QStringLiteral("__metadata__"));
    const QByteArray data = file.mid(static_cast<qsizetype>(8 + length));
    std::vector<std::string> parts;
    const QStringList names = header.keys();
    for (const QStringList& half : {names.mid(0, names.size() / 2), names.mid(names.size() / 2)}) {
        QJsonObject part;
        QByteArray bytes;
        for (const QString& name : half) {
            QJsonObject tensor = header.value(name).toObject();
            const QJsonArray place = tensor.value(QStringLiteral("data_offsets")).toArray();
            const auto begin = static_cast<qsizetype>(place[0].toInteger()), end = static_cast<qsizetype>(place[1].toInteger());
            tensor.insert(QStringLiteral("data_offsets"), QJsonArray{bytes.size(), bytes.size() + end - begin});
            bytes += data.mid(begin, end - begin);
            part.insert(name, tensor);
        }
        const QByteArray json = QJsonDocument(part).toJson(QJsonDocument::Compact);
        const auto size = static_cast<quint64>(json.size());
        parts.push_back(std::string(reinterpret_cast<const char*>(&size), sizeof size) + json.toStdString() + bytes.toStdString());
    }
    return parts;
}

// Hubs on this machine, and the tabs over them.
struct Bench {
    test::Servers servers;
    QTemporaryDir home;
    std::unique_ptr<net::Transport> transport;
    net::Clock clock;
    FakeKeychain keychain;
    LibraryPlaces places;
    HubNetwork hubs;
    wb::library::MemoryIndex index;
    QueuedJobRunner jobs;
    test::TestServices services{&jobs};
    std::unique_ptr<BrowseTab> tab;
    std::shared_ptr<Job> lastJob; // that the Jobs page shows, after downloadSlowly()

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
        transport = std::move(*makeQtTransport({}));
        hubs = network();
        services.hubs = &hubs;
        services.stateFolder = home.filePath(QStringLiteral("state"));
        makeTab();
    }

    HubNetwork network() {
        HubNetwork network;
        const auto environment = [hub = servers.url("HUB"), ms = servers.url("MS"),
                                  home = home.path().toStdString()](const char* name) {
            const std::map<std::string, std::string> values = {{"HF_ENDPOINT", hub}, {"MODELSCOPE_ENDPOINT", ms}, {"HOME", home}};
            const auto found = values.find(name);
            return found == values.end() ? std::string() : found->second;
        };
        network.settings = [environment] { return hub::settingsFrom(environment); };
        network.transport = [this]() -> Result<net::Transport*> { return transport.get(); };
        network.clock = &clock;
        network.tokens = &keychain;
        network.modelsFolder = fsPath(home.filePath(QStringLiteral("models")));
        network.cacheFolder = fsPath(home.filePath(QStringLiteral("cache")));
        return network;
    }

    void makeTab() {
        tab = std::make_unique<BrowseTab>(services);
        tab->resize(1200, 700);
    }

    // Leaves a part file and a journal, as a killed `wb download` does.
    void interrupt(const std::string& id, const std::string& file) {
        const auto environment = [hub = servers.url("HUB")](const char* name) {
            return std::string_view(name) == "HF_ENDPOINT" ? hub : std::string();
        };
        const hub::Network known{transport.get(), &clock, {}, 0};
        hub::Client client(known, *hub::settingsFrom(environment));
        hub::DownloadRequest request;
        request.repository = {hub::Hub::HuggingFace, id, ""};
        request.files = {file};
        request.place.root = fsPath(home.filePath(QStringLiteral("models/") + QString::fromStdString(id)));
        request.options.stateFolder = fsPath(home.filePath(QStringLiteral("state")));
        request.options.pieceBytes = 256 << 10;
        std::stop_source stop;
        const Progress progress{stop.get_token(), [&stop](std::uint64_t done, std::uint64_t) {
                                    if (done > 1'000'000) stop.request_stop();
                                }};
        auto plan = hub::planDownload(client, known, request, progress);
        QVERIFY(plan.has_value());
        QVERIFY(!hub::download(client, known, request, *std::move(plan), progress).has_value());
    }

    std::filesystem::path stateFolder() const { return fsPath(home.filePath(QStringLiteral("state"))); }

    void addLarge() {
        test::ServedRepository large{.id = "acme/large", .downloads = 1, .tags = {"gguf"}};
        large.files = {test::formulaFile("one.bin", 3'000'001, 31)};
        servers.add(large);
    }

    // One that has brought something when this returns, and brings the rest slowly.
    quint64 downloadSlowly() {
        QObject::connect(&jobs, &QueuedJobRunner::jobAdded, tab.get(), [this](const std::shared_ptr<Job>& job) { lastJob = job; });
        hub::QueuedDownload slow;
        slow.request.repository = {hub::Hub::HuggingFace, "acme/large", std::string(40, 'c')};
        slow.request.files = {"one.bin"};
        slow.request.place.root = fsPath(home.filePath(QStringLiteral("models/acme/large")));
        slow.bytesPerSecond = 200'000;
        const quint64 id = tab->downloads().add(slow);
        if (!QTest::qWaitFor([&] { return tab->downloads().queue().find(id)->doneBytes > 100'000; }, 30000)) qFatal("no byte");
        return id;
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

public slots:
    void takeUrl(const QUrl& url) { m_urls << url; } // instead of the web browser

private:
    QList<QUrl> m_urls;

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
        const auto says = [&bench](const QString& words) {
            const auto labels = bench.tab->findChildren<QLabel*>();
            return std::ranges::any_of(labels, [&words](const QLabel* label) { return label->text().contains(words); });
        };
        QVERIFY(says(QStringLiteral("from cache")));
        bench.tab->findChild<QComboBox*>(QStringLiteral("browseHub"))->setCurrentIndex(1);
        QVERIFY(bench.search(QStringLiteral("never asked before")));
        QVERIFY(says(QStringLiteral("No response from the hubs.")));
        bench.tab->findChild<QComboBox*>(QStringLiteral("browseHub"))->setCurrentIndex(0);
        QVERIFY(bench.search(QStringLiteral("tiny-gguf")));
        QVERIFY(bench.open(0));
        QVERIFY(bench.tab->page().files()->topLevelItemCount() > 2);
    }

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
        QVERIFY2(bench.tab->page().fitText().startsWith(QStringLiteral("Fits in RAM")), qPrintable(bench.tab->page().fitText()));
        std::size_t gets = 0;
        for (const auto& recorded : bench.servers.recorded())
            if (recorded.request.method == "GET") ++gets;
        QVERIFY(gets <= 3);
        QCOMPARE(bench.servers.violations(), std::vector<std::string>());
    }

    // Shards count together, with the config beside them.
    void saysWhetherAFolderOfShardsFits() {
        WB_NEED_SHARED_QT("arch/llama/hf/model.safetensors");
        Bench bench;
        const auto contentOf = [](const char* name) {
            QFile file(QStringLiteral(WEIGHBRIDGE_SHARED "/arch/llama/hf/") + QLatin1String(name));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        test::ServedRepository shards{.id = "acme/shards", .downloads = 1, .tags = {"safetensors"}};
        shards.files = {test::textFile("config.json", contentOf("config.json").toStdString())};
        const std::vector<std::string> parts = halves(contentOf("model.safetensors"));
        shards.files.push_back(test::textFile("model-00001-of-00002.safetensors", parts[0]));
        shards.files.push_back(test::textFile("model-00002-of-00002.safetensors", parts[1]));
        bench.servers.add(shards);
        bench.tab->show();
        QVERIFY(bench.search(QStringLiteral("shards")));
        QVERIFY(bench.open(0));
        QSignalSpy counted(&bench.tab->session(), &BrowseSession::memoryCounted);
        QTreeWidget* files = bench.tab->page().files();
        for (QTreeWidgetItem* item : files->findItems(QStringLiteral("2 file"), Qt::MatchContains)) files->setCurrentItem(item);
        QVERIFY(QTest::qWaitFor([&] { return counted.size() == 1; }, 30000));
        QVERIFY2(bench.tab->page().fitText().startsWith(QStringLiteral("Fits in RAM")), qPrintable(bench.tab->page().fitText()));
        QSignalSpy handedOver(bench.tab.get(), &Tab::handOverWanted);
        bench.tab->findChild<QToolButton*>(QStringLiteral("countMemory"))->click();
        QCOMPARE(handedOver.size(), 1);
        QVERIFY(handedOver[0][1].toStringList().first().endsWith(QString(40, u'c'))); // the folder as a whole
        QCOMPARE(bench.servers.violations(), std::vector<std::string>());
    }

    // E15: a hub that wants fewer requests while somebody types.
    void survivesAStormOfRefusalsWhileTyping() {
        Bench bench;
        bench.tab->show();
        QVERIFY(bench.settles());
        bench.servers.forget();
        bench.servers.fault({.listener = "HUB",
                             .part = "/api/models",
                             .skip = 0,
                             .times = 2,
                             .onlyRanged = false,
                             .change = [](const test::HttpRequest&, test::HttpResponse& response) {
                                 response = {429, {{"RateLimit", "\"api\";r=0;t=5"}}, {}};
                             }});
        QElapsedTimer typing;
        typing.start();
        bench.text()->setText(QStringLiteral("many"));
        const auto countsDown = [&bench] {
            const auto labels = bench.tab->findChildren<QLabel*>();
            return std::ranges::any_of(labels,
                                       [](const QLabel* label) { return label->text().contains(QStringLiteral("Retrying in")); });
        };
        QVERIFY(QTest::qWaitFor(countsDown, 30000));
        for (const char* words : {"t", "ti", "tin", "tiny"}) bench.text()->setText(QString::fromLatin1(words));
        QVERIFY(bench.settles());
        QCOMPARE(bench.ids(), std::vector<std::string>{"acme/tiny-gguf"}); // of the last question only
        std::size_t asked = 0;
        bool hasAskedBetween = false;
        for (const auto& recorded : bench.servers.recorded()) {
            if (recorded.request.listener != "HUB") continue;
            ++asked;
            for (const char* words : {"search=t&", "search=ti&", "search=tin&"})
                hasAskedBetween = hasAskedBetween || recorded.request.target.find(words) != std::string::npos;
        }
        QVERIFY(!hasAskedBetween);
        QVERIFY(asked <= static_cast<std::size_t>(typing.elapsed() / BrowseSession::pauseMs + 1));
        QCOMPARE(bench.servers.violations(), std::vector<std::string>());
    }

    // A queue of five: one at a time is held back by the server, the order is changed, one is paused; a new window goes on with it.
    void keepsItsQueueOverARestart() {
        Bench bench;
        std::vector<std::string> paths;
        test::ServedRepository five{.id = "acme/five", .downloads = 1, .tags = {"gguf"}};
        for (const char* name : {"a.bin", "b.bin", "c.bin", "d.bin", "e.bin"}) {
            five.files.push_back(test::formulaFile(name, 200'003, 20 + paths.size()));
            paths.emplace_back(name);
        }
        bench.servers.add(five);
        bench.tab->show();
        Downloads& downloads = bench.tab->downloads();
        QAbstractItemModelTester tester(bench.tab->downloadsView().list()->model(),
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
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
        downloads.move(idOf(downloads, "e.bin"), -4);
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
        test::ServedRepository large{.id = "acme/large", .downloads = 1, .tags = {"gguf"}};
        large.files = {test::formulaFile("one.bin", 3'000'001, 31)};
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

    // What a kill or `wb download` left is offered, goes on, or is removed with its parts.
    void offersWhatWasInterrupted() {
        Bench bench;
        test::ServedRepository large{.id = "acme/large", .downloads = 1, .tags = {"gguf"}};
        large.files = {test::formulaFile("one.bin", 3'000'001, 31), test::formulaFile("two.bin", 3'000'001, 32)};
        bench.servers.add(large);
        bench.interrupt(large.id, "one.bin");
        bench.interrupt(large.id, "two.bin");
        bench.tab->show();
        Downloads& downloads = bench.tab->downloads();
        QVERIFY(QTest::qWaitFor([&] { return downloads.rowCount() == 2; }, 30000));
        QVERIFY(downloads.row(0).run && downloads.row(1).run);
        const QString folder = bench.home.filePath(QStringLiteral("models/acme/large/"));
        const std::string first = downloads.row(0).request->files.front();
        downloads.discard(*downloads.row(1).request);
        QVERIFY(
            QTest::qWaitFor([&] { return QDir(folder).entryList({QStringLiteral("*.part")}, QDir::Files).size() == 1; }, 30000));
        bench.tab->showDownloads();
        bench.tab->downloadsView().list()->setCurrentIndex(bench.tab->downloadsView().list()->model()->index(0, 0));
        bench.tab->findChild<QAction*>(QStringLiteral("downloadGoOn"))->trigger();
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

    // The list pauses the job itself, so that Jobs shows it as paused; either goes on with it.
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
        const QModelIndex state = bench.tab->downloadsView().list()->model()->index(0, 1);
        QCOMPARE(state.data().toString(), QStringLiteral("Paused (all downloads)"));
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
        const QModelIndex state = bench.tab->downloadsView().list()->model()->index(0, 1);
        QCOMPARE(state.data().toString(), QStringLiteral("Canceled"));
        QVERIFY(QTest::qWaitFor([&] { return downloads.isSaved(); }, 30000));
        bench.tab.reset();
        bench.makeTab();
        bench.tab->show();
        QVERIFY(QTest::qWaitFor([&] { return bench.tab->downloads().rowCount() == 1; }, 30000));
        QCOMPARE(bench.tab->downloads().runningCount(), 0);
        QVERIFY(bench.tab->downloads().queue().entries().front().state == hub::QueuedDownload::State::Canceled);
    }

    void marksModelsThatAreOnThisComputer() {
        Bench bench;
        bench.services.localModels = &bench.services.local;
        bench.makeTab();
        bench.tab->show();
        QVERIFY(bench.settles());
        const auto marked = [&bench] {
            QStringList names;
            const QAbstractItemModel& model = *bench.tab->table().model();
            for (int row = 0; row < model.rowCount(); ++row)
                if (model.index(row, 0).data(Qt::AccessibleDescriptionRole).toString() == QStringLiteral("Downloaded"))
                    names << model.index(row, 0).data().toString();
            return names;
        };
        QVERIFY(bench.tab->table().model()->rowCount() > 2);
        QCOMPARE(marked(), QStringList());
        LocalModel local;
        local.entry.origin = wb::library::Origin{"hf", "acme/tiny-gguf", ""};
        bench.services.local.set({local});
        QCOMPARE(marked(), QStringList(QStringLiteral("acme/tiny-gguf")));
    }

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

    // A gated model: the list says how to get access; after the terms are accepted, "Resume" downloads it.
    void waitsForConsentToTerms() {
        Bench bench;
        test::ServedRepository gated{.id = "acme/gated", .gated = "auto", .downloads = 1, .tags = {"gguf"}};
        gated.files = {test::formulaFile("gated-Q8_0.gguf", 50'003, 9)};
        bench.servers.add(gated);
        bench.tab->show();
        QVERIFY(bench.search(QStringLiteral("gated")));
        QVERIFY(bench.open(0));
        bench.tab->findChild<QPushButton*>(QStringLiteral("download"))->click();
        Downloads& downloads = bench.tab->downloads();
        const auto state = [&] { return downloads.queue().entries().front().state; };
        QVERIFY(
            QTest::qWaitFor([&] { return downloads.rowCount() == 1 && state() == hub::QueuedDownload::State::Blocked; }, 30000));
        QVERIFY(downloads.queue().entries().front().error->reason == Reason("hub.gated"));
        const QModelIndex shown = bench.tab->downloadsView().list()->model()->index(0, 1);
        QCOMPARE(shown.data().toString(), QStringLiteral("Terms not accepted"));
        const QString sentence = shown.data(Qt::AccessibleDescriptionRole).toString();
        QVERIFY2(sentence.contains(QStringLiteral("accept its terms")), qPrintable(sentence));
        QVERIFY2(!sentence.contains(u'@'), qPrintable(sentence)); // no commit that nobody typed
        QDesktopServices::setUrlHandler(QStringLiteral("http"), this, "takeUrl");
        emit bench.tab->findChild<MessageBar*>()->actionChosen();
        QDesktopServices::unsetUrlHandler(QStringLiteral("http"));
        QCOMPARE(m_urls, QList<QUrl>{QUrl(QString::fromStdString(bench.servers.url("HUB") + "/acme/gated"))});
        bench.servers.change("acme/gated", [](test::ServedRepository& repository) { repository.gated.clear(); });
        downloads.resume(downloads.queue().entries().front().id);
        QVERIFY(QTest::qWaitFor([&] { return state() == hub::QueuedDownload::State::Done; }, 30000));
    }

    // The token is typed once, kept in the keychain, used by the next window, and sent to its own hub only.
    void keepsATokenInTheKeychain() {
        Bench bench;
        test::ServedRepository gated{.id = "acme/gated", .gated = "auto", .downloads = 1, .tags = {"gguf"}};
        gated.files = {test::formulaFile("gated-Q8_0.gguf", 50'003, 9)};
        bench.servers.add(gated);
        bench.tab->show();
        bench.tab->findChild<QAction*>(QStringLiteral("browseTokens"))->trigger();
        const auto dialog = [&] { return bench.tab->window()->findChild<TokensDialog*>(); };
        QVERIFY(QTest::qWaitFor([&] { return dialog() != nullptr; }, 30000));
        dialog()->findChild<QLineEdit*>(QStringLiteral("token-hf"))->setText(QLatin1String(test::Servers::token));
        dialog()->findChild<QCheckBox*>(QStringLiteral("consent-hf"))->setChecked(true); // the endpoint is no hub itself
        dialog()->accept();
        QCOMPARE(bench.keychain.kept.at(hub::Hub::HuggingFace), std::string(test::Servers::token));
        const auto fetch = [&](const QString& words) {
            if (!bench.search(words) || !bench.open(0)) return false;
            bench.tab->findChild<QPushButton*>(QStringLiteral("download"))->click();
            Downloads& downloads = bench.tab->downloads();
            return QTest::qWaitFor(
                [&] {
                    return downloads.rowCount() > 0 && downloads.runningCount() == 0 &&
                           downloads.queue().entries().front().state == hub::QueuedDownload::State::Done;
                },
                30000);
        };
        QVERIFY(fetch(QStringLiteral("gated")));
        bench.makeTab();
        bench.tab->show();
        QCOMPARE(bench.tab->tokens().get(hub::Hub::HuggingFace).token, std::string(test::Servers::token));
        QCOMPARE(bench.tab->tokens().get(hub::Hub::ModelScope).token, std::string());
        QCOMPARE(bench.servers.violations(), std::vector<std::string>());
        QFile session(bench.home.filePath(QStringLiteral("state/downloads.json")));
        if (session.open(QIODevice::ReadOnly)) QVERIFY(!session.readAll().contains(test::Servers::token));
    }

    void asksForWhatTheFiltersSay() {
        Bench bench;
        bench.tab->show();
        QVERIFY(bench.settles());
        const auto choose = [&](const char* name, int index) {
            bench.tab->findChild<QComboBox*>(QLatin1String(name))->setCurrentIndex(index);
        };
        choose("browseLicence", 1);
        choose("browseGate", 1);
        choose("browseLanguage", 1);
        choose("browseLibrary", 1);
        bench.tab->findChild<QLineEdit*>(QStringLiteral("browseAuthor"))->setText(QStringLiteral("acme"));
        QVERIFY(bench.settles());
        std::string last;
        for (const auto& recorded : bench.servers.recorded())
            if (recorded.request.listener == "HUB") last = recorded.request.target;
        for (const char* wanted : {"author=acme", "filter=license%3Aapache-2.0", "gated=false", "filter=zh", "filter=transformers"})
            QVERIFY2(last.find(wanted) != std::string::npos, last.c_str());
        const QJsonObject session = bench.tab->saveSession();
        bench.makeTab();
        bench.tab->restoreSession(session);
        QCOMPARE(bench.tab->saveSession(), session);
    }

    // No hub can be asked for a type of quantization or for a capability; the rows say what they can.
    void leavesOutOtherQuantsAndCapabilities() {
        Bench bench;
        test::ServedRepository sees{.id = "acme/sees", .downloads = 5, .tags = {"gguf", "image-text-to-text"}};
        sees.files = {test::formulaFile("sees-Q6_K-00001-of-00002.gguf", 1000, 9),
                      test::formulaFile("sees-Q6_K-00002-of-00002.gguf", 1000, 10)};
        bench.servers.add(sees);
        test::ServedRepository named = sees;
        named.id = "达摩/calls-tools-Q6_K";
        named.downloads = 4;
        bench.servers.addToModelScope(named);
        bench.tab->show();
        QVERIFY(bench.settles());
        const auto choose = [&](const char* name, const QString& text) {
            auto* box = bench.tab->findChild<QComboBox*>(QLatin1String(name));
            box->setCurrentIndex(std::max(0, box->findText(text)));
            return bench.settles();
        };
        const auto* hint = bench.tab->findChild<QLabel*>(QStringLiteral("browseHint"));
        QVERIFY(hint->isHidden());
        QVERIFY(choose("browseQuant", QStringLiteral("Q6_K")));
        QCOMPARE(bench.ids(), (std::vector<std::string>{"acme/sees", "达摩/calls-tools-Q6_K"}));
        QVERIFY(hint->isVisible() && hint->text().contains(QStringLiteral("ModelScope")));
        QVERIFY(choose("browseCapability", QStringLiteral("Tool use")));
        QCOMPARE(bench.ids(), (std::vector<std::string>{"达摩/calls-tools-Q6_K"}));
        QVERIFY(choose("browseCapability", QStringLiteral("Vision")));
        QCOMPARE(bench.ids(), (std::vector<std::string>{"acme/sees"}));
        QVERIFY(choose("browseQuant", QStringLiteral("Q4_K_M")));
        QCOMPARE(bench.ids(), std::vector<std::string>());
        QVERIFY(choose("browseCapability", {}));
        QVERIFY(!bench.ids().empty());
        for (const std::string& id : bench.ids()) QVERIFY2(id != "acme/sees" && !id.starts_with("达摩"), id.c_str());
    }

    void asksBeforeTheDiskIsAllButFull() {
        Bench bench;
        const std::uint64_t free = io::freeSpace(fsPath(bench.home.path())).value_or(0);
        constexpr std::uint64_t gigabyte = std::uint64_t{1} << 30;
        if (free < 4 * gigabyte) QSKIP("the disk of this machine has no room to spare");
        test::ServedRepository big{.id = "acme/big", .downloads = 5, .tags = {"gguf"}};
        for (const auto& [name, bytes] :
             {std::pair("tight-Q8_0.gguf", free - gigabyte), std::pair("never-Q4_0.gguf", free + gigabyte)}) {
            test::ServedFile file = test::textFile(name, "x");
            file.listedSize = std::to_string(bytes);
            file.isLarge = true;
            big.files.push_back(file);
        }
        bench.servers.add(big);
        bench.tab->show();
        bench.tab->downloads().pauseAll(true);
        bench.tab->openPaths({QStringLiteral("hf:acme/big")});
        QTRY_VERIFY(bench.tab->page().page() != nullptr);
        const auto question = [&] { return bench.tab->window()->findChild<QMessageBox*>(QStringLiteral("tightDisk")); };
        const auto answer = [&](const QString& name) {
            for (QAbstractButton* button : question()->buttons())
                if (button->text().remove(u'&') == name) button->click();
        };
        emit bench.tab->page().downloadWanted({QStringLiteral("never-Q4_0.gguf")});
        auto* bar = bench.tab->findChild<MessageBar*>();
        QTRY_VERIFY(bar->isVisible());
        QVERIFY(!question());
        QCOMPARE(bench.tab->downloads().rowCount(), 0);
        for (const QString& name : {QStringLiteral("Cancel"), QStringLiteral("Download")}) {
            emit bench.tab->page().downloadWanted({QStringLiteral("tight-Q8_0.gguf")});
            QTRY_VERIFY(question());
            answer(name);
            QTRY_VERIFY(!question());
            QCOMPARE(bench.tab->downloads().rowCount(), name == QStringLiteral("Cancel") ? 0 : 1);
        }
    }

    void leavesOutRepositoriesOfAnotherSize() {
        Bench bench;
        bench.tab->show();
        QVERIFY(bench.settles());
        bench.tab->findChild<QComboBox*>(QStringLiteral("browseDisk"))->setCurrentIndex(4); // from 30 GB
        QVERIFY(bench.settles());
        QCOMPARE(bench.ids(), std::vector<std::string>());
        bench.tab->findChild<QComboBox*>(QStringLiteral("browseDisk"))->setCurrentIndex(1); // up to 2 GB
        QVERIFY(bench.settles());
        QVERIFY(!bench.ids().empty());
    }

    void keepsSearches() {
        Bench bench;
        bench.tab->show();
        QVERIFY(bench.settles());
        auto* sort = bench.tab->findChild<QComboBox*>(QStringLiteral("browseSort"));
        sort->setCurrentIndex(1);
        QVERIFY(bench.search(QStringLiteral("tiny")));
        auto* searches = bench.tab->findChild<SavedSearches*>();
        const auto trigger = [&searches](const QString& text) {
            emit searches->aboutToShow();
            for (QAction* action : searches->actions())
                if (action->text() == text) action->trigger();
        };
        trigger(QStringLiteral("Save this search"));
        QCOMPARE(searches->names(), QStringList{QStringLiteral("tiny · Most likes")});
        sort->setCurrentIndex(0);
        QVERIFY(bench.search(QStringLiteral("many")));
        const QJsonObject session = bench.tab->saveSession();
        bench.makeTab(); // the next start
        bench.tab->restoreSession(session);
        bench.tab->show();
        QVERIFY(bench.settles());
        searches = bench.tab->findChild<SavedSearches*>();
        bench.servers.forget();
        trigger(QStringLiteral("tiny · Most likes"));
        QVERIFY(bench.settles());
        QCOMPARE(bench.text()->text(), QStringLiteral("tiny"));
        QCOMPARE(bench.tab->findChild<QComboBox*>(QStringLiteral("browseSort"))->currentIndex(), 1);
        QCOMPARE(bench.ids(), (std::vector<std::string>{"acme/tiny-gguf"}));
        std::size_t lists = 0;
        for (const auto& recorded : bench.servers.recorded())
            if (recorded.request.listener == "HUB") ++lists;
        QCOMPARE(lists, std::size_t{1}); // however many filters changed
        searches->forget(QStringLiteral("tiny · Most likes"));
        QVERIFY(searches->names().isEmpty());
    }

    void countsDownWhileAHubWantsFewerRequests() {
        Bench bench;
        bench.servers.fault({.listener = "HUB",
                             .part = "/api/models",
                             .skip = 0,
                             .times = 1,
                             .onlyRanged = false,
                             .change = [](const test::HttpRequest&, test::HttpResponse& response) {
                                 response = {429, {{"RateLimit", "\"api\";r=0;t=2"}}, {}};
                             }});
        QSignalSpy changed(&bench.tab->session(), &BrowseSession::askingChanged);
        bench.tab->show();
        QVERIFY(QTest::qWaitFor([&] { return bench.tab->session().waiting().has_value(); }, 30000));
        const auto waiting = *bench.tab->session().waiting();
        QVERIFY(waiting.why.reason == Reason("hub.too_fast"));
        QVERIFY(bench.settles());
        QVERIFY(!bench.ids().empty());
    }

    // A tensor of a file on a hub, seen without fetching the file.
    void looksIntoAFileOnTheHub() {
        Bench bench;
        bench.tab->show();
        QVERIFY(bench.search(QStringLiteral("tiny-gguf")));
        QVERIFY(bench.open(0));
        bench.services.openRemote = [&bench](const std::string& id, const Progress& progress) {
            return openRemote(bench.hubs, id, progress);
        };
        InspectTab inspectTab(bench.services);
        inspectTab.show();
        QSignalSpy opened(&inspectTab, &Tab::opened);
        connect(bench.tab.get(), &Tab::handOverWanted, &inspectTab,
                [&](const QString&, const QStringList& paths) { inspectTab.openPaths(paths); });
        QTreeWidget* files = bench.tab->page().files();
        for (QTreeWidgetItem* item : files->findItems(QStringLiteral("Q8_0"), Qt::MatchStartsWith)) files->setCurrentItem(item);
        bench.tab->findChild<QToolButton*>(QStringLiteral("inspectRemote"))->click();
        QVERIFY(QTest::qWaitFor([&] { return opened.size() == 1; }, 30000));
        QCOMPARE(inspectTab.modelCount(), 1);
        QVERIFY(opened.first().first().toString().startsWith(QStringLiteral("hf:acme/tiny-gguf@")));
        QVERIFY(inspectTab.saveSession().value(QStringLiteral("models")).toArray().isEmpty()); // no start asks a hub
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
