// SPDX-License-Identifier: MIT
#include "tests/unit/cli/run_wb.h"

#include <gtest/gtest.h>

// The contract of `wb logits` (docs/reference/command_line.md), seen from outside.
namespace wb {
namespace {

using test::runWb;

std::string llama() { return (test::shared() / "arch/llama/model.gguf").string(); }

// Runs it on the tokens and gives what the file holds.
std::vector<float> moreLogits(const test::TemporaryFolder& folder, std::vector<std::string> more,
                              const std::string& tokens = "1,174,304,180") {
    const auto out = folder.path() / "out.f32";
    std::vector<std::string> words = {"logits", llama(), "--tokens", tokens, "--out", out.string(), "--force"};
    words.insert(words.end(), more.begin(), more.end());
    const auto run = runWb(words);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out + run.err, "");
    return test::readFloats(out);
}

TEST(WbLogits, WritesTheLastPositionOrAll) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder folder;
    const auto last = moreLogits(folder, {}), all = moreLogits(folder, {"--all"});
    ASSERT_EQ(last.size(), 512u);
    ASSERT_EQ(all.size(), 4u * 512);
    EXPECT_TRUE(std::equal(last.begin(), last.end(), all.end() - 512));
    const auto expected = test::readFloats(test::shared() / "arch/llama/logits.f32");
    for (std::size_t i = 0; i < all.size(); ++i) ASSERT_NEAR(all[i], expected[i], 0.01);
}

TEST(WbLogits, GivesTheSameBitsForAnyPrefillAndThreads) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder folder;
    const auto atOnce = moreLogits(folder, {"--all"});
    EXPECT_EQ(moreLogits(folder, {"--all", "--prefill", "1"}), atOnce);
    EXPECT_EQ(moreLogits(folder, {"--all", "--prefill", "3", "--threads", "1"}), atOnce);
}

TEST(WbLogits, WritesHiddenStates) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder folder;
    const auto hidden = folder.path() / "hidden.f32";
    moreLogits(folder, {"--hidden", hidden.string(), "--prefill", "2"});
    EXPECT_EQ(test::readFloats(hidden).size(), 4u * 4 * 64);
}

TEST(WbLogits, WritesThoseOfTheHeadThatPredictsAhead) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder folder;
    const auto model = (test::shared() / "arch/qwen35moe/model.gguf").string();
    const auto predicted = folder.path() / "predicted.f32", out = folder.path() / "out.f32";
    const auto run = runWb({"logits", model, "--tokens", "309,105,210,109,119,53", "--out", out.string(), "--mtp",
                            predicted.string(), "--prefill", "4"});
    ASSERT_EQ(run.status, 0) << run.err;
    const auto logits = test::readFloats(predicted), expected = test::readFloats(test::shared() / "arch/qwen35moe/mtp_logits.f32");
    ASSERT_EQ(logits.size(), 5u * 320);
    for (std::size_t i = 0; i < logits.size(); ++i) ASSERT_NEAR(logits[i], expected[i], 0.02) << i;
}

void expectRefusal(const std::vector<std::string>& words, const test::TemporaryFolder& folder, const char* word) {
    const auto run = runWb(words);
    EXPECT_EQ(run.status, 1) << word;
    EXPECT_EQ(run.errorLines(), 1) << run.err;
    EXPECT_NE(run.err.find(word), std::string::npos) << run.err;
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "out.f32")) << word;
}

TEST(WbLogits, RefusesInOneSentenceAndLeavesNoFile) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder folder;
    const std::string out = (folder.path() / "out.f32").string();
    expectRefusal({"logits", llama(), "--tokens", "1,512", "--out", out}, folder, "512");
    std::string many = "1";
    for (int i = 0; i < 512; ++i) many += ",2";
    expectRefusal({"logits", llama(), "--tokens", many, "--out", out}, folder, "context");
    auto bytes = test::readFile(llama());
    auto renamed = std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    renamed.replace(renamed.find("llama"), 5, "alpha"); // the value of general.architecture, which is the first key
    const auto other = folder.file("other.gguf", renamed);
    expectRefusal({"logits", other.string(), "--tokens", "1", "--out", out}, folder, "alpha");
    bytes.resize(bytes.size() - 1000);
    expectRefusal({"logits", llama(), "--tokens", "1,2", "--out", out, "--mtp", out + "2"}, folder, "multi-token prediction");
    expectRefusal({"logits", llama(), "--tokens", "1", "--out", out, "--mtp", out + "2"}, folder, "--mtp");
    const auto cut = folder.file("cut.gguf", std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    expectRefusal({"logits", cut.string(), "--tokens", "1", "--out", out}, folder, "cut.gguf");
}

TEST(WbLogits, RefusesWrongUsage) {
    EXPECT_EQ(runWb({"logits", "model.gguf", "--tokens", "", "--out", "out.f32"}).status, 2);
    EXPECT_EQ(runWb({"logits", "x.gguf", "--tokens", "one", "--out", "x"}).status, 2);
    EXPECT_EQ(runWb({"logits", "x.gguf", "--out", "x"}).status, 2);
}

} // namespace
} // namespace wb
