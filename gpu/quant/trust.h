// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/quant/engine.h"

namespace wb::gpu {

// Known rows, quantized by the device and by the CPU: an Error that names the type where the bytes differ. Plain and weighted form.
Result<void> testKernel(QuantEngine& engine, const QuantKernel& kernel);

// The same from rows stored as `from`; error sums are compared as well.
Result<void> testStored(QuantEngine& engine, const QuantKernel& kernel, Dtype from);

} // namespace wb::gpu
