// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/device.h"
#include "gpu/device/hazards.h"

namespace wb::gpu {

// How a kernel uses a view.
struct Binding {
    View view;
    bool read = true;
    bool write = false;
};
inline Binding reads(View view) { return {std::move(view), true, false}; }
inline Binding writes(View view) { return {std::move(view), false, true}; }
inline Binding updates(View view) { return {std::move(view), true, true}; }

struct Groups {
    std::uint32_t x = 1, y = 1, z = 1; // at most 65,535 each
};

// How many workgroups `items` need, of which one deals with `ofOne`.
constexpr std::uint32_t groupsFor(std::uint64_t items, std::uint64_t ofOne) {
    return static_cast<std::uint32_t>((items + ofOne - 1) / ofOne);
}

// Work that was recorded once and is handed to the device as often as wanted (Device::submit). Copyable; what it uses stays alive
// as long as a copy, or a replay in flight. Must not outlive its device.
class Recording {
private:
    friend class Device;
    friend class Recorder;
    Recording(VkCommandBuffer commands, std::shared_ptr<void> resources)
        : m_commands(commands), m_resources(std::move(resources)) {}
    VkCommandBuffer m_commands;
    std::shared_ptr<void> m_resources;
};

enum class Replay : std::uint8_t { No, Yes };

// Collects work for one submission, or for a recording. Barriers follow from what each step reads and writes: steps that touch
// different memory may overlap, all others see each other in order. A failure while recording comes out of Device::submit, or of
// finish(). Not thread-safe.
class Recorder {
public:
    explicit Recorder(DevicePtr device, Replay replay = Replay::No);

    // `push` holds exactly the kernel's push constants, `bindings` one entry a buffer.
    void dispatch(const KernelPtr& kernel, std::span<const Binding> bindings, std::span<const std::byte> push, Groups groups);
    template <typename Push>
    void dispatch(const KernelPtr& kernel, std::initializer_list<Binding> bindings, const Push& push, Groups groups) {
        dispatch(kernel, std::span(bindings.begin(), bindings.size()), std::as_bytes(std::span(&push, 1)), groups);
    }

    // Barriers so far: steps that had to wait for an earlier one.
    std::size_t waits() const { return m_waits; }

    void copy(const View& from, const View& to); // of equal size
    void fill(const View& view, std::uint32_t word);

    // For commands this class does not know: declares what they touch, then gives the command buffer to record into; null after a
    // failure. `keep` lives until the device is done.
    VkCommandBuffer raw(std::span<const Binding> touched, std::shared_ptr<void> keep = {});

    // Ends a recorder that was made for replaying. Each replay sees all that was submitted before, and is visible to later work.
    Result<Recording> finish();

private:
    friend class Device;
    struct Resources;

    void declare(std::span<const Binding> bindings);
    VkDescriptorSet bind(const Kernel& kernel, std::span<const Binding> bindings);
    Result<void> begin(Replay replay);
    void makeAllVisible();
    Result<void> end(const View& completion, std::uint32_t number);
    VkCommandBuffer commands() const;
    std::shared_ptr<void> resources() const; // all that must live until the device is done
    void note(Result<void> result);

    DevicePtr m_device;
    std::shared_ptr<Resources> m_resources;
    Hazards m_hazards;
    Result<void> m_outcome;
    std::size_t m_waits = 0;
};

} // namespace wb::gpu
