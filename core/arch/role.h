// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace wb::arch {

// The role of a tensor. The window groups and colors by it; unknown stays Other.
enum class Role : std::uint8_t { Embedding, Attention, Mlp, Experts, Router, Recurrent, Convolution, Norm, Output, Other };

// "embedding", "attention" …: the stable name used in queries and JSON.
const char* roleName(Role role);
std::optional<Role> roleFromName(std::string_view name);

// The role by the tensor's name in GGUF, Hugging Face, Diffusers or common training spelling. `architecture` is Model::architecture
// (GGUF's general.architecture, a folder's class name or model_type) and may be empty; few names need it.
Role tensorRole(std::string_view tensorName, std::string_view architecture);

// A finer part name shared by both spellings ("attn_q", "attn_k", "attn_v", "attn_qkv", "attn_out", "ffn_gate", "ffn_up",
// "ffn_down", "attn_norm", …): GGUF's own words, except that attn_output is "attn_out". Empty where unknown; the text lives for
// ever. A bias or scale has the part of its weight, and a fused gate_up_proj is "ffn_up", as GGUF stores it. Lines of the layer
// trend are drawn by it.
std::string_view tensorPart(std::string_view tensorName, std::string_view architecture);

// Role and part together, for callers that need both of many tensors.
struct RoleAndPart {
    Role role = Role::Other;
    std::string_view part;
};
RoleAndPart tensorRoleAndPart(std::string_view tensorName, std::string_view architecture);

// The layer: the first integer path component after the block prefix (blk.N., model.layers.N., h.N.); empty outside blocks and
// for the extra blocks of multi-token prediction (mtp.), whose numbers start again.
std::optional<std::uint32_t> tensorLayer(std::string_view tensorName);

// The expert number: the integer component after "experts" (after ffn_gate, ffn_up or ffn_down in early GGUF files); empty for
// stacked experts and other tensors.
std::optional<std::uint32_t> tensorExpert(std::string_view tensorName);

} // namespace wb::arch
