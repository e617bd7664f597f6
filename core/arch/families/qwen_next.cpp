// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr KeyDefault intervalDefault[] = {{"full_attention_interval", 4}};
// attn_qkv and attn_gate exist in the layers of linear attention only.
constexpr RolePart linearParts[] = {
    postAttentionNorm[0], {"attn_qkv", Role::Recurrent, "attn_qkv"}, {"attn_gate", Role::Recurrent, "attn_gate"}};

// Values in transformers of members that config.json omits.
constexpr MemberValue nextMembers[] = {{"head_dim", "256"},
                                       {"linear_conv_kernel_dim", "4"},
                                       {"linear_key_head_dim", "128"},
                                       {"linear_num_key_heads", "16"},
                                       {"linear_num_value_heads", "32"},
                                       {"linear_value_head_dim", "128"},
                                       {"partial_rotary_factor", "0.25"},
                                       {"rms_norm_eps", "1e-06"},
                                       {"rope_theta", "10000.0"},
                                       {"num_experts_per_tok", "10"}};
// Of a class without experts.
constexpr auto denseMembers = std::span(nextMembers).first(std::size(nextMembers) - 1);

using enum RowOrder;

// Layers that predict ahead attend, so the tensors of attention are theirs, too.
constexpr TensorRules<6> gatedAttention = {{
    {"self_attn.q_proj", "attn_q", Dim::QueriesAndGates, Dim::Width, Copy, true, attending},
    {"self_attn.k_proj", "attn_k", Dim::KeyValues, Dim::Width, Copy, true, attending},
    {"self_attn.v_proj", "attn_v", Dim::KeyValues, Dim::Width, Copy, true, attending},
    {"self_attn.o_proj", "attn_output", Dim::Width, Dim::Queries, Copy, true, attending},
    {"self_attn.q_norm", "attn_q_norm", Dim::HeadLength, Dim::None, AddOne, true, attending},
    {"self_attn.k_norm", "attn_k_norm", Dim::HeadLength, Dim::None, AddOne, true, attending},
}};
constexpr TensorRules<2> blockNorms = {{
    {"input_layernorm", "attn_norm", Dim::Width, Dim::None, AddOne},
    {"post_attention_layernorm", "post_attention_norm", Dim::Width, Dim::None, AddOne},
}};
constexpr auto normedAttention = joined(blockNorms, gatedAttention);

// Rows of each key head are next to each other.
constexpr TensorRules<8> groupedDelta = {{
    {"linear_attn.A_log", "ssm_a", Dim::ValueHeads, Dim::None, NegateExp, true, recurrent, Dim::None, Stored, true},
    {"linear_attn.conv1d", "ssm_conv1d", Dim::One, Dim::Taps, Squeeze, true, recurrent, Dim::Mixed},
    {"linear_attn.dt_bias", "ssm_dt.bias", Dim::ValueHeads, Dim::None, Copy, true, recurrent},
    {"linear_attn.in_proj_ba", "ssm_ba", Dim::TwoValueHeads, Dim::Width, Copy, true, recurrent},
    {"linear_attn.in_proj_qkvz", "attn_qkv", Dim::MixedAndGates, Dim::Width, Copy, true, recurrent, Dim::None, TakeMixed},
    {"linear_attn.in_proj_qkvz", "attn_gate", Dim::MixedAndGates, Dim::Width, Copy, true, recurrent, Dim::None, TakeGates},
    {"linear_attn.norm", "ssm_norm", Dim::ValueLength, Dim::None, Copy, true, recurrent},
    {"linear_attn.out_proj", "ssm_out", Dim::Width, Dim::Inner, Copy, true, recurrent},
}};
constexpr TensorRules<9> tiledDelta = {{
    {"linear_attn.A_log", "ssm_a", Dim::ValueHeads, Dim::None, NegateExp, true, recurrent, Dim::None, TileHeads, true},
    {"linear_attn.conv1d", "ssm_conv1d", Dim::One, Dim::Taps, Squeeze, true, recurrent, Dim::Mixed, TileMixed},
    {"linear_attn.dt_bias", "ssm_dt.bias", Dim::ValueHeads, Dim::None, Copy, true, recurrent, Dim::None, TileHeads},
    {"linear_attn.in_proj_a", "ssm_alpha", Dim::ValueHeads, Dim::Width, Copy, true, recurrent, Dim::None, TileHeads},
    {"linear_attn.in_proj_b", "ssm_beta", Dim::ValueHeads, Dim::Width, Copy, true, recurrent, Dim::None, TileHeads},
    {"linear_attn.in_proj_qkv", "attn_qkv", Dim::Mixed, Dim::Width, Copy, true, recurrent, Dim::None, TileMixed},
    {"linear_attn.in_proj_z", "attn_gate", Dim::Inner, Dim::Width, Copy, true, recurrent, Dim::None, TileHeads},
    {"linear_attn.norm", "ssm_norm", Dim::ValueLength, Dim::None, Copy, true, recurrent},
    {"linear_attn.out_proj", "ssm_out", Dim::Width, Dim::Inner, Copy, true, recurrent, Dim::None, TileColumns},
}};
// Around the layers that predict ahead.
constexpr TensorRules<4> prediction = {{
    {"mtp.fc", "nextn.eh_proj", Dim::Width, Dim::Any, Copy, false},
    {"mtp.pre_fc_norm_embedding", "nextn.enorm", Dim::Width, Dim::None, AddOne, false},
    {"mtp.pre_fc_norm_hidden", "nextn.hnorm", Dim::Width, Dim::None, AddOne, false},
    {"mtp.norm", "nextn.shared_head_norm", Dim::Width, Dim::None, AddOne, false},
}};
// Published folders stack the experts, in the order gate and up.
constexpr TensorRules<3> stackedExperts = {{
    {"mlp.experts.down_proj", "ffn_down_exps.weight", Dim::Width, Dim::ExpertWidth, Copy, true, LayerKind::Sparse, Dim::Experts},
    {"mlp.experts.gate_up_proj", "ffn_gate_exps.weight", Dim::GateAndUpOfExpert, Dim::Width, FirstHalf, true, LayerKind::Sparse,
     Dim::Experts},
    {"mlp.experts.gate_up_proj", "ffn_up_exps.weight", Dim::GateAndUpOfExpert, Dim::Width, SecondHalf, true, LayerKind::Sparse,
     Dim::Experts},
}};
constexpr auto nextLayer = joined(normedAttention, groupedDelta, gated, experts, sharedExpert);
constexpr auto expertDeltaLayer = joined(normedAttention, tiledDelta, gated, experts, stackedExperts, sharedExpert, prediction);
constexpr auto denseDeltaLayer = joined(normedAttention, tiledDelta, gated, prediction);
constexpr auto outerAddOne = joined(TensorRules<2>{{
                                        {"model.embed_tokens", "token_embd", Dim::Vocabulary, Dim::Width},
                                        {"model.norm", "output_norm", Dim::Width, Dim::None, AddOne},
                                    }},
                                    head);

constexpr KeyRules<8> deltaKeys = {{
    {Number, "ssm.conv_kernel", {"linear_conv_kernel_dim"}, true},
    {Number, "ssm.state_size", {"linear_key_head_dim"}, true},
    {Number, "ssm.group_count", {"linear_num_key_heads"}, true},
    {Number, "ssm.time_step_rank", {"linear_num_value_heads"}, true},
    {InnerLength, "ssm.inner_size", {"linear_value_head_dim"}},
    {RecurrentByLayer, "attention.recurrent_layers"},
    {Number, "full_attention_interval", {"full_attention_interval"}, false, 4},
    {RopePart, "rope.dimension_count", {"partial_rotary_factor"}, false, 0.25},
}};
constexpr KeyRules<2> expertKeys = {
    {expertWidth, {Number, "expert_shared_feed_forward_length", {"shared_expert_intermediate_size"}}}};
constexpr KeyRules<1> sections = {{{RopeSections, "rope.dimension_sections", {}, false, {}, "11 11 10 0"}}};
constexpr KeyRules<1> predictionKeys = {{{Prediction, "nextn_predict_layers", {"mtp_num_hidden_layers"}}}};
constexpr auto nextKeys = joined(expertKeys, deltaKeys);
constexpr auto countedKeys = joined(KeyRules<2>{{{BlockCount, "block_count"}, contextLength}}, widths, headCounts, afterHeads);
constexpr auto expertDeltaKeys = joined(expertKeys, predictionKeys, deltaKeys, sections);
constexpr auto denseDeltaKeys = joined(predictionKeys, deltaKeys, sections);

// The classes differ in their layers and keys.
constexpr FolderRules deltaFolder(FolderRules rules) {
    rules.outer = outerAddOne;
    rules.predictionPrefix = "mtp.";
    return rules;
}

constexpr FolderRules qwen3nextFolders[] = {deltaFolder({.classes = {"Qwen3NextForCausalLM"},
                                                         .layer = nextLayer,
                                                         .ownKeys = nextKeys,
                                                         .dropsPrediction = true,
                                                         .modelType = "qwen3_next",
                                                         .members = {{"expert_count", "num_experts"}},
                                                         .guess = {"norm_topk_prob", "true"}})};
constexpr FolderRules qwen35Folders[] = {deltaFolder({.classes = {"Qwen3_5ForCausalLM", "Qwen3_5ForConditionalGeneration"},
                                                      .layer = denseDeltaLayer,
                                                      .keys = countedKeys,
                                                      .ownKeys = denseDeltaKeys,
                                                      .modelType = "qwen3_5_text"})};
constexpr FolderRules qwen35moeFolders[] = {deltaFolder({.classes = {"Qwen3_5MoeForCausalLM", "Qwen3_5MoeForConditionalGeneration"},
                                                         .layer = expertDeltaLayer,
                                                         .keys = countedKeys,
                                                         .ownKeys = expertDeltaKeys,
                                                         .modelType = "qwen3_5_moe_text",
                                                         .members = {{"expert_count", "num_experts"}}})};

// Streams instead of one residual: what is mixed of them before each block, and injected into them after it.
constexpr TensorRules<8> streams = {{
    {"attn_hyper_connection.block_inject_weight", "hc_attn_inject", Dim::Any, Dim::Any},
    {"attn_hyper_connection.hc_norm", "hc_attn_norm", Dim::Any, Dim::None, AddOne},
    {"attn_hyper_connection.input_mix_weight_down", "hc_attn_down", Dim::Any, Dim::Any},
    {"attn_hyper_connection.input_mix_weight_up", "hc_attn_up", Dim::Any, Dim::Any},
    {"mlp_hyper_connection.block_inject_weight", "hc_ffn_inject", Dim::Any, Dim::Any},
    {"mlp_hyper_connection.hc_norm", "hc_ffn_norm", Dim::Any, Dim::None, AddOne},
    {"mlp_hyper_connection.input_mix_weight_down", "hc_ffn_down", Dim::Any, Dim::Any},
    {"mlp_hyper_connection.input_mix_weight_up", "hc_ffn_up", Dim::Any, Dim::Any},
}};
constexpr TensorRules<4> blockIndexer = {{
    {"self_attn.indexer.index_qk_proj", "indexer.q_proj", Dim::Any, Dim::Width, IndexerQueries, false, attending},
    {"self_attn.indexer.index_qk_proj", "indexer.k_proj", Dim::Any, Dim::Width, IndexerKeys, false, attending},
    {"self_attn.indexer.q_layernorm", "indexer.q_norm", Dim::Any, Dim::None, AddOne, false, attending},
    {"self_attn.indexer.k_layernorm", "indexer.k_norm", Dim::Any, Dim::None, AddOne, false, attending},
}};
// Embeddings of n-grams, of one layer.
constexpr TensorRules<10> ngrams = {{
    {"ple.conv1d", "ple_conv1d", Dim::One, Dim::Any, Squeeze, false, LayerKind::Every, Dim::Any},
    {"ple.key_proj", "ple_key", Dim::Any, Dim::Any, Copy, false},
    {"ple.value_proj", "ple_value", Dim::Any, Dim::Any, Copy, false},
    {"ple.norm_conv", "ple_norm_conv", Dim::Any, Dim::None, AddOne, false},
    {"ple.norm_key", "ple_norm_key", Dim::Any, Dim::None, AddOne, false},
    {"ple.norm_query", "ple_norm_query", Dim::Any, Dim::None, AddOne, false},
    {"ple.ple_embedding.ngram_embedding.shard_{}.weight", "per_layer_token_embd.weight", Dim::Any, Dim::Any, JoinShards, false,
     LayerKind::Every, Dim::None, Stored, false, Dim::None, true},
    {"ple.ple_embedding.layer_multipliers", "ple.layer_multipliers", Dim::Any, Dim::None, AsPair, false, LayerKind::Every,
     Dim::None, Stored, true},
    {"ple.ple_embedding.ngram_heads_offsets", "ple.head_offsets", Dim::Any, Dim::None, AsPair, false, LayerKind::Every, Dim::None,
     Stored, true},
    {"ple.ple_embedding.ngram_heads_vocab_sizes", "ple.head_vocab_sizes", Dim::Any, Dim::None, AsPair, false, LayerKind::Every,
     Dim::None, Stored, true},
}};
constexpr auto streamLayer =
    joined(streams, gatedAttention, blockIndexer, tiledDelta, gated, experts, stackedExperts, sharedExpert, ngrams);
constexpr TensorRules<3> streamOutput = {{
    {"model.hyper_connection_mixer.hc_norm", "output_hc_norm", Dim::Any, Dim::None, AddOne},
    {"model.hyper_connection_mixer.input_mix_weight_down", "output_hc_down", Dim::Any, Dim::Any},
    {"model.hyper_connection_mixer.input_mix_weight_up", "output_hc_up", Dim::Any, Dim::Any},
}};
constexpr auto streamOuter =
    joined(TensorRules<1>{{{"model.embed_tokens", "token_embd", Dim::Vocabulary, Dim::Width}}}, streamOutput, head);
constexpr KeyRules<15> streamKeys = {{
    {Number, "hyper_connection.count", {"hc_count"}, true},
    {Number, "hyper_connection.low_rank", {"hc_lowrank"}, true},
    {Number, "attention.indexer.head_count", {"indexer_n_heads"}},
    {Number, "attention.indexer.key_length", {"indexer_head_dim"}},
    {Number, "attention.indexer.top_k", {"indexer_budget"}},
    {RatioByLayer, "attention.compress_ratios", {"indexer_compress_ratio"}},
    {LayerNumbers, "ple.layers", {"ple_layer_ids"}},
    {Number, "ple.ngram_size", {"ngram_size"}},
    {Number, "ple.heads_per_ngram", {"heads_per_ngram"}},
    {Number, "ple.conv_kernel", {"ple_conv_kernel_size"}},
    {Number, "ple.eos_token_id", {"eos_token_id"}},
    {NgramWidth, "embedding_length_per_layer_input", {"ple_embed_dim", "heads_per_ngram", "ngram_size"}},
    {StoredNumbers, "ple.layer_multipliers", {}, false, {}, "ple.ple_embedding.layer_multipliers"},
    {StoredNumbers, "ple.head_offsets", {}, false, {}, "ple.ple_embedding.ngram_heads_offsets"},
    {StoredNumbers, "ple.head_vocab_sizes", {}, false, {}, "ple.ple_embedding.ngram_heads_vocab_sizes"},
}};
constexpr auto streamOwnKeys = joined(expertKeys, deltaKeys, streamKeys);

constexpr FolderRules qwen4expFolders[] = {
    {.classes = {"Qwen4ExpForCausalLM", "Qwen4ExpForConditionalGeneration"},
     .layer = streamLayer,
     .outer = streamOuter,
     .ownKeys = streamOwnKeys,
     .predictionPrefix = "mtp.",
     .dropsPrediction = true,
     .modelType = "qwen4_exp_text",
     .members = {{"expert_count", "num_experts"}},
     .guess = {"norm_topk_prob", "true"}},
};

constexpr Family deltaFamily(Family family) {
    family.parts = linearParts;
    family.queryKeyNorm = Head;
    family.attentionGate = true;
    family.keyDefaults = intervalDefault;
    family.runs = true;
    return family;
}
// Those that also keep their layers for prediction, with value heads in tiled order.
constexpr Family tiledFamily(Family family) {
    family.rope = InterleavedSections;
    family.keepsPredictionLayers = true;
    family.tiledHeads = true;
    return deltaFamily(family);
}

constexpr Family qwenNextRecords[] = {
    deltaFamily({.architecture = "qwen3next",
                 .modelTypes = {{.name = "qwen3_next", .defaults = nextMembers}},
                 .folders = qwen3nextFolders}),
    tiledFamily({.architecture = "qwen35",
                 .modelTypes = {{.name = "qwen3_5"}, {.name = "qwen3_5_text", .defaults = denseMembers}},
                 .folders = qwen35Folders}),
    tiledFamily({.architecture = "qwen35moe",
                 .modelTypes = {{.name = "qwen3_5_moe"}, {.name = "qwen3_5_moe_text", .defaults = nextMembers}},
                 .folders = qwen35moeFolders}),
    tiledFamily({.architecture = "qwen4exp",
                 .modelTypes = {{.name = "qwen4_exp"}, {.name = "qwen4_exp_text", .defaults = nextMembers}},
                 .folders = qwen4expFolders,
                 .sigmoidDeltaGate = true,
                 .indexer = IndexerKind::Block}),
};

} // namespace

const std::span<const Family> qwenNext = qwenNextRecords;

} // namespace wb::arch::records
