// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

// The content of the shaders' table buffers, made from what the CPU uses.
namespace wb::gpu {

// For each binade from 2^-149 to 2^127 the bits of the least float in it whose logarithm, rounded to f32, is the next integer;
// 0xFFFFFFFF if none exists (docs/reference/gguf.md, "Direct types").
std::vector<std::uint32_t> logarithmTable();

// A grid in the layout of gpu/shaders/quant/grid.glsl.
std::vector<std::uint32_t> gridTableIq2Xxs();
std::vector<std::uint32_t> gridTableIq2Xs();
std::vector<std::uint32_t> gridTableIq2S();
std::vector<std::uint32_t> gridTableIq3Xxs();
std::vector<std::uint32_t> gridTableIq3S();
std::vector<std::uint32_t> gridTableIq1();

} // namespace wb::gpu
