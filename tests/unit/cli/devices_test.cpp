// SPDX-License-Identifier: MIT
#include "tests/unit/cli/run_wb.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

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

// Runs `wb devices` where this is the folder for caches; gives whether a graphics device was opened.
bool usesDevicesWithCachesIn(const std::filesystem::path& caches) {
    const char* variable = std::getenv("XDG_CACHE_HOME");
    const std::string usual = variable == nullptr ? "" : variable;
    setenv("XDG_CACHE_HOME", caches.c_str(), 1);
    const auto run = runWb({"devices", "--json"});
    if (variable == nullptr) unsetenv("XDG_CACHE_HOME");
    else setenv("XDG_CACHE_HOME", usual.c_str(), 1);
    EXPECT_EQ(run.status, 0) << run.err;
    const auto devices = run.json()["devices"];
    return std::ranges::count_if(devices, [](const auto& device) { return device["selftest"] != "not run"; }) > 1;
}

TEST(WbDevices, KeepsCompiledPipelinesWhereTheWindowDoes) {
    const test::TemporaryFolder caches;
    const bool used = usesDevicesWithCachesIn(caches.path());
    EXPECT_EQ(std::filesystem::exists(caches.path() / "weighbridge/pipelines"), used);
}

TEST(WbDevices, WorksWhereNothingCanBeKept) {
    const test::TemporaryFolder folder;
    usesDevicesWithCachesIn(folder.file("file", ""));
    EXPECT_TRUE(std::filesystem::is_regular_file(folder.path() / "file"));
}

// Software devices are only measured by name (tests/gpu/infer/measurement_test.cpp has the rest).
TEST(WbDevices, MeasuresOnlyRealDevicesWithoutAName) {
    const auto devices = runWb({"devices", "--json"}).json()["devices"];
    const auto isReal = [](const auto& device) {
        return device["kind"] == "gpu" && device["usable"] == true && device["software"] == false;
    };
    if (std::ranges::any_of(devices, isReal)) return;
    const auto run = runWb({"devices", "--measure"});
    EXPECT_EQ(run.status, 1);
    EXPECT_FALSE(run.err.empty());
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1);
    const auto cpu = runWb({"devices", "--measure", "--device", "cpu"});
    EXPECT_EQ(cpu.status, 1);
    EXPECT_NE(cpu.err.find("no GPU to measure"), std::string::npos) << cpu.err;
}

} // namespace
} // namespace wb
