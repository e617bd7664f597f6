// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/engine_options.h"
#include "core/tensor/dtype.h"
#include "gpu/device/device_info.h"

#include <algorithm>
#include <array>
#include <vector>

namespace wb::gpu {

// How the fast kernel of a type multiplies.
enum class FastForm : std::uint8_t {
    Packed, // by the instruction for dot products of four bytes
    Float   // codes as floats, on every device
};

// The types of weights that the fast kernels multiply on a device, and whether attention of single tokens is fast; everything else
// has the exact ones.
struct FastTypes {
    struct Type {
        Dtype dtype;
        FastForm form;
        bool batches = false; // several tokens too
    };
    std::vector<Type> types;
    bool attention = false;
    bool followUps = false; // small steps after products are done by the workgroup that finishes last; of either kernels, exact
                            // ones included

    // Null: the exact kernel.
    const Type* find(Dtype dtype) const {
        const auto found = std::ranges::find(types, dtype, &Type::dtype);
        return found == types.end() ? nullptr : &*found;
    }
};

// The types that the fast kernels are tested with: those with a separate kernel, and of block types that are expanded to codes
// one of either form (gpu/infer/layout.h).
inline constexpr std::array fastDtypes = {Dtype::Q4_K, Dtype::Q6_K, Dtype::Q8_0,   Dtype::Q4_0,   Dtype::Q5_K,
                                          Dtype::Q3_K, Dtype::Q2_K, Dtype::IQ4_XS, Dtype::IQ4_NL, Dtype::MXFP4,
                                          Dtype::Q4_1, Dtype::Q5_0, Dtype::Q5_1,   Dtype::NVFP4,  Dtype::TQ2_0};

// The one of them that stands for a type; Unknown: the type has no fast kernel.
Dtype testedDtype(Dtype dtype);

// Software devices serve tests, which compare bits.
inline bool mayBeFast(const DeviceInfo& device, infer::KernelSet set) {
    return set == infer::KernelSet::Fast || (set == infer::KernelSet::Auto && !device.software());
}

} // namespace wb::gpu
