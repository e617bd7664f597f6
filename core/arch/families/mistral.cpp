// SPDX-License-Identifier: MIT
#include "core/arch/families/latent_rules.h"

namespace wb::arch::records {
namespace {

// Values in transformers of members that config.json omits.
constexpr MemberValue ministral3Members[] = {
    {"head_dim", "128"},
    {"rms_norm_eps", "1e-05"},
    {"rope_theta", "1000000.0"},
    {"rope_parameters",
     R"({"rope_type": "yarn", "factor": 16.0, "beta_fast": 32.0, "beta_slow": 1.0, "original_max_position_embeddings": 16384,
         "mscale": 1.0, "mscale_all_dim": 1.0, "llama_4_scaling_beta": 0.1})"}};

constexpr auto ministral3Keys =
    joined(vocabularyAndRope, KeyRules<2>{{{RopeFloat, "rope.scaling.yarn_log_multiplier", {"mscale_all_dim"}},
                                           {RopeFloat, "attention.temperature_scale", {"llama_4_scaling_beta"}}}});

constexpr FolderRules mistral3Folders[] = {
    {.classes = {"Ministral3ForCausalLM", "Mistral3ForConditionalGeneration"},
     .layer = denseLayer,
     .ownKeys = ministral3Keys,
     .tensorRopeType = "llama3",
     .permutes = true,
     .sentencePieceHints = true,
     .modelType = "ministral3"},
};

// Experts stay fused. Folders of the multimodal class keep the text model under its own model type.
constexpr TensorRules<3> fusedExperts = {{
    {"mlp.gate", "ffn_gate_inp", Dim::Experts, Dim::Width, Copy, true, LayerKind::Sparse},
    {"mlp.experts.down_proj", "ffn_down_exps.weight", Dim::Width, Dim::ExpertWidth, Copy, true, LayerKind::Sparse, Dim::Experts},
    {"mlp.experts.gate_up_proj", "ffn_gate_up_exps.weight", Dim::GateAndUpOfExpert, Dim::Width, Copy, true, LayerKind::Sparse,
     Dim::Experts},
}};
constexpr auto mistral4Layer = joined(norms, latentQueries, latentKeysValues, gated, fusedExperts, ungatedShared);

// The reference does not write the temperature scale of this class (llama_4_scaling_beta), which matters for positions
// that exceed the context of training.
constexpr FolderRules mistral4Folders[] = {
    {.classes = {"Mistral4ForCausalLM", "Mistral3ForConditionalGeneration"},
     .layer = mistral4Layer,
     .keys = latentKeys,
     .ownKeys = latentOwnKeys,
     .modelType = "mistral4",
     .members = {{"expert_count", "n_routed_experts"}}},
};

constexpr Family mistralRecords[] = {
    {.architecture = "mistral3",
     .modelTypes = {{.name = "ministral3", .defaults = ministral3Members}, {"mistral3"}},
     .folders = mistral3Folders,
     .rope = Adjacent,
     .runs = true},
    {.architecture = "mistral4",
     .modelTypes = {{"mistral4"}},
     .folders = mistral4Folders,
     .rope = Adjacent,
     .yarnLogFactor = 0.1,
     .runs = true},
};

} // namespace

const std::span<const Family> mistral = mistralRecords;

} // namespace wb::arch::records
