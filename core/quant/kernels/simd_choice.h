// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace wb::quant {

// Measuring one form of the kernels next to another: `wb` passes the environment variable WEIGHBRIDGE_SIMD here when it starts.
//   ""        the best form this machine has
//   "scalar"  quantizers in their readable form, scalar::quantizeRow; other kernels as ever
//   a level that `wb devices` names, such as "AVX2": no kernel of the program uses a better one
// False, and nothing changed, for anything else. The bytes are the same in every form. Before other threads start.
bool chooseSimd(std::string_view choice);

// Whether "scalar" was chosen.
bool usesScalarForm();

} // namespace wb::quant
