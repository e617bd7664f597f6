// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

// Values in transformers of members that config.json omits.
constexpr MemberValue graniteMembers[] = {{"attention_multiplier", "1.0"}, {"embedding_multiplier", "1.0"},
                                          {"logits_scaling", "1.0"},       {"residual_multiplier", "1.0"},
                                          {"rms_norm_eps", "1e-06"},       {"rope_theta", "10000.0"}};
constexpr MemberValue granitemoeMembers[] = {
    {"attention_multiplier", "1.0"}, {"embedding_multiplier", "1.0"}, {"logits_scaling", "1.0"}, {"num_experts_per_tok", "2"},
    {"residual_multiplier", "1.0"},  {"rms_norm_eps", "1e-06"},       {"rope_theta", "10000.0"}};

constexpr TensorRules<4> graniteExperts = {{
    {"block_sparse_moe.router.layer", "ffn_gate_inp", Dim::Experts, Dim::Width},
    {"block_sparse_moe.input_linear", "ffn_gate_exps", Dim::GateAndUpOfExpert, Dim::Width, FirstHalf, true, LayerKind::Every,
     Dim::Experts},
    {"block_sparse_moe.input_linear", "ffn_up_exps", Dim::GateAndUpOfExpert, Dim::Width, SecondHalf, true, LayerKind::Every,
     Dim::Experts},
    {"block_sparse_moe.output_linear", "ffn_down_exps", Dim::Width, Dim::ExpertWidth, Copy, true, LayerKind::Every, Dim::Experts},
}};
constexpr TensorRules<3> graniteShared = {{
    {"shared_mlp.input_linear", "ffn_gate_shexp", Dim::Any, Dim::Width, FirstHalf, false},
    {"shared_mlp.input_linear", "ffn_up_shexp", Dim::Any, Dim::Width, SecondHalf, false},
    {"shared_mlp.output_linear", "ffn_down_shexp", Dim::Width, Dim::Any, Copy, false},
}};
constexpr auto graniteMoeLayer = joined(norms, attention, graniteExperts, graniteShared);
constexpr KeyRules<4> graniteScales = {{
    {Float, "attention.scale", {"attention_multiplier"}},
    {Float, "embedding_scale", {"embedding_multiplier"}},
    {Float, "residual_scale", {"residual_multiplier"}},
    {Float, "logit_scale", {"logits_scaling"}},
}};
constexpr auto graniteKeys = joined(vocabularyAndRope, graniteScales);
constexpr auto graniteMoeKeys =
    joined(graniteKeys, KeyRules<1>{{{Number, "expert_shared_feed_forward_length", {"shared_intermediate_size"}}}});

constexpr FolderRules graniteFolders[] = {
    {.classes = {"GraniteForCausalLM"},
     .layer = denseLayer,
     .ownKeys = graniteKeys,
     .tensorRopeType = "llama3",
     .permutes = true,
     .ignoresHeadLength = true,
     .sentencePieceHints = true,
     .modelType = "granite"},
};

constexpr FolderRules granitemoeFolders[] = {
    {.classes = {"GraniteMoeForCausalLM", "GraniteMoeSharedForCausalLM"},
     .layer = graniteMoeLayer,
     .ownKeys = graniteMoeKeys,
     .tensorRopeType = "llama3",
     .permutes = true,
     .ignoresHeadLength = true,
     .sentencePieceHints = true,
     .modelType = "granitemoe"},
};

// Layers without experts have the shared one alone.
constexpr TensorRules<10> hybridFeedForward = {{
    {"block_sparse_moe.router.layer", "ffn_gate_inp", Dim::Experts, Dim::Width, Copy, true, sparse},
    {"block_sparse_moe.input_linear", "ffn_gate_exps", Dim::GateAndUpOfExpert, Dim::Width, FirstHalf, true, sparse, Dim::Experts},
    {"block_sparse_moe.input_linear", "ffn_up_exps", Dim::GateAndUpOfExpert, Dim::Width, SecondHalf, true, sparse, Dim::Experts},
    {"block_sparse_moe.output_linear", "ffn_down_exps", Dim::Width, Dim::ExpertWidth, Copy, true, sparse, Dim::Experts},
    {"shared_mlp.input_linear", "ffn_gate_shexp", Dim::Any, Dim::Width, FirstHalf, false, sparse},
    {"shared_mlp.input_linear", "ffn_up_shexp", Dim::Any, Dim::Width, SecondHalf, false, sparse},
    {"shared_mlp.output_linear", "ffn_down_shexp", Dim::Width, Dim::Any, Copy, false, sparse},
    {"shared_mlp.input_linear", "ffn_gate", Dim::Any, Dim::Width, FirstHalf, true, dense},
    {"shared_mlp.input_linear", "ffn_up", Dim::Any, Dim::Width, SecondHalf, true, dense},
    {"shared_mlp.output_linear", "ffn_down", Dim::Width, Dim::Any, Copy, true, dense},
}};
constexpr TensorRules<11> hybridMixers = {{
    {"self_attn.q_proj", "attn_q", Dim::Queries, Dim::Width, PermuteQueries, true, attending},
    {"self_attn.k_proj", "attn_k", Dim::KeyValues, Dim::Width, PermuteKeys, true, attending},
    {"self_attn.v_proj", "attn_v", Dim::KeyValues, Dim::Width, Copy, true, attending},
    {"self_attn.o_proj", "attn_output", Dim::Width, Dim::Queries, Copy, true, attending},
    {"mamba.A_log", "ssm_a", Dim::ValueHeads, Dim::None, NegateExpColumn, true, recurrent, Dim::None, RowOrder::Stored, true},
    {"mamba.D", "ssm_d", Dim::ValueHeads, Dim::None, Column, true, recurrent, Dim::None, RowOrder::Stored, true},
    {"mamba.conv1d", "ssm_conv1d", Dim::One, Dim::Taps, Squeeze, true, recurrent, Dim::Mixed},
    {"mamba.dt_bias", "ssm_dt.bias", Dim::ValueHeads, Dim::None, Copy, true, recurrent},
    {"mamba.in_proj", "ssm_in", Dim::MixedGatesAndSteps, Dim::Width, Copy, true, recurrent},
    {"mamba.norm", "ssm_norm", Dim::Inner, Dim::None, ByGroup, true, recurrent},
    {"mamba.out_proj", "ssm_out", Dim::Width, Dim::Inner, Copy, true, recurrent},
}};
constexpr auto hybridLayer = joined(norms, hybridMixers, hybridFeedForward);
constexpr auto hybridKeys = joined(KeyRules<2>{{blockCount, contextLength}}, widths,
                                   KeyRules<2>{{heads, {KeyHeadsByLayer, "attention.head_count_kv", {}, true}}}, afterHeads);
constexpr KeyRules<6> hybridState = {{
    {Number, "ssm.conv_kernel", {"mamba_d_conv"}, true},
    {Number, "ssm.state_size", {"mamba_d_state"}, true},
    {Number, "ssm.group_count", {"mamba_n_groups"}, true},
    {InnerLength, "ssm.inner_size", {"mamba_d_head", "mamba_expand"}},
    {Number, "ssm.time_step_rank", {"mamba_n_heads"}, true},
    {StateRotation, "rope.scaling.finetuned", {"position_embedding_type"}},
}};
constexpr auto hybridOwnKeys = joined(graniteMoeKeys, hybridState);

constexpr FolderRules hybridFolders[] = {
    {.classes = {"GraniteMoeHybridForCausalLM"},
     .layer = hybridLayer,
     .keys = hybridKeys,
     .ownKeys = hybridOwnKeys,
     .tensorRopeType = "llama3",
     .permutes = true,
     .ignoresHeadLength = true,
     .sentencePieceHints = true,
     .modelType = "granitemoehybrid"},
};

constexpr Family graniteRecords[] = {
    {.architecture = "granite",
     .modelTypes = {{.name = "granite", .defaults = graniteMembers, .preTokenizer = {"F09", "refact"}}},
     .folders = graniteFolders,
     .rope = Adjacent,
     .dividesLogits = true,
     .ropeIfFinetuned = true,
     .runs = true},
    {.architecture = "granitehybrid",
     .modelTypes = {{.name = "granitemoehybrid", .preTokenizer = {"F09", "refact"}}},
     .folders = hybridFolders,
     .rope = Adjacent,
     .dividesLogits = true,
     .ropeIfFinetuned = true,
     .runs = true},
    {.architecture = "granitemoe",
     .modelTypes = {{.name = "granitemoe", .defaults = granitemoeMembers, .preTokenizer = {"F09", "refact"}}, {"granitemoeshared"}},
     .folders = granitemoeFolders,
     .rope = Adjacent,
     .dividesLogits = true,
     .ropeIfFinetuned = true,
     .runs = true},
    {.architecture = "graniteswitch", .isPartial = true, .mix = {.layerCount = MixLayerCount::WithRouter}},
};

} // namespace

const std::span<const Family> granite = graniteRecords;

} // namespace wb::arch::records
