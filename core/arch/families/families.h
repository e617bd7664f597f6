// SPDX-License-Identifier: MIT
#pragma once

#include "core/arch/family.h"

// The records, one file a group of families. Each file defines the span of its name; family.cpp lists the spans.
namespace wb::arch::records {

extern const std::span<const Family> arcee, bailing, bert, cohere, databricks, deepseek, ernie, exaone, falcon, gemma, glm, gpt,
    gptOss, granite, hunyuan, kimi, lfm, llama, mamba, minicpm, mistral, nemotron, olmo, others, phi, qwen, qwen3, qwenNext, rwkv,
    smollm, stablelm, starcoder;

using namespace usual;
using QueryKeyNorm::Head;
using QueryKeyNorm::Whole;
using RopeStyle::Adjacent;
using RopeStyle::Halves;
using RopeStyle::InterleavedSections;
using RopeStyle::Sections;
inline constexpr LayerKind attending = LayerKind::Attending, recurrent = LayerKind::Recurrent;
inline constexpr LayerKind dense = LayerKind::Dense, sparse = LayerKind::Sparse;

// In families that normalize what attention yields, this name of Hugging Face means that norm; elsewhere it is the one before the
// feed-forward part.
inline constexpr RolePart postAttentionNorm[] = {{"post_attention_norm", Role::Norm, "post_attention_layernorm"}};

} // namespace wb::arch::records
