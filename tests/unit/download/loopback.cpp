// SPDX-License-Identifier: MIT
#include "tests/unit/download/loopback.h"

#include "app/net/qt_transport.h"

#include <QCoreApplication>

#include <cstdlib>

namespace wb::test {
namespace {

net::Transport& transport() {
    static const auto made = makeQtTransport({}).value();
    return *made;
}

} // namespace

// QtNetwork and the servers' loop want one.
bool LoopbackTest::makeApplication() {
    static int count = 1;
    static char name[] = "download_test";
    static char* arguments[] = {name, nullptr};
    static const QCoreApplication application(count, arguments);
    return true;
}

LoopbackTest::LoopbackTest() {
    settings =
        hub::settingsFrom([this](const char* variable) {
            const std::string_view name = variable;
            return name == "HF_ENDPOINT" ? servers.url("HUB") : name == "MODELSCOPE_ENDPOINT" ? servers.url("MS") : std::string();
        }).value();
}

LoopbackTest::~LoopbackTest() {
    for (const std::string& violation : servers.violations()) ADD_FAILURE() << violation;
}

void LoopbackTest::addLarge(std::uint64_t bytes) {
    ServedRepository repository;
    repository.id = "acme/large";
    repository.files = {formulaFile("file.bin", bytes, 11)};
    servers.add(repository);
}

hub::DownloadRequest LoopbackTest::request(const std::string& id) const {
    hub::DownloadRequest request;
    request.repository = hub::parseRemoteId(id).value().repository;
    request.place.root = folder.path() / "models";
    request.options.pieceBytes = pieceBytes;
    request.options.lines = lines;
    return request;
}

Result<hub::DownloadOutcome> LoopbackTest::download(hub::DownloadRequest request, const Progress& progress) {
    static const net::Clock clock;
    const hub::Network network{&transport(), &clock, [this](const hub::Wait& wait) { waits.push_back(wait); }, 5};
    hub::Client client(network, settings);
    WB_TRY_ASSIGN(hub::DownloadPlan plan, hub::planDownload(client, network, request, progress));
    return hub::download(client, network, request, std::move(plan), progress);
}

LoopbackTest::Ran LoopbackTest::wb(const std::vector<std::string>& words, const std::string& environment) const {
    const TemporaryFolder output;
    const auto quoted = [](const std::string& word) { return "'" + word + "'"; };
    std::string command = "HOME=" + quoted((folder.path() / "home").string()) +
                          " XDG_CONFIG_HOME=" + quoted((folder.path() / "config").string()) + " HF_ENDPOINT=" + servers.url("HUB") +
                          " MODELSCOPE_ENDPOINT=" + servers.url("MS") + " " + environment + " " + quoted(WB_PROGRAM);
    for (const std::string& word : words) command += " " + quoted(word);
    const auto out = output.path() / "out", err = output.path() / "err";
    const int raw = std::system((command + " >" + quoted(out.string()) + " 2>" + quoted(err.string())).c_str());
    const auto text = [](const std::filesystem::path& path) {
        const auto bytes = readFile(path);
        return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    return {WEXITSTATUS(raw), text(out), text(err)};
}

} // namespace wb::test
