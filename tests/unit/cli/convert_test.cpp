// SPDX-License-Identifier: MIT
#include "tests/unit/cli/run_wb.h"

#include <gtest/gtest.h>

// wb convert as a user meets it; what the bytes are is tested in tests/unit/conversion.
namespace wb {
namespace {

namespace fs = std::filesystem;
using test::runWb;

class WbConvert : public testing::Test {
protected:
    void expectRefusal(std::vector<std::string> words, int status, const std::string& word) const {
        words.insert(words.begin(), "convert");
        const auto run = runWb(words);
        EXPECT_EQ(run.status, status) << run.err;
        EXPECT_EQ(run.errorLines(), 1) << run.err;
        EXPECT_NE(run.err.find(word), std::string::npos) << run.err;
    }

    test::TemporaryFolder folder;
    std::string source = (test::shared() / "arch/llama/hf").string();
    std::string out = (folder.path() / "out.gguf").string();
};

TEST_F(WbConvert, WritesWhatItPlanned) {
    WB_NEED_SHARED("arch");
    const auto planned = runWb({"convert", source, out, "--dry-run", "--json"});
    ASSERT_EQ(planned.status, 0) << planned.err;
    EXPECT_FALSE(fs::exists(out));
    const auto written = runWb({"convert", source, out, "--json"});
    ASSERT_EQ(written.status, 0) << written.err;
    EXPECT_EQ(planned.json()["files"][0]["bytes"], fs::file_size(out));
    EXPECT_EQ(planned.json()["pairs"], written.json()["pairs"]);
    EXPECT_EQ(planned.json()["tensors"].size(), written.json()["tensors"].size());
    EXPECT_EQ(written.json()["type"], "BF16");
    EXPECT_EQ(written.json()["files"][0]["sha256"].get<std::string>().size(), 64u);
    EXPECT_TRUE(test::readFile(out) == test::readFile(test::shared() / "arch/llama/model.gguf"));
    expectRefusal({source, out}, 1, "(--force).");
    EXPECT_EQ(runWb({"convert", source, out, "--force", "--outtype", "q8_0"}).status, 0);
}

TEST_F(WbConvert, RefusesInOneSentence) {
    WB_NEED_SHARED("arch");
    expectRefusal({source, out, "--outtype", "q3_k"}, 2, "q3_k");
    expectRefusal({source, out, "--type", "Q4_K_X"}, 2, "Q4_K_X");
    expectRefusal({source, out, "--pure"}, 2, "--type");
    expectRefusal({source, out, "--type", "Q4_K_M", "--imatrix", out}, 2, "out.gguf");
    expectRefusal({source, out, "--type", "F16", "--outtype", "f16"}, 2, "--outtype");
    expectRefusal({source, (folder.path() / "out.safetensors").string()}, 2, ".gguf");
    expectRefusal({source, out, "--report", out}, 2, "out.gguf");
    expectRefusal({(test::shared() / "arch/llama/model.gguf").string(), out}, 1, "model.gguf");
    expectRefusal({(test::shared() / "arch/lfm2/hf").string(), out}, 1, "short convolutions");
    expectRefusal({(folder.path() / "none").string(), out}, 1, "none");
    EXPECT_FALSE(fs::exists(out));
}

// One pass writes what two steps write, and plans the same bytes.
TEST_F(WbConvert, QuantizesInTheSamePass) {
    WB_NEED_SHARED("arch");
    const fs::path arch = test::shared() / "arch/qwen3-k256";
    const std::string two = (folder.path() / "two.gguf").string();
    for (const std::vector<std::string>& options : {std::vector<std::string>{"--type", "Q4_K_M"},
                                                    {"--type", "q8_0", "--override-kv", "general.name=str:Other"},
                                                    {"--type", "Q6_K", "--pure", "--tensor-type", "attn_v=q8_0"}}) {
        std::vector<std::string> words = {"convert", (arch / "hf").string(), out, "--json", "--force"};
        words.insert(words.end(), options.begin(), options.end());
        const auto one = runWb(words);
        ASSERT_EQ(one.status, 0) << one.err;
        std::vector<std::string> steps = {"quantize", (arch / "model.gguf").string(), two, options[1], "--force"};
        steps.insert(steps.end(), options.begin() + 2, options.end());
        ASSERT_EQ(runWb(steps).status, 0);
        EXPECT_TRUE(test::readFile(out) == test::readFile(two)) << options[1];
        words.push_back("--dry-run");
        const auto planned = runWb(words);
        ASSERT_EQ(planned.status, 0) << planned.err;
        EXPECT_EQ(planned.json()["pairs"], one.json()["pairs"]);
        EXPECT_EQ(planned.json()["bytes_out"], fs::file_size(out));
        EXPECT_FALSE(one.json()["tensors"][0]["rmse"].is_null());
    }
}

TEST_F(WbConvert, GoesByASavedPlan) {
    WB_NEED_SHARED("arch");
    const std::string hf = (test::shared() / "arch/qwen3-k256/hf").string(), plan = (folder.path() / "p.plan.json").string();
    const std::string again = (folder.path() / "again.gguf").string();
    for (const char* const type : {"Q4_K_M", "F16"}) {
        const auto saved = runWb({"convert", hf, out, "--type", type, "--model-name", "Own", "--save-plan", plan, "--force"});
        ASSERT_EQ(saved.status, 0) << saved.err;
        const auto done = runWb({"convert", hf, again, "--plan", plan, "--force"});
        ASSERT_EQ(done.status, 0) << done.err;
        EXPECT_TRUE(test::readFile(out) == test::readFile(again)) << type;
    }
    expectRefusal({hf, again, "--plan", plan, "--type", "F16"}, 2, "--plan");
    expectRefusal({source, again, "--plan", plan, "--force"}, 1, "hf");
}

TEST_F(WbConvert, TakesAnotherTemplate) {
    WB_NEED_SHARED("arch");
    const std::string file = folder.file("t.jinja", "{{ messages }}").string();
    ASSERT_EQ(runWb({"convert", source, out, "--template", file}).status, 0);
    const auto shown = runWb({"inspect", out, "--json"});
    EXPECT_NE(shown.out.find("{{ messages }}"), std::string::npos);
}

} // namespace
} // namespace wb
