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
    expectRefusal({source, out, "--type", "Q4_K_M"}, 2, "wb quantize");
    expectRefusal({source, out, "--type", "F16", "--outtype", "f16"}, 2, "--outtype");
    expectRefusal({source, (folder.path() / "out.safetensors").string()}, 2, ".gguf");
    expectRefusal({source, out, "--report", out}, 2, "out.gguf");
    expectRefusal({(test::shared() / "arch/llama/model.gguf").string(), out}, 1, "model.gguf");
    expectRefusal({(test::shared() / "arch/gemma3/hf").string(), out}, 1, "LlamaForCausalLM");
    expectRefusal({(folder.path() / "none").string(), out}, 1, "none");
    EXPECT_FALSE(fs::exists(out));
}

} // namespace
} // namespace wb
