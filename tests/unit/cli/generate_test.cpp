// SPDX-License-Identifier: MIT
#include "tests/unit/cli/run_wb.h"

#include <gtest/gtest.h>

// The contract of `wb generate` (specs/cli.md), seen from outside.
namespace wb {
namespace {

using test::runWb;

std::string stories() { return (test::shared() / "corpus/llm/stories260K.gguf").string(); }

test::Finished generate(std::vector<std::string> more) {
    std::vector<std::string> words = {"generate", stories()};
    words.insert(words.end(), more.begin(), more.end());
    return runWb(words);
}

TEST(WbGenerate, streamsTheSameGreedyTextForAnySeedAndThreads) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const auto run = generate({"--prompt", "Once upon a time", "--temperature", "0", "--max-tokens", "20", "--seed", "1"});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(run.out.starts_with(", there was a little girl named Lily.")) << run.out;
    EXPECT_TRUE(run.out.ends_with('\n'));
    const auto other =
        generate({"--prompt", "Once upon a time", "--top-k", "1", "--max-tokens", "20", "--seed", "2", "--threads", "1"});
    EXPECT_EQ(other.out, run.out);
}

TEST(WbGenerate, printsOneDocument) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const auto run = generate(
        {"--prompt", "Once upon a time", "--temperature", "0", "--stop", "girl", "--json", "--seed", "5", "--context", "64"});
    ASSERT_EQ(run.status, 0) << run.err;
    const auto json = run.json();
    EXPECT_EQ(json["text"], ", there was a little ");
    EXPECT_EQ(json["stop"], "stop string");
    EXPECT_EQ(json["stop_string"], "girl");
    EXPECT_EQ(json["prompt_tokens"], 5);
    EXPECT_EQ(json["seed"], 5);
    EXPECT_EQ(json["device"], "cpu");
    EXPECT_EQ(json["context"], 64);
    EXPECT_GT(json["generate_tps"], 0);
    EXPECT_GT(json["ttft_ms"], 0);
}

TEST(WbGenerate, endsWithTheContext) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const auto json = generate({"--prompt", "Once upon a time", "--temperature", "0", "--context", "16", "--json"}).json();
    EXPECT_EQ(json["stop"], "context");
    EXPECT_TRUE(json["stop_string"].is_null());
}

TEST(WbGenerate, beginsWithTheFirstTokenWhereThePromptIsEmpty) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const auto json = generate({"--prompt", "", "--temperature", "0", "--max-tokens", "5", "--json"}).json();
    EXPECT_EQ(json["prompt_tokens"], 1);
    EXPECT_EQ(json["tokens"], 5);
}

TEST(WbGenerate, refusesInOneSentence) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const auto full = generate({"--prompt", "Once upon a time there was a dog", "--context", "8"});
    EXPECT_EQ(full.status, 1);
    EXPECT_EQ(full.errorLines(), 1);
    EXPECT_NE(full.err.find("context"), std::string::npos) << full.err;
    const auto large = generate({"--prompt", "Once", "--context", "5000"});
    EXPECT_EQ(large.status, 1);
    EXPECT_NE(large.err.find("context"), std::string::npos) << large.err;
}

TEST(WbGenerate, refusesWrongUsage) {
    EXPECT_EQ(generate({}).status, 2);
    EXPECT_EQ(generate({"--prompt", "x", "--top-k", "many"}).status, 2);
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    EXPECT_EQ(generate({"--prompt", "x", "--top-p", "2"}).status, 2);
    EXPECT_EQ(generate({"--prompt", "x", "--logit-bias", "one"}).status, 2);
}

} // namespace
} // namespace wb
