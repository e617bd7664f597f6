// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/counts.h"
#include "core/memory/serving/caches.h"
#include "core/memory/serving/compute_buffers.h"
#include "core/memory/subject.h"

#include <array>

namespace wb::memory {

// A sentence with its numbers apart, so that the window can translate it.
struct Phrase {
    const char* format = "";
    std::vector<std::string> arguments;

    std::string text() const { return fillSentence(format, arguments); }
};

// Counts are grouped, "1,234".
template <typename... Args>
Phrase phrase(const char* format, const Args&... args) {
    return {format, {countText(args)...}};
}

enum class PartKind : std::uint8_t {
    // Of a running model.
    Weights,
    Keys,
    Values,
    State,
    Compute,
    Output,
    Overhead,
    Projector,
    Draft,
    Lora,
    // Of training.
    Base,
    Adapters,
    Gradients,
    Optimizer,
    Activations,
    Logits,
    Buckets,
    Gathered,
    Reserve,
    Context
};
inline constexpr std::size_t partKinds = 20;
// As in JSON: weights kv_k kv_v state compute output overhead mmproj draft lora, base adapters gradients optimizer activations
// logits buckets gathered reserve context.
const char* partName(PartKind kind);

// The bytes of every part on one device.
struct DeviceBytes {
    std::array<std::uint64_t, partKinds> parts{};

    std::uint64_t& operator[](PartKind kind) { return parts[static_cast<std::size_t>(kind)]; }
    std::uint64_t operator[](PartKind kind) const { return parts[static_cast<std::size_t>(kind)]; }
    std::uint64_t total() const;
};

// Memory required on each side; numbers only, so that many settings can be tried in a millisecond.
struct Plan {
    DeviceBytes processor;
    DeviceBytes gpu;                  // all GPUs together
    std::vector<DeviceBytes> devices; // each of them, where there are several: their sum is `gpu`

    const DeviceBytes& on(Side side) const { return side == Side::Gpu ? gpu : processor; }
    const DeviceBytes& onGpu(std::size_t device) const { return devices.empty() ? gpu : devices[device]; }
    std::uint64_t total() const;
};
Plan planMemoryUse(const arch::ModelSpec& spec, const Weights& weights, const Settings& settings);

// The buffers of a GPU that computes these layers.
std::optional<ComputeBuffers> deviceBuffers(const arch::ModelSpec& spec, const Weights& weights, const Settings& settings,
                                            const LayerShare& share);

// Weights that are read to compute one token. A device's bandwidth divided by it bounds the speed of answers.
std::uint64_t bytesReadPerToken(const arch::ModelSpec& spec, const Weights& weights);

// The same by where they are: those of the CPU, then those of each GPU.
std::vector<std::uint64_t> bytesReadPerToken(const arch::ModelSpec& spec, const Weights& weights, const Settings& settings);

struct MemoryPart {
    PartKind kind = PartKind::Weights;
    Side side = Side::Processor;
    std::uint64_t bytes = 0;
    std::vector<Phrase> formula; // terms of a sum
    std::uint64_t sharedBy = 1;  // devices that the sum is divided by
    std::size_t device = 0;      // which of the GPUs
};

struct Estimate {
    std::string name;
    Trust trust = Trust::Header;
    Settings settings;
    std::string type; // of the weights, as the user calls it; empty: as stored
    std::uint64_t contextUsed = 0;
    std::uint64_t parameters = 0;
    Plan plan;
    std::vector<MemoryPart> parts; // those above zero; Σ parts = total
    std::vector<CacheGroup> cells;
    std::uint64_t bytesPerToken = 0;    // of a longer context
    std::optional<double> errorPercent; // of the total; empty: never compared with a runtime
    std::vector<Phrase> notModelled;
    std::vector<Problem> problems;

    std::uint64_t total() const { return plan.total(); }
};

// Bytes by which the true need of a device may be larger.
std::uint64_t errorBytes(const Subject& subject, const Settings& settings, Side side, const DeviceBytes& device);

// The name of a device in JSON and tables: cpu, gpu0, gpu1.
std::string deviceName(Side side, std::size_t device = 0);

// The context that is used where none is requested: 8192 or the model's where that is less.
std::uint64_t defaultContext(const arch::ModelSpec& spec);

// TooLarge where a total cannot be counted: a file or a user stated absurd numbers.
Result<void> checkCountable(std::uint64_t total, const std::string& name);

Result<Estimate> estimate(const Subject& subject, const Weights& weights, const Settings& settings);

} // namespace wb::memory
