// SPDX-License-Identifier: MIT
#include "core/formats/gguf/gguf.h"
#include "tests/unit/support/support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace wb {
namespace {

using testing::IsEmpty;

constexpr auto strict = formats::Strictness::Strict;

ModelPtr openShared(const std::string& name, formats::Strictness strictness = strict) {
    formats::OpenOptions options;
    options.strictness = strictness;
    auto model = gguf::open(test::shared() / name, options);
    EXPECT_TRUE(model) << name << ": " << model.error().message();
    return model ? *model : std::make_shared<Model>();
}

std::string messages(const Model& model) {
    std::string out;
    for (const Problem& problem : model.problems) out += std::string(problem.code.id()) + ": " + problem.message() + '\n';
    return out;
}

TEST(GgufRealFiles, TrainedModelHasTheDocumentedFacts) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const auto model = openShared("corpus/llm/stories260K.gguf");
    EXPECT_EQ(model->format, FormatId::Gguf);
    EXPECT_EQ(model->version, "3");
    EXPECT_EQ(model->architecture, "llama");
    EXPECT_EQ(model->metadata.members.size(), 19u);
    ASSERT_EQ(model->tensors.size(), 48u);
    EXPECT_EQ(model->parameters(), 292'800u);
    EXPECT_EQ(model->tensorBytes(), 292'800u * 4);
    EXPECT_EQ(messages(*model), "");
    std::uint64_t firstByte = ~0ull;
    std::uint64_t end = 0;
    for (const TensorInfo& tensor : model->tensors) {
        firstByte = std::min(firstByte, *tensor.offset());
        end = std::max(end, *tensor.offset() + tensor.bytes());
    }
    EXPECT_EQ(firstByte, 14'176u);
    EXPECT_EQ(end, 1'185'376u);
}

TEST(GgufRealFiles, ShapesAreOutermostFirst) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const auto model = openShared("corpus/llm/stories260K.gguf");
    const auto down = std::ranges::find(model->tensors, "blk.0.ffn_down.weight", &TensorInfo::name);
    ASSERT_NE(down, model->tensors.end());
    EXPECT_EQ(down->shape.toString(), "[64, 172]");
}

TEST(GgufRealFiles, LongArraysAreReadInSlices) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const auto model = openShared("corpus/llm/stories260K.gguf");
    const auto* tokens = model->metadata.find("tokenizer.ggml.tokens")->array();
    EXPECT_EQ(tokens->count, 512u);
    EXPECT_EQ(tokens->first.size(), 16u);
    const auto all = gguf::readArray(*model, "tokenizer.ggml.tokens", 0, 512);
    ASSERT_TRUE(all);
    for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(*(*all)[i].string(), *tokens->first[i].string());
    const auto last = gguf::readArray(*model, "tokenizer.ggml.tokens", 511, 1);
    ASSERT_TRUE(last);
    EXPECT_EQ(*last->front().string(), *all->back().string());
    EXPECT_FALSE(gguf::readArray(*model, "tokenizer.ggml.tokens", 500, 13));
    EXPECT_FALSE(gguf::readArray(*model, "no such key", 0, 1));
}

TEST(GgufRealFiles, VocabulariesOpenWithoutTensors) {
    WB_NEED_SHARED("golden/tokenizers");
    for (const char* name :
         {"bert-bge", "deepseek-llm", "falcon", "gpt-2", "llama-bpe", "llama-spm", "phi-3", "qwen2", "starcoder"}) {
        const auto model = openShared(std::string("golden/tokenizers/ggml-vocab-") + name + ".gguf");
        EXPECT_THAT(model->tensors, IsEmpty()) << name;
        EXPECT_EQ(messages(*model), "") << name;
        EXPECT_GT(model->metadata.find("tokenizer.ggml.tokens")->array()->count, 30'000u) << name;
    }
}

TEST(GgufRealFiles, EveryArchitectureOpensStrictlyWithoutProblems) {
    WB_NEED_SHARED("arch");
    unsigned opened = 0;
    for (const auto& folder : std::filesystem::directory_iterator(test::shared() / "arch")) {
        if (!std::filesystem::exists(folder.path() / "model.gguf")) continue;
        const auto name = folder.path().filename().string();
        const auto model = openShared("arch/" + name + "/model.gguf");
        EXPECT_FALSE(model->tensors.empty()) << name;
        EXPECT_TRUE(model->architecture) << name;
        EXPECT_EQ(messages(*model), "") << name;
        ++opened;
    }
    EXPECT_GE(opened, 38u);
}

} // namespace
} // namespace wb
