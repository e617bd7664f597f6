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
     .modelTypes = {{"llama4"}, {"llama4_text"}},
     .queryKeyNorm = Head,
     .rope = Adjacent,
     .windowPeriod = 4,
     .ropelessFull = true,
     .gating = Gating::Sigmoid,
     .normalizesExperts = false},
    {.architecture = "llama-embed", .isPartial = true, .mix = {.largeLayers = 80, .largeSharesKeys = true}},
};

} // namespace

const std::span<const Family> llama = llamaRecords;

} // namespace wb::arch::records

namespace wb::arch {
const std::string_view plainArchitecture = "llama";
} // namespace wb::arch
