// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wb::infer {

// The instruction sets of this CPU for which the program has kernels, the best first, by the names that `wb devices` prints:
//   vectors, which all kernels use: AVX-512, AVX2, …, NEON
//   products of bytes, for the kernels that run models: AMX, AVX512-VNNI (both with AVX-512), AVX-VNNI (with AVX2; also on a
//   CPU that has VNNI in AVX-512 alone), NEON-i8mm, NEON-dotprod
std::vector<std::string> simdLevels();

// Measuring one form of the kernels next to another: `wb` passes the environment variable WEIGHBRIDGE_SIMD here when it starts.
//   ""        the best of everything
//   "scalar"  quantizers in their readable form; other kernels as ever
//   a level   no kernel uses a better one: AVX2 stands for AVX2 without AVX-VNNI
// False, and nothing changed, for anything else, and for a better level than one that was chosen before: "" comes first. Results
// are the same in every form. Before other threads start.
bool chooseSimd(std::string_view choice);

} // namespace wb::infer
