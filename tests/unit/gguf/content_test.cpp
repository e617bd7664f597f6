// SPDX-License-Identifier: MIT
#include "tests/unit/gguf/opening.h"

namespace wb {
namespace {

using namespace test;
using Builder = GgufBuilder;
using testing::Contains;
using testing::IsEmpty;

constexpr std::uint32_t f32 = 0;

Builder llama() {
    Builder builder;
    builder.pair("general.architecture", "llama");
    return builder;
}

std::vector<std::string> problemsIn(const Builder& builder) {
    const auto opened = openStrict(builder.build());
    EXPECT_TRUE(opened) << opened.error().message();
    return opened ? openingProblems(**opened) : std::vector<std::string>();
}

Builder& scores(Builder& builder, std::uint64_t count) {
    return builder.pair("tokenizer.ggml.scores", Builder::Array,
                        builder.arrayHead(Builder::F32, count) + std::string(count * 4, '\0'));
}

TEST(GgufContent, ScoresForEveryTokenAreExpected) {
    Builder right = llama().texts("tokenizer.ggml.tokens", {"a", "b"});
    EXPECT_THAT(problemsIn(scores(right, 2)), IsEmpty());
    Builder wrong = llama().texts("tokenizer.ggml.tokens", {"a", "b"});
    EXPECT_THAT(problemsIn(scores(wrong, 3)), Contains("warning gguf.vocabulary"));
    Builder alone = llama();
    EXPECT_THAT(problemsIn(scores(alone, 3)), Contains("warning gguf.vocabulary"));
}

TEST(GgufContent, BlockCountMatchesTheNames) {
    const auto model = [](std::uint32_t count) {
        return llama().pair("llama.block_count", count).tensor("blk.1.x", {1}, f32, "1234");
    };
    EXPECT_THAT(problemsIn(model(2)), IsEmpty());
    EXPECT_THAT(problemsIn(model(1)), Contains("warning gguf.blocks"));
    EXPECT_THAT(problemsIn(model(3)), Contains("warning gguf.blocks"));
    EXPECT_THAT(problemsIn(model(3).pair("llama.nextn_predict_layers", 1)), IsEmpty());
}

TEST(GgufContent, HyperparametersThatNoLoaderTakesAreWarnings) {
    EXPECT_THAT(problemsIn(llama().pair("llama.attention.head_count", 4'000'000'000u)), Contains("warning gguf.hyperparameters"));
    EXPECT_THAT(problemsIn(llama().pair("llama.expert_count", 4).pair("llama.expert_used_count", 8)),
                Contains("warning gguf.hyperparameters"));
}

TEST(GgufContent, FileTypeThatNoTensorHasIsANote) {
    const auto model = [](std::uint32_t type) { return llama().pair("general.file_type", type).tensor("a", {1}, f32, "1234"); };
    EXPECT_THAT(problemsIn(model(0)), IsEmpty());
    EXPECT_THAT(problemsIn(model(1024)), IsEmpty());
    EXPECT_THAT(problemsIn(model(15)), Contains("note gguf.file_type"));
    EXPECT_THAT(problemsIn(model(9999)), IsEmpty());
}

TEST(GgufContent, QuantizedTensorsNeedTheirVersion) {
    const std::string block(34, '\0');
    EXPECT_THAT(problemsIn(llama().tensor("a", {32}, 8, block)), Contains("note gguf.quantization_version"));
    EXPECT_THAT(problemsIn(llama().pair("general.quantization_version", 2).tensor("a", {32}, 8, block)), IsEmpty());
}

TEST(GgufContent, ArchitectureIsExpected) { EXPECT_THAT(problemsIn(Builder().pair("k", 1)), Contains("note gguf.architecture")); }

} // namespace
} // namespace wb
