// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

// The host side of gpu/shaders/decode.glsl.
namespace wb::gpu {

// The words of the buffer that the shaders' WB_TABLE reads: the grids and levels of the block types, the same for every type and
// device (gpu/shaders/decode_tables.h says where each one lies).
const std::vector<std::uint32_t>& decodeTables();

} // namespace wb::gpu
