// SPDX-License-Identifier: MIT
#include "gpu/stats/choosing_backend.h"

#include "gpu/stats/gpu_backend.h"

#include <chrono>

namespace wb::gpu {
namespace {

using Policy = StatsChoice::Policy;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t smallTensor = 1u << 20; // elements below which starting the device's work costs more than it saves

template <typename... Args>
Problem note(Reason code, const char* format, Args&&... args) {
    return makeProblem(Severity::Note, code, {}, std::nullopt, format, std::forward<Args>(args)...);
}

Problem noteOf(const Error& error, Severity severity) {
    return {severity, "device.failed", {}, std::nullopt, error.format, error.arguments};
}

// Failures of the device; all others would meet the CPU, too.
bool isOfDevice(const Error& error) {
    return error.code == ErrorCode::DeviceLost || error.code == ErrorCode::TooLarge || error.code == ErrorCode::Internal;
}

Problem comparison(const Speeds& speeds, Dtype dtype) {
    const auto gigabytes = [&](Speeds::Who who) { return fmt::format("{:.2f}", speeds.best(dtype, who) / 1e9); };
    return note("device.measured", WB_TEXT("Of {}, the graphics device did {} and the CPU {} GB a second."), name(dtype),
                gigabytes(Speeds::Device), gigabytes(Speeds::Cpu));
}

// A device that computes wrongly is none.
Result<DevicePtr> openTested(const StatsChoice& choice) {
    WB_TRY_ASSIGN(DevicePtr device, choice.open());
    WB_TRY(device->selfTest());
    return device;
}

} // namespace

ChoosingBackend::ChoosingBackend(StatsChoice choice) : m_cpu(stats::makeCpuBackend()) { choose(std::move(choice)); }

void ChoosingBackend::choose(StatsChoice choice) {
    auto chosen = std::make_shared<Chosen>();
    chosen->choice = std::move(choice);
    const std::lock_guard lock(m_mutex);
    m_chosen = std::move(chosen);
}

std::shared_ptr<stats::Backend> ChoosingBackend::open(Chosen& chosen, std::optional<Problem>& note) {
    if (!std::exchange(chosen.opened, true)) {
        if (auto device = openTested(chosen.choice)) chosen.device = makeGpuBackend(std::move(*device));
        else chosen.failure = noteOf(device.error(), chosen.choice.policy == Policy::Device ? Severity::Warning : Severity::Note);
    }
    if (!chosen.device) note = chosen.failure;
    return chosen.device;
}

std::shared_ptr<stats::Backend> ChoosingBackend::place(Chosen& chosen, const TensorReader& reader, std::optional<Problem>& why) {
    if (chosen.choice.policy == Policy::Cpu) return nullptr;
    if (!runsOnGpu(reader.dtype())) {
        why = note("device.type", WB_TEXT("Values of {} need more than 32 bits, so the CPU computes their statistics."),
                   wb::name(reader.dtype()));
        return nullptr;
    }
    const std::lock_guard lock(chosen.mutex);
    if (chosen.choice.policy == Policy::Device) return open(chosen, why);
    if (reader.elements() < smallTensor) {
        why = note("device.small", WB_TEXT("The CPU is faster with tensors of less than a million elements."));
        return nullptr;
    }
    const auto device = open(chosen, why);
    if (!device) return nullptr;
    if (chosen.speeds.known(reader.dtype())) why = comparison(chosen.speeds, reader.dtype());
    return chosen.speeds.next(reader.dtype()) == Speeds::Device ? device : nullptr;
}

Result<stats::TensorStats> ChoosingBackend::compute(const TensorReader& reader, const stats::Options& options,
                                                    const Progress& progress) {
    const auto chosen = [&] {
        const std::lock_guard lock(m_mutex);
        return m_chosen;
    }();
    std::optional<Problem> why;
    const auto run = [&](Speeds::Who who, stats::Backend& backend) {
        const auto begin = Clock::now();
        auto stats = backend.compute(reader, options, progress);
        if (stats && why) stats->deviceNote = why;
        if (stats) chosen->remember(reader, who, std::chrono::duration<double>(Clock::now() - begin).count());
        return stats;
    };
    if (const auto device = place(*chosen, reader, why)) {
        auto stats = run(Speeds::Device, *device);
        if (stats || !isOfDevice(stats.error())) return stats;
        why = chosen->giveUp(stats.error());
    }
    return run(Speeds::Cpu, *m_cpu);
}

void ChoosingBackend::Chosen::remember(const TensorReader& reader, Speeds::Who who, double seconds) {
    if (reader.elements() < smallTensor) return;
    const std::lock_guard lock(mutex);
    speeds.add(reader.dtype(), who, static_cast<double>(reader.byteCount(reader.elements())), seconds);
}

Problem ChoosingBackend::Chosen::giveUp(const Error& error) {
    const Problem problem = noteOf(error, Severity::Warning);
    if (error.code != ErrorCode::DeviceLost) return problem; // the next tensor may fare better
    const std::lock_guard lock(mutex);
    device = nullptr;
    failure = problem;
    return problem;
}

} // namespace wb::gpu
