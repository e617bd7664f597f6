// SPDX-License-Identifier: MIT
#include "core/arch/families/families.h"

namespace wb::arch::records {
namespace {

constexpr KeyDefault gemma2Defaults[] = {{"attention.sliding_window", 4096}};
constexpr KeyDefault gemma3Defaults[] = {{"context_length", 131'072},     {"attention.head_count", 8},
                                         {"attention.head_count_kv", 4},  {"attention.key_length", 256},
                                         {"attention.value_length", 256}, {"vocab_size", 262'208}};

// Values in transformers of members that config.json omits.
constexpr MemberValue gemmaMembers[] = {{"head_dim", "256"}, {"rms_norm_eps", "1e-06"}};
constexpr MemberValue gemma2Members[] = {{"attn_logit_softcapping", "50.0"},
                                         {"final_logit_softcapping", "30.0"},
                                         {"head_dim", "256"},
                                         {"rms_norm_eps", "1e-06"},
                                         {"sliding_window", "4096"}};
constexpr MemberValue gemma3TextMembers[] = {{"head_dim", "256"},
                                             {"rms_norm_eps", "1e-06"},
                                             {"rope_local_base_freq", "10000.0"},
                                             {"rope_theta", "1000000.0"},
                                             {"sliding_window", "4096"}};
constexpr MemberValue gemma4TextMembers[] = {{"rms_norm_eps", "1e-06"}, {"rope_theta", "1000000.0"}, {"sliding_window", "512"}};

constexpr TensorRules<2> gemmaNorms = {{
    {"input_layernorm", "attn_norm", Dim::Width, Dim::None, AddOne},
    {"post_attention_layernorm", "ffn_norm", Dim::Width, Dim::None, AddOne},
}};
constexpr TensorRules<4> gemma2Norms = {{
    {"input_layernorm", "attn_norm", Dim::Width, Dim::None, AddOne},
    {"post_attention_layernorm", "post_attention_norm", Dim::Width, Dim::None, AddOne},
    {"pre_feedforward_layernorm", "ffn_norm", Dim::Width, Dim::None, AddOne},
    {"post_feedforward_layernorm", "post_ffw_norm", Dim::Width, Dim::None, AddOne},
}};
constexpr TensorRules<2> gemmaHeadNorms = {{
    {"self_attn.q_norm", "attn_q_norm", Dim::HeadLength, Dim::None, AddOne},
    {"self_attn.k_norm", "attn_k_norm", Dim::HeadLength, Dim::None, AddOne},
}};
// Layers that use the KV cache of another layer have no keys and values.
constexpr TensorRules<14> gemma4Parts = {{
    {"input_layernorm", "attn_norm", Dim::Width},
    {"post_attention_layernorm", "post_attention_norm", Dim::Width},
    {"pre_feedforward_layernorm", "ffn_norm", Dim::Width},
    {"post_feedforward_layernorm", "post_ffw_norm", Dim::Width},
    {"self_attn.q_proj", "attn_q", Dim::Queries, Dim::Width},
    {"self_attn.k_proj", "attn_k", Dim::KeyValues, Dim::Width, Copy, false},
    {"self_attn.v_proj", "attn_v", Dim::KeyValues, Dim::Width, Copy, false},
    {"self_attn.o_proj", "attn_output", Dim::Width, Dim::Queries},
    {"self_attn.q_norm", "attn_q_norm", Dim::HeadLength},
    {"self_attn.k_norm", "attn_k_norm", Dim::HeadLength, Dim::None, Copy, false},
    {"layer_scalar", "layer_output_scale.weight", Dim::One},
    {"per_layer_input_gate", "inp_gate", Dim::LayerInput, Dim::Width, Copy, false},
    {"per_layer_projection", "proj", Dim::Width, Dim::LayerInput, Copy, false},
    {"post_per_layer_input_norm", "post_norm", Dim::Width, Dim::None, Copy, false},
}};
// Next to its experts a layer has a dense part.
constexpr TensorRules<3> gemma4Dense = {{
    {"mlp.gate_proj", "ffn_gate", Dim::FeedForward, Dim::Width},
    {"mlp.up_proj", "ffn_up", Dim::FeedForward, Dim::Width},
    {"mlp.down_proj", "ffn_down", Dim::Width, Dim::FeedForward},
}};
constexpr TensorRules<8> gemma4Experts = {{
    {"experts.down_proj", "ffn_down_exps.weight", Dim::Width, Dim::ExpertWidth, Copy, true, LayerKind::Sparse, Dim::Experts},
    {"experts.gate_up_proj", "ffn_gate_up_exps.weight", Dim::GateAndUpOfExpert, Dim::Width, Copy, true, LayerKind::Sparse,
     Dim::Experts},
    {"router.per_expert_scale", "ffn_down_exps.scale", Dim::Experts, Dim::None, Copy, true, LayerKind::Sparse, Dim::None,
     RowOrder::Stored, true},
    {"router.proj", "ffn_gate_inp", Dim::Experts, Dim::Width, Copy, true, LayerKind::Sparse},
    {"router.scale", "ffn_gate_inp.scale", Dim::Width, Dim::None, Copy, true, LayerKind::Sparse, Dim::None, RowOrder::Stored, true},
    {"post_feedforward_layernorm_1", "post_ffw_norm_1", Dim::Width, Dim::None, Copy, true, LayerKind::Sparse},
    {"post_feedforward_layernorm_2", "post_ffw_norm_2", Dim::Width, Dim::None, Copy, true, LayerKind::Sparse},
    {"pre_feedforward_layernorm_2", "pre_ffw_norm_2", Dim::Width, Dim::None, Copy, true, LayerKind::Sparse},
}};
constexpr auto gemmaLayer = joined(gemmaNorms, attention, gated);
constexpr auto gemma2Layer = joined(gemma2Norms, attention, gated);
constexpr auto gemma3Layer = joined(gemma2Norms, attention, gemmaHeadNorms, gated);
constexpr auto gemma4Layer = joined(gemma4Parts, gemma4Dense, gemma4Experts);

constexpr TensorRules<1> gemmaNorm = {{{"model.norm", "output_norm", Dim::Width, Dim::None, AddOne}}};
constexpr TensorRules<1> gemmaEmbedding = {{{"model.embed_tokens", "token_embd", Dim::Vocabulary, Dim::Width}}};
constexpr TensorRules<1> gemma3Embedding = {{{"model.embed_tokens", "token_embd", Dim::Any, Dim::Width, CutRows}}};
constexpr TensorRules<3> layerInputs = {{
    {"model.embed_tokens_per_layer", "per_layer_token_embd", Dim::Any, Dim::AllLayerInputs, Copy, false},
    {"model.per_layer_model_projection", "per_layer_model_proj", Dim::AllLayerInputs, Dim::Width, Copy, false},
    {"model.per_layer_projection_norm", "per_layer_proj_norm", Dim::LayerInput, Dim::None, Copy, false},
}};
constexpr auto gemmaOuter = joined(gemmaEmbedding, gemmaNorm, head);
constexpr auto gemma3Outer = joined(gemma3Embedding, gemmaNorm, head);
constexpr auto gemma4Outer = joined(embeddingAndNorm, head, layerInputs);

constexpr KeyRules<8> gemmaKeys = {{contextLength,
                                    embeddingLength,
                                    blockCount,
                                    feedForward,
                                    heads,
                                    {Number, "attention.head_count_kv", {"num_key_value_heads", "num_attention_heads"}, true},
                                    rmsEpsilon,
                                    headLength}};
constexpr KeyRules<3> gemma2OwnKeys = {{{Float, "attn_logit_softcapping", {"attn_logit_softcapping"}}, finalSoftcap, window}};
// Folders of the multimodal models omit members; gemma3OwnKeys writes the defaults.
constexpr auto gemma3Keys =
    joined(KeyRules<2>{{blockCount, {Number, "context_length", {"max_position_embeddings"}, false, 131'072}}}, widths,
           KeyRules<2>{{{Number, "attention.head_count", {"num_attention_heads"}, false, 8}, keyHeads}}, afterHeads);
constexpr KeyRules<7> gemma3OwnKeys = {{
    {Float, "attention.layer_norm_rms_epsilon", {"rms_norm_eps"}, false, 1e-6},
    {Number, "attention.key_length", {"head_dim"}, false, 256},
    {Number, "attention.value_length", {"head_dim"}, false, 256},
    {RopeBase, "rope.freq_base", {}, false, 1e6},
    finalSoftcap,
    window,
    {Number, "attention.head_count_kv", {"num_key_value_heads"}, false, 4},
}};
constexpr KeyRules<10> gemma4OwnKeys = {{
    finalSoftcap,
    window,
    {Number, "attention.shared_kv_layers", {"num_kv_shared_layers"}},
    {Number, "embedding_length_per_layer_input", {"hidden_size_per_layer_input"}, false, 0},
    windowPattern,
    {HeadLengthsByWindow, "attention"},
    {Number, "expert_feed_forward_length", {"expert_intermediate_size", "moe_intermediate_size"}},
    {FeedForwardByLayer, "feed_forward_length"},
    {KeyHeadsByLayer, "attention.head_count_kv"},
    {RopeLengthsByWindow, "rope"},
}};
constexpr KeyRule noSpacePrefix = {Truth, "tokenizer.ggml.add_space_prefix", {}, false, 0};
constexpr KeyRule gemmaTokenizer[] = {{Number, "tokenizer.ggml.eot_token_id", {}, false, 107}, noSpacePrefix};
constexpr KeyRule gemma2Tokenizer[] = {noSpacePrefix};
constexpr KeyRule gemma4Tokenizer[] = {noSpacePrefix, {Truth, "tokenizer.ggml.add_bos_token", {}, false, 1}};

constexpr FolderRules gemmaFolders[] = {
    {.classes = {"GemmaForCausalLM"},
     .layer = gemmaLayer,
     .outer = gemmaOuter,
     .keys = gemmaKeys,
     .tokenizerKeys = gemmaTokenizer,
     .dropsHead = true,
     .modelType = "gemma",
     .activation = "gelu_pytorch_tanh",
     .tokenizerClass = "GemmaTokenizer"},
};

constexpr FolderRules gemma2Folders[] = {
    {.classes = {"Gemma2ForCausalLM"},
     .layer = gemma2Layer,
     .outer = gemmaOuter,
     .keys = gemmaKeys,
     .ownKeys = gemma2OwnKeys,
     .tokenizerKeys = gemma2Tokenizer,
     .dropsHead = true,
     .modelType = "gemma2",
     .activation = "gelu_pytorch_tanh",
     .activationKey = "hidden_activation",
     .writesScoreScalar = true,
     .tokenizerClass = "GemmaTokenizer"},
};

constexpr FolderRules gemma3Folders[] = {
    {.classes = {"Gemma3ForCausalLM", "Gemma3ForConditionalGeneration"},
     .layer = gemma3Layer,
     .outer = gemma3Outer,
     .keys = gemma3Keys,
     .ownKeys = gemma3OwnKeys,
     .tokenizerKeys = gemma2Tokenizer,
     .modelType = "gemma3_text",
     .activation = "gelu_pytorch_tanh",
     .activationKey = "hidden_activation",
     .writesScoreScalar = true,
     .tokenizerClass = "GemmaTokenizer"},
};

constexpr FolderRules gemma4Folders[] = {
    {.classes = {"Gemma4ForCausalLM", "Gemma4ForConditionalGeneration"},
     .layer = gemma4Layer,
     .outer = gemma4Outer,
     .ownKeys = gemma4OwnKeys,
     .tokenizerKeys = gemma4Tokenizer,
     .tensorRopeType = "proportional",
     .vocabulary = VocabularyKind::ScoredBpe,
     .modelType = "gemma4_text",
     .activation = "gelu_pytorch_tanh",
     .activationKey = "hidden_activation",
     .members = {{"expert_count", "num_experts"},
                 {"expert_used_count", "top_k_experts"},
                 {"expert_feed_forward_length", "moe_intermediate_size"}},
     .tokenizerClass = "GemmaTokenizer"},
};

constexpr Family gemmaRecords[] = {
    {.architecture = "gemma",
     .modelTypes = {{.name = "gemma", .defaults = gemmaMembers}},
     .folders = gemmaFolders,
     .activation = Activation::GeluTanh,
     .sqrtEmbedding = true,
     .tied = true,
     .runs = true},
    {.architecture = "gemma2",
     .modelTypes = {{.name = "gemma2", .defaults = gemma2Members}},
     .parts = postAttentionNorm,
     .folders = gemma2Folders,
     .placement = NormPlacement::Both,
     .activation = Activation::GeluTanh,
     .windowPeriod = 2,
     .sqrtEmbedding = true,
     .tied = true,
     .widthScaledLayers = 46,
     .keyDefaults = gemma2Defaults,
     .runs = true},
    {.architecture = "gemma3",
     .modelTypes = {{"gemma3"}, {.name = "gemma3_text", .defaults = gemma3TextMembers}},
     .parts = postAttentionNorm,
     .folders = gemma3Folders,
     .placement = NormPlacement::Both,
     .queryKeyNorm = Head,
     .activation = Activation::GeluTanh,
     .windowPeriod = 6,
     .sqrtEmbedding = true,
     .tied = true,
     .plainWindows = true,
     .windowRopeBase = 10000,
     .widthScaledLayers = 62,
     .keyDefaults = gemma3Defaults,
     .runs = true},
    {.architecture = "gemma3n",
     .modelTypes = {{"gemma3n"}, {"gemma3n_text"}},
     .parts = postAttentionNorm,
     .placement = NormPlacement::Both,
     .queryKeyNorm = Head,
     .activation = Activation::GeluTanh,
     .windowPeriod = 5,
     .sqrtEmbedding = true,
     .attentionScale = 1,
     .tied = true,
     .valueNorm = true,
     .plainWindows = true,
     .windowRopeBase = 10000},
    {.architecture = "gemma4",
     .modelTypes = {{"gemma4"}, {.name = "gemma4_text", .defaults = gemma4TextMembers}},
     .parts = postAttentionNorm,
     .folders = gemma4Folders,
     .placement = NormPlacement::Both,
     .queryKeyNorm = Head,
     .activation = Activation::GeluTanh,
     .sqrtEmbedding = true,
     .attentionScale = 1,
     .tied = true,
     .valueNorm = true,
     .denseBesideExperts = true,
     .plainWindows = true,
     .windowHeadLengths = true,
     .runs = true},
    {.architecture = "gemma-embedding",
     .placement = NormPlacement::Both,
     .queryKeyNorm = Head,
     .activation = Activation::GeluTanh,
     .windowPeriod = 6,
     .sqrtEmbedding = true,
     .tied = true,
     .plainWindows = true,
     .windowRopeBase = 10000},
};

} // namespace

const std::span<const Family> gemma = gemmaRecords;

} // namespace wb::arch::records
