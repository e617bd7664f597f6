// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

// Values in transformers of members that config.json omits.
constexpr MemberValue cohere2Members[] = {
    {"layer_norm_eps", "1e-05"}, {"logit_scale", "0.0625"}, {"rope_theta", "10000.0"}, {"sliding_window", "4096"}};
constexpr MemberValue cohereMembers[] = {{"layer_norm_eps", "1e-05"}, {"logit_scale", "0.0625"}, {"rope_theta", "500000.0"}};

constexpr auto cohereLayer = joined(parallelNorm, attention, gated);
constexpr KeyRule noScaling = {Text, "rope.scaling.type", {}, false, {}, "none"};
constexpr KeyRule logitScale = {Float, "logit_scale", {"logit_scale"}};
constexpr auto cohereKeys =
    joined(KeyRules<2>{{blockCount, {Number, "context_length", {"model_max_length", "max_position_embeddings"}, true}}}, widths,
           headCounts, afterHeads);
constexpr KeyRules<2> cohereOwnKeys = {{logitScale, noScaling}};
constexpr KeyRules<5> cohere2OwnKeys = {
    {logitScale, window, vocabularySize, {RopePart, "rope.dimension_count", {"rotary_pct"}, false, 1}, noScaling}};

constexpr FolderRules cohere2Folders[] = {
    {.classes = {"Cohere2ForCausalLM"}, .layer = cohereLayer, .ownKeys = cohere2OwnKeys, .dropsHead = true, .modelType = "cohere2"},
};

constexpr FolderRules commandRFolders[] = {
    {.classes = {"CohereForCausalLM"},
     .layer = cohereLayer,
     .keys = cohereKeys,
     .ownKeys = cohereOwnKeys,
     .dropsHead = true,
     .modelType = "cohere"},
};

constexpr Family cohereRecords[] = {
    {.architecture = "cohere2",
     .modelTypes =
         {{.name = "cohere2", .writesHeadLength = true, .defaults = cohere2Members, .preTokenizer = {"F09", "command-r"}}},
     .folders = cohere2Folders,
     .norm = NormKind::Layer,
     .parallel = true,
     .rope = Adjacent,
     .windowPeriod = 4,
     .ropelessFull = true,
     .tied = true,
     .runs = true},
    {.architecture = "command-r",
     .modelTypes = {{.name = "cohere", .defaults = cohereMembers, .preTokenizer = {"F09", "command-r"}}},
     .folders = commandRFolders,
     .norm = NormKind::Layer,
     .parallel = true,
     .rope = Adjacent,
     .tied = true,
     .runs = true},
};

} // namespace

const std::span<const Family> cohere = cohereRecords;

} // namespace wb::arch::records
