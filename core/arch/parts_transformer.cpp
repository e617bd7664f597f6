// SPDX-License-Identifier: MIT
#include "core/arch/part_table.h"

namespace wb::arch {
namespace {

using enum Role;

// GGUF's words: ggml-org/llama.cpp src/llama-arch.cpp. Hugging Face's: huggingface/transformers, the modeling files of each family.
constexpr RolePart transformerTable[] = {
    {"token_embd", Embedding,
     "token_embd embed_tokens tok_embeddings wte embd embed_in word_embeddings token_embedding ^.shared ^.embed ^.embedding "
     "backbone.embeddings backbone.embedding rwkv.embeddings emb nextn.embed_tokens"},
    {"position_embd", Embedding,
     "position_embd position_embedding position_embeddings embed_positions wpe pos_embed pos_embedding pos_embd"},
    {"token_types", Embedding, "token_types token_type_embeddings"},
    {"per_layer_token_embd", Embedding,
     "per_layer_token_embd embed_tokens_per_layer ngram_embedding ngram_embedding.shard ple_embedding.layer_multipliers "
     "ple_embedding.ngram_heads_offsets ple_embedding.ngram_heads_vocab_sizes"},
    {"ple_key", Embedding, "ple_key ple.key_proj"},
    {"ple_value", Embedding, "ple_value ple.value_proj"},
    {"ple_conv1d", Convolution, "ple_conv1d ple.conv1d"},
    {"per_layer_model_proj", Embedding, "per_layer_model_proj per_layer_model_projection"},
    {"inp_gate", Embedding, "inp_gate per_layer_input_gate"},
    {"proj", Embedding, "blk.proj per_layer_projection"},
    {"masked_embd", Embedding, "masked_embd_centroids masked_embd_ordering"},

    {"output", Output, "^.output lm_head embed_out ^.head score classifier classification_head ^.fc ^.linear"},
    {"cls", Output, "cls cls.output predictions.decoder qa_outputs"},
    {"pooler", Output, "pooler.dense pooler text_projection visual_projection"},
    {"output_hc", Output,
     "output_hc_fn output_hc_base output_hc_scale output_hc_down output_hc_up hyper_connection_mixer.input_mix_weight_down "
     "hyper_connection_mixer.input_mix_weight_up"},
    {"dense_2", Output, "dense_2 dense_3"},
    {"nextn.eh_proj", Output, "nextn.eh_proj eh_proj mtp.fc nextn.pre_projection nextn.post_projection"},
    {"nextn.shared_head_head", Output, "nextn.shared_head_head shared_head.head"},

    {"attn_q", Attention,
     "attn_q q_proj attention.wq attn.wq wq self.query attn.query attention.query SelfAttention.q attention.q_lin attn1.to_q "
     "attn.to_q to_q"},
    {"attn_k", Attention,
     "attn_k k_proj attention.wk attn.wk wk self.key attn.key SelfAttention.k attention.attention.key attention.k_lin attn1.to_k "
     "attn.to_k to_k"},
    {"attn_v", Attention,
     "attn_v v_proj attention.wv attn.wv wv self.value attn.value attention.value SelfAttention.v attention.v_lin attn1.to_v "
     "attn.to_v to_v"},
    {"attn_qkv", Attention,
     "attn_qkv qkv_proj query_key_value Wqkv wqkv c_attn attn.qkv attention.qkv self_attn.qkv self_attn.in_proj attn.in_proj "
     "to_qkv self_attn.W_pack linear_qkv"},
    {"attn_kv", Attention, "attn_kv kv_proj attn.to_kv"},
    {"attn_out", Attention,
     "attn_output attn_o o_proj attention.wo attn.wo wo attn.c_proj self_attn.dense self_attention.dense attention.dense "
     "self_attn.out_proj "
     "attn.out_proj attention.out_proj attn.proj attention.output.dense SelfAttention.o attention.out_lin attn1.to_out "
     "to_out proj_attn linear_proj"},
    {"attn_gate", Attention, "attn_gate self_attn.gate_proj self_attn.gate attn.gate_proj"},
    {"attn_sinks", Attention, "attn_sinks self_attn.sinks attn.sinks sinks"},
    {"attn_rel_b", Attention, "attn_rel_b relative_attention_bias attn.masked_bias relative_position_bias_table"},
    {"attn_rot_embd", Attention, "attn_rot_embd rotary_emb.inv_freq inv_freq"},
    {"rope_freqs", Attention, "rope_freqs rope_factors_long rope_factors_short rope.freqs"},
    {"attn_q_a", Attention, "attn_q_a q_a_proj wq_a"},
    {"attn_q_b", Attention, "attn_q_b q_b_proj wq_b"},
    {"attn_kv_a_mqa", Attention, "attn_kv_a_mqa kv_a_proj_with_mqa wkv_a"},
    {"attn_kv_b", Attention, "attn_kv_b kv_b_proj wkv_b"},
    {"attn_k_b", Attention, "attn_k_b"},
    {"attn_v_b", Attention, "attn_v_b"},
    {"attn_output_a", Attention, "attn_output_a wo_a"},
    {"attn_output_b", Attention, "attn_output_b wo_b"},
    {"attn_compressor", Attention, "attn_compressor_kv attn_compressor_gate attn_compressor_ape"},
    {"hc_attn", Attention,
     "hc_attn_fn hc_attn_base hc_attn_scale hc_attn_down hc_attn_up hc_attn_inject attn_hyper_connection.input_mix_weight_down "
     "attn_hyper_connection.input_mix_weight_up attn_hyper_connection.block_inject_weight"},
    {"indexer", Attention,
     "indexer.proj indexer.attn_k indexer.attn_q_b indexer.q_proj indexer.k_proj indexer.wq_b indexer.wk indexer.weights_proj "
     "indexer.index_qk_proj indexer_compressor_kv indexer_compressor_gate indexer_compressor_ape"},
    {"vis_attn", Attention, "vis_attn_qkv vis_attn_output"},
    {"cross_attn_q", Attention, "cross_attn_q EncDecAttention.q encoder_attn.q_proj attn2.to_q cross_attn.q_proj"},
    {"cross_attn_k", Attention, "cross_attn_k EncDecAttention.k encoder_attn.k_proj attn2.to_k cross_attn.k_proj"},
    {"cross_attn_v", Attention, "cross_attn_v EncDecAttention.v encoder_attn.v_proj attn2.to_v cross_attn.v_proj"},
    {"cross_attn_out", Attention, "cross_attn_o EncDecAttention.o encoder_attn.out_proj attn2.to_out cross_attn.o_proj"},
    {"cross_attn_rel_b", Attention, "cross_attn_rel_b"},

    {"ffn_gate", Mlp, "ffn_gate gate_proj feed_forward.w1 mlp.w1 DenseReluDense.wi_0 mlp.wi_0"},
    {"ffn_up", Mlp,
     "ffn_up up_proj gate_up_proj feed_forward.w3 mlp.w2 c_fc fc1 fc_in dense_h_to_4h intermediate.dense mlp.Wi DenseReluDense.wi "
     "DenseReluDense.wi_1 mlp.wi mlp.wi_1 ffn.lin1 mlp.lin1 linear_fc1"},
    {"ffn_down", Mlp,
     "ffn_down down_proj feed_forward.w2 mlp.c_proj fc2 fc_out dense_4h_to_h output.dense mlp.Wo mlp.wo DenseReluDense.wo ffn.lin2 "
     "mlp.lin2 linear_fc2"},
    {"ffn_act", Mlp, "ffn.act"},
    {"ffn_latent", Mlp, "ffn_latent_down ffn_latent_up"},
    {"vis_ffn", Mlp, "vis_gate vis_up vis_down"},
    {"hc_ffn", Mlp,
     "hc_ffn_fn hc_ffn_base hc_ffn_scale hc_ffn_down hc_ffn_up hc_ffn_inject mlp_hyper_connection.input_mix_weight_down "
     "mlp_hyper_connection.input_mix_weight_up mlp_hyper_connection.block_inject_weight"},
    {"laurel", Mlp, "laurel_l laurel_r linear_left linear_right"},
    {"altup", Mlp,
     "altup_proj altup_unembd_proj altup_correct_coef altup_correct_scale altup_predict_coef altup_router altup_projections "
     "altup_unembed_projections"},
    {"fc", Mlp, "^.mm ^.mm.model.fc multi_modal_projector.linear_1 multi_modal_projector.linear_2"},

    {"ffn_gate_exps", Experts, "ffn_gate_exps experts.gate_proj experts.w1 ffn_gate_chexps experts.mlp.w1"},
    {"ffn_up_exps", Experts, "ffn_up_exps experts.up_proj experts.w3 ffn_up_chexps experts.mlp.v1"},
    {"ffn_down_exps", Experts,
     "ffn_down_exps experts.down_proj experts.w2 ffn_down_chexps experts.mlp.w2 block_sparse_moe.output_linear"},
    {"ffn_gate_up_exps", Experts, "ffn_gate_up_exps experts.gate_up_proj block_sparse_moe.input_linear"},
    {"ffn_gate_shexp", Experts, "ffn_gate_shexp shared_expert.gate_proj shared_experts.gate_proj"},
    {"ffn_up_shexp", Experts, "ffn_up_shexp shared_expert.up_proj shared_experts.up_proj"},
    {"ffn_down_shexp", Experts, "ffn_down_shexp shared_expert.down_proj shared_experts.down_proj shared_mlp.output_linear"},
    {"ffn_gate_up_shexp", Experts, "shared_expert.gate_up_proj shared_experts.gate_up_proj shared_mlp.input_linear"},

    {"ffn_gate_inp", Router,
     "ffn_gate_inp mlp.gate block_sparse_moe.gate mlp.router mlp.router.gate router.layer feed_forward.gate feed_forward.router "
     "router.proj router router.per_expert_scale ffn.gate moe.gate router.classifier mixer.gate ffn_gate_tid2eid"},
    {"ffn_gate_inp_shexp", Router, "ffn_gate_inp_shexp shared_expert_gate"},
    {"exp_probs_b", Router,
     "exp_probs_b e_score_correction_bias gate.e_score_correction_bias expert_bias feed_forward.expert_bias"},

    {"attn_norm", Norm,
     "attn_norm input_layernorm attention_norm operator_norm ln_1 ln1 self_attn_layer_norm layers.norm norm_1 ln_mlp input_norm "
     "layer_norm1 "
     "layers.attn_norm sa_layer_norm layernorm_before"},
    {"attn_norm_2", Norm, "attn_norm_2 ln_attn"},
    {"attn_q_norm", Norm, "attn_q_norm q_norm q_layernorm q_layernorm.norms norm_q self_attn.query_norm"},
    {"attn_k_norm", Norm, "attn_k_norm k_norm k_layernorm k_layernorm.norms norm_k indexer.k_norm indexer_compressor_norm"},
    {"attn_q_a_norm", Norm, "attn_q_a_norm q_a_layernorm"},
    {"attn_kv_a_norm", Norm, "attn_kv_a_norm kv_a_layernorm attn_compressor_norm"},
    {"attn_sub_norm", Norm, "attn_sub_norm inner_attn_ln"},
    {"attn_output_norm", Norm, "attn_output_norm attention.output.LayerNorm"},
    {"post_attention_norm", Norm, "post_attention_norm post_self_attn_layernorm post_attn_norm"},
    {"cross_attn_norm", Norm, "cross_attn_norm encoder_attn_layer_norm"},
    {"ffn_norm", Norm,
     "ffn_norm post_attention_layernorm ln_2 ln2 norm_2 pre_feedforward_layernorm pre_ffn_norm post_attention_norm_2 layer_norm2 "
     "pre_mlp_layernorm layers.final_layer_norm layernorm_after"},
    {"ffn_norm_exps", Norm, "ffn_norm_exps"},
    {"ffn_sub_norm", Norm, "ffn_sub_norm ffn_layernorm"},
    {"post_ffw_norm", Norm, "post_ffw_norm post_feedforward_layernorm post_mlp_layernorm post_ffn_norm"},
    {"post_ffw_norm_1", Norm, "post_ffw_norm_1 post_feedforward_layernorm_1"},
    {"post_ffw_norm_2", Norm, "post_ffw_norm_2 post_feedforward_layernorm_2"},
    {"pre_ffw_norm_2", Norm, "pre_ffw_norm_2 pre_feedforward_layernorm_2"},
    {"post_norm", Norm, "post_norm post_per_layer_input_norm"},
    {"layer_output_norm", Norm, "layer_output_norm output.LayerNorm output_layer_norm"},
    {"layer_output_scale", Norm, "layer_output_scale layer_scalar"},
    {"hc_norm", Norm,
     "hc_attn_norm hc_ffn_norm output_hc_norm attn_hyper_connection.hc_norm mlp_hyper_connection.hc_norm "
     "hyper_connection_mixer.hc_norm"},
    {"ple_norm", Norm, "ple_norm_key ple_norm_query ple_norm_conv ple.norm_key ple.norm_query ple.norm_conv"},
    {"laurel_post_norm", Norm, "laurel_post_norm altup_router_norm"},
    {"per_layer_proj_norm", Norm, "per_layer_proj_norm per_layer_projection_norm"},
    {"token_embd_norm", Norm,
     "token_embd_norm embedding_norm word_embeddings_layernorm embeddings.LayerNorm embeddings.layer_norm layernorm_embedding"},
    {"nextn.norm", Norm,
     "nextn.enorm nextn.hnorm nextn.shared_head_norm enorm hnorm shared_head.norm mtp.norm pre_fc_norm_embedding "
     "pre_fc_norm_hidden"},
    {"output_norm", Norm,
     "output_norm ^.norm model.norm decoder.norm final_layernorm final_layer_norm ln_f norm_f ln_final final_norm ln_out cls.norm "
     "language_model.norm encoder.norm"},
    {"", Norm, "bn bn1 bn2 bn3 batch_norm"},
};

} // namespace

std::span<const RolePart> transformerParts() { return transformerTable; }

} // namespace wb::arch
