// SPDX-License-Identifier: MIT
#include "core/diff/diff.h"

#include "core/formats/open.h"
#include "tests/unit/support/safetensors_file.h"
#include "tests/unit/support/support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace wb::diff {
namespace {

namespace fs = std::filesystem;
using test::FloatTensor;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<float> noise(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> values;
    std::vector<float> out(count);
    for (float& value : out) value = values(random);
    return out;
}

class Diff : public testing::Test {
protected:
    ModelPtr model(const std::vector<FloatTensor>& tensors) {
        const fs::path path = folder.file(std::to_string(++m_count) + ".safetensors", test::safetensorsFile(tensors));
        auto opened = formats::open(path, {});
        EXPECT_TRUE(opened);
        return opened ? *opened : nullptr;
    }

    static Comparison compared(const ModelPtr& a, const ModelPtr& b, const Options& options = {}) {
        auto comparison = compare(a, b, options);
        EXPECT_TRUE(comparison) << (comparison ? "" : comparison.error().message());
        return comparison ? *std::move(comparison) : Comparison();
    }

    // Of one pair with that mapping.
    static Pair onlyPair(const Comparison& comparison, const std::string& mapping) {
        EXPECT_EQ(comparison.pairs.size(), 1u);
        if (comparison.pairs.empty()) return {};
        EXPECT_EQ(mappingText(comparison.pairs[0].mapping), mapping);
        return comparison.pairs[0];
    }

    const test::TemporaryFolder folder;

private:
    int m_count = 0;
};

TEST_F(Diff, AModelEqualsItself) {
    const ModelPtr one = model({{"a", "[2,3]", noise(6, 1)}, {"b", "[4]", {0, 0, 0, 0}}});
    const Comparison comparison = compared(one, one);
    EXPECT_EQ(comparison.equalCount(), 2u);
    EXPECT_FALSE(comparison.isDifferent());
    EXPECT_EQ(mappingText(comparison.pairs[0].mapping), "same");
}

TEST_F(Diff, AChangedElementIsMeasuredAndFound) {
    const Comparison comparison = compared(model({{"a", "[2,2]", {1, 2, 3, 4}}, {"mine", "[1]", {1}}}),
                                           model({{"a", "[2,2]", {1, 2, 3, 5}}, {"yours", "[2]", {7, 8}}}));
    const Pair pair = onlyPair(comparison, "same");
    EXPECT_FALSE(pair.isEqual);
    EXPECT_DOUBLE_EQ(pair.measures->changedShare(), 0.25);
    EXPECT_THAT(pair.measures->maxAt, ElementsAre(1, 1));
    EXPECT_DOUBLE_EQ(*pair.measures->rmse, 0.5);
    EXPECT_THAT(comparison.onlyA, ElementsAre("mine"));
    EXPECT_THAT(comparison.onlyB, ElementsAre("yours"));
    EXPECT_TRUE(comparison.isDifferent());
}

TEST_F(Diff, LayoutsAreMappedByTheirShapes) {
    EXPECT_TRUE(
        onlyPair(compared(model({{"a", "[2,3]", {1, 2, 3, 4, 5, 6}}}), model({{"a", "[3,2]", {1, 4, 2, 5, 3, 6}}})), "transposed")
            .isEqual);
    EXPECT_TRUE(
        onlyPair(compared(model({{"a", "[2,1,3]", {1, 2, 3, 4, 5, 6}}}), model({{"a", "[2,3]", {1, 2, 3, 4, 5, 6}}})), "reshaped")
            .isEqual);
    const Pair padded = onlyPair(
        compared(model({{"a", "[3,2]", {1, 2, 3, 4, 5, 6}}}), model({{"a", "[5,2]", {1, 2, 3, 4, 5, 7, 0, 0, 0, 0}}})), "padded");
    EXPECT_EQ(padded.measures->changed, 1u);
    EXPECT_EQ(padded.measures->elements, 6u) << "the common rows";
    std::vector<float> hwio(2 * 3 * 4 * 5), oihw(hwio.size()); // [2,3,4,5] to [5,4,2,3]
    for (std::size_t i = 0; i < hwio.size(); ++i) {
        hwio[i] = static_cast<float>(i);
        const std::size_t o = i % 5, in = i / 5 % 4, w = i / 20 % 3, h = i / 60;
        oihw[((o * 4 + in) * 2 + h) * 3 + w] = hwio[i];
    }
    EXPECT_TRUE(onlyPair(compared(model({{"a", "[2,3,4,5]", hwio}}), model({{"a", "[5,4,2,3]", oihw}})), "axes").isEqual);
}

TEST_F(Diff, NamesThatTellNothingAreMatchedByContent) {
    const auto values = noise(64, 3), others = noise(64, 4);
    const Comparison comparison =
        compared(model({{"x", "[8,8]", values}, {"y", "[8,8]", others}}), model({{"p", "[8,8]", others}, {"q", "[64]", values}}));
    ASSERT_EQ(comparison.pairs.size(), 2u);
    EXPECT_EQ(comparison.pairs[0].b, std::vector<std::string>{"q"});
    EXPECT_EQ(mappingText(comparison.pairs[0].mapping), "reshaped");
    EXPECT_EQ(comparison.pairs[1].b, std::vector<std::string>{"p"});
    EXPECT_EQ(comparison.equalCount(), 2u);
}

TEST_F(Diff, WrappersAndRolesAreSeenThrough) {
    const auto values = noise(16, 5);
    auto changed = values;
    changed[3] += 1;
    EXPECT_EQ(onlyPair(compared(model({{"module.model.head.weight", "[4,4]", values}}), model({{"head.weight", "[4,4]", changed}})),
                       "same")
                  .measures->changed,
              1u);
    EXPECT_EQ(onlyPair(compared(model({{"model.layers.3.mlp.down_proj.weight", "[4,4]", values}}),
                                model({{"blk.3.ffn_down.weight", "[4,4]", changed}})),
                       "same")
                  .measures->changed,
              1u);
}

TEST_F(Diff, WhatCorrelatesIsGuessed) {
    const auto values = noise(256, 6);
    auto near = values;
    for (std::size_t i = 0; i < near.size(); ++i) near[i] += 0.1F * noise(1, static_cast<unsigned>(i))[0];
    const Comparison comparison =
        compared(model({{"qqq", "[16,16]", values}}), model({{"zzz", "[16,16]", near}, {"yyy", "[16,16]", noise(256, 9)}}));
    EXPECT_EQ(onlyPair(comparison, "guess").b, std::vector<std::string>{"zzz"});
    EXPECT_THAT(comparison.onlyB, ElementsAre("yyy"));
}

TEST_F(Diff, AnOutputMatrixMayBeTheEmbedding) {
    const auto values = noise(32, 8);
    const Comparison comparison =
        compared(model({{"model.embed_tokens.weight", "[8,4]", values}, {"lm_head.weight", "[8,4]", values}}),
                 model({{"model.embed_tokens.weight", "[8,4]", values}}));
    ASSERT_EQ(comparison.pairs.size(), 2u);
    EXPECT_EQ(mappingText(comparison.pairs[1].mapping), "tied");
    EXPECT_THAT(comparison.onlyA, IsEmpty());
    EXPECT_EQ(comparison.equalCount(), 2u);
}

TEST_F(Diff, StructureAloneReadsNoValues) {
    Options options;
    options.isStructureOnly = true;
    const Comparison comparison = compared(model({{"a", "[2]", {1, 2}}, {"b", "[2]", {1, 2}}}),
                                           model({{"a", "[2]", {3, 4}}, {"b", "[3]", {1, 2, 3}}}), options);
    ASSERT_EQ(comparison.pairs.size(), 2u);
    EXPECT_TRUE(comparison.pairs[0].isEqual);
    EXPECT_EQ(comparison.pairs[0].measures, std::nullopt);
    EXPECT_FALSE(comparison.pairs[1].isEqual) << "another number of rows";
}

TEST_F(Diff, AMapIsFollowedAndKept) {
    const ModelPtr a = model({{"a", "[2]", {1, 2}}, {"b", "[2]", {3, 4}}, {"temporary", "[1]", {0}}});
    const ModelPtr b = model({{"a", "[2]", {3, 4}}, {"b", "[2]", {1, 2}}, {"ab", "[4]", {1, 2, 3, 4}}});
    const auto withMap = [&](const std::string& json) {
        Options options;
        options.mapName = "map.json";
        auto map = readMapFile(folder.file("map.json", json));
        EXPECT_TRUE(map) << (map ? "" : map.error().message());
        if (map) options.map = *map;
        return options;
    };
    const Options crossed = withMap(R"({"pairs":[{"a":["a"],"b":["b"],"mapping":"same"},{"a":["b"],"b":["a"],"mapping":"same"}],
                                        "ignore":["temp*"]})");
    const Comparison comparison = compared(a, b, crossed);
    EXPECT_EQ(comparison.equalCount(), 2u);
    EXPECT_THAT(comparison.onlyA, IsEmpty());
    EXPECT_THAT(comparison.onlyB, ElementsAre("ab"));

    const Comparison again = compared(a, b, withMap(mapFileText(comparison, crossed.map.ignored)));
    EXPECT_EQ(mapFileText(again, crossed.map.ignored), mapFileText(comparison, crossed.map.ignored));

    const Comparison fused = compared(a, b, withMap(R"({"pairs":[{"a":["a","b"],"b":["ab"],"mapping":"fused"}]})"));
    ASSERT_FALSE(fused.pairs.empty());
    EXPECT_TRUE(fused.pairs[0].isEqual);
    EXPECT_EQ(fused.pairs[0].a.size(), 2u);

    for (const auto& [json, word] : {std::pair(R"({"pairs":[{"a":["zzz"],"b":["b"],"mapping":"same"}]})", "zzz"),
                                     std::pair(R"({"pairs":[{"a":["a"],"b":["b"],"mapping":"transposed"}]})", "transposed"),
                                     std::pair(R"({"pairs":[{"a":["a"],"b":["ab"],"mapping":"same"}]})", "ab")}) {
        const auto refused = compare(a, b, withMap(json));
        ASSERT_FALSE(refused) << json;
        EXPECT_THAT(refused.error().message(), testing::AllOf(HasSubstr("map.json"), HasSubstr(word)));
    }
    for (const char* json : {"[]", "{}", R"({"pairs":[1]})", R"({"pairs":[{"a":["a"],"b":["b"],"mapping":"twisted"}]})",
                             R"({"pairs":[{"a":[],"b":["b"],"mapping":"same"}]})", R"({"ignore":[1]})", "{"}) {
        const auto refused = readMapFile(folder.file("map.json", json));
        ASSERT_FALSE(refused) << json;
        EXPECT_THAT(refused.error().message(), HasSubstr("map.json"));
    }
}

TEST_F(Diff, AStopEndsTheWork) {
    const ModelPtr one = model({{"a", "[2]", {1, 2}}});
    std::stop_source stop;
    stop.request_stop();
    Options options;
    options.progress.stop = stop.get_token();
    const auto comparison = compare(one, one, options);
    ASSERT_FALSE(comparison);
    EXPECT_EQ(comparison.error().code, ErrorCode::Canceled);
}

} // namespace
} // namespace wb::diff
