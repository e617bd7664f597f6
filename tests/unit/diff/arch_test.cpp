// SPDX-License-Identifier: MIT
#include "core/diff/diff.h"

#include "core/formats/open.h"
#include "tests/unit/support/support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

// Each GGUF file with the folder that the reference converter made it of: every tensor is found and equal after its transforms.
namespace wb::diff {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> archFolders() {
    std::vector<fs::path> folders;
    for (const auto& entry : fs::directory_iterator(test::shared() / "arch"))
        if (fs::exists(entry.path() / "model.gguf")) folders.push_back(entry.path());
    std::ranges::sort(folders);
    return folders;
}

ModelPtr opened(const fs::path& path) {
    auto model = formats::open(path, {});
    EXPECT_TRUE(model) << path;
    return model ? *model : nullptr;
}

// What the converter makes of numbers of config.json.
bool isGenerated(const std::string& name) { return name.starts_with("rope_"); }

// Folders that this program converts to the bytes of the reference (tests/unit/convert): their mapping is complete.
constexpr std::array converted = {
    "llama",    "llama31",       "llama-k256",     "mixtral",   "ministral3", "smollm3", "granite",   "granitemoe", "qwen2",
    "qwen2moe", "qwen3",         "qwen3-k256",     "qwen3moe",  "gemma",      "gemma2",  "gemma3",    "gemma4",     "phi2",
    "phi3",     "phi3-longrope", "gpt2",           "gpt-oss",   "glm4",       "glm4moe", "cohere",    "cohere2",    "exaone4",
    "olmo2",    "olmo3",         "starcoder2",     "stablelm",  "qwen3next",  "qwen35",  "qwen35moe", "qwen3vl",    "lfm2",
    "lfm2moe",  "minimax-m2",    "deepseek2-lite", "deepseek3", "glm47flash", "llama4"};

class ArchPairs : public testing::TestWithParam<bool> {};

TEST_P(ArchPairs, AreEqualAfterTheirTransforms) {
    WB_NEED_SHARED("arch");
    for (const char* const name : converted) {
        SCOPED_TRACE(name);
        const fs::path path = test::shared() / "arch" / name;
        const ModelPtr folder = opened(path / "hf"), gguf = opened(path / "model.gguf");
        ASSERT_TRUE(folder && gguf);
        const bool isFolderA = GetParam();
        const auto comparison = isFolderA ? compare(folder, gguf, {}) : compare(gguf, folder, {});
        ASSERT_TRUE(comparison) << comparison.error().message();
        for (const Pair& pair : comparison->pairs)
            EXPECT_TRUE(pair.isEqual) << pair.a.front() << " " << pair.b.front() << " " << mappingText(pair.mapping);
        for (const std::string& left : isFolderA ? comparison->onlyB : comparison->onlyA) EXPECT_TRUE(isGenerated(left)) << left;
        for (const std::string& left : isFolderA ? comparison->onlyA : comparison->onlyB)
            EXPECT_THAT(left, testing::HasSubstr("visual.")) << "only encoders of images are not converted";
        ASSERT_TRUE(comparison->tokenizer);
        EXPECT_TRUE(comparison->tokenizer->isEmpty());
        for (const ChangedKey& changed : comparison->metadata.changed)
            ADD_FAILURE() << changed.key << ": " << changed.a << " " << changed.b;
    }
}

// The others are matched by names, roles and content, as far as these reach.
TEST_P(ArchPairs, AreComparedWhereNoRulesExist) {
    WB_NEED_SHARED("arch");
    for (const fs::path& path : archFolders()) {
        if (std::ranges::find(converted, path.filename().string()) != converted.end()) continue;
        SCOPED_TRACE(path.filename().string());
        const ModelPtr folder = opened(path / "hf"), gguf = opened(path / "model.gguf");
        ASSERT_TRUE(folder && gguf);
        const auto comparison = GetParam() ? compare(folder, gguf, {}) : compare(gguf, folder, {});
        ASSERT_TRUE(comparison) << comparison.error().message();
        EXPECT_THAT(comparison->problems, testing::IsEmpty());
        EXPECT_GT(comparison->equalCount(), comparison->pairs.size() / 2);
    }
}

INSTANTIATE_TEST_SUITE_P(Sides, ArchPairs, testing::Bool(),
                         [](const auto& of) { return of.param ? "folder_first" : "gguf_first"; });

// Where no rules exist, the transforms of converters are found by trying them.
TEST(ArchMappings, AreDetectedWithoutRules) {
    WB_NEED_SHARED("arch");
    struct Expected {
        const char* folder;
        const char* gguf;
        const char* word;
        bool isExact; // an exponential differs by its last bits
    };
    for (const Expected& expected : {Expected{"nemotron_h", "blk.3.attn_q.weight", "permuted", true},
                                     {"nemotron_h", "blk.3.attn_k.weight", "permuted", true},
                                     {"nemotron_h", "blk.0.ssm_a", "negexp", false},
                                     {"qwen3next", "blk.0.attn_norm.weight", "shifted", true},
                                     {"minimax-m2", "blk.0.ffn_up_exps.weight", "stacked", true}}) {
        const ModelPtr folder = opened(test::shared() / "arch" / expected.folder / "hf");
        const ModelPtr gguf = opened(test::shared() / "arch" / expected.folder / "model.gguf");
        for (const bool isFolderA : {true, false}) {
            const auto comparison = isFolderA ? compare(folder, gguf, {}) : compare(gguf, folder, {});
            ASSERT_TRUE(comparison);
            const auto found = std::ranges::find_if(
                comparison->pairs, [&](const Pair& pair) { return (isFolderA ? pair.b : pair.a).front() == expected.gguf; });
            ASSERT_NE(found, comparison->pairs.end()) << expected.folder << " " << expected.gguf;
            const std::string word = !isFolderA && std::string_view(expected.word) == "stacked" ? "split" : expected.word;
            EXPECT_THAT(mappingText(found->mapping), testing::HasSubstr(word)) << expected.folder << " " << expected.gguf;
            if (expected.isExact) EXPECT_TRUE(found->isEqual) << expected.folder << " " << expected.gguf;
            else EXPECT_LT(*found->measures->relRmse, 1e-6) << expected.gguf;
        }
    }
}

TEST(ArchMappings, WordsTellTheTransforms) {
    WB_NEED_SHARED("arch");
    struct Expected {
        const char* folder;
        const char* gguf;
        const char* fromFolder;
        const char* fromGguf;
    };
    for (const Expected& expected : {Expected{"llama", "blk.0.attn_q.weight", "permuted", "permuted"},
                                     {"llama", "blk.0.attn_v.weight", "same", "same"},
                                     {"gemma", "blk.0.attn_norm.weight", "cast+shifted", "cast+shifted"},
                                     {"gpt2", "blk.0.attn_qkv.weight", "transposed", "transposed"},
                                     {"qwen3moe", "blk.0.ffn_up_exps.weight", "stacked", "split"},
                                     {"deepseek3", "blk.0.attn_k_b.weight", "transposed+split", "transposed+fused"}}) {
        const ModelPtr folder = opened(test::shared() / "arch" / expected.folder / "hf");
        const ModelPtr gguf = opened(test::shared() / "arch" / expected.folder / "model.gguf");
        for (const bool isFolderA : {true, false}) {
            const auto comparison = isFolderA ? compare(folder, gguf, {}) : compare(gguf, folder, {});
            ASSERT_TRUE(comparison);
            const auto found = std::ranges::find_if(
                comparison->pairs, [&](const Pair& pair) { return (isFolderA ? pair.b : pair.a).front() == expected.gguf; });
            ASSERT_NE(found, comparison->pairs.end()) << expected.gguf;
            EXPECT_EQ(mappingText(found->mapping), isFolderA ? expected.fromFolder : expected.fromGguf) << expected.gguf;
        }
    }
}

} // namespace
} // namespace wb::diff
