// SPDX-License-Identifier: MIT
#include "tests/unit/convert/folder.h"

#include "core/convert/gguf/convert_run.h"
#include "core/formats/open.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>

namespace wb::convert {
namespace {

using nlohmann::json;

constexpr std::uint64_t vocabulary = 8, width = 8, heads = 2, layers = 2, feedForward = 16;

std::string config() {
    return json{{"architectures", {"LlamaForCausalLM"}},
                {"model_type", "llama"},
                {"bos_token_id", 6},
                {"eos_token_id", 7},
                {"hidden_size", width},
                {"intermediate_size", feedForward},
                {"max_position_embeddings", 64},
                {"num_attention_heads", heads},
                {"num_hidden_layers", layers},
                {"num_key_value_heads", 1},
                {"rms_norm_eps", 1e-5},
                {"rope_theta", 10000.0},
                {"tie_word_embeddings", true},
                {"vocab_size", vocabulary}}
        .dump(1);
}

std::string tokenizer() {
    const json added = {{{"id", 6}, {"content", "<s>"}, {"special", true}}, {{"id", 7}, {"content", "</s>"}, {"special", true}}};
    const json words = {{"a", 0}, {"b", 1}, {"c", 2}, {"ab", 3}, {"abc", 4}};
    const json model = {{"type", "BPE"}, {"vocab", words}, {"merges", {"a b", "ab c"}}};
    return json{{"added_tokens", added},
                {"pre_tokenizer", {{"type", "ByteLevel"}, {"use_regex", true}}},
                {"post_processor", nullptr},
                {"model", model}}
        .dump();
}

// Tensors of F16 whose values count up.
std::string weights() {
    std::vector<std::pair<std::string, std::vector<std::uint64_t>>> tensors = {{"model.embed_tokens.weight", {vocabulary, width}}};
    for (std::uint64_t i = 0; i < layers; ++i) {
        const std::string layer = fmt::format("model.layers.{}.", i);
        tensors.push_back({layer + "input_layernorm.weight", {width}});
        tensors.push_back({layer + "mlp.down_proj.weight", {width, feedForward}});
        tensors.push_back({layer + "mlp.gate_proj.weight", {feedForward, width}});
        tensors.push_back({layer + "mlp.up_proj.weight", {feedForward, width}});
        tensors.push_back({layer + "post_attention_layernorm.weight", {width}});
        tensors.push_back({layer + "self_attn.k_proj.weight", {width / heads, width}});
        tensors.push_back({layer + "self_attn.o_proj.weight", {width, width}});
        tensors.push_back({layer + "self_attn.q_proj.weight", {width, width}});
        tensors.push_back({layer + "self_attn.v_proj.weight", {width / heads, width}});
    }
    tensors.push_back({"model.norm.weight", {width}});
    json header;
    std::string data;
    for (const auto& [name, shape] : tensors) {
        std::uint64_t elements = 1;
        for (const std::uint64_t n : shape) elements *= n;
        header[name] = {{"dtype", "F16"}, {"shape", shape}, {"data_offsets", {data.size(), data.size() + 2 * elements}}};
        for (std::uint64_t i = 0; i < elements; ++i) {
            data += static_cast<char>(i % 251);
            data += static_cast<char>(0x30 + i % 8);
        }
    }
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');
    const std::uint64_t length = text.size();
    return std::string(reinterpret_cast<const char*>(&length), sizeof length) + text + data;
}

} // namespace

std::string fileText(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::filesystem::path archFolder(const std::string& name) { return test::shared() / "arch" / name / "hf"; }

Result<ConvertPlan> planFolder(const std::filesystem::path& folder, const ConvertRequest& request) {
    formats::OpenOptions options;
    options.strictness = formats::Strictness::Strict;
    WB_TRY_ASSIGN(ModelPtr model, formats::open(folder, options));
    return planConvert(std::move(model), request);
}

void convertFolder(const std::filesystem::path& folder, const std::filesystem::path& target, const ConvertRequest& request) {
    const auto plan = planFolder(folder, request);
    ASSERT_TRUE(plan) << plan.error().message();
    const auto outcome = runConvert(*plan, target, {}, {});
    ASSERT_TRUE(outcome) << outcome.error().message();
    EXPECT_EQ(std::filesystem::file_size(target), plan->fileBytes);
}

SmallFolder::SmallFolder(const std::function<void(const std::string&, std::string&)>& edit) {
    std::pair<std::string, std::string> files[] = {{"config.json", config()},
                                                   {"tokenizer.json", tokenizer()},
                                                   {"tokenizer_config.json", R"({"bos_token": "<s>", "eos_token": "</s>"})"},
                                                   {"model.safetensors", weights()}};
    for (auto& [name, text] : files) {
        if (edit) edit(name, text);
        folder.file(name, text);
    }
}

} // namespace wb::convert
