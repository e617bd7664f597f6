// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/quant/engine.h"

namespace wb::gpu {

// The GPU quantizer tested against the CPU's: both quantize the rows of self_test_rows.h, with column weights and without. An Error
// that names the type where the bytes differ. On a device that flushes subnormal numbers the blocks that it marks need not be the
// same, but no ordinary row may have one.
Result<void> testKernel(QuantEngine& engine, const QuantKernel& kernel);

// The same from rows stored as `from`; error sums are compared as well.
Result<void> testStored(QuantEngine& engine, const QuantKernel& kernel, Dtype from);

// The Error of a type whose bytes are not the CPU's.
Error wrongBytes(const QuantEngine& engine, Dtype dtype);

} // namespace wb::gpu
