// SPDX-License-Identifier: MIT
#include "tests/unit/cli/run_wb.h"

#include <gtest/gtest.h>

// Real files through the whole program: every one opens, its statistics are complete, and the document is valid.
namespace wb {
namespace {

namespace fs = std::filesystem;

void expectComplete(const nlohmann::json& document, const std::string& what) {
    ASSERT_FALSE(document.is_discarded()) << what;
    std::uint64_t stored = 0;
    for (const auto& tensor : document["tensors"]) {
        const auto& stats = tensor["stats"];
        ASSERT_FALSE(stats.is_null()) << what << " " << tensor["name"];
        EXPECT_EQ(stats["count"], tensor["elements"]) << what << " " << tensor["name"];
        std::uint64_t binned = 0;
        if (!stats["histogram"].is_null())
            for (const auto& count : stats["histogram"]["counts"]) binned += count.get<std::uint64_t>();
        EXPECT_EQ(binned + stats["nan"].get<std::uint64_t>() + stats["inf"].get<std::uint64_t>(), tensor["elements"]) << what;
        if (!tensor["logical"].get<bool>()) stored += tensor["elements"].get<std::uint64_t>();
    }
    EXPECT_EQ(document["stored_parameters"], stored) << what;
}

nlohmann::json inspect(const fs::path& path) {
    const auto run = test::runWb({"inspect", path.string(), "--json", "--stats"});
    EXPECT_EQ(run.status, 0) << path << " " << run.err;
    return run.json();
}

TEST(RealFiles, StoriesHasItsFacts) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const auto document = inspect(test::shared() / "corpus/llm/stories260K.gguf");
    expectComplete(document, "stories260K");
    EXPECT_EQ(document["tensors"].size(), 48u);
    EXPECT_EQ(document["parameters"], 292800);
    EXPECT_EQ(document["metadata"].size(), 19u);
}

TEST(RealFiles, MnistOpens) {
    WB_NEED_SHARED("corpus/burn/mnist.safetensors");
    const auto document = inspect(test::shared() / "corpus/burn/mnist.safetensors");
    expectComplete(document, "mnist");
    EXPECT_EQ(document["tensors"].size(), 20u);
}

TEST(RealFiles, VocabulariesOpen) {
    WB_NEED_SHARED("golden/tokenizers");
    int files = 0;
    for (const auto& entry : fs::directory_iterator(test::shared() / "golden/tokenizers")) {
        if (entry.path().extension() != ".gguf") continue;
        const auto document = inspect(entry.path());
        EXPECT_TRUE(document["tensors"].empty());
        EXPECT_FALSE(document["metadata"].empty()) << entry.path();
        ++files;
    }
    EXPECT_EQ(files, 9);
}

TEST(RealFiles, EveryArchitectureOpensInBothFormats) {
    WB_NEED_SHARED("arch");
    int families = 0;
    for (const auto& entry : fs::directory_iterator(test::shared() / "arch")) {
        if (!entry.is_directory()) continue;
        const auto gguf = inspect(entry.path() / "model.gguf");
        const auto folder = inspect(entry.path() / "hf");
        expectComplete(gguf, entry.path().string());
        expectComplete(folder, entry.path().string());
        EXPECT_FALSE(gguf["architecture"].is_null()) << entry.path();
        EXPECT_FALSE(folder["architecture"].is_null()) << entry.path();
        ++families;
    }
    EXPECT_GE(families, 38);
}

// Two files are harmless; what a pickle of objects would call is its verdict, and what is no model is refused in one sentence.
TEST(RealFiles, HostilePicklesAreJudgedOrRefused) {
    WB_NEED_SHARED("corpus/picklescan/data");
    int judged = 0;
    for (const auto& entry : fs::directory_iterator(test::shared() / "corpus/picklescan/data")) {
        if (!entry.is_regular_file()) continue;
        const std::string name = entry.path().filename().string();
        const auto run = test::runWb({"inspect", entry.path().string(), "--json"});
        if (run.status == 0) {
            const auto document = nlohmann::json::parse(run.out);
            const bool isHarmless = name == "pytorch_model.bin" || name == "benign0_v3.pkl";
            EXPECT_EQ(document["verdict"], isHarmless ? "clean" : "dangerous") << name;
            EXPECT_EQ(document["tensors"].size(), name == "pytorch_model.bin" ? 38u : 0u) << name;
            ++judged;
            continue;
        }
        EXPECT_EQ(run.status, 1) << name;
        EXPECT_EQ(run.errorLines(), 1) << name;
        EXPECT_EQ(run.out, "") << name;
        EXPECT_NE(run.err.find(name), std::string::npos) << run.err;
    }
    EXPECT_EQ(judged, 16);
}

} // namespace
} // namespace wb
