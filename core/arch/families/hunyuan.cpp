// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr TensorRules<2> lateHeadNorms = {{
    {"self_attn.query_layernorm", "attn_q_norm", Dim::HeadLength},
    {"self_attn.key_layernorm", "attn_k_norm", Dim::HeadLength},
}};
constexpr auto lateNormLayer = joined(norms, attention, lateHeadNorms, gated);
constexpr KeyRules<1> alphaRope = {{{AlphaRope, "rope"}}};
// The token that ends a text is under another name than usual.
constexpr KeyRule endToken[] = {{Number, "tokenizer.ggml.eos_token_id", {"eod_token_id"}}};

constexpr FolderRules hunyuanFolders[] = {
    {.classes = {"HunYuanDenseV1ForCausalLM"},
     .layer = lateNormLayer,
     .ownKeys = alphaRope,
     .tokenizerKeys = endToken,
     .tensorRopeType = "dynamic",
     .modelType = "hunyuan_v1_dense",
     .guess = {"use_qk_norm", "true"}},
};

constexpr Family hunyuanRecords[] = {
    {.architecture = "hunyuan-dense",
     .modelTypes = {{.name = "hunyuan_v1_dense", .preTokenizer = {"F04", "hunyuan-dense"}}},
     .folders = hunyuanFolders,
     .queryKeyNorm = Head,
     .tied = true,
     .normsAfterRope = true,
     .runs = true},
    {.architecture = "hunyuan-moe", .modelTypes = {{"hunyuan_v1_moe"}}, .queryKeyNorm = Head},
};

} // namespace

const std::span<const Family> hunyuan = hunyuanRecords;

} // namespace wb::arch::records
