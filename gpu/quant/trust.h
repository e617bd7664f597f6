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

// Whether the device takes no longer for a piece of work than all threads of the CPU would; both are timed, after testKernel.
Result<void> testSpeed(QuantEngine& engine, const QuantKernel& kernel, quant::Backend& cpu);

} // namespace wb::gpu
