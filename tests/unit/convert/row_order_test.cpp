// SPDX-License-Identifier: MIT
#include "core/convert/gguf/row_order.h"
#include "core/convert/gguf/convert_item.h"
#include "tests/unit/convert/folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>

namespace wb::convert {
namespace {

namespace fs = std::filesystem;

// Two key heads, four value heads of two numbers, keys of three.
constexpr arch::RecurrentSpec spec{
    .kind = arch::Recurrence::DeltaNet, .convolution = 4, .inner = 8, .state = 3, .groups = 2, .steps = 4};

std::vector<std::uint32_t> mapRows(const std::optional<RowMap>& map) {
    std::vector<std::uint32_t> rows;
    for (const RowPlace& place : map ? map->rows : std::vector<RowPlace>()) rows.push_back(place.row);
    return rows;
}

TEST(RowOrder, TilesValueHeads) {
    using Rows = std::vector<std::uint32_t>;
    EXPECT_EQ(mapRows(takenRows(RowOrder::TileHeads, spec, 4, 5)), (Rows{0, 2, 1, 3}));
    EXPECT_EQ(mapRows(takenRows(RowOrder::TileHeads, spec, 8, 5)), (Rows{0, 1, 4, 5, 2, 3, 6, 7}));
    EXPECT_EQ(mapRows(takenRows(RowOrder::TileMixed, spec, 16, 5)), (Rows{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 13, 15}));
    EXPECT_EQ(takenRows(RowOrder::TileColumns, spec, 1, 8)->parts, (Rows{0, 2, 1, 3}));
}

// Each key head of the source: three queries, three keys, four values, four gates.
TEST(RowOrder, TakesTheRowsOfKeyHeadsApart) {
    using Rows = std::vector<std::uint32_t>;
    EXPECT_EQ(mapRows(takenRows(RowOrder::TakeMixed, spec, 28, 5)),
              (Rows{0, 1, 2, 14, 15, 16, 3, 4, 5, 17, 18, 19, 6, 7, 8, 9, 20, 21, 22, 23}));
    EXPECT_EQ(mapRows(takenRows(RowOrder::TakeGates, spec, 28, 5)), (Rows{10, 11, 12, 13, 24, 25, 26, 27}));
    const auto back = givenRows(RowOrder::TakeMixed, spec, 20, 5);
    ASSERT_TRUE(back);
    const auto mixed = takenRows(RowOrder::TakeMixed, spec, 28, 5), gates = takenRows(RowOrder::TakeGates, spec, 28, 5);
    for (std::uint32_t row = 0; row < 28; ++row) {
        const RowPlace& place = back->rows[row];
        EXPECT_EQ((place.input == 0 ? mixed : gates)->rows[place.row].row, row);
    }
}

TEST(RowOrder, IsUndone) {
    for (const RowOrder order : {RowOrder::TileHeads, RowOrder::TileMixed}) {
        const auto there = takenRows(order, spec, 24, 5), back = givenRows(order, spec, 24, 5);
        ASSERT_TRUE(there && back);
        for (std::uint32_t row = 0; row < 24; ++row) EXPECT_EQ(there->rows[back->rows[row].row].row, row);
    }
    const auto there = takenRows(RowOrder::TileColumns, spec, 2, 8), back = givenRows(RowOrder::TileColumns, spec, 2, 8);
    ASSERT_TRUE(there && back);
    for (std::uint32_t part = 0; part < 4; ++part) EXPECT_EQ(there->parts[back->parts[part]], part);
}

TEST(RowOrder, RefusesRowsThatDoNotDivide) {
    EXPECT_FALSE(takenRows(RowOrder::TileHeads, spec, 6, 5));
    EXPECT_FALSE(takenRows(RowOrder::TileMixed, spec, 11, 5));
    EXPECT_FALSE(takenRows(RowOrder::TileColumns, spec, 2, 6));
    EXPECT_FALSE(takenRows(RowOrder::TakeMixed, spec, 27, 5));
    EXPECT_FALSE(givenRows(RowOrder::TakeGates, spec, 8, 5));
    arch::RecurrentSpec odd = spec;
    odd.groups = 3;
    EXPECT_FALSE(takenRows(RowOrder::TileHeads, odd, 4, 5));
    odd.groups = 0;
    EXPECT_FALSE(takenRows(RowOrder::TileHeads, odd, 4, 5));
    EXPECT_TRUE(takenRows(RowOrder::Stored, odd, 4, 5));
}

// The numbers of config.json may not fit each other.
TEST(RowOrder, OfAFolderThatDoesNotDivideIsRefused) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder work;
    for (const auto& entry : fs::directory_iterator(archFolder("qwen35"))) {
        std::ofstream copy(work.path() / entry.path().filename(), std::ios::binary);
        copy << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    }
    auto config = nlohmann::json::parse(std::ifstream(archFolder("qwen35") / "config.json"));
    config["linear_num_key_heads"] = 3;
    config["linear_key_head_dim"] = 8;
    std::ofstream(work.path() / "config.json") << config.dump();
    const auto plan = planFolder(work.path());
    ASSERT_FALSE(plan);
    EXPECT_NE(plan.error().message().find("linear_attn"), std::string::npos) << plan.error().message();
}

TEST(NegatedExp, IsNearTheLibrarysAndKeepsItsEnds) {
    for (float x = -20; x < 20; x += 0.37F) EXPECT_NEAR(negatedExp(x) / -std::exp(static_cast<double>(x)), 1, 2e-7) << x;
    EXPECT_EQ(negatedExp(0), -1);
    EXPECT_EQ(negatedExp(-200), 0);
    EXPECT_TRUE(std::isinf(negatedExp(200)));
}

} // namespace
} // namespace wb::convert
