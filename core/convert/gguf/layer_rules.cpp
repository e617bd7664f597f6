// SPDX-License-Identifier: MIT
#include "core/convert/gguf/family_lists.h"

namespace wb::convert {
namespace {

using enum Transform;
template <std::size_t count>
using Rules = std::array<NameRule, count>;

constexpr Rules<4> attention = {{
    {"self_attn.q_proj", "attn_q", Dim::Queries, Dim::Width, PermuteQueries},
    {"self_attn.k_proj", "attn_k", Dim::KeyValues, Dim::Width, PermuteKeys},
    {"self_attn.v_proj", "attn_v", Dim::KeyValues, Dim::Width},
    {"self_attn.o_proj", "attn_output", Dim::Width, Dim::Queries},
}};
constexpr Rules<2> norms = {{
    {"input_layernorm", "attn_norm", Dim::Width},
    {"post_attention_layernorm", "ffn_norm", Dim::Width},
}};
constexpr Rules<2> headNorms = {{
    {"self_attn.q_norm", "attn_q_norm", Dim::HeadLength},
    {"self_attn.k_norm", "attn_k_norm", Dim::HeadLength},
}};
constexpr Rules<3> gated = {{
    {"mlp.gate_proj", "ffn_gate", Dim::FeedForward, Dim::Width, Copy, true, Layers::Dense},
    {"mlp.up_proj", "ffn_up", Dim::FeedForward, Dim::Width, Copy, true, Layers::Dense},
    {"mlp.down_proj", "ffn_down", Dim::Width, Dim::FeedForward, Copy, true, Layers::Dense},
}};
constexpr Rules<2> fusedGate = {{
    {"mlp.gate_up_proj", "ffn_up", Dim::GateAndUp, Dim::Width},
    {"mlp.down_proj", "ffn_down", Dim::Width, Dim::FeedForward},
}};
constexpr Rules<4> experts = {{
    {"mlp.gate", "ffn_gate_inp", Dim::Experts, Dim::Width, Copy, true, Layers::Sparse},
    {"mlp.experts.{}.down_proj", "ffn_down_exps", Dim::Width, Dim::ExpertWidth, Stack, true, Layers::Sparse},
    {"mlp.experts.{}.gate_proj", "ffn_gate_exps", Dim::ExpertWidth, Dim::Width, Stack, true, Layers::Sparse},
    {"mlp.experts.{}.up_proj", "ffn_up_exps", Dim::ExpertWidth, Dim::Width, Stack, true, Layers::Sparse},
}};
constexpr Rules<4> mixtralExperts = {{
    {"block_sparse_moe.gate", "ffn_gate_inp", Dim::Experts, Dim::Width},
    {"block_sparse_moe.experts.{}.w1", "ffn_gate_exps", Dim::FeedForward, Dim::Width, Stack},
    {"block_sparse_moe.experts.{}.w2", "ffn_down_exps", Dim::Width, Dim::FeedForward, Stack},
    {"block_sparse_moe.experts.{}.w3", "ffn_up_exps", Dim::FeedForward, Dim::Width, Stack},
}};
constexpr Rules<4> sharedExpert = {{
    {"mlp.shared_expert.gate_proj", "ffn_gate_shexp", Dim::Any, Dim::Width, Copy, true, Layers::Sparse},
    {"mlp.shared_expert.up_proj", "ffn_up_shexp", Dim::Any, Dim::Width, Copy, true, Layers::Sparse},
    {"mlp.shared_expert.down_proj", "ffn_down_shexp", Dim::Width, Dim::Any, Copy, true, Layers::Sparse},
    {"mlp.shared_expert_gate", "ffn_gate_inp_shexp", Dim::One, Dim::Width, Copy, true, Layers::Sparse},
}};
constexpr Rules<2> normsAfter = {{
    {"post_attention_layernorm", "post_attention_norm", Dim::Width},
    {"post_feedforward_layernorm", "post_ffw_norm", Dim::Width},
}};
constexpr Rules<2> wideHeadNorms = {{
    {"self_attn.q_norm", "attn_q_norm", Dim::Queries},
    {"self_attn.k_norm", "attn_k_norm", Dim::KeyValues},
}};
constexpr Rules<2> starcoderGate = {{
    {"mlp.c_fc", "ffn_up", Dim::FeedForward, Dim::Width},
    {"mlp.c_proj", "ffn_down", Dim::Width, Dim::FeedForward},
}};
constexpr Rules<1> parallelNorm = {{{"input_layernorm", "attn_norm", Dim::Width}}};
constexpr Rules<2> gemmaNorms = {{
    {"input_layernorm", "attn_norm", Dim::Width, Dim::None, AddOne},
    {"post_attention_layernorm", "ffn_norm", Dim::Width, Dim::None, AddOne},
}};
constexpr Rules<4> gemma2Norms = {{
    {"input_layernorm", "attn_norm", Dim::Width, Dim::None, AddOne},
    {"post_attention_layernorm", "post_attention_norm", Dim::Width, Dim::None, AddOne},
    {"pre_feedforward_layernorm", "ffn_norm", Dim::Width, Dim::None, AddOne},
    {"post_feedforward_layernorm", "post_ffw_norm", Dim::Width, Dim::None, AddOne},
}};
constexpr Rules<2> gemmaHeadNorms = {{
    {"self_attn.q_norm", "attn_q_norm", Dim::HeadLength, Dim::None, AddOne},
    {"self_attn.k_norm", "attn_k_norm", Dim::HeadLength, Dim::None, AddOne},
}};
// Layers that use the keys and values of another one have none of their own.
constexpr Rules<14> gemma4Parts = {{
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
constexpr Rules<4> glm4Norms = {{
    {"input_layernorm", "attn_norm", Dim::Width},
    {"post_self_attn_layernorm", "post_attention_norm", Dim::Width},
    {"post_attention_layernorm", "ffn_norm", Dim::Width},
    {"post_mlp_layernorm", "post_ffw_norm", Dim::Width},
}};
constexpr Rules<2> normsAround = {{
    {"input_layernorm", "attn_norm", Dim::Width},
    {"post_attention_layernorm", "post_attention_norm", Dim::Width},
}};
constexpr Rules<12> glm4moeParts = {{
    {"mlp.gate.e_score_correction_bias", "exp_probs_b.bias", Dim::Experts, Dim::None, Copy, false, Layers::Sparse},
    {"mlp.shared_experts.gate_proj", "ffn_gate_shexp", Dim::Any, Dim::Width, Copy, false, Layers::Sparse},
    {"mlp.shared_experts.up_proj", "ffn_up_shexp", Dim::Any, Dim::Width, Copy, false, Layers::Sparse},
    {"mlp.shared_experts.down_proj", "ffn_down_shexp", Dim::Width, Dim::Any, Copy, false, Layers::Sparse},
    {"self_attn.q_norm", "attn_q_norm", Dim::HeadLength, Dim::None, Copy, false},
    {"self_attn.k_norm", "attn_k_norm", Dim::HeadLength, Dim::None, Copy, false},
    // Of the layer that predicts ahead.
    {"eh_proj", "nextn.eh_proj", Dim::Width, Dim::Any, Copy, false},
    {"embed_tokens", "nextn.embed_tokens", Dim::Vocabulary, Dim::Width, Copy, false},
    {"enorm", "nextn.enorm", Dim::Width, Dim::None, Copy, false},
    {"hnorm", "nextn.hnorm", Dim::Width, Dim::None, Copy, false},
    {"shared_head.head", "nextn.shared_head_head", Dim::Vocabulary, Dim::Width, Copy, false},
    {"shared_head.norm", "nextn.shared_head_norm", Dim::Width, Dim::None, Copy, false},
}};
// The scales lie beside the blocks under the same name with another ending.
constexpr Rules<8> gptOssParts = {{
    {"mlp.router", "ffn_gate_inp", Dim::Experts, Dim::Width},
    {"self_attn.sinks", "attn_sinks.weight", Dim::Heads},
    {"mlp.experts.down_proj_blocks", "ffn_down_exps.weight", Dim::Width, Dim::ExpertWidth, Repack},
    {"mlp.experts.gate_up_proj_blocks", "ffn_gate_exps.weight", Dim::GateAndUpOfExpert, Dim::Width, RepackEvenRows},
    {"mlp.experts.gate_up_proj_blocks", "ffn_up_exps.weight", Dim::GateAndUpOfExpert, Dim::Width, RepackOddRows},
    {"mlp.experts.down_proj_bias", "ffn_down_exps.bias", Dim::Experts, Dim::Width},
    {"mlp.experts.gate_up_proj_bias", "ffn_gate_exps.bias", Dim::Experts, Dim::GateAndUpOfExpert, EvenColumns},
    {"mlp.experts.gate_up_proj_bias", "ffn_up_exps.bias", Dim::Experts, Dim::GateAndUpOfExpert, OddColumns},
}};
constexpr Rules<6> gpt2Parts = {{
    {"ln_1", "attn_norm", Dim::Width},
    {"attn.c_attn", "attn_qkv", Dim::Width, Dim::QueriesKeysValues, Transpose},
    {"attn.c_proj", "attn_output", Dim::Width, Dim::Width, Transpose},
    {"ln_2", "ffn_norm", Dim::Width},
    {"mlp.c_fc", "ffn_up", Dim::Width, Dim::FeedForward, Transpose},
    {"mlp.c_proj", "ffn_down", Dim::FeedForward, Dim::Width, Transpose},
}};
constexpr Rules<4> graniteExperts = {{
    {"block_sparse_moe.router.layer", "ffn_gate_inp", Dim::Experts, Dim::Width},
    {"block_sparse_moe.input_linear", "ffn_gate_exps", Dim::GateAndUpOfExpert, Dim::Width, FirstHalf, true, Layers::Every,
     Dim::Experts},
    {"block_sparse_moe.input_linear", "ffn_up_exps", Dim::GateAndUpOfExpert, Dim::Width, SecondHalf, true, Layers::Every,
     Dim::Experts},
    {"block_sparse_moe.output_linear", "ffn_down_exps", Dim::Width, Dim::ExpertWidth, Copy, true, Layers::Every, Dim::Experts},
}};
constexpr Rules<3> graniteShared = {{
    {"shared_mlp.input_linear", "ffn_gate_shexp", Dim::Any, Dim::Width, FirstHalf, false},
    {"shared_mlp.input_linear", "ffn_up_shexp", Dim::Any, Dim::Width, SecondHalf, false},
    {"shared_mlp.output_linear", "ffn_down_shexp", Dim::Width, Dim::Any, Copy, false},
}};
constexpr Rules<7> phi2Parts = {{
    {"input_layernorm", "attn_norm", Dim::Width},
    {"self_attn.q_proj", "attn_q", Dim::Queries, Dim::Width},
    {"self_attn.k_proj", "attn_k", Dim::KeyValues, Dim::Width},
    {"self_attn.v_proj", "attn_v", Dim::KeyValues, Dim::Width},
    {"self_attn.dense", "attn_output", Dim::Width, Dim::Queries},
    {"mlp.fc1", "ffn_up", Dim::FeedForward, Dim::Width},
    {"mlp.fc2", "ffn_down", Dim::Width, Dim::FeedForward},
}};
constexpr Rules<2> phi3Attention = {{
    {"self_attn.qkv_proj", "attn_qkv", Dim::QueriesKeysValues, Dim::Width},
    {"self_attn.o_proj", "attn_output", Dim::Width, Dim::Queries},
}};
// StableLM 2 of 12 B normalizes each head and has no second norm.
constexpr Rules<3> stablelmNorms = {{
    {"post_attention_layernorm", "ffn_norm", Dim::Width, Dim::None, Copy, false},
    {"self_attn.q_layernorm.norms.{}", "attn_q_norm", Dim::HeadLength, Dim::None, StackHeads, false},
    {"self_attn.k_layernorm.norms.{}", "attn_k_norm", Dim::HeadLength, Dim::None, StackHeads, false},
}};

constexpr auto denseRules = joined(norms, attention, gated);
constexpr auto denseHeadNormsRules = joined(norms, attention, headNorms, gated);
constexpr auto mixtralRules = joined(norms, attention, mixtralExperts);
constexpr auto qwen2moeRules = joined(norms, attention, gated, experts, sharedExpert);
constexpr auto qwen3moeRules = joined(norms, attention, headNorms, gated, experts);
constexpr auto olmo2Rules = joined(normsAfter, attention, wideHeadNorms, gated);
constexpr auto exaone4Rules = joined(normsAfter, attention, headNorms, gated);
constexpr auto starcoder2Rules = joined(norms, attention, starcoderGate);
constexpr auto cohereRules = joined(parallelNorm, attention, gated);
constexpr auto gemmaRules = joined(gemmaNorms, attention, gated);
constexpr auto gemma2Rules = joined(gemma2Norms, attention, gated);
constexpr auto gemma3Rules = joined(gemma2Norms, attention, gemmaHeadNorms, gated);
constexpr auto gemma4Rules = joined(gemma4Parts, gated);
constexpr auto glm4Rules = joined(glm4Norms, attention, fusedGate);
constexpr auto glm4moeRules = joined(normsAround, attention, gated, experts, glm4moeParts);
constexpr auto gptOssRules = joined(normsAround, attention, gptOssParts);
constexpr auto graniteMoeRules = joined(norms, attention, graniteExperts, graniteShared);
constexpr auto phi3Rules = joined(norms, phi3Attention, fusedGate);
constexpr auto stablelmRules = joined(parallelNorm, stablelmNorms, attention, gated);

constexpr Rules<2> embeddingAndNorm = {{
    {"model.embed_tokens", "token_embd", Dim::Vocabulary, Dim::Width},
    {"model.norm", "output_norm", Dim::Width},
}};
constexpr Rules<1> head = {{{"lm_head", "output", Dim::Vocabulary, Dim::Width, Copy, false}}};
constexpr Rules<1> gemmaNorm = {{{"model.norm", "output_norm", Dim::Width, Dim::None, AddOne}}};
constexpr Rules<1> gemmaEmbedding = {{{"model.embed_tokens", "token_embd", Dim::Vocabulary, Dim::Width}}};
constexpr Rules<1> gemma3Embedding = {{{"model.embed_tokens", "token_embd", Dim::Any, Dim::Width, CutRows}}};
constexpr Rules<3> layerInputs = {{
    {"model.embed_tokens_per_layer", "per_layer_token_embd", Dim::Any, Dim::AllLayerInputs, Copy, false},
    {"model.per_layer_model_projection", "per_layer_model_proj", Dim::AllLayerInputs, Dim::Width, Copy, false},
    {"model.per_layer_projection_norm", "per_layer_proj_norm", Dim::LayerInput, Dim::None, Copy, false},
}};
constexpr Rules<4> gpt2Outer = {{
    {"wte", "token_embd", Dim::Vocabulary, Dim::Width},
    {"wpe", "position_embd", Dim::Any, Dim::Width},
    {"ln_f", "output_norm", Dim::Width},
    {"lm_head", "output", Dim::Vocabulary, Dim::Width, Copy, false},
}};
constexpr Rules<3> phi2Outer = {{
    {"model.embed_tokens", "token_embd", Dim::Vocabulary, Dim::Width},
    {"model.final_layernorm", "output_norm", Dim::Width},
    {"lm_head", "output", Dim::Vocabulary, Dim::Width, Copy, false},
}};
constexpr auto usualOuter = joined(embeddingAndNorm, head);
constexpr auto gemmaOuter = joined(gemmaEmbedding, gemmaNorm, head);
constexpr auto gemma3Outer = joined(gemma3Embedding, gemmaNorm, head);
constexpr auto gemma4Outer = joined(embeddingAndNorm, head, layerInputs);

} // namespace

namespace layers {
const std::span<const NameRule> dense = denseRules, denseHeadNorms = denseHeadNormsRules, mixtral = mixtralRules,
                                qwen2moe = qwen2moeRules, qwen3moe = qwen3moeRules, olmo2 = olmo2Rules, exaone4 = exaone4Rules,
                                starcoder2 = starcoder2Rules, cohere = cohereRules, gemma = gemmaRules, gemma2 = gemma2Rules,
                                gemma3 = gemma3Rules, gemma4 = gemma4Rules, glm4 = glm4Rules, glm4moe = glm4moeRules,
                                gptOss = gptOssRules, gpt2 = gpt2Parts, graniteMoe = graniteMoeRules, phi2 = phi2Parts,
                                phi3 = phi3Rules, stablelm = stablelmRules;
} // namespace layers

namespace outers {
const std::span<const NameRule> usual = usualOuter, gemma = gemmaOuter, gemma3 = gemma3Outer, gemma4 = gemma4Outer,
                                gpt2 = gpt2Outer, phi2 = phi2Outer;
} // namespace outers

} // namespace wb::convert
