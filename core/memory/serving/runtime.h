// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace wb::memory {

struct Settings;

// Programs that run models, whose laws of memory differ.
enum class Runtime : std::uint8_t { LlamaCpp, Weighbridge, Vllm, Transformers };
const char* runtimeName(Runtime runtime); // as typed: "llama.cpp", "weighbridge", "vllm", "transformers"
std::optional<Runtime> runtimeFromName(std::string_view name);

// What computes.
enum class Backend : std::uint8_t { Cpu, Vulkan, Cuda, Metal };
const char* backendName(Backend backend); // "cpu", "vulkan", "cuda", "metal"
std::optional<Backend> backendFromName(std::string_view name);

// The month of a build of llama.cpp, as 100 * year + month; "2026-05" as text.
inline constexpr std::uint32_t newestBuild = 202609; // the newest whose laws are known
std::optional<std::uint32_t> buildFromText(std::string_view text);

// How builds of llama.cpp and backends differ (docs/reference/memory.md, "Bytes per context token", "Compute buffers",
// "Overheads"). The newest build on Vulkan and on the CPU is what golden/memory was measured with.
struct AllocatorRules {
    bool copiesMask = false;       // before May 2026 (PR 23764) the mask is f32 with a copy in f16
    bool windowsHoldBatch = false; // before July 2025 windows are longer by the batch, not by the micro-batch
    bool logitsOfBatch = false;    // before June 2026 (PR 23861) a server keeps logits for the whole batch
    bool loadsPrediction = false;  // before August 2026 the layers that predict additional tokens are loaded, used or not
    bool reservesScratch = false;  // keys and values that are not f16 are expanded: CUDA since June 2026 (PR 23907), Metal since
                                   // August 2026 (PR 27390)
    std::uint64_t overhead = 0;    // bytes of each GPU: the context and the code of kernels
    std::uint64_t overheadError = 0;
};
AllocatorRules allocatorRules(const Settings& settings);

} // namespace wb::memory
