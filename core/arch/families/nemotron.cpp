// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

// Every layer is one thing.
constexpr TensorRules<12> mixers = {{
    {"norm", "attn_norm", Dim::Width},
    {"mixer.q_proj", "attn_q", Dim::Queries, Dim::Width, PermuteQueries, true, attending},
    {"mixer.k_proj", "attn_k", Dim::KeyValues, Dim::Width, PermuteKeys, true, attending},
    {"mixer.v_proj", "attn_v", Dim::KeyValues, Dim::Width, Copy, true, attending},
    {"mixer.o_proj", "attn_output", Dim::Width, Dim::Queries, Copy, true, attending},
    {"mixer.A_log", "ssm_a", Dim::ValueHeads, Dim::None, NegateExpColumn, true, recurrent, Dim::None, RowOrder::Stored, true},
    {"mixer.D", "ssm_d", Dim::ValueHeads, Dim::None, Column, true, recurrent, Dim::None, RowOrder::Stored, true},
    {"mixer.conv1d", "ssm_conv1d", Dim::One, Dim::Taps, Squeeze, true, recurrent, Dim::Mixed},
    {"mixer.dt_bias", "ssm_dt.bias", Dim::ValueHeads, Dim::None, Copy, true, recurrent},
    {"mixer.in_proj", "ssm_in", Dim::MixedGatesAndSteps, Dim::Width, Copy, true, recurrent},
    {"mixer.norm", "ssm_norm", Dim::Inner, Dim::None, ByGroup, true, recurrent},
    {"mixer.out_proj", "ssm_out", Dim::Width, Dim::Inner, Copy, true, recurrent},
}};
constexpr TensorRules<2> plainFeedForward = {{
    {"mixer.up_proj", "ffn_up", Dim::FeedForward, Dim::Width, Copy, true, dense},
    {"mixer.down_proj", "ffn_down", Dim::Width, Dim::FeedForward, Copy, true, dense},
}};
constexpr TensorRules<8> plainExperts = {{
    {"mixer.experts.{}.down_proj", "ffn_down_exps", Dim::ExpertInput, Dim::ExpertWidth, Stack, true, sparse},
    {"mixer.experts.{}.up_proj", "ffn_up_exps", Dim::ExpertWidth, Dim::ExpertInput, Stack, true, sparse},
    {"mixer.gate", "ffn_gate_inp", Dim::Experts, Dim::Width, Copy, true, sparse},
    {"mixer.gate.e_score_correction_bias", "exp_probs_b.bias", Dim::Experts, Dim::None, Copy, false, sparse},
    {"mixer.shared_experts.down_proj", "ffn_down_shexp", Dim::Width, Dim::Any, Copy, false, sparse},
    {"mixer.shared_experts.up_proj", "ffn_up_shexp", Dim::Any, Dim::Width, Copy, false, sparse},
    {"mixer.fc1_latent_proj", "ffn_latent_down", Dim::ExpertInput, Dim::Width, Copy, false, sparse},
    {"mixer.fc2_latent_proj", "ffn_latent_up", Dim::Width, Dim::ExpertInput, Copy, false, sparse},
}};
constexpr TensorRules<3> backbone = {{
    {"backbone.embeddings", "token_embd", Dim::Vocabulary, Dim::Width},
    {"backbone.norm_f", "output_norm", Dim::Width},
    head[0],
}};
constexpr auto denseHybrid = joined(mixers, plainFeedForward);
constexpr auto expertHybrid = joined(mixers, plainExperts);

constexpr auto mixerKeys = joined(KeyRules<2>{{blockCount, contextLength}}, widths,
                                  KeyRules<2>{{heads, {KeyHeadsByLayer, "attention.head_count_kv", {}, true}}}, afterHeads);
constexpr KeyRules<11> mixerOwnKeys = {{
    vocabularySize,
    ropeLength,
    {Number, "ssm.conv_kernel", {"conv_kernel"}, true},
    {Number, "ssm.state_size", {"ssm_state_size"}, true},
    {Number, "ssm.group_count", {"n_groups"}, true},
    {InnerLength, "ssm.inner_size", {"mamba_head_dim", "expand"}},
    {Number, "ssm.time_step_rank", {"mamba_num_heads"}, true},
    {StateRotation, "rope.scaling.finetuned"},
    {Number, "attention.key_length", {"head_dim", "attention_head_dim"}},
    {Number, "attention.value_length", {"head_dim", "attention_head_dim"}},
    {FeedForwardByLayer, "feed_forward_length", {}, true},
}};
constexpr KeyRules<6> routingKeys = {{
    expertWidth,
    {Number, "expert_shared_feed_forward_length", {"moe_shared_expert_intermediate_size"}},
    {Number, "expert_shared_count", {"n_shared_experts"}},
    {Truth, "expert_weights_norm", {"norm_topk_prob"}},
    {Float, "expert_weights_scale", {"routed_scaling_factor"}},
    {Number, "moe_latent_size", {"moe_latent_size"}},
}};
constexpr auto mixerExpertKeys = joined(mixerOwnKeys, routingKeys);

// One class: the letters of config.json tell whether there are experts.
constexpr FolderRules hybridFolder(FolderRules rules) {
    rules.classes[0] = "NemotronHForCausalLM";
    rules.outer = backbone;
    rules.keys = mixerKeys;
    rules.layerPrefix = "backbone.layers.";
    rules.permutes = true;
    rules.ignoresHeadLength = true;
    rules.sentencePieceHints = true;
    rules.modelType = "nemotron_h";
    rules.activation = "relu2";
    rules.activationKey = "mlp_hidden_act";
    return rules;
}
constexpr FolderRules denseHybridFolders[] = {hybridFolder({.layer = denseHybrid, .ownKeys = mixerOwnKeys})};
constexpr FolderRules expertHybridFolders[] = {
    hybridFolder({.layer = expertHybrid, .ownKeys = mixerExpertKeys, .members = {{"expert_count", "n_routed_experts"}}})};

constexpr Family squaredFamily(Family family) {
    family.activation = Activation::ReluSquared;
    family.gated = false;
    return family;
}
constexpr Family hybridFamily(Family family) {
    family.rope = RopeStyle::None;
    family.layerList = LayerList::Letters;
    family.runs = true;
    return squaredFamily(family);
}

constexpr Family nemotronRecords[] = {
    squaredFamily({.architecture = "nemotron", .modelTypes = {{"nemotron"}}, .norm = NormKind::Layer}),
    hybridFamily({.architecture = "nemotron_h",
                  .modelTypes = {{"nemotron_h"}},
                  .folders = denseHybridFolders,
                  .withExperts = "nemotron_h_moe"}),
    hybridFamily({.architecture = "nemotron_h_moe", .modelTypes = {}, .folders = expertHybridFolders, .gating = Gating::Sigmoid}),
};

} // namespace

const std::span<const Family> nemotron = nemotronRecords;

} // namespace wb::arch::records
