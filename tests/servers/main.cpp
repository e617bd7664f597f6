// SPDX-License-Identifier: MIT
// loopback_hub [MEGABYTES [MORE …]]: hubs on this machine until the standard input ends. Prints their addresses and what they hold
// as one line of JSON. Repository acme/large has a file of each size, acme/tiny small ones; 达摩/小模型 the same on ModelScope.
#include "tests/servers/hub_routes.h"
#include "tests/servers/servers.h"

#include <QCoreApplication>

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
    using namespace wb::test;
    const QCoreApplication application(argc, argv);
    Servers servers;
    ServedRepository large{.id = "acme/large"}, tiny{.id = "acme/tiny-gguf", .downloads = 7, .tags = {"gguf", "license:mit"}};
    std::string files;
    for (int i = 1; i < argc; ++i) {
        const std::uint64_t megabytes = std::strtoull(argv[i], nullptr, 10);
        large.files.push_back(formulaFile(fmt::format("file-{}.bin", i), megabytes * 1'000'000, static_cast<std::uint64_t>(i)));
        files += fmt::format("{}{{\"path\":\"{}\",\"bytes\":{},\"sha256\":\"{}\"}}", files.empty() ? "" : ",",
                             large.files.back().path, large.files.back().bytes, large.files.back().sha256);
    }
    tiny.files = {textFile("README.md", "# Tiny\n"), textFile("config.json", "{\"model_type\":\"llama\"}\n"),
                  formulaFile("model-Q4_K_M.gguf", 1'000'003, 77), formulaFile("UD-Q2/model-UD-Q2.gguf", 500'001, 78)};
    ServedRepository chinese = tiny;
    chinese.id = "达摩/小模型";
    chinese.chineseName = "小模型";
    servers.add(large);
    servers.add(tiny);
    servers.addToModelScope(chinese);
    std::printf("{\"hub\":\"%s\",\"ms\":\"%s\",\"files\":[%s]}\n", servers.url("HUB").c_str(), servers.url("MS").c_str(),
                files.c_str());
    std::fflush(stdout);
    while (std::getchar() != EOF) {
    }
    return 0;
}
