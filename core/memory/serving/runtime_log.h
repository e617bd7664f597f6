// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/estimate.h"

namespace wb::memory {

// The allocations in a log of llama.cpp (lines "… buffer size = … MiB" of llama-model.cpp, llama-kv-cache.cpp,
// llama-memory-recurrent.cpp and llama-context.cpp, 2024 to 2026), and with which settings.
struct RuntimeLog {
    struct Device {
        std::string name;  // "CUDA0"
        std::string title; // "NVIDIA GeForce RTX 5060 Ti"; empty: the log does not specify
        DeviceBytes bytes;
    };
    std::string build;           // its number; empty: not said
    std::string model;           // general.name; empty: not said
    std::vector<Device> devices; // GPUs in their order
    DeviceBytes processor;       // with what the host holds for them

    std::optional<std::uint64_t> context, batch, microBatch, conversations, gpuLayers;
    std::optional<bool> flash, unified;
    std::optional<Dtype> keyType, valueType;
    std::optional<Backend> backend;

    // These settings where the log says them; `settings` else.
    Settings applyTo(Settings settings) const;
};

// Malformed where no buffer is named: it is another program's log, or one without these lines (llama-server prints them with -v).
Result<RuntimeLog> readRuntimeLog(std::string_view text, const std::string& file);

} // namespace wb::memory
