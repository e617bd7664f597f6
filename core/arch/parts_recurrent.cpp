// SPDX-License-Identifier: MIT
#include "core/arch/part_table.h"

namespace wb::arch {
namespace {

using enum Role;

// GGUF's words: ggml-org/llama.cpp src/llama-arch.cpp; the others: huggingface/transformers (mamba, qwen3_next, lfm2) and
// BlinkDL/RWKV-LM.
constexpr RolePart recurrentTable[] = {
    {"ssm_in", Recurrent, "ssm_in mamba.in_proj mixer.in_proj linear_attn.in_proj_qkvz"},
    {"ssm_out", Recurrent, "ssm_out mamba.out_proj mixer.out_proj linear_attn.out_proj"},
    {"ssm_conv1d", Recurrent, "ssm_conv1d mamba.conv1d mixer.conv1d linear_attn.conv1d"},
    {"ssm_conv1d_q", Recurrent, "ssm_conv1d_q q_conv1d"},
    {"ssm_conv1d_k", Recurrent, "ssm_conv1d_k k_conv1d"},
    {"ssm_conv1d_v", Recurrent, "ssm_conv1d_v v_conv1d"},
    {"ssm_x", Recurrent, "ssm_x mamba.x_proj mixer.x_proj"},
    {"ssm_dt", Recurrent, "ssm_dt dt_bias mamba.dt_proj mixer.dt_proj dt_proj"},
    {"ssm_a", Recurrent, "ssm_a A_log"},
    {"ssm_d", Recurrent, "ssm_d mamba.D mixer.D"},
    {"ssm_ba", Recurrent, "ssm_ba linear_attn.in_proj_ba"},
    {"ssm_alpha", Recurrent, "ssm_alpha linear_attn.in_proj_a"},
    {"ssm_beta", Recurrent, "ssm_beta linear_attn.in_proj_b"},
    {"ssm_f", Recurrent, "ssm_f_a ssm_f_b f_a_proj f_b_proj"},
    {"ssm_g", Recurrent, "ssm_g_a ssm_g_b g_a_proj g_b_proj"},
    {"ssm_norm", Norm, "ssm_norm mamba.norm mixer.norm linear_attn.norm"},
    {"ssm_dt_norm", Norm, "ssm_dt_norm dt_layernorm"},
    {"ssm_b_norm", Norm, "ssm_b_norm b_layernorm"},
    {"ssm_c_norm", Norm, "ssm_c_norm c_layernorm"},
    {"attn_qkv", Recurrent, "linear_attn.in_proj_qkv"},
    {"attn_gate", Recurrent, "linear_attn.in_proj_z"},

    {"shortconv.conv", Convolution, "shortconv.conv conv.conv"},
    {"shortconv.in_proj", Convolution, "shortconv.in_proj conv.in_proj"},
    {"shortconv.out_proj", Convolution, "shortconv.out_proj conv.out_proj"},

    {"time_mix_key", Recurrent, "time_mix_key att.key attention.key"},
    {"time_mix_value", Recurrent, "time_mix_value att.value"},
    {"time_mix_receptance", Recurrent, "time_mix_receptance att.receptance attention.receptance"},
    {"time_mix_gate", Recurrent, "time_mix_gate att.gate attention.gate"},
    {"time_mix_output", Recurrent, "time_mix_output att.output attention.output"},
    {"time_mix_first", Recurrent, "time_mix_first time_first time_faaaa"},
    {"time_mix_decay", Recurrent, "time_mix_decay time_mix_decay_w1 time_mix_decay_w2 time_decay time_decay_w1 time_decay_w2"},
    {"time_mix_lerp", Recurrent,
     "time_mix_lerp_x time_mix_lerp_w time_mix_lerp_k time_mix_lerp_v time_mix_lerp_r time_mix_lerp_g time_mix_lerp_fused "
     "att.time_mix_k att.time_mix_v att.time_mix_r att.time_mix_g att.time_maa_x att.time_maa_w att.time_maa_k att.time_maa_v "
     "att.time_maa_r att.time_maa_g"},
    {"time_mix_lora", Recurrent,
     "time_mix_w0 time_mix_w1 time_mix_w2 time_mix_a0 time_mix_a1 time_mix_a2 time_mix_v0 time_mix_v1 time_mix_v2 time_mix_g1 "
     "time_mix_g2 "
     "time_mix_k_k time_mix_k_a time_mix_r_k att.time_maa_w1 att.time_maa_w2"},
    {"time_mix_ln", Norm, "time_mix_ln att.ln_x"},
    {"channel_mix_key", Mlp, "channel_mix_key ffn.key feed_forward.key"},
    {"channel_mix_value", Mlp, "channel_mix_value ffn.value feed_forward.value"},
    {"channel_mix_receptance", Mlp, "channel_mix_receptance ffn.receptance feed_forward.receptance"},
    {"channel_mix_lerp", Mlp, "channel_mix_lerp_k channel_mix_lerp_r ffn.time_mix_k ffn.time_mix_r ffn.time_maa_k ffn.time_maa_r"},
    {"", Recurrent, "weight_ih weight_hh bias_ih bias_hh"},
};

} // namespace

std::span<const RolePart> recurrentParts() { return recurrentTable; }

} // namespace wb::arch
