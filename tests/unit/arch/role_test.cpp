// SPDX-License-Identifier: MIT
#include "core/arch/role.h"

#include "core/arch/part_table.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace wb::arch {
namespace {

std::vector<std::string> lines(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::vector<std::string> out;
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
}

std::vector<std::string> words(std::string_view text) {
    std::istringstream in{std::string(text)};
    std::vector<std::string> out;
    for (std::string word; in >> word;) out.push_back(word);
    return out;
}

std::vector<RolePart> allParts() {
    std::vector<RolePart> all;
    for (const auto& table : {transformerParts(), recurrentParts(), diffusionParts()})
        all.insert(all.end(), table.begin(), table.end());
    return all;
}

// The names lie in tests/data/arch: one of each kind from 38 families, and the parts of diffusion pipelines.
class RoleOfList : public testing::TestWithParam<const char*> {};

TEST_P(RoleOfList, KnowsRoleAndPartOfEveryName) {
    const auto names = lines(test::data() / "arch" / GetParam());
    ASSERT_GT(names.size(), 50u);
    for (const std::string& name : names) {
        EXPECT_NE(tensorRole(name, ""), Role::Other) << name;
        EXPECT_NE(tensorPart(name, ""), "") << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Spellings, RoleOfList, testing::Values("gguf_names.txt", "huggingface_names.txt", "diffusers_names.txt"));

struct Pair {
    const char* gguf;
    const char* huggingface;
    Role role;
    const char* part;
};

constexpr Pair sharedPairs[] = {
    {"token_embd.weight", "model.embed_tokens.weight", Role::Embedding, "token_embd"},
    {"output.weight", "lm_head.weight", Role::Output, "output"},
    {"output_norm.weight", "model.norm.weight", Role::Norm, "output_norm"},
    {"blk.7.attn_norm.weight", "model.layers.7.input_layernorm.weight", Role::Norm, "attn_norm"},
    {"blk.7.ffn_norm.weight", "model.layers.7.post_attention_layernorm.weight", Role::Norm, "ffn_norm"},
    {"blk.7.attn_output.weight", "model.layers.7.self_attn.o_proj.weight", Role::Attention, "attn_out"},
    {"blk.7.ffn_down.weight", "model.layers.7.mlp.down_proj.weight", Role::Mlp, "ffn_down"},
};

void expectPair(const Pair& pair, const char* ggufArchitecture, const char* className) {
    for (const auto& [name, architecture] : {std::pair{pair.gguf, ggufArchitecture}, std::pair{pair.huggingface, className}}) {
        EXPECT_EQ(tensorRole(name, architecture), pair.role) << name;
        EXPECT_EQ(tensorPart(name, architecture), pair.part) << name;
    }
    EXPECT_EQ(tensorLayer(pair.gguf), tensorLayer(pair.huggingface)) << pair.gguf;
}

TEST(Role, GgufAndHuggingFaceAgreeOnLlamaAndQwen3) {
    constexpr Pair own[] = {
        {"blk.0.attn_q.weight", "model.layers.0.self_attn.q_proj.weight", Role::Attention, "attn_q"},
        {"blk.0.attn_k.weight", "model.layers.0.self_attn.k_proj.weight", Role::Attention, "attn_k"},
        {"blk.0.attn_v.bias", "model.layers.0.self_attn.v_proj.bias", Role::Attention, "attn_v"},
        {"blk.0.attn_q_norm.weight", "model.layers.0.self_attn.q_norm.weight", Role::Norm, "attn_q_norm"},
        {"blk.0.attn_k_norm.weight", "model.layers.0.self_attn.k_norm.weight", Role::Norm, "attn_k_norm"},
        {"blk.31.ffn_gate.weight", "model.layers.31.mlp.gate_proj.weight", Role::Mlp, "ffn_gate"},
        {"blk.31.ffn_up.weight", "model.layers.31.mlp.up_proj.weight", Role::Mlp, "ffn_up"},
    };
    for (const Pair& pair : sharedPairs) expectPair(pair, "llama", "LlamaForCausalLM");
    for (const Pair& pair : own) expectPair(pair, "qwen3", "Qwen3ForCausalLM");
}

TEST(Role, GgufAndHuggingFaceAgreeOnMixtral) {
    constexpr Pair own[] = {
        {"blk.3.ffn_gate_inp.weight", "model.layers.3.block_sparse_moe.gate.weight", Role::Router, "ffn_gate_inp"},
        {"blk.3.ffn_gate_exps.weight", "model.layers.3.block_sparse_moe.experts.5.w1.weight", Role::Experts, "ffn_gate_exps"},
        {"blk.3.ffn_down_exps.weight", "model.layers.3.block_sparse_moe.experts.5.w2.weight", Role::Experts, "ffn_down_exps"},
        {"blk.3.ffn_up_exps.weight", "model.layers.3.block_sparse_moe.experts.5.w3.weight", Role::Experts, "ffn_up_exps"},
    };
    for (const Pair& pair : own) expectPair(pair, "llama", "MixtralForCausalLM");
}

TEST(Role, GgufAndHuggingFaceAgreeOnPhi3) {
    constexpr Pair own[] = {
        {"blk.3.attn_qkv.weight", "model.layers.3.self_attn.qkv_proj.weight", Role::Attention, "attn_qkv"},
        {"blk.3.ffn_up.weight", "model.layers.3.mlp.gate_up_proj.weight", Role::Mlp, "ffn_up"},
    };
    for (const Pair& pair : sharedPairs) expectPair(pair, "phi3", "Phi3ForCausalLM");
    for (const Pair& pair : own) expectPair(pair, "phi3", "Phi3ForCausalLM");
}

TEST(Role, FamiliesDecideWhatAWordMeans) {
    constexpr const char* name = "model.layers.1.post_attention_layernorm.weight";
    EXPECT_EQ(tensorPart(name, "Gemma2ForCausalLM"), "post_attention_norm");
    EXPECT_EQ(tensorPart(name, "gemma3_text"), "post_attention_norm");
    EXPECT_EQ(tensorPart(name, "GptOssForCausalLM"), "post_attention_norm");
    EXPECT_EQ(tensorPart(name, "gpt_oss"), "post_attention_norm");
    EXPECT_EQ(tensorPart(name, "GemmaForCausalLM"), "ffn_norm");
    EXPECT_EQ(tensorPart(name, "glm4"), "ffn_norm");
    EXPECT_EQ(tensorRole("blk.1.attn_qkv.weight", "qwen35"), Role::Recurrent);
    EXPECT_EQ(tensorRole("blk.1.attn_qkv.weight", "phi3"), Role::Attention);
}

TEST(Role, LooksThroughQuantizationAndAdapterSpellings) {
    EXPECT_EQ(tensorPart("model.layers.0.self_attn.q_proj.qweight", ""), "attn_q");
    EXPECT_EQ(tensorPart("model.layers.0.mlp.down_proj.weight_scale_inv", ""), "ffn_down");
    EXPECT_EQ(tensorPart("model.layers.0.mlp.experts.down_proj_blocks", ""), "ffn_down_exps");
    EXPECT_EQ(tensorPart("base_model.model.model.layers.0.self_attn.v_proj.lora_A.default.weight", ""), "attn_v");
}

TEST(Role, FallsBackToTellingWords) {
    EXPECT_EQ(tensorRole("encoder.layer_norm_x.weight", ""), Role::Norm);
    EXPECT_EQ(tensorRole("decoder.rnn.weight_ih_l0", ""), Role::Recurrent);
    EXPECT_EQ(tensorRole("layer1.0.conv17.weight", ""), Role::Convolution);
    EXPECT_EQ(tensorPart("layer1.0.conv17.weight", ""), "");
    EXPECT_EQ(tensorRole("something.else", ""), Role::Other);
    EXPECT_EQ(tensorRole("", ""), Role::Other);
    EXPECT_EQ(tensorRole("...", "..."), Role::Other);
}

TEST(Role, NamesGoBothWays) {
    for (int i = 0; i <= static_cast<int>(Role::Other); ++i)
        EXPECT_EQ(roleFromName(roleName(static_cast<Role>(i))), static_cast<Role>(i));
    EXPECT_EQ(roleFromName("Attention"), std::nullopt);
}

TEST(PartTable, HasNoSpellingTwiceAndNoneThatCannotBeFound) {
    std::map<std::string, std::string> seen;
    for (const RolePart& part : allParts())
        for (const std::string& spelling : words(part.spellings)) {
            EXPECT_TRUE(seen.emplace(spelling, part.name).second) << spelling;
            const bool anchored = spelling.starts_with("^.");
            EXPECT_EQ(tensorPart(anchored ? spelling.substr(2) : "x." + spelling, ""), part.name) << spelling;
        }
}

TEST(Layer, IsTheFirstNumberAfterABlockWord) {
    EXPECT_EQ(tensorLayer("blk.12.attn_q.weight"), 12u);
    EXPECT_EQ(tensorLayer("transformer.h.3.mlp.c_fc.weight"), 3u);
    EXPECT_EQ(tensorLayer("encoder.block.5.layer.1.DenseReluDense.wo.weight"), 5u);
    EXPECT_EQ(tensorLayer("model.layers.2.mlp.experts.17.up_proj.weight"), 2u);
    EXPECT_EQ(tensorLayer("token_embd.weight"), std::nullopt);
    EXPECT_EQ(tensorLayer("mtp.layers.0.mlp.up_proj.weight"), std::nullopt);
    EXPECT_EQ(tensorLayer("model.layers.99999999999.x"), std::nullopt);
    EXPECT_EQ(tensorLayer("blk.x.1"), std::nullopt);
}

TEST(Expert, IsTheNumberAfterExperts) {
    EXPECT_EQ(tensorExpert("model.layers.2.mlp.experts.17.up_proj.weight"), 17u);
    EXPECT_EQ(tensorExpert("blk.2.ffn_gate.4.weight"), 4u);
    EXPECT_EQ(tensorRole("blk.2.ffn_gate.4.weight", "llama"), Role::Experts);
    EXPECT_EQ(tensorExpert("blk.2.ffn_gate_exps.weight"), std::nullopt);
    EXPECT_EQ(tensorExpert("blk.2.ffn_gate.weight"), std::nullopt);
}

} // namespace
} // namespace wb::arch
