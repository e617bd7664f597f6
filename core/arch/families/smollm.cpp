// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

// Values in transformers of members that config.json omits.
constexpr MemberValue smollm3Members[] = {{"rms_norm_eps", "1e-06"}, {"rope_theta", "2000000.0"}};

constexpr FolderRules smollm3Folders[] = {
    {.classes = {"SmolLM3ForCausalLM"},
     .layer = denseLayer,
     .ownKeys = vocabularyAndRope,
     .tensorRopeType = "llama3",
     .permutes = true,
     .sentencePieceHints = true,
     .modelType = "smollm3"},
};

constexpr Family smollmRecords[] = {
    {.architecture = "smollm3",
     .modelTypes = {{.name = "smollm3", .defaults = smollm3Members}},
     .folders = smollm3Folders,
     .rope = Adjacent,
     .ropelessPeriod = 4,
     .tied = true,
     .runs = true,
     .keepsResidual = true},
};

} // namespace

const std::span<const Family> smollm = smollmRecords;

} // namespace wb::arch::records
