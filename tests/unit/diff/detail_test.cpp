// SPDX-License-Identifier: MIT
#include "core/diff/detail.h"

#include "core/base/json_writer.h"
#include "core/diff/lines.h"
#include "core/diff/report.h"
#include "core/formats/open.h"
#include "tests/unit/support/safetensors_file.h"
#include "tests/unit/support/support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <numeric>

namespace wb::diff {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

class DiffDetail : public testing::Test {
protected:
    ModelPtr model(const std::vector<test::FloatTensor>& tensors) {
        const auto path = folder.file(std::to_string(++m_count) + ".safetensors", test::safetensorsFile(tensors));
        auto opened = formats::open(path, {});
        EXPECT_TRUE(opened);
        return opened ? *opened : nullptr;
    }

    Comparison compared(const std::vector<test::FloatTensor>& a, const std::vector<test::FloatTensor>& b,
                        const Options& options = {}) {
        auto comparison = compare(model(a), model(b), options);
        EXPECT_TRUE(comparison) << (comparison ? "" : comparison.error().message());
        return comparison ? *std::move(comparison) : Comparison();
    }

    const test::TemporaryFolder folder;

private:
    int m_count = 0;
};

TEST_F(DiffDetail, HasTheDifferenceOfEachCellAndBin) {
    const auto comparison = compared({{"w", "[2,3]", {1, 2, 3, 4, 5, 6}}}, {{"w", "[2,3]", {1, 1, 3, 4, 5, 8}}});
    const auto detail = readDetail(comparison, 0, {.bins = 4});
    ASSERT_TRUE(detail) << detail.error().message();
    EXPECT_EQ(detail->mapRows, 2u);
    EXPECT_EQ(detail->mapColumns, 3u);
    EXPECT_THAT(detail->map, ElementsAre(0, 1, 0, 0, 0, -2));
    EXPECT_EQ(detail->limit, 2);
    EXPECT_EQ(detail->errors.low, -2);
    EXPECT_THAT(detail->errors.counts, ElementsAre(1, 0, 4, 1));
    EXPECT_FALSE(detail->isSampled);
    EXPECT_EQ(detail->read, 6u);
}

TEST_F(DiffDetail, CellsOfSeveralElementsShowTheLargest) {
    std::vector<float> a(1000), b(1000);
    b[10] = 1, b[11] = -3, b[995] = 2;
    const auto comparison = compared({{"w", "[100,10]", a}}, {{"w", "[100,10]", b}});
    const auto detail = readDetail(comparison, 0, {.maxMapRows = 4, .maxMapColumns = 2});
    ASSERT_TRUE(detail);
    EXPECT_THAT(detail->map, ElementsAre(3, 0, 0, 0, 0, 0, 0, -2));
}

TEST_F(DiffDetail, ValuesThatAreNotFiniteAreCountedAndLeftOut) {
    const auto comparison = compared({{"w", "[4]", {nan, infinity, 1, 3e38F}}}, {{"w", "[4]", {nan, 1, nan, -3e38F}}});
    const auto detail = readDetail(comparison, 0, {});
    ASSERT_TRUE(detail) << detail.error().message();
    EXPECT_EQ(detail->notFinite, 3u);
    EXPECT_TRUE(std::isnan(detail->map[0]));
    EXPECT_EQ(std::accumulate(detail->errors.counts.begin(), detail->errors.counts.end(), std::uint64_t{0}), 1u);
}

TEST_F(DiffDetail, ATensorWithoutElementsIsRefused) {
    const auto comparison = compared({{"w", "[0,4]", {}}}, {{"w", "[0,4]", {}}});
    ASSERT_EQ(comparison.pairs.size(), 1u);
    EXPECT_TRUE(comparison.pairs[0].isEqual);
    const auto detail = readDetail(comparison, 0, {});
    ASSERT_FALSE(detail);
    EXPECT_EQ(detail.error().code, ErrorCode::Invalid);
}

TEST_F(DiffDetail, LargePairsAreSampled) {
    std::vector<float> a(1 << 20), b(1 << 20);
    b.back() = 1;
    const auto comparison = compared({{"w", "[1024,1024]", a}}, {{"w", "[1024,1024]", b}});
    const auto detail = readDetail(comparison, 0, {.maxElements = 1 << 19});
    ASSERT_TRUE(detail);
    EXPECT_TRUE(detail->isSampled);
    EXPECT_EQ(detail->read, 1u << 19);
}

TEST_F(DiffDetail, StopsWhenAsked) {
    const auto comparison = compared({{"w", "[2]", {1, 2}}}, {{"w", "[2]", {1, 3}}});
    std::stop_source stop;
    stop.request_stop();
    DetailOptions options;
    options.progress.stop = stop.get_token();
    const auto detail = readDetail(comparison, 0, options);
    ASSERT_FALSE(detail);
    EXPECT_EQ(detail.error().code, ErrorCode::Canceled);
}

TEST_F(DiffDetail, ATransposedPairIsShownInTheLayoutOfB) {
    const auto comparison = compared({{"w", "[2,3]", {1, 2, 3, 4, 5, 6}}}, {{"w", "[3,2]", {1, 4, 2, 5, 3, 7}}});
    const auto detail = readDetail(comparison, 0, {});
    ASSERT_TRUE(detail);
    EXPECT_EQ(detail->rowLength, 2u);
    EXPECT_THAT(detail->map, ElementsAre(0, 0, 0, 0, 0, -1));
}

TEST_F(DiffDetail, ReportsAreTheSameInBothForms) {
    const std::string name = R"(a,\"b\")"; // as JSON
    const auto comparison = compared({{name, "[1]", {1}}, {"left", "[7]", std::vector<float>(7)}}, {{name, "[1]", {2}}});
    std::string text;
    JsonWriter out([&](std::string_view piece) { text += piece; });
    writeJson(out, comparison);
    out.finish();
    const auto document = nlohmann::json::parse(text);
    EXPECT_EQ(document["tensors"].size(), 1u);
    EXPECT_EQ(document["tensors"][0]["rel_rmse"], 1);
    const std::string csv = csvText(comparison);
    EXPECT_THAT(csv, HasSubstr("\n\"a,\"\"b\"\"\",\"a,\"\"b\"\"\",\"a,\"\"b\"\"\",\"a,\"\"b\"\"\",same,false,1,1,0,1,1,0,1\n"));
    EXPECT_THAT(csv, HasSubstr("\nleft,,left,,,,,,,,,,\n"));
}

TEST_F(DiffDetail, ProposesThePairThatShapesAllow) {
    const auto a = model({{"x", "[2,3]", std::vector<float>(6)}}),
               b = model({{"y", "[3,2]", std::vector<float>(6)}, {"z", "[5]", std::vector<float>(5)}});
    const auto pair = proposePair(*a, "x", *b, "y");
    ASSERT_TRUE(pair);
    EXPECT_EQ(mappingText(pair->mapping), "transposed");
    EXPECT_THAT(proposePair(*a, "x", *b, "z").error().message(), HasSubstr("[2, 3]"));
    EXPECT_THAT(proposePair(*a, "none", *b, "z").error().message(), HasSubstr("none"));
    MapFile map;
    map.set(*pair);
    map.set({{"other"}, {"y"}, {}});
    EXPECT_EQ(map.pairs.size(), 1u);
    const auto again = parseMapFile(mapFileText(map), "map.json");
    ASSERT_TRUE(again);
    EXPECT_THAT(again->pairs[0].a, ElementsAre("other"));
}

TEST(DiffLines, ArePutSideBySide) {
    const auto lines = compareLines("a\nb\nc\nd", "a\nx\ny\nc\nd\ne");
    std::string shown;
    for (const ComparedLine& line : lines) shown += line.a.value_or("-") + line.b.value_or("-") + (line.isEqual() ? "= " : "! ");
    EXPECT_EQ(shown, "aa= bx! -y! cc= dd= -e! ");
    EXPECT_TRUE(compareLines("", "").empty());
    EXPECT_EQ(compareLines("", "one").size(), 1u);
}

TEST(DiffLines, OfVeryLongTextsAreNotMatched) {
    std::string a, b;
    for (int i = 0; i < 3000; ++i) a += "a" + std::to_string(i) + "\n", b += "b" + std::to_string(i) + "\n";
    EXPECT_EQ(compareLines(a, b).size(), 6000u);
}

} // namespace
} // namespace wb::diff
