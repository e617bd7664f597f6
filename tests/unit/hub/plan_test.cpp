// SPDX-License-Identifier: MIT
#include "core/hub/download.h"
#include "tests/unit/support/fake_network.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

namespace wb::hub {
namespace {

using test::FakeAnswer;
using test::FakeTransport;

const std::string planCommit(40, 'c');

// What is planned for a repository whose list is this JSON.
Result<DownloadPlan> planFor(const std::string& tree, const std::filesystem::path& root) {
    FakeTransport transport([&tree](const net::Request& request) -> FakeAnswer {
        const bool isTree = request.url.target.find("/tree/") != std::string::npos;
        return {200, {{"Content-Type", "application/json"}}, isTree ? tree : R"({"id":"acme/tiny","sha":")" + commit + "\"}"};
    });
    const Network network{&transport, &transport.clock()};
    Client client(network, *settingsFrom([](const char*) { return std::string(); }));
    DownloadRequest request;
    request.repository = {Hub::HuggingFace, "acme/tiny", ""};
    request.place.root = root;
    return planDownload(client, network, request, {});
}

std::string fileRow(const std::string& path, std::uint64_t bytes) {
    return fmt::format(R"({{"type":"file","path":"{}","size":{},"lfs":{{"oid":"{}","size":{}}}}})", path, bytes,
                       std::string(64, 'a'), bytes);
}

// Sizes whose sum is 2 to the 64th are not nothing.
TEST(DownloadPlan, SumsThatAreTooLargeAreNoRoom) {
    const test::TemporaryFolder folder;
    std::string tree = "[";
    for (int i = 0; i < 16384; ++i) tree += (i > 0 ? "," : "") + fileRow(fmt::format("f{}", i), std::uint64_t{1} << 50);
    const auto plan = planFor(tree + "]", folder.path());
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().code, ErrorCode::NoSpace);
}

TEST(DownloadPlan, WarnsWhereLittleWouldBeLeft) {
    const test::TemporaryFolder folder;
    const std::uint64_t free = std::filesystem::space(folder.path()).available;
    if (free < std::uint64_t{4} << 30) return; // nothing fits here anyway
    const auto tight = planFor("[" + fileRow("f", free - (std::uint64_t{1} << 30)) + "]", folder.path());
    ASSERT_TRUE(tight) << tight.error().message();
    ASSERT_TRUE(tight->warning);
    EXPECT_EQ(tight->warning->reason, Reason("hub.tight_disk"));
    const auto roomy = planFor("[" + fileRow("f", 1000) + "]", folder.path());
    ASSERT_TRUE(roomy);
    EXPECT_FALSE(roomy->warning);
}

} // namespace
} // namespace wb::hub
