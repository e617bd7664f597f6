// SPDX-License-Identifier: MIT
#include "core/convert/gguf/family_lists.h"

namespace wb::convert {
namespace {

using enum PairKind;
template <std::size_t count>
using Rules = std::array<PairRule, count>;

constexpr PairRule blockCount = {Number, "block_count", {"n_layers", "num_hidden_layers", "n_layer", "num_layers"}, true};
constexpr PairRule contextLength = {
    Number,
    "context_length",
    {"max_position_embeddings", "n_ctx", "n_positions", "max_length", "max_sequence_length", "model_max_length"},
    true};
constexpr PairRule embeddingLength = {Number, "embedding_length", {"hidden_size", "n_embd", "dim"}, true};
constexpr PairRule feedForward = {
    Number,
    "feed_forward_length",
    {"prefix_dense_intermediate_size", "dense_intermediate_size", "intermediate_size", "n_inner", "hidden_dim"},
    true};
constexpr PairRule heads = {Number, "attention.head_count", {"num_attention_heads", "n_head", "n_heads"}, true};
constexpr PairRule keyHeads = {Number, "attention.head_count_kv", {"num_key_value_heads", "n_kv_heads"}};
constexpr PairRule rmsEpsilon = {Float, "attention.layer_norm_rms_epsilon", {"rms_norm_eps", "norm_eps"}};
constexpr PairRule normEpsilon = {Float, "attention.layer_norm_epsilon", {"layer_norm_eps", "layer_norm_epsilon", "norm_epsilon"}};
constexpr PairRule headLength = {HeadLength, "attention"};
constexpr PairRule ropeBase = {RopeBase, "rope.freq_base"};

constexpr Rules<2> widths = {{embeddingLength, feedForward}};
constexpr Rules<2> headCounts = {{heads, keyHeads}};
constexpr Rules<8> afterHeads = {{
    {RopeScaling, "rope"},
    rmsEpsilon,
    normEpsilon,
    {Number, "expert_count", {"num_local_experts", "num_experts", "n_routed_experts"}},
    {Number, "expert_used_count", {"num_experts_per_tok", "num_experts_per_token", "top_k_experts"}},
    {Number, "expert_group_count", {"n_group"}},
    {Number, "expert_group_used_count", {"topk_group"}},
    headLength,
}};
constexpr auto usualRules = joined(Rules<2>{{blockCount, contextLength}}, widths, headCounts, afterHeads);
constexpr auto cohereRules =
    joined(Rules<2>{{blockCount, {Number, "context_length", {"model_max_length", "max_position_embeddings"}, true}}}, widths,
           headCounts, afterHeads);
constexpr auto glm4moeRules = joined(Rules<2>{{{BlockCount, "block_count"}, contextLength}}, widths, headCounts, afterHeads);
// What the folders of the multimodal models leave out has a value that every reader knows; `own` writes it.
constexpr auto gemma3Rules =
    joined(Rules<2>{{blockCount, {Number, "context_length", {"max_position_embeddings"}, false, 131'072}}}, widths,
           Rules<2>{{{Number, "attention.head_count", {"num_attention_heads"}, false, 8}, keyHeads}}, afterHeads);
constexpr Rules<8> gemmaRules = {{contextLength,
                                  embeddingLength,
                                  blockCount,
                                  feedForward,
                                  heads,
                                  {Number, "attention.head_count_kv", {"num_key_value_heads", "num_attention_heads"}, true},
                                  rmsEpsilon,
                                  headLength}};
constexpr Rules<6> gpt2Rules = {
    {blockCount, contextLength, embeddingLength, {FourWidths, "feed_forward_length"}, heads, normEpsilon}};
constexpr Rules<8> phi2Rules = {{contextLength,
                                 embeddingLength,
                                 feedForward,
                                 blockCount,
                                 heads,
                                 {Number, "attention.head_count_kv", {"num_attention_heads", "n_head"}, true},
                                 normEpsilon,
                                 {RopePart, "rope.dimension_count", {"partial_rotary_factor"}, false, 1}}};
constexpr Rules<11> phi3Rules = {{
    {LongRopeFactor, "rope.scaling.attn_factor"},
    contextLength,
    {Number, "rope.scaling.original_context_length", {"original_max_position_embeddings"}, true},
    embeddingLength,
    feedForward,
    blockCount,
    heads,
    {Number, "attention.head_count_kv", {"num_key_value_heads", "n_head_kv", "num_attention_heads"}, true},
    rmsEpsilon,
    {RopePart, "rope.dimension_count", {"partial_rotary_factor"}, false, 1},
    ropeBase,
}};
constexpr Rules<9> stablelmRules = {{contextLength,
                                     embeddingLength,
                                     blockCount,
                                     feedForward,
                                     {RopePart, "rope.dimension_count", {"partial_rotary_factor", "rope_pct"}, false, 0.25},
                                     heads,
                                     keyHeads,
                                     {Truth, "use_parallel_residual", {"use_parallel_residual"}, false, 1},
                                     normEpsilon}};

constexpr PairRule vocabularySize = {Number, "vocab_size", {"vocab_size"}, true};
constexpr PairRule ropeLength = {RopeLength, "rope.dimension_count"};
constexpr PairRule window = {Number, "attention.sliding_window", {"sliding_window"}};
constexpr PairRule windowPattern = {WindowPattern, "attention.sliding_window_pattern"};
constexpr PairRule expertWidth = {Number, "expert_feed_forward_length", {"moe_intermediate_size"}};
constexpr PairRule finalSoftcap = {Float, "final_logit_softcapping", {"final_logit_softcapping"}};
constexpr PairRule noScaling = {Text, "rope.scaling.type", {}, false, {}, "none"};
constexpr PairRule logitScale = {Float, "logit_scale", {"logit_scale"}};
constexpr PairRule partOfHead = {RopePart, "rope.dimension_count", {"partial_rotary_factor"}, false, 0.5};

constexpr Rules<2> llamaOwn = {{vocabularySize, ropeLength}};
constexpr Rules<4> graniteScales = {{
    {Float, "attention.scale", {"attention_multiplier"}},
    {Float, "embedding_scale", {"embedding_multiplier"}},
    {Float, "residual_scale", {"residual_multiplier"}},
    {Float, "logit_scale", {"logits_scaling"}},
}};
constexpr auto graniteOwn = joined(llamaOwn, graniteScales);
constexpr auto graniteMoeOwn =
    joined(graniteOwn, Rules<1>{{{Number, "expert_shared_feed_forward_length", {"shared_intermediate_size"}}}});
constexpr Rules<1> qwen3moeOwn = {{expertWidth}};
constexpr Rules<2> qwen2moeOwn = {
    {expertWidth, {Number, "expert_shared_feed_forward_length", {"shared_expert_intermediate_size"}}}};
constexpr Rules<2> cohereOwn = {{logitScale, noScaling}};
constexpr Rules<5> cohere2Own = {
    {logitScale, window, vocabularySize, {RopePart, "rope.dimension_count", {"rotary_pct"}, false, 1}, noScaling}};
constexpr Rules<3> exaone4Own = {{vocabularySize, window, windowPattern}};
constexpr Rules<3> gemma2Own = {{{Float, "attn_logit_softcapping", {"attn_logit_softcapping"}}, finalSoftcap, window}};
constexpr Rules<6> gemma3Own = {{
    {Float, "attention.layer_norm_rms_epsilon", {"rms_norm_eps"}, false, 1e-6},
    {Number, "attention.key_length", {"head_dim"}, false, 256},
    {Number, "attention.value_length", {"head_dim"}, false, 256},
    {RopeBase, "rope.freq_base", {}, false, 1e6},
    finalSoftcap,
    window,
}};
constexpr auto gemma3AllOwn = joined(gemma3Own, Rules<1>{{{Number, "attention.head_count_kv", {"num_key_value_heads"}, false, 4}}});
constexpr Rules<9> gemma4Own = {{
    finalSoftcap,
    window,
    {Number, "attention.shared_kv_layers", {"num_kv_shared_layers"}},
    {Number, "embedding_length_per_layer_input", {"hidden_size_per_layer_input"}, false, 0},
    windowPattern,
    {HeadLengthsByWindow, "attention"},
    {FeedForwardByLayer, "feed_forward_length"},
    {KeyHeadsByLayer, "attention.head_count_kv"},
    {RopeLengthsByWindow, "rope"},
}};
constexpr Rules<1> glm4Own = {{partOfHead}};
constexpr Rules<8> glm4moeOwn = {{
    partOfHead,
    expertWidth,
    {Number, "expert_shared_count", {"n_shared_experts"}},
    {Number, "leading_dense_block_count", {"first_k_dense_replace"}},
    {Number, "expert_gating_func", {}, false, 2}, // sigmoid
    {Float, "expert_weights_scale", {"routed_scaling_factor"}},
    {Truth, "expert_weights_norm", {"norm_topk_prob"}},
    {Number, "nextn_predict_layers", {"num_nextn_predict_layers"}},
}};
constexpr Rules<2> gptOssOwn = {{window, {Number, "expert_feed_forward_length", {"intermediate_size"}}}};
constexpr auto ministral3Own = joined(llamaOwn, Rules<2>{{{RopeFloat, "rope.scaling.yarn_log_multiplier", {"mscale_all_dim"}},
                                                          {RopeFloat, "attention.temperature_scale", {"llama_4_scaling_beta"}}}});
constexpr Rules<2> olmo3Own = {{window, windowPattern}};
constexpr Rules<1> phi2Own = {{{Truth, "tokenizer.ggml.add_bos_token", {}, false, 0}}};
constexpr Rules<1> phi3Own = {{{Number, "attention.sliding_window", {"sliding_window"}, false, 0}}}; // 0 tells Phi-4

} // namespace

namespace pairs {
const std::span<const PairRule> usual = usualRules, cohere = cohereRules, gemma = gemmaRules, gemma3 = gemma3Rules,
                                glm4moe = glm4moeRules, gpt2 = gpt2Rules, phi2 = phi2Rules, phi3 = phi3Rules,
                                stablelm = stablelmRules;
} // namespace pairs

namespace own {
const std::span<const PairRule> llama = llamaOwn, granite = graniteOwn, graniteMoe = graniteMoeOwn, qwen2moe = qwen2moeOwn,
                                qwen3moe = qwen3moeOwn, cohere = cohereOwn, cohere2 = cohere2Own, exaone4 = exaone4Own,
                                gemma2 = gemma2Own, gemma3 = gemma3AllOwn, gemma4 = gemma4Own, glm4 = glm4Own, glm4moe = glm4moeOwn,
                                gptOss = gptOssOwn, ministral3 = ministral3Own, olmo3 = olmo3Own, phi2 = phi2Own, phi3 = phi3Own;
} // namespace own

} // namespace wb::convert
