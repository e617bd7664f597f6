// SPDX-License-Identifier: MIT
#pragma once

#include "app/net/qt_transport.h"
#include "core/hub/client.h"
#include "core/hub/download.h"
#include "core/library/facts.h"
#include "tests/gui/support/gui_test.h"
#include "tests/gui/support/test_services.h"
#include "tests/servers/servers.h"
#include "ui/browse/browse_session.h"
#include "ui/browse/browse_tab.h"
#include "ui/browse/downloads.h"
#include "ui/shell/jobs/job_runner.h"
#include "ui/shell/jobs/work_source.h"
#include "ui/shell/services/library_places.h"
#include "ui/widgets/paths.h"

#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>

#include <algorithm>
#include <map>

namespace wb::test {

using namespace wb::ui;
using namespace wb::ui::browse;

std::string smallGguf();

struct FakeKeychain final : hub::TokenStore {
    std::map<hub::Hub, std::string> kept;
    void read(hub::Hub hub, std::function<void(std::string)> done) override { done(kept[hub]); }
    void write(hub::Hub hub, const std::string& token, std::function<void(bool)> done) override {
        kept[hub] = token;
        done(true);
    }
};

// Hubs on this machine, and the tabs over them.
struct Bench {
    Servers servers;
    QTemporaryDir home;
    std::unique_ptr<net::Transport> transport;
    net::Clock clock;
    FakeKeychain keychain;
    LibraryPlaces places;
    HubNetwork hubs;
    wb::library::MemoryIndex index;
    QueuedJobRunner jobs;
    TestServices services{&jobs};
    std::unique_ptr<BrowseTab> tab;
    std::shared_ptr<Job> lastJob; // that the Jobs page shows, after downloadSlowly()

    Bench() {
        ServedRepository tiny{.id = "acme/tiny-gguf", .downloads = 7, .tags = {"gguf", "license:mit"}};
        tiny.files = {textFile("README.md", "---\nlicense: mit\n---\n# Tiny\n\n![picture](https://example.org/x.png)\n"),
                      textFile("tiny-Q8_0.gguf", smallGguf()), formulaFile("tiny-Q4_K_M.gguf", 100'003, 7),
                      formulaFile("mmproj-F16.gguf", 10'001, 8)};
        ServedRepository chinese = tiny;
        chinese.id = "达摩/小模型";
        chinese.chineseName = "小模型";
        servers.add(tiny);
        servers.addToModelScope(chinese);
        for (int i = 0; i < 7; ++i) {
            ServedRepository more = tiny;
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
        ServedRepository large{.id = "acme/large", .downloads = 1, .tags = {"gguf"}};
        large.files = {formulaFile("one.bin", 3'000'001, 31)};
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

} // namespace wb::test
