// SPDX-License-Identifier: MIT
#include "tests/unit/cli/run_wb.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

// What wb convert and wb merge do not do yet is refused in one line that says what it is, and nothing is written.
namespace wb {
namespace {

namespace fs = std::filesystem;
using test::runWb;

class WbRefusals : public testing::Test {
protected:
    void expectRefusal(const std::vector<std::string>& words, int status, const std::string& word) const {
        const auto run = runWb(words);
        EXPECT_EQ(run.status, status) << run.err;
        EXPECT_EQ(run.errorLines(), 1) << run.err;
        EXPECT_NE(run.err.find(word), std::string::npos) << run.err << " is missing " << word;
        EXPECT_TRUE(run.out.empty()) << run.out;
        EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 0);
    }
    std::string target(const char* name) const { return (folder.path() / name).string(); }
    static std::string fixture(const std::string& name) { return (test::shared() / "fixtures" / name).string(); }
    static std::vector<std::string> foldersFromName(const std::string& name) {
        std::vector<std::string> folders;
        for (const auto& entry : fs::directory_iterator(test::shared() / "fixtures" / name))
            if (entry.is_directory()) folders.push_back(entry.path().string());
        std::ranges::sort(folders);
        return folders;
    }

    test::TemporaryFolder folder;
};

TEST_F(WbRefusals, FamiliesByTheirClass) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder copies;
    const fs::path model = copies.path() / "model";
    const std::pair<const char*, const char*> refused[] = {{"T5ForConditionalGeneration", "docs/convert.md"},
                                                           {"LlamaForSequenceClassification", "LlamaForCausalLM"},
                                                           {"", "docs/convert.md"}};
    for (const auto& [name, word] : refused) {
        fs::remove_all(model);
        fs::copy(test::shared() / "arch/llama/hf", model);
        auto config = nlohmann::json::parse(std::ifstream(test::shared() / "arch/llama/hf/config.json"));
        config["architectures"] = *name ? nlohmann::json{name} : nlohmann::json::array();
        fs::permissions(model / "config.json", fs::perms::owner_all);
        std::ofstream(model / "config.json") << config;
        expectRefusal({"convert", model.string(), target("o.gguf")}, 1, word);
        expectRefusal({"convert", model.string(), target("o.gguf"), "--dry-run"}, 1, word);
    }
}

TEST_F(WbRefusals, CheckpointsWithAMissingRank) {
    WB_NEED_SHARED("fixtures/distributed");
    const std::pair<const char*, const char*> removed[] = {
        {"zero1_w2_fp32", "global_step3/zero_pp_rank_1_mp_rank_00_optim_states.pt"},
        {"zero3_w2_bf16", "global_step3/bf16_zero_pp_rank_0_mp_rank_00_optim_states.pt"},
        {"megatron_tp2_pp2", "iter_0000050/mp_rank_01_001/model_optim_rng.pt"},
        {"dcp_fsdp2_w2", "__1_0.distcp"}};
    const test::TemporaryFolder copies;
    for (const auto& [name, file] : removed) {
        const fs::path copy = copies.path() / name;
        fs::copy(fixture(std::string("distributed/") + name), copy, fs::copy_options::recursive);
        for (const auto& entry : fs::recursive_directory_iterator(copy)) fs::permissions(entry.path(), fs::perms::owner_all);
        fs::remove(copy / file);
        const std::string word = std::string(name).starts_with("megatron") ? "mp_rank_01_001" : fs::path(file).filename().string();
        expectRefusal({"convert", copy.string(), target("o.safetensors")}, 1, word);
    }
}

TEST_F(WbRefusals, AdaptersOfAnotherModel) {
    WB_NEED_SHARED("fixtures/torch/peft");
    for (const char* const name : {"dora_gpt2", "lora_gpt2_fan_in", "lora_moe_parameters"}) {
        const std::string adapter = fixture(std::string("torch/peft/") + name), base = fixture("torch/peft/base_llama");
        expectRefusal({"merge", base, target("o"), "--adapter", adapter}, 1, "another model");
    }
}

TEST_F(WbRefusals, WritingOnnxAndVendorFormats) {
    WB_NEED_SHARED("arch");
    const std::string source = (test::shared() / "arch/llama/hf").string();
    for (const char* const name : {"onnx", "npz"}) expectRefusal({"convert", source, target("o"), "--to", name}, 2, name);
    for (const char* const name : {"tensorrt", "coreml", "tflite"})
        expectRefusal({"convert", source, target("o"), "--to", name}, 1, "hf");
    expectRefusal({"convert", source, target("o.onnx")}, 2, "--graph");
    expectRefusal({"convert", source, target("o"), "--graph", "g.onnx"}, 2, "--graph");
    expectRefusal({"convert", source, target("o.gguf"), "--with-optimizer"}, 2, "--with-optimizer");
}

TEST_F(WbRefusals, MergingModelsByTheOption) {
    WB_NEED_SHARED("arch");
    const std::string source = (test::shared() / "arch/llama/hf").string(), other = (test::shared() / "arch/qwen2/hf").string();
    const auto refuse = [&](std::vector<std::string> more, const char* word) {
        std::vector<std::string> words = {"merge", source, target("o")};
        words.insert(words.end(), more.begin(), more.end());
        expectRefusal(words, 2, word);
    };
    refuse({}, "--adapter");
    refuse({"--method", "linear"}, "--with");
    refuse({"--with", source}, "--method");
    refuse({"--with", source, "--method", "mean"}, "mean");
    refuse({"--with", source, "--method", "linear", "--adapter", source}, "--adapter");
    refuse({"--with", source, "--with", source, "--method", "slerp", "--t", "0.5"}, "slerp");
    refuse({"--with", source, "--method", "slerp"}, "--t");
    refuse({"--with", source, "--method", "slerp", "--t", "1.5"}, "1.5");
    refuse({"--with", source, "--method", "linear", "--density", "1"}, "--density");
    refuse({"--with", source, "--method", "ties", "--density", "0"}, "density");
    refuse({"--with", source, "--method", "layers"}, "layers");
    refuse({"--with", source, "--method", "ties", "--layers", "A:0-1"}, "--layers");
    refuse({"--with", source, "--method", "linear", "--rule", "mlp:height=1"}, "mlp:height=1");
    refuse({"--with", source, "--method", "linear", "--rule", "mlp:weight="}, "mlp:weight=");
    refuse({"--with", source + "=-1", "--method", "linear"}, "add up to 0");
    refuse({"--with", source, "--method", "linear", "--normalize", "maybe"}, "--normalize");
    expectRefusal({"merge", source, target("o"), "--with", other, "--method", "linear"}, 1, "qwen2");
    expectRefusal({"merge", source, target("o.gguf"), "--with", other, "--method", "linear"}, 1, "qwen2");
    expectRefusal({"merge", source, target("o"), "--with", target("none"), "--method", "linear"}, 1, "none");
}

} // namespace
} // namespace wb
