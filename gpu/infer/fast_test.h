// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/device.h"
#include "gpu/infer/fast_types.h"

#include <span>
#include <vector>

namespace wb::gpu {

// Error and speed of one form of a fast kernel relative to the exact one of the same device, with known numbers.
struct FastVerdict {
    Dtype dtype = Dtype::Unknown; // of products; Unknown: attention
    FastForm form = FastForm::Float;
    double error = 0;        // normalized mean square; not a number or above maxError: wrong
    double speedup = 0;      // time of the exact kernel / time of this one, for one token
    double batchSpeedup = 0; // the same for WB_MAX_COLUMNS tokens; of products

    static constexpr double maxError = 1e-6;
    static constexpr double minSpeedup = 1.05;

    bool isRight() const { return error <= maxError; }
    bool isBetter() const { return isRight() && speedup >= minSpeedup; }
};

// Of each form that the device offers. Some milliseconds; a tenth of a second on a software device. Unsupported where the device
// has no subgroups that the kernels can use. The type is one of fastDtypes.
Result<std::vector<FastVerdict>> testForms(const DevicePtr& device, Dtype dtype);

// A hash of the shaders of the fast kernels and of follow-ups: a verdict of a program with others does not hold here.
std::uint64_t testedShadersHash();

// The verdict on the form of a type that is used: the fastest of the right ones, or any if none is right; null: none was tried.
const FastVerdict* bestForm(std::span<const FastVerdict> verdicts, Dtype dtype);

// The same of attention, at a depth of some thousand tokens.
Result<FastVerdict> testFastAttention(const DevicePtr& device);

} // namespace wb::gpu
