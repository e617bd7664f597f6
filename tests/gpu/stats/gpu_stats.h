// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/stats/gpu_backend.h"
#include "tests/gpu/support/gpu.h"
#include "tests/unit/stats/compare.h"
#include "tests/unit/stats/made_tensor.h"

namespace wb::test {

// Compares statistics of the device with those of the CPU. One backend serves all tests, as it does in the program.
class GpuStatsTest : public GpuTest {
protected:
    Result<stats::TensorStats> onGpu(const TensorReader& reader, const stats::Options& options = {},
                                     const Progress& progress = {}) {
        static std::unique_ptr<stats::Backend> backend;
        static gpu::DevicePtr used;
        if (used != device) {
            backend = gpu::makeGpuBackend(device);
            used = device;
        }
        return backend->compute(reader, options, progress);
    }

    void expectLikeCpu(const TensorReader& reader, const std::string& what, const stats::Options& options = {}) {
        const auto found = onGpu(reader, options);
        ASSERT_TRUE(found) << what << ": " << found.error().message() << " " << found.error().detail;
        expectSame(*found, stats::makeCpuBackend()->compute(reader, options, {}).value(), what, gpuTolerances);
    }
};

} // namespace wb::test
