// SPDX-License-Identifier: MIT
#pragma once

// WB_UNROLL before a loop over an array of vectors. Those stay in registers only where every index is a constant, and GCC 12
// unrolls at -O2 only where a pragma asks for it.
#if defined(__clang__)
#define WB_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define WB_UNROLL _Pragma("GCC unroll 16")
#else
#define WB_UNROLL
#endif
