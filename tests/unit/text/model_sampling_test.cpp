// SPDX-License-Identifier: MIT
#include "core/text/model_sampling.h"

#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

namespace wb::text {
namespace {

Model modelAt(const std::filesystem::path& path) {
    Model model;
    model.path = path.string();
    return model;
}

void advise(Model& model, std::string_view suffix, double number) {
    model.metadata.members.push_back({"general.sampling." + std::string(suffix), Value::ofFloat(ValueType::F32, number)});
}

TEST(ModelSampling, DefaultsOfTheProgramAreCalledSo) {
    const test::TemporaryFolder folder;
    const ModelSampling sampling = modelSampling(modelAt(folder.path() / "a.gguf"));
    EXPECT_EQ(sampling.source, SamplingSource::Defaults);
    EXPECT_EQ(sampling.options, SamplingOptions());
    EXPECT_FALSE(sampling.problem);
}

TEST(ModelSampling, ComesFromTheGguf) {
    const test::TemporaryFolder folder;
    folder.file("generation_config.json", R"({"temperature":0.9,"top_p":0.5})");
    Model model = modelAt(folder.path() / "a.gguf");
    advise(model, "temp", 0.25);
    advise(model, "top_k", 7);
    advise(model, "penalty_repeat", 1.125);
    const ModelSampling sampling = modelSampling(model);
    EXPECT_EQ(sampling.source, SamplingSource::Gguf);
    EXPECT_EQ(sampling.options.temperature, 0.25F);
    EXPECT_EQ(sampling.options.topK, 7);
    EXPECT_EQ(sampling.options.repeatPenalty, 1.125F);
    EXPECT_EQ(sampling.options.topP, SamplingOptions().topP); // the file decides alone
}

TEST(ModelSampling, ComesFromGenerationConfig) {
    const test::TemporaryFolder folder;
    folder.file("generation_config.json",
                R"({"do_sample":true,"temperature":0.7,"top_p":0.8,"top_k":20,"repetition_penalty":1.1,"eos_token_id":[1,2]})");
    for (const auto& path : {folder.path() / "a.gguf", folder.path()}) {
        const ModelSampling sampling = modelSampling(modelAt(path));
        EXPECT_EQ(sampling.source, SamplingSource::GenerationConfig);
        EXPECT_EQ(sampling.options.temperature, 0.7F);
        EXPECT_EQ(sampling.options.topP, 0.8F);
        EXPECT_EQ(sampling.options.topK, 20);
        EXPECT_EQ(sampling.options.repeatPenalty, 1.1F);
        EXPECT_EQ(sampling.options.minP, SamplingOptions().minP);
    }
}

TEST(ModelSampling, ConfigWithoutSamplingLeavesTheDefaults) {
    const test::TemporaryFolder folder;
    folder.file("generation_config.json", R"({"bos_token_id":1,"temperature":null,"top_k":"many"})");
    const ModelSampling sampling = modelSampling(modelAt(folder.path() / "a.gguf"));
    EXPECT_EQ(sampling.source, SamplingSource::Defaults);
    EXPECT_EQ(sampling.options, SamplingOptions());
}

// A file must not make every answer fail.
TEST(ModelSampling, NumbersOutsideTheirRangeAreReportedAndIgnored) {
    const test::TemporaryFolder folder;
    folder.file("generation_config.json", R"({"temperature":-3,"top_p":0.5,"top_k":1e30})");
    const ModelSampling sampling = modelSampling(modelAt(folder.path()));
    EXPECT_EQ(sampling.options.temperature, SamplingOptions().temperature);
    EXPECT_EQ(sampling.options.topK, SamplingOptions().topK);
    EXPECT_EQ(sampling.options.topP, 0.5F);
    ASSERT_TRUE(sampling.problem);
    EXPECT_NE(sampling.problem->message().find("generation_config.json"), std::string::npos);
    Model model = modelAt(folder.path() / "none" / "a.gguf");
    advise(model, "temp", std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(modelSampling(model).options, SamplingOptions());
    EXPECT_TRUE(modelSampling(model).problem);
}

TEST(ModelSampling, DamagedConfigIsReported) {
    for (const char* const text : {"{\"temperature\":", "[1]", "", "\xff"}) {
        const test::TemporaryFolder folder;
        folder.file("generation_config.json", text);
        const ModelSampling sampling = modelSampling(modelAt(folder.path() / "a.gguf"));
        EXPECT_EQ(sampling.options, SamplingOptions()) << text;
        ASSERT_TRUE(sampling.problem) << text;
        EXPECT_NE(sampling.problem->message().find("generation_config.json"), std::string::npos);
    }
}

} // namespace
} // namespace wb::text
