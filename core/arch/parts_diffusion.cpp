// SPDX-License-Identifier: MIT
#include "core/arch/part_table.h"

namespace wb::arch {
namespace {

using enum Role;

// huggingface/diffusers: src/diffusers/models (unets, transformers, autoencoders); black-forest-labs/flux: src/flux/modules for the
// single-file spelling; CLIP and vision towers: huggingface/transformers, ggml-org/llama.cpp tools/mtmd.
constexpr RolePart parts[] = {
    {"conv_in", Convolution, "conv_in"},
    {"conv_out", Convolution, "conv_out"},
    {"conv1", Convolution, "conv1 in_layers"},
    {"conv2", Convolution, "conv2 out_layers"},
    {"conv_shortcut", Convolution, "conv_shortcut skip_connection nin_shortcut"},
    {"downsample", Convolution, "downsamplers.conv downsample.conv downsample"},
    {"upsample", Convolution, "upsamplers.conv upsample.conv upsample"},
    {"quant_conv", Convolution, "quant_conv post_quant_conv"},
    {"conv1d", Convolution, "conv1d convnext.dw convnext.pw1 convnext.pw2 posnet.conv1 posnet.conv2"},
    {"patch_embd", Embedding, "patch_embd patch_embedding patch_embed.proj patch_embeddings.projection pos_embed.proj patch_conv"},
    {"class_embd", Embedding, "class_embd class_embedding class_token cls_token"},

    {"time_embd", Embedding,
     "time_embedding.linear_1 time_embedding.linear_2 time_embed timestep_embedder.linear_1 timestep_embedder.linear_2 "
     "time_in.in_layer "
     "time_in.out_layer t_embedder.mlp time_embedder.linear_1 time_embedder.linear_2"},
    {"time_emb_proj", Embedding, "time_emb_proj emb_layers"},
    {"add_embd", Embedding,
     "add_embedding.linear_1 add_embedding.linear_2 label_emb text_embedder.linear_1 text_embedder.linear_2 "
     "guidance_embedder.linear_1 "
     "guidance_embedder.linear_2 guidance_in.in_layer guidance_in.out_layer vector_in.in_layer vector_in.out_layer y_embedder.mlp"},
    {"x_embedder", Embedding, "x_embedder img_in"},
    {"context_embedder", Embedding, "context_embedder txt_in caption_projection.linear_1 caption_projection.linear_2"},

    {"proj_in", Attention, "proj_in"},
    {"proj_out", Attention, "attentions.proj_out blocks.proj_out proj_out"},
    {"attn_add_q", Attention, "add_q_proj"},
    {"attn_add_k", Attention, "add_k_proj"},
    {"attn_add_v", Attention, "add_v_proj"},
    {"attn_add_out", Attention, "to_add_out"},
    {"attn_qkv", Attention, "img_attn.qkv txt_attn.qkv"},
    {"attn_out", Attention, "img_attn.proj txt_attn.proj"},
    {"single_linear1", Attention, "single_blocks.linear1"},
    {"single_linear2", Attention, "single_blocks.linear2"},

    {"ffn_up", Mlp, "ff.net.proj ff_context.net.proj proj_mlp img_mlp txt_mlp"},
    {"ffn_down", Mlp, "ff.net ff_context.net"},

    {"modulation", Norm,
     "norm.linear norm1.linear norm1_context.linear img_mod.lin txt_mod.lin modulation.lin norm_out.linear "
     "final_layer.adaLN_modulation "
     "adaLN_modulation scale_shift_table adaln_single.linear"},
    {"norm1", Norm, "norm1"},
    {"norm2", Norm, "norm2"},
    {"norm3", Norm, "norm3"},
    {"attn_norm", Norm, "attentions.norm attentions.group_norm group_norm posnet.attn_norm"},
    {"attn_q_norm", Norm, "norm_added_q norm.query_norm"},
    {"attn_k_norm", Norm, "norm_added_k norm.key_norm"},
    {"conv_norm_out", Norm, "conv_norm_out norm_out convnext.norm posnet.norm posnet.norm1 posnet.norm2"},
    {"pre_norm", Norm, "pre_layrnorm pre_layernorm pre_ln ln_pre"},
    {"output_norm", Norm, "post_layernorm post_ln ln_post layernorm"},
    {"t5_norm", Norm, "layer.layer_norm"},

    {"output", Output, "final_layer.linear ^.proj_out"},
};

} // namespace

std::span<const RolePart> diffusionParts() { return parts; }

} // namespace wb::arch
