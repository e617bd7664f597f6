// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/quant/engine.h"

namespace wb::gpu {

// Known rows, quantized by the device and by the CPU: an Error that names the type where the bytes differ. Plain and weighted form.
Result<void> testKernel(QuantEngine& engine, const QuantKernel& kernel);

// The same from rows stored as `from`; error sums are compared as well.
Result<void> testStored(QuantEngine& engine, const QuantKernel& kernel, Dtype from);

// The refusal of testSpeed.
inline constexpr const char* slowerDevice = WB_TEXT("The CPU quantizes {} faster than the graphics device {}; it does it.");

// What those say of other bytes.
Error wrongBytes(const QuantEngine& engine, Dtype dtype);

// Whether the device takes no longer for a piece of work than so many threads of the CPU (0: all) would; both are timed, after
// testKernel, with column weights or without.
Result<void> testSpeed(QuantEngine& engine, const QuantKernel& kernel, bool weighted, quant::Backend& cpu, unsigned threads);

} // namespace wb::gpu
