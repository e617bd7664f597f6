// SPDX-License-Identifier: MIT
#include "gpu/compute/statistics.h"

#include "gpu/stats/gpu_backend.h"

#include <chrono>

namespace wb::gpu::compute {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t smallTensor = 1u << 20; // elements below which starting the device's work costs more than it saves

template <typename... Args>
Problem note(Reason code, const char* format, Args&&... args) {
    return makeProblem(Severity::Note, code, {}, std::nullopt, format, std::forward<Args>(args)...);
}

Problem comparison(const SpeedTable::Speeds& speeds, Dtype dtype) {
    const auto gigabytes = [](double speed) { return fmt::format("{:.2f}", speed / 1e9); };
    return note(Reason("device.measured"), WB_TEXT("{}: GPU {} GB/s, CPU {} GB/s."), name(dtype), gigabytes(speeds.device),
                gigabytes(speeds.processor));
}

class Statistics final : public stats::Backend {
public:
    explicit Statistics(const ComputeDevice& device) : m_device(device), m_cpu(stats::makeCpuBackend()) {}

    const char* name() const override { return "chosen"; }

    Result<stats::TensorStats> compute(const TensorReader& reader, const stats::Options& options,
                                       const Progress& progress) override {
        const auto chosen = m_device.chosen();
        std::optional<Problem> why; // the CPU, or the device after a comparison
        const auto run = [&](Worker worker, stats::Backend& backend) {
            const auto begin = Clock::now();
            auto stats = backend.compute(reader, options, progress);
            if (stats && why) stats->deviceNote = why;
            if (stats) remember(*chosen, reader, worker, std::chrono::duration<double>(Clock::now() - begin).count());
            return stats;
        };
        if (const auto device = place(*chosen, reader, why)) {
            auto stats = run(Worker::Device, *device);
            if (stats || !isOfDevice(stats.error())) return stats;
            why = fallbackRemark(chosen->choice(), stats.error());
        }
        return run(Worker::Processor, *m_cpu);
    }

private:
    static void remember(ChosenDevice& chosen, const TensorReader& reader, Worker worker, double seconds) {
        if (reader.elements() < smallTensor) return;
        const auto bytes = static_cast<double>(reader.byteCount(reader.elements()));
        chosen.speeds().add(MeasuredTask::Statistics, reader.dtype(), worker, bytes, seconds);
    }

    // The device's backend for this tensor; null for the CPU, with the reason.
    std::shared_ptr<stats::Backend> place(ChosenDevice& chosen, const TensorReader& reader, std::optional<Problem>& why) {
        const Dtype dtype = reader.dtype();
        if (chosen.choice().isProcessor()) return nullptr;
        if (!runsOnGpu(dtype)) {
            why = note(Reason("device.type"),
                       WB_TEXT("The values of {} need more than 32 bits, so the CPU computes their statistics."), wb::name(dtype));
            return nullptr;
        }
        if (!chosen.choice().isAutomatic()) return open(chosen, why);
        if (reader.elements() < smallTensor) {
            why = note(Reason("device.small"), WB_TEXT("The CPU is faster for tensors with less than a million elements."));
            return nullptr;
        }
        const auto device = open(chosen, why);
        if (!device) return nullptr;
        if (const auto speeds = chosen.speeds().find(MeasuredTask::Statistics, dtype)) why = comparison(*speeds, dtype);
        return chosen.speeds().next(MeasuredTask::Statistics, dtype) == Worker::Device ? device : nullptr;
    }

    // One backend is kept for a device, as it keeps buffers.
    std::shared_ptr<stats::Backend> open(ChosenDevice& chosen, std::optional<Problem>& why) {
        const auto device = chosen.device();
        if (!device) {
            why = fallbackRemark(chosen.choice(), device.error());
            return nullptr;
        }
        const std::lock_guard lock(m_mutex);
        if (std::exchange(m_backendDevice, *device) != *device) m_backend = makeGpuBackend(*device);
        return m_backend;
    }

    const ComputeDevice& m_device;
    std::unique_ptr<stats::Backend> m_cpu;
    std::mutex m_mutex;
    DevicePtr m_backendDevice;
    std::shared_ptr<stats::Backend> m_backend;
};

} // namespace

std::unique_ptr<stats::Backend> makeStatistics(const ComputeDevice& device) { return std::make_unique<Statistics>(device); }

} // namespace wb::gpu::compute
