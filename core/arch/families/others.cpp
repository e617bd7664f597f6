// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr TensorRules<7> minimaxParts = {{
    {"block_sparse_moe.e_score_correction_bias", "exp_probs_b.bias", Dim::Experts},
    {"block_sparse_moe.gate", "ffn_gate_inp", Dim::Experts, Dim::Width},
    {"block_sparse_moe.experts.{}.w1", "ffn_gate_exps", Dim::ExpertWidth, Dim::Width, Stack},
    {"block_sparse_moe.experts.{}.w2", "ffn_down_exps", Dim::Width, Dim::ExpertWidth, Stack},
    {"block_sparse_moe.experts.{}.w3", "ffn_up_exps", Dim::ExpertWidth, Dim::Width, Stack},
    {"self_attn.q_norm", "attn_q_norm", Dim::Queries},
    {"self_attn.k_norm", "attn_k_norm", Dim::KeyValues},
}};
constexpr auto minimaxLayer = joined(norms, attention, minimaxParts);
constexpr KeyRules<2> minimaxKeys = {
    {{Number, "expert_feed_forward_length", {"intermediate_size"}}, {Number, "rope.dimension_count", {"rotary_dim"}}}};

constexpr FolderRules minimaxFolders[] = {
    {.classes = {"MiniMaxM2ForCausalLM"}, .layer = minimaxLayer, .ownKeys = minimaxKeys, .modelType = "minimax_m2"},
};

constexpr Family othersRecords[] = {
    {.architecture = "apertus", .modelTypes = {{"apertus"}}, .queryKeyNorm = Head, .gated = false},
    {.architecture = "arctic", .rope = Adjacent, .denseBesideExperts = true},
    {.architecture = "baichuan", .rope = Adjacent},
    {.architecture = "bloom",
     .modelTypes = {{"bloom"}},
     .norm = NormKind::Layer,
     .activation = Activation::GeluTanh,
     .gated = false,
     .rope = RopeStyle::None,
     .tied = true,
     .fourfoldFeedForward = true},
    {.architecture = "clip", .isProjector = true, .rope = RopeStyle::None},
    {.architecture = "deci", .rope = Adjacent, .mix = {.largeLayers = 80}},
    {.architecture = "dots1", .modelTypes = {{"dots1"}}, .queryKeyNorm = Head, .normalizesExperts = false},
    {.architecture = "grok", .placement = NormPlacement::Both, .activation = Activation::GeluTanh},
    {.architecture = "internlm2", .modelTypes = {{"internlm2"}}, .rope = Adjacent},
    {.architecture = "jais2", .isPartial = true, .mix = {.largeLayers = 68}},
    {.architecture = "jamba", .modelTypes = {{"jamba"}}, .rope = RopeStyle::None, .normalizesExperts = false},
    {.architecture = "mimo2", .modelTypes = {{"mimo_v2"}}, .windowPeriod = 0, .gating = Gating::Sigmoid},
    {.architecture = "minimax-m2",
     .modelTypes = {{.name = "minimax_m2", .preTokenizer = {"F17", "minimax-m2"}}},
     .folders = minimaxFolders,
     .queryKeyNorm = Whole,
     .gating = Gating::Sigmoid,
     .runs = true},
    {.architecture = "nanbeige", .isPartial = true, .mix = {.layerCount = MixLayerCount::EveryPass}},
    {.architecture = "plamo"},
    {.architecture = "seed_oss", .modelTypes = {{"seed_oss"}}},
    {.architecture = "step35", .queryKeyNorm = Head, .gating = Gating::Sigmoid},
    {.architecture = "xverse", .rope = Adjacent},
};

} // namespace

const std::span<const Family> others = othersRecords;

} // namespace wb::arch::records
