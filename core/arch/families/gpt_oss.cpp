// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

// Values in transformers of members that config.json omits.
constexpr MemberValue gptOssMembers[] = {
    {"head_dim", "64"},
    {"num_experts_per_tok", "4"},
    {"rms_norm_eps", "1e-05"},
    {"rope_theta", "150000.0"},
    {"sliding_window", "128"},
    {"rope_parameters",
     R"({"rope_type": "yarn", "factor": 32.0, "beta_fast": 32.0, "beta_slow": 1.0, "original_max_position_embeddings": 4096})"}};

// The scales are next to the blocks under the same name with another ending.
constexpr TensorRules<8> gptOssParts = {{
    {"mlp.router", "ffn_gate_inp", Dim::Experts, Dim::Width},
    {"self_attn.sinks", "attn_sinks.weight", Dim::Heads},
    {"mlp.experts.down_proj_blocks", "ffn_down_exps.weight", Dim::Width, Dim::ExpertWidth, Repack},
    {"mlp.experts.gate_up_proj_blocks", "ffn_gate_exps.weight", Dim::GateAndUpOfExpert, Dim::Width, RepackEvenRows},
    {"mlp.experts.gate_up_proj_blocks", "ffn_up_exps.weight", Dim::GateAndUpOfExpert, Dim::Width, RepackOddRows},
    {"mlp.experts.down_proj_bias", "ffn_down_exps.bias", Dim::Experts, Dim::Width},
    {"mlp.experts.gate_up_proj_bias", "ffn_gate_exps.bias", Dim::Experts, Dim::GateAndUpOfExpert, EvenColumns},
    {"mlp.experts.gate_up_proj_bias", "ffn_up_exps.bias", Dim::Experts, Dim::GateAndUpOfExpert, OddColumns},
}};
constexpr auto gptOssLayer = joined(normsAround, attention, gptOssParts);
constexpr KeyRules<2> gptOssKeys = {{window, {Number, "expert_feed_forward_length", {"intermediate_size"}}}};

constexpr FolderRules gptOssFolders[] = {
    {.classes = {"GptOssForCausalLM"},
     .layer = gptOssLayer,
     .ownKeys = gptOssKeys,
     .modelType = "gpt_oss",
     .guess = {"quantization_config", R"({"modules_to_not_convert": ["model.layers.*.self_attn", "model.layers.*.mlp.router", )"
                                      R"("model.embed_tokens", "lm_head"], "quant_method": "mxfp4"})"}},
};

constexpr Family gptOssRecords[] = {
    {.architecture = "gpt-oss",
     .modelTypes = {{.name = "gpt_oss", .defaults = gptOssMembers}},
     .parts = postAttentionNorm,
     .folders = gptOssFolders,
     .activation = Activation::ClampedSwiglu,
     .windowPeriod = 2,
     .gating = Gating::SoftmaxOfChosen,
     .normalizesExperts = false,
     .runs = true},
};

} // namespace

const std::span<const Family> gptOss = gptOssRecords;

} // namespace wb::arch::records
