// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

// Values in transformers of members that config.json omits.
constexpr MemberValue llamaMembers[] = {{"rms_norm_eps", "1e-06"}, {"rope_theta", "10000.0"}};
constexpr MemberValue mistralMembers[] = {{"rms_norm_eps", "1e-06"}, {"rope_theta", "10000.0"}};
constexpr MemberValue mixtralMembers[] = {{"num_experts_per_tok", "2"}, {"rms_norm_eps", "1e-05"}, {"rope_theta", "1000000.0"}};

constexpr TensorRules<4> mixtralExperts = {{
    {"block_sparse_moe.gate", "ffn_gate_inp", Dim::Experts, Dim::Width},
    {"block_sparse_moe.experts.{}.w1", "ffn_gate_exps", Dim::FeedForward, Dim::Width, Stack},
    {"block_sparse_moe.experts.{}.w2", "ffn_down_exps", Dim::Width, Dim::FeedForward, Stack},
    {"block_sparse_moe.experts.{}.w3", "ffn_up_exps", Dim::FeedForward, Dim::Width, Stack},
}};
constexpr auto mixtralLayer = joined(norms, attention, mixtralExperts);

constexpr FolderRules llamaFolders[] = {
    {.classes = {"LlamaForCausalLM", "LLaMAForCausalLM", "MistralForCausalLM"},
     .layer = denseLayer,
     .ownKeys = vocabularyAndRope,
     .tensorRopeType = "llama3",
     .permutes = true,
     .sentencePieceHints = true,
     .modelType = "llama"},
    {.classes = {"MixtralForCausalLM"},
     .layer = mixtralLayer,
     .ownKeys = vocabularyAndRope,
     .tensorRopeType = "llama3",
     .permutes = true,
     .sentencePieceHints = true,
     .markTensor = "blk.0.ffn_gate_inp.weight",
     .modelType = "mixtral"},
};

constexpr TensorRules<10> llama4Parts = {{
    {"feed_forward.router", "ffn_gate_inp", Dim::Experts, Dim::Width, Copy, true, LayerKind::Sparse},
    {"feed_forward.experts.down_proj", "ffn_down_exps.weight", Dim::ExpertWidth, Dim::Width, TransposeEach, true, LayerKind::Sparse,
     Dim::Experts},
    {"feed_forward.experts.gate_up_proj", "ffn_gate_exps.weight", Dim::Width, Dim::GateAndUpOfExpert, TransposedFirstHalf, true,
     LayerKind::Sparse, Dim::Experts},
    {"feed_forward.experts.gate_up_proj", "ffn_up_exps.weight", Dim::Width, Dim::GateAndUpOfExpert, TransposedSecondHalf, true,
     LayerKind::Sparse, Dim::Experts},
    {"feed_forward.shared_expert.gate_proj", "ffn_gate_shexp", Dim::Any, Dim::Width, Copy, true, LayerKind::Sparse},
    {"feed_forward.shared_expert.up_proj", "ffn_up_shexp", Dim::Any, Dim::Width, Copy, true, LayerKind::Sparse},
    {"feed_forward.shared_expert.down_proj", "ffn_down_shexp", Dim::Width, Dim::Any, Copy, true, LayerKind::Sparse},
    {"feed_forward.gate_proj", "ffn_gate", Dim::Any, Dim::Width, Copy, true, LayerKind::Dense},
    {"feed_forward.up_proj", "ffn_up", Dim::Any, Dim::Width, Copy, true, LayerKind::Dense},
    {"feed_forward.down_proj", "ffn_down", Dim::Width, Dim::Any, Copy, true, LayerKind::Dense},
}};
constexpr auto llama4Layer = joined(norms, attention, llama4Parts);
constexpr auto llama4Keys = joined(
    KeyRules<4>{{blockCount, contextLength, embeddingLength, {Number, "feed_forward_length", {"intermediate_size_mlp"}, true}}},
    headCounts, afterHeads);
constexpr auto llama4OwnKeys =
    joined(vocabularyAndRope, KeyRules<2>{{{Number, "interleave_moe_layer_step", {"interleave_moe_layer_step"}},
                                           {Number, "expert_feed_forward_length", {"intermediate_size"}}}});

constexpr FolderRules llama4Folders[] = {
    {.classes = {"Llama4ForCausalLM", "Llama4ForConditionalGeneration"},
     .layer = llama4Layer,
     .keys = llama4Keys,
     .ownKeys = llama4OwnKeys,
     .tensorRopeType = "llama3",
     .modelType = "llama4_text"},
};

constexpr Family llamaRecords[] = {
    {.architecture = "llama",
     .modelTypes = {{.name = "llama", .writesHeadLength = true, .defaults = llamaMembers},
                    {.name = "mistral", .writesHeadLength = true, .defaults = mistralMembers},
                    {.name = "mixtral", .defaults = mixtralMembers}},
     .folders = llamaFolders,
     .rope = Adjacent,
     .runs = true,
     .mix = {.largeLayers = 80, .largeSharesKeys = true}},
    {.architecture = "llama4",
     .modelTypes = {{"llama4"}, {.name = "llama4_text", .preTokenizer = {"F17", "llama4"}}},
     .folders = llama4Folders,
     .queryKeyNorm = Head,
     .rope = Adjacent,
     .windowPeriod = 4,
     .ropelessFull = true,
     .gating = Gating::Sigmoid,
     .normalizesExperts = false,
     .normsAfterRope = true,
     .plainHeadNorms = true,
     .normlessExperts = 128,
     .scalesExpertInputs = true,
     .sharedExperts = 1,
     .chunks = {8192, 0.1F},
     .runs = true},
    {.architecture = "llama-embed", .isPartial = true, .mix = {.largeLayers = 80, .largeSharesKeys = true}},
};

} // namespace

const std::span<const Family> llama = llamaRecords;

} // namespace wb::arch::records

namespace wb::arch {
const std::string_view plainArchitecture = "llama";
} // namespace wb::arch
