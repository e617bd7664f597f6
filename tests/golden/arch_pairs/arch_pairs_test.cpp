// SPDX-License-Identifier: MIT
// One model in two formats, by the reference converter: every tensor of the GGUF holds the values of the Hugging Face tensors it
// was made from, up to the order of rows (the rotary halves of llama's q and k), stacking (mixtral's experts) or nothing at all
// (phi3 keeps its fused projections). Sorted values are equal where one is a rearrangement of the other.
#include "core/formats/open.h"
#include "core/model/tensor_reader.h"
#include "tests/unit/support/support.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace wb {
namespace {

using Names = std::vector<std::string>;

ModelPtr openStrictly(const std::filesystem::path& path) {
    formats::OpenOptions options;
    options.strictness = formats::Strictness::Strict;
    auto model = formats::open(path, options);
    EXPECT_TRUE(model) << model.error().message();
    return model ? *model : std::make_shared<const Model>();
}

std::vector<float> values(const Model& model, const TensorInfo& tensor) {
    std::vector<float> out(tensor.shape.elements());
    std::vector<std::byte> scratch;
    const auto reader = TensorReader::open(model, tensor);
    EXPECT_TRUE(reader) << reader.error().message();
    if (!reader) return {};
    const auto read = reader->readF32(0, out, scratch);
    EXPECT_TRUE(read);
    return out;
}

const TensorInfo* find(const Model& model, const std::string& name) {
    const auto found = std::ranges::find(model.tensors, name, &TensorInfo::name);
    return found == model.tensors.end() ? nullptr : &*found;
}

// The Hugging Face tensors behind one part of a GGUF block.
Names partSources(const std::string& block, const std::string& part, std::uint64_t experts) {
    static const std::map<std::string, std::string> single = {
        {"attn_norm", "input_layernorm"},
        {"ffn_norm", "post_attention_layernorm"},
        {"attn_q", "self_attn.q_proj"},
        {"attn_k", "self_attn.k_proj"},
        {"attn_v", "self_attn.v_proj"},
        {"attn_qkv", "self_attn.qkv_proj"},
        {"attn_output", "self_attn.o_proj"},
        {"attn_q_norm", "self_attn.q_norm"},
        {"attn_k_norm", "self_attn.k_norm"},
        {"ffn_gate", "mlp.gate_proj"},
        {"ffn_up", "mlp.up_proj"},
        {"ffn_down", "mlp.down_proj"},
        {"ffn_gate_inp", "block_sparse_moe.gate"},
    };
    static const std::map<std::string, std::string> stacked = {
        {"ffn_gate_exps", "w1"}, {"ffn_down_exps", "w2"}, {"ffn_up_exps", "w3"}};
    const std::string layer = "model.layers." + block + ".";
    Names names;
    if (const auto one = single.find(part); one != single.end()) names.push_back(layer + one->second + ".weight");
    if (const auto many = stacked.find(part); many != stacked.end())
        for (std::uint64_t expert = 0; expert < experts; ++expert)
            names.push_back(fmt::format("{}block_sparse_moe.experts.{}.{}.weight", layer, expert, many->second));
    return names;
}

// "blk.2.attn_q.weight" → block 2, part attn_q.
Names sources(const TensorInfo& tensor, const std::string& family) {
    if (tensor.name == "token_embd.weight") return {"model.embed_tokens.weight"};
    if (tensor.name == "output_norm.weight") return {"model.norm.weight"};
    if (tensor.name == "output.weight") return {"lm_head.weight"};
    const std::size_t afterBlock = tensor.name.find('.', 4);
    const std::string block = tensor.name.substr(4, afterBlock - 4);
    const std::string part = tensor.name.substr(afterBlock + 1, tensor.name.rfind('.') - afterBlock - 1);
    if (family == "phi3" && part == "ffn_up") return {"model.layers." + block + ".mlp.gate_up_proj.weight"};
    return partSources(block, part, tensor.shape.rank() == 3 ? tensor.shape[0] : 1);
}

class ArchPairs : public testing::TestWithParam<const char*> {};

TEST_P(ArchPairs, HoldTheSameValues) {
    const std::string family = GetParam();
    WB_NEED_SHARED("arch/" + family);
    const auto folder = test::shared() / "arch" / family;
    const ModelPtr gguf = openStrictly(folder / "model.gguf");
    const ModelPtr hf = openStrictly(folder / "hf");
    std::set<std::string> left;
    for (const TensorInfo& tensor : hf->tensors) left.insert(tensor.name);
    ASSERT_FALSE(gguf->tensors.empty());
    for (const TensorInfo& tensor : gguf->tensors) {
        SCOPED_TRACE(tensor.name);
        std::vector<float> wanted;
        for (const std::string& name : sources(tensor, family)) {
            const TensorInfo* source = find(*hf, name);
            ASSERT_TRUE(source) << name;
            EXPECT_EQ(left.erase(name), 1u) << name;
            std::ranges::copy(values(*hf, *source), std::back_inserter(wanted));
        }
        std::vector<float> got = values(*gguf, tensor);
        std::ranges::sort(wanted);
        std::ranges::sort(got);
        EXPECT_FALSE(got.empty());
        EXPECT_TRUE(got == wanted);
    }
    EXPECT_TRUE(left.empty()) << *left.begin();
}

INSTANTIATE_TEST_SUITE_P(Families, ArchPairs, testing::Values("llama", "qwen3", "mixtral", "phi3"));

} // namespace
} // namespace wb
