// SPDX-License-Identifier: MIT
#include "core/convert/merge/mergekit_file.h"
#include "core/formats/yaml/yaml.h"

#include <gtest/gtest.h>

namespace wb::convert {
namespace {

using merge::MergeMethod;

MergekitRecipe recipeFromText(const char* text) {
    const auto recipe = parseMergekit(text, "merge.yml", "/models");
    EXPECT_TRUE(recipe) << recipe.error().message();
    return recipe ? *recipe : MergekitRecipe();
}

// The forms of mergekit's own examples (examples/ties.yml, linear.yml, gradient-slerp.yml, orcamini-platy-44layer.yml).
TEST(Mergekit, ReadsItsConfigurations) {
    const MergekitRecipe ties = recipeFromText("models:\n"
                                               "  - model: a/one\n"
                                               "    parameters:\n"
                                               "      density: 0.5 # kept\n"
                                               "      weight: 0.3\n"
                                               "  - model: /other/two\n"
                                               "    parameters: {density: 0.5, weight: 1.0}\n"
                                               "merge_method: ties\n"
                                               "base_model: \"base model\"\n"
                                               "parameters:\n"
                                               "  normalize: true\n"
                                               "  int8_mask: true\n"
                                               "dtype: float16\n");
    EXPECT_EQ(ties.base, "/models/base model");
    EXPECT_EQ(ties.choices.models, (std::vector<std::string>{"/models/a/one", "/other/two"}));
    EXPECT_EQ(ties.choices.settings.method, MergeMethod::Ties);
    EXPECT_EQ(ties.choices.settings.weights, (std::vector<double>{0.3, 1}));
    EXPECT_EQ(ties.choices.settings.density, 0.5);
    EXPECT_EQ(ties.type, Dtype::F16);
    const MergekitRecipe linear = recipeFromText("merge_method: linear\nmodels:\n- model: a\n  parameters:\n    weight: 1.0\n"
                                                 "- model: b\n  parameters:\n    weight: 0.3\n");
    EXPECT_EQ(linear.base, "/models/a");
    EXPECT_EQ(linear.choices.settings.baseWeight, 1);
    EXPECT_EQ(linear.choices.settings.weights, std::vector<double>{0.3});
    const MergekitRecipe slerp = recipeFromText("slices:\n"
                                                "  - sources:\n"
                                                "      - model: a\n"
                                                "        layer_range: [0, 40]\n"
                                                "      - model: b\n"
                                                "        layer_range: [0, 40]\n"
                                                "merge_method: slerp\n"
                                                "base_model: a\n"
                                                "parameters:\n"
                                                "  t:\n"
                                                "    - filter: self_attn\n"
                                                "      value: [0, 0.5, 0.3, 0.7, 1]\n"
                                                "    - filter: mlp\n"
                                                "      value: [1, 0.5, 0.7, 0.3, 0]\n"
                                                "    - value: 0.5\n");
    EXPECT_EQ(slerp.choices.models, std::vector<std::string>{"/models/b"});
    ASSERT_EQ(slerp.choices.settings.rules.size(), 2);
    EXPECT_EQ(settingText(slerp.choices.settings.rules[0]), "self_attn:t=0,0.5,0.3,0.7,1");
    EXPECT_EQ(slerp.choices.settings.t, 0.5);
    const MergekitRecipe layers =
        recipeFromText("slices:\n- sources:\n  - model: a\n    layer_range: [0, 16]\n- sources:\n  - model: b\n"
                       "    layer_range: [8, 32]\nmerge_method: passthrough\n");
    EXPECT_EQ(settingText(layers.choices.settings.layers), "A:0-15,B:8-31");
}

TEST(Mergekit, ReadsAgainWhatItWrote) {
    for (const MergeMethod method : merge::mergeMethods()) {
        MergekitRecipe recipe;
        recipe.base = "/models/the \"base\"";
        recipe.choices.models = {"/models/one"};
        recipe.choices.settings.method = method;
        recipe.choices.settings.weights = {method == MergeMethod::Slerp || method == MergeMethod::Layers ? 1 : 0.25};
        if (merge::dropsDifferences(method)) recipe.choices.settings.density = 0.5;
        if (merge::dropsAtRandom(method)) recipe.choices.settings.rescale = merge::MergeRescale::L1;
        if (method == MergeMethod::Slerp) recipe.choices.settings.rules = {*merge::parseMergeRule("mlp:t=0,1")};
        else if (method != MergeMethod::Layers) recipe.choices.settings.normalizes = true;
        if (method == MergeMethod::Layers) recipe.choices.settings.layers = *merge::parseLayerSlices("A:0-3,B:2-5");
        recipe.choices.tokenizer = "/models/one";
        recipe.type = Dtype::BF16;
        const auto text = mergekitText(recipe);
        ASSERT_TRUE(text) << text.error().message();
        EXPECT_EQ(recipeFromText(text->c_str()), recipe) << *text;
    }
}

TEST(Mergekit, RefusesWhatItCannotExpress) {
    const auto refusal = [](const char* text) {
        const auto recipe = parseMergekit(text, "merge.yml", "/models");
        return recipe ? std::string() : recipe.error().message();
    };
    const std::string head = "base_model: a\nmodels:\n- model: b\n";
    EXPECT_NE(refusal((head + "merge_method: model_stock\n").c_str()).find("model_stock"), std::string::npos);
    EXPECT_NE(refusal((head + "  parameters: {density: [0, 1]}\nmerge_method: ties\n").c_str()).find("density"), std::string::npos);
    EXPECT_NE(refusal((head + "merge_method: ties\ntokenizer_source: union\n").c_str()).find("union"), 0);
    EXPECT_NE(refusal("merge_method: ties\n").find("models"), std::string::npos);
    EXPECT_NE(refusal("- 1\n").find("merge_method"), std::string::npos);
    EXPECT_NE(refusal("a: [1\n").find("line 1"), std::string::npos);
}

TEST(Yaml, ReadsConfigurations) {
    const auto value =
        yaml::parse("# c\n---\na: 1\nb: [x, 'y, z', {c: -2.5}]\nd:\n- e: \"q: #\"\n  f: ~\n-\n  g: true\nh: it's: no\n", "f");
    ASSERT_TRUE(value) << value.error().message();
    const ValueObject& root = *value->object();
    EXPECT_EQ(root.find("a")->unsignedNumber(), 1);
    const auto& list = root.find("b")->array()->first;
    ASSERT_EQ(list.size(), 3);
    EXPECT_EQ(*list[1].string(), "y, z");
    EXPECT_EQ(list[2].object()->find("c")->number(), -2.5);
    const auto& items = root.find("d")->array()->first;
    ASSERT_EQ(items.size(), 2);
    EXPECT_EQ(*items[0].object()->find("e")->string(), "q: #");
    EXPECT_EQ(items[0].object()->find("f")->type, ValueType::Null);
    EXPECT_EQ(std::get<bool>(items[1].object()->find("g")->data), true);
}

TEST(Yaml, RefusesWhatItDoesNotRead) {
    for (const char* const text :
         {"a: 1\na: 2\n", "a: &x 1\n", "a: |\n  text\n", "a: 'open\n", "a: [1, 2\n", "a: {b}\n", "\ta: 1\n", "a: 1\n  b: 2\n",
          "a\nb: 1\n", "a: \"\\q\"\n", "a: !t 1\n", "a: 1\n---\nb: 2\n", "a: \xff\n"})
        EXPECT_FALSE(yaml::parse(text, "f")) << text;
    EXPECT_FALSE(yaml::parse("a: " + std::string(100, '[') + std::string(100, ']'), "f"));
    std::string deep;
    for (std::size_t i = 0; i < 100; ++i) deep += std::string(i, ' ') + "a:\n";
    EXPECT_FALSE(yaml::parse(deep, "f"));
    EXPECT_FALSE(yaml::parse(std::string(2 << 20, ' '), "f"));
    EXPECT_TRUE(yaml::parse("", "f"));
}

} // namespace
} // namespace wb::convert
