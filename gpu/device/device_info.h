// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "gpu/device/feature.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// Vulkan compute devices: what there is and how they are chosen. Nothing is loaded before the first call of devices() or open…().
namespace wb::gpu {

// Settings of the program for this room, set once before the first use. Not thread-safe. (The validation layer is loaded in debug
// builds, and where the environment says WEIGHBRIDGE_GPU_VALIDATION=1.)
struct Setup {
    std::filesystem::path cacheFolder; // of compiled pipelines, one file a device; empty: none are kept
};
void setUp(Setup setup);

// In the order of preference.
enum class DeviceKind : std::uint8_t { Discrete, Integrated, Virtual, Other, Software };

struct DeviceInfo {
    unsigned index = 0; // as `wb devices` counts: from 1, real GPUs before software, discrete ones first; 0 is the CPU engine
    std::string id;     // the same after a restart; for settings
    std::string name;
    std::string driver; // name and version
    DeviceKind kind = DeviceKind::Other;
    std::uint64_t memory = 0;          // bytes of its largest own heap
    std::optional<std::uint64_t> free; // of them, when devices() was asked; empty: neither driver nor system says
    bool usable = false;               // whether it has all that the portable path needs
    std::string lacks;                 // the missing feature if not usable
    bool graphics = false;             // whether it also draws, which gpu/imview needs
    bool subgroupSums = false;         // whether compute shaders can add up numbers of a subgroup
    std::vector<std::string> features; // those of interest here, for display
    std::vector<Feature> faster;       // beyond the portable path, untested: see Device::offers
    std::uint32_t subgroup = 0;        // invocations
    std::uint32_t sharedMemory = 0;    // bytes a workgroup
    std::uint32_t storageBuffers = 0;  // that a kernel binds at most
    std::uint64_t viewBytes = 0;       // of one storage buffer binding at most; never above maxViewBytes

    bool software() const { return kind == DeviceKind::Software; }
    std::string option() const { return "gpu:" + std::to_string(index); } // as --device and documents name it
};

// Larger tensors are split: portable devices bind no more at once.
inline constexpr std::uint64_t maxViewBytes = 128u << 20;

// All Vulkan devices, also those that are not usable. NotFound where there is no Vulkan at all. Loads Vulkan, which takes some tens
// of milliseconds; thread-safe.
Result<std::vector<DeviceInfo>> devices();

// Messages of the validation layer since the program started, and whether it is loaded. For tests.
std::vector<std::string> validationMessages();
bool validationActive();

} // namespace wb::gpu
