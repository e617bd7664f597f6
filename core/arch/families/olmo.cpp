// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

// Values in transformers of members that config.json omits.
constexpr MemberValue olmo2Members[] = {{"rms_norm_eps", "1e-05"}, {"rope_theta", "10000.0"}};
constexpr MemberValue olmo3Members[] = {{"rms_norm_eps", "1e-05"}, {"rope_theta", "500000.0"}, {"sliding_window", "4096"}};

constexpr TensorRules<2> wideHeadNorms = {{
    {"self_attn.q_norm", "attn_q_norm", Dim::Queries},
    {"self_attn.k_norm", "attn_k_norm", Dim::KeyValues},
}};
constexpr auto olmo2Layer = joined(normsAfter, attention, wideHeadNorms, gated);
constexpr KeyRules<2> olmo3Keys = {{window, windowPattern}};

constexpr FolderRules olmo2Folders[] = {
    {.classes = {"Olmo2ForCausalLM"}, .layer = olmo2Layer, .modelType = "olmo2"},
    {.classes = {"Olmo3ForCausalLM"},
     .layer = olmo2Layer,
     .ownKeys = olmo3Keys,
     .markKey = "attention.sliding_window",
     .modelType = "olmo3"},
};

constexpr Family olmoRecords[] = {
    {.architecture = "olmo", .modelTypes = {{"olmo"}}, .norm = NormKind::Layer, .rope = Adjacent, .mix = {.largeLayers = 80}},
    {.architecture = "olmo2",
     .modelTypes = {{.name = "olmo2", .defaults = olmo2Members, .preTokenizer = {"F01", "dbrx"}},
                    {.name = "olmo3", .windowPeriod = 4, .defaults = olmo3Members, .preTokenizer = {"F01", "dbrx"}}},
     .parts = postAttentionNorm,
     .folders = olmo2Folders,
     .placement = NormPlacement::After,
     .queryKeyNorm = Whole,
     .plainWindows = true,
     .runs = true,
     .keepsResidual = true},
    {.architecture = "olmoe", .modelTypes = {{"olmoe"}}, .queryKeyNorm = Whole, .normalizesExperts = false},
};

} // namespace

const std::span<const Family> olmo = olmoRecords;

} // namespace wb::arch::records
