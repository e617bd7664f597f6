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
