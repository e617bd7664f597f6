// SPDX-License-Identifier: MIT
#include "core/io/system/graphics_memory.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

#include <fstream>

namespace wb::io {
namespace {

namespace fs = std::filesystem;

void addDevice(const fs::path& root, const std::string& card, const std::string& total, const std::string& used) {
    const fs::path device = root / card / "device";
    fs::create_directories(device);
    std::ofstream(device / "mem_info_vram_total") << total;
    std::ofstream(device / "mem_info_vram_used") << used;
}

TEST(GraphicsMemory, IsThatOfTheDeviceOfThisSize) {
    const test::TemporaryFolder folder;
    addDevice(folder.path(), "card0", "17163091968\n", "1000000000\n");
    addDevice(folder.path(), "card1", "8573157376\n", "573157376\n");
    fs::create_directories(folder.path() / "version");
    EXPECT_EQ(freeGraphicsMemory(17'163'091'968, folder.path()), 16'163'091'968u);
    EXPECT_EQ(freeGraphicsMemory(8'600'000'000, folder.path()), 8'000'000'000u) << "a driver rounds";
    EXPECT_FALSE(freeGraphicsMemory(24'000'000'000, folder.path()));
    EXPECT_FALSE(freeGraphicsMemory(1, folder.path() / "none"));
}

TEST(GraphicsMemory, IsNotGuessedBetweenTwoOfOneSize) {
    const test::TemporaryFolder folder;
    addDevice(folder.path(), "card0", "17163091968", "1000");
    addDevice(folder.path(), "card1", "17163091968", "2000");
    EXPECT_FALSE(freeGraphicsMemory(17'163'091'968, folder.path()));
    addDevice(folder.path(), "card2", "8000000000", "9000000000");
    EXPECT_EQ(freeGraphicsMemory(8'000'000'000, folder.path()), 0u) << "no free memory below none";
    addDevice(folder.path(), "card3", "much", "1");
    EXPECT_FALSE(freeGraphicsMemory(0, folder.path()));
}

} // namespace
} // namespace wb::io
