// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

// Values in transformers of members that config.json omits.
constexpr MemberValue starcoder2Members[] = {{"norm_epsilon", "1e-05"}, {"rope_theta", "10000.0"}};

constexpr TensorRules<2> starcoderGate = {{
    {"mlp.c_fc", "ffn_up", Dim::FeedForward, Dim::Width},
    {"mlp.c_proj", "ffn_down", Dim::Width, Dim::FeedForward},
}};
constexpr auto starcoder2Layer = joined(norms, attention, starcoderGate);

constexpr FolderRules starcoder2Folders[] = {
    {.classes = {"Starcoder2ForCausalLM"},
     .layer = starcoder2Layer,
     .modelType = "starcoder2",
     .activation = "gelu_pytorch_tanh",
     .members = {{"attention.layer_norm_epsilon", "norm_epsilon"}}},
};

constexpr Family starcoderRecords[] = {
    {.architecture = "starcoder",
     .modelTypes = {{"gpt_bigcode"}},
     .norm = NormKind::Layer,
     .activation = Activation::GeluTanh,
     .gated = false,
     .rope = RopeStyle::None,
     .tied = true,
     .learnedPositions = true},
    {.architecture = "starcoder2",
     .modelTypes = {{.name = "starcoder2", .defaults = starcoder2Members}},
     .folders = starcoder2Folders,
     .norm = NormKind::Layer,
     .activation = Activation::GeluTanh,
     .gated = false,
     .tied = true,
     .runs = true},
};

} // namespace

const std::span<const Family> starcoder = starcoderRecords;

} // namespace wb::arch::records
