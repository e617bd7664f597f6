// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/stats.h"
#include "gpu/device/device.h"
#include "gpu/stats/speeds.h"

#include <functional>
#include <mutex>

namespace wb::gpu {

// Where statistics shall be computed.
struct StatsChoice {
    enum class Policy {
        Cpu,
        Device, // all that can run there
        Fastest // a device only for tensors it is faster with
    };
    Policy policy = Policy::Cpu;
    // Opens the device, which must then pass its self-test. Called at the first tensor that may go there, so that nothing of Vulkan
    // is loaded before; its failure is the reason that TensorStats::deviceNote gives for the CPU's work.
    std::function<Result<DevicePtr>()> open = {};
};

// Statistics on the device that was chosen, or on the CPU: for types that need more than f32, where there is no device, and after
// it failed, which costs the work on one tensor and is never an error. TensorStats says where and why.
//
// `Fastest` leaves tensors below a million elements to the CPU. With larger ones it tries the device and the CPU twice each, type
// by type, and from then on takes what was faster. Thread-safe, also choose(), which leaves running computations alone.
class ChoosingBackend final : public stats::Backend {
public:
    explicit ChoosingBackend(StatsChoice choice = {});

    void choose(StatsChoice choice);

    const char* name() const override { return "chosen"; }
    Result<stats::TensorStats> compute(const TensorReader& reader, const stats::Options& options,
                                       const Progress& progress) override;

private:
    // A choice with what became of it; shared by the computations that it began with.
    struct Chosen {
        StatsChoice choice;
        std::mutex mutex;
        std::shared_ptr<stats::Backend> device = {};
        std::optional<Problem> failure = {}; // why there is no device
        bool opened = false;
        Speeds speeds = {};

        void remember(const TensorReader& reader, Speeds::Who who, double seconds);
        Problem giveUp(const Error& error); // the device; says why
    };

    // The device's backend for this tensor, or null and the reason.
    std::shared_ptr<stats::Backend> place(Chosen& chosen, const TensorReader& reader, std::optional<Problem>& note);
    std::shared_ptr<stats::Backend> open(Chosen& chosen, std::optional<Problem>& note);

    std::unique_ptr<stats::Backend> m_cpu;
    std::mutex m_mutex;
    std::shared_ptr<Chosen> m_chosen;
};

} // namespace wb::gpu
