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

// A convolution, its normalization, and both folded as an export does, computed here in another way.
struct FoldedModels {
    static constexpr std::size_t outs = 6, each = 18; // [6, 2, 3, 3]
    std::vector<float> weight = noise(outs * each, 20), bias = noise(outs, 21), gamma = noise(outs, 22), beta = noise(outs, 23),
                       mean = noise(outs, 24), variance = noise(outs, 25), newWeight, newBias;

    explicit FoldedModels(double epsilon) {
        for (std::size_t i = 0; i < outs; ++i) {
            gamma[i] = 2 + std::abs(gamma[i]);
            variance[i] = 0.01F + std::abs(variance[i]);
            const double factor = gamma[i] / std::sqrt(double{variance[i]} + epsilon);
            newBias.push_back(static_cast<float>((double{bias[i]} - mean[i]) * factor + beta[i]));
            for (std::size_t k = 0; k < each; ++k) newWeight.push_back(static_cast<float>(weight[i * each + k] * factor));
        }
    }

    std::vector<FloatTensor> stored(const std::string& conv, const std::string& norm) const {
        return {{conv + ".weight", "[6,2,3,3]", weight},   {conv + ".bias", "[6]", bias},
                {norm + ".weight", "[6]", gamma},          {norm + ".bias", "[6]", beta},
                {norm + ".running_mean", "[6]", mean},     {norm + ".running_var", "[6]", variance},
                {norm + ".num_batches_tracked", "[]", {7}}};
    }
};

TEST_F(Diff, FoldedNormalizationsAreFound) {
    for (const bool isSwapped : {false, true}) {
        const FoldedModels models(1e-5);
        const ModelPtr source = model(models.stored("block.conv1", "block.bn1"));
        const ModelPtr folded =
            model({{"block.conv1.weight", "[6,2,3,3]", models.newWeight}, {"block.conv1.bias", "[6]", models.newBias}});
        const Comparison comparison = isSwapped ? compared(folded, source) : compared(source, folded);
        ASSERT_EQ(comparison.pairs.size(), 2u);
        for (const Pair& pair : comparison.pairs) {
            EXPECT_EQ(mappingText(pair.mapping), "folded");
            ASSERT_TRUE(pair.measures && pair.measures->relRmse);
            EXPECT_LT(*pair.measures->relRmse, 1e-6);
        }
        const auto parts = [&](std::size_t i) { return isSwapped ? comparison.pairs[i].b : comparison.pairs[i].a; };
        EXPECT_THAT(parts(0), ElementsAre("block.conv1.weight", "block.bn1.weight", "block.bn1.running_var"));
        EXPECT_THAT(parts(1), ElementsAre("block.bn1.bias", "block.bn1.running_mean", "block.conv1.bias"));
        EXPECT_THAT(isSwapped ? comparison.onlyB : comparison.onlyA, ElementsAre("block.bn1.num_batches_tracked"));
    }
}

// With other names, in the layout of another framework, and with Keras' epsilon.
TEST_F(Diff, FoldedNormalizationsAreFoundByContent) {
    const FoldedModels models(1e-3);
    std::vector<float> moved(models.newWeight.size()); // OIHW to OHWI
    for (std::size_t o = 0; o < 6; ++o)
        for (std::size_t i = 0; i < 2; ++i)
            for (std::size_t at = 0; at < 9; ++at) moved[(o * 9 + at) * 2 + i] = models.newWeight[(o * 2 + i) * 9 + at];
    const ModelPtr source = model(models.stored("features.0", "features.1"));
    const ModelPtr folded = model({{"487", "[6,3,3,2]", moved}, {"488", "[6]", models.newBias}});
    Options options;
    const Comparison comparison = compared(source, folded);
    ASSERT_EQ(comparison.pairs.size(), 2u);
    EXPECT_EQ(mappingText(comparison.pairs[0].mapping), "folded+axes");
    EXPECT_THAT(comparison.pairs[0].b, ElementsAre("487"));
    EXPECT_LT(comparison.pairs[0].measures->relRmse.value_or(1), 1e-6);
    EXPECT_EQ(mappingText(comparison.pairs[1].mapping), "folded");
    EXPECT_LT(comparison.pairs[1].measures->relRmse.value_or(1), 1e-6);

    // A saved map says the same again.
    const auto map = parseMapFile(mapFileText(comparison, {}), "map.json");
    ASSERT_TRUE(map);
    options.map = *map;
    const Comparison again = compared(source, folded, options);
    ASSERT_EQ(again.pairs.size(), 2u);
    EXPECT_EQ(mappingText(again.pairs[0].mapping), "folded+axes");
    EXPECT_EQ(again.pairs[0].measures->rmse, comparison.pairs[0].measures->rmse);
}

// Weights that were trained on, not folded, stay what they are.
TEST_F(Diff, UnfoldedWeightsAreNotCalledFolded) {
    const FoldedModels models(1e-5);
    auto tuned = models.weight;
    for (std::size_t i = 0; i < tuned.size(); ++i) tuned[i] += 0.1F * noise(1, static_cast<unsigned>(i))[0];
    const Comparison comparison = compared(model(models.stored("conv", "bn")),
                                           model({{"conv.weight", "[6,2,3,3]", tuned}, {"conv.bias", "[6]", models.bias}}));
    ASSERT_EQ(comparison.pairs.size(), 2u);
    for (const Pair& pair : comparison.pairs) EXPECT_EQ(mappingText(pair.mapping), "same");
    EXPECT_TRUE(comparison.pairs[1].isEqual);
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
