// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/infer/backend.h"
#include "gpu/device/device_info.h"
#include "gpu/infer/fast_test.h"

#include <optional>
#include <string>
#include <vector>

// The measured speeds of a GPU and the CPU, by which `auto` chooses. Kept in the cache folder (gpu::Setup), one file a device.
namespace wb::gpu::compute {

// Tokens a second.
struct ModelSpeed {
    double prompt = 0, generate = 0;

    // Seconds of a usual turn of a chat: the measure by which two devices are compared.
    double turnSeconds() const { return usualPrompt / prompt + usualResponse / generate; }

    static constexpr double usualPrompt = 512, usualResponse = 128; // tokens
};

struct Measurement {
    std::string device, driver;       // DeviceInfo's id and driver
    std::vector<FastVerdict> kernels; // of each form of each fast kernel that was tried
    ModelSpeed gpu, cpu;              // of the same generated model
    double seconds = 0;               // that measuring took

    bool isGpuFaster() const { return gpu.turnSeconds() <= cpu.turnSeconds(); }

    // Prompts on one device and responses on the other, where that takes at most 0.8 of the time of the faster one alone: weights
    // are in memory twice then.
    infer::PhaseSplit split() const;
};

// The verdicts on all forms of all fast kernels; none where the device has no subgroups that they can use. What has not begun after
// some seconds is omitted, and tried when a model needs it.
Result<std::vector<FastVerdict>> tryKernels(const DevicePtr& device, const Progress& progress);

// Tries all fast kernels, then times a generated model (speed_model.h) on the device and on `threads` of the CPU (0: all): at most
// 20 seconds on any device that is worth using, mostly a few. The device passed its self-test. Progress counts parts of the whole.
Result<Measurement> measureDevice(const DevicePtr& device, unsigned threads, const Progress& progress);

// The last measurement of this device with this driver and these kernels; empty: none, or its file is damaged.
std::optional<Measurement> readMeasurement(const DeviceInfo& device);

// For readMeasurement(). NotWritable without a cache folder.
Result<void> saveMeasurement(const Measurement& measurement);

} // namespace wb::gpu::compute
