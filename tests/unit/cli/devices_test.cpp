// SPDX-License-Identifier: MIT
#include "tests/unit/cli/run_wb.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

using test::runWb;

TEST(WbDevices, ListsTheCpuFirstAndEveryVulkanDeviceAfterIt) {
    const auto run = runWb({"devices", "--json"});
    ASSERT_EQ(run.status, 0) << run.err;
    const auto devices = run.json()["devices"];
    ASSERT_GE(devices.size(), 1u);
    EXPECT_EQ(devices[0]["kind"], "cpu");
    EXPECT_EQ(devices[0]["selftest"], "passed");
    EXPECT_EQ(devices[0]["software"], false);
    for (std::size_t index = 0; index < devices.size(); ++index) {
        EXPECT_EQ(devices[index]["index"], index);
        EXPECT_TRUE(devices[index]["features"].is_array());
        EXPECT_TRUE(devices[index]["usable"].is_boolean());
        EXPECT_EQ(devices[index]["kind"], index == 0 ? "cpu" : "gpu");
    }
}

TEST(WbDevices, PrintsATableWithOneLineADevice) {
    const auto run = runWb({"devices"});
    EXPECT_EQ(run.status, 0);
    EXPECT_NE(run.out.find("Self-test"), std::string::npos);
}

} // namespace
} // namespace wb
