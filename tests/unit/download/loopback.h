// SPDX-License-Identifier: MIT
#pragma once

#include "core/hub/download.h"
#include "tests/servers/servers.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

namespace wb::test {

// Downloads over the real QtNetwork from servers on this machine, into a folder of its own.
class LoopbackTest : public testing::Test {
protected:
    LoopbackTest();
    ~LoopbackTest() override; // no token went astray

    Result<hub::DownloadOutcome> download(hub::DownloadRequest request, const Progress& progress = {});
    hub::DownloadRequest request(const std::string& id) const;
    void addLarge(std::uint64_t bytes); // acme/large with file.bin

    static bool makeApplication();

    // Runs wb; the status, standard output and errors.
    struct Ran {
        int status = 0;
        std::string out, err;
    };
    Ran wb(const std::vector<std::string>& words, const std::string& environment = {}) const;

    bool hasApplication = makeApplication(); // before the first loop
    Servers servers;
    TemporaryFolder folder;
    hub::Settings settings;
    std::vector<hub::Wait> waits;
    std::uint64_t pieceBytes = 256 << 10;
    unsigned lines = 4;
};

} // namespace wb::test
