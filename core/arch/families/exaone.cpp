// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

// Values in transformers of members that config.json omits.
constexpr MemberValue exaone4Members[] = {{"rms_norm_eps", "1e-05"}, {"rope_theta", "10000.0"}};

constexpr auto exaone4Layer = joined(normsAfter, attention, headNorms, gated);
constexpr KeyRules<3> exaone4Keys = {{vocabularySize, window, windowPattern}};

constexpr FolderRules exaone4Folders[] = {
    {.classes = {"Exaone4ForCausalLM"},
     .layer = exaone4Layer,
     .ownKeys = exaone4Keys,
     .tensorRopeType = "llama3",
     .modelType = "exaone4"},
};

constexpr Family exaoneRecords[] = {
    {.architecture = "exaone", .modelTypes = {{"exaone"}}, .rope = Halves},
    {.architecture = "exaone4",
     .modelTypes = {{.name = "exaone4", .defaults = exaone4Members, .preTokenizer = {"F10", "exaone4"}}},
     .parts = postAttentionNorm,
     .folders = exaone4Folders,
     .placement = NormPlacement::After,
     .queryKeyNorm = Head,
     .windowPeriod = 4,
     .ropelessFull = true,
     .runs = true},
    {.architecture = "exaone-moe",
     .modelTypes = {{"exaone_moe"}},
     .queryKeyNorm = Head,
     .windowPeriod = 4,
     .ropelessFull = true,
     .gating = Gating::Sigmoid,
     .keepsPredictionLayers = true},
};

} // namespace

const std::span<const Family> exaone = exaoneRecords;

} // namespace wb::arch::records
