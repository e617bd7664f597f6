// SPDX-License-Identifier: MIT
#include "core/memory/serving/calibration.h"

#include "core/base/ascii.h"
#include "core/memory/amounts.h"

#include <algorithm>

namespace wb::memory {
namespace {

std::int64_t loadResidual(const MeasuredLoad& load) {
    const auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return static_cast<std::int64_t>(std::min(load.measured, most)) - static_cast<std::int64_t>(std::min(load.estimated, most));
}

} // namespace

bool operator==(const MeasuredLoad& a, const MeasuredLoad& b) {
    return a.date == b.date && a.runtime == b.runtime && a.backend == b.backend && a.device == b.device && a.driver == b.driver &&
           a.build == b.build && a.architecture == b.architecture && a.model == b.model && a.settings == b.settings &&
           a.parts.parts == b.parts.parts && a.estimated == b.estimated && a.measured == b.measured;
}

std::optional<Correction> loadCorrection(std::span<const MeasuredLoad> loads, const Settings& settings, const std::string& device) {
    std::vector<std::int64_t> residuals;
    for (const MeasuredLoad& load : loads)
        if (load.runtime == runtimeName(settings.runtime) && load.backend == backendName(settings.backendUsed()) &&
            isSameDevice(load.device, device))
            residuals.push_back(loadResidual(load));
    if (residuals.empty()) return {};
    std::ranges::sort(residuals);
    Correction correction;
    correction.device = device;
    correction.loads = residuals.size();
    correction.shift = residuals[residuals.size() / 2];
    const auto distance = [&](std::int64_t residual) {
        return residual > correction.shift ? static_cast<std::uint64_t>(residual) - static_cast<std::uint64_t>(correction.shift)
                                           : static_cast<std::uint64_t>(correction.shift) - static_cast<std::uint64_t>(residual);
    };
    correction.range = std::max(distance(residuals.front()), distance(residuals.back()));
    // One or two loads say little of how far others lie apart.
    if (residuals.size() < 3) correction.range = std::max(correction.range, distance(0));
    return correction;
}

std::vector<MeasuredLoad> measuredLoads(const RuntimeLog& log, const Estimate& estimate, const std::string& architecture,
                                        const std::string& date) {
    std::vector<MeasuredLoad> loads;
    const Settings& settings = estimate.settings;
    const auto add = [&](const std::string& device, const std::string& driver, const DeviceBytes& measured,
                         const DeviceBytes& estimated) {
        if (measured.total() == 0) return;
        // The log does not specify the overhead, which is not a part of it.
        const std::uint64_t overhead = allocatorRules(settings).overhead;
        const std::uint64_t comparable = estimated.total() - std::min(estimated.total(), overhead);
        loads.push_back({date, runtimeName(settings.runtime), backendName(settings.backendUsed()), device, driver, log.build,
                         architecture, estimate.name, settingsText(settings), measured, comparable, measured.total()});
    };
    for (std::size_t i = 0; i < log.devices.size() && settings.usesGpu(); ++i)
        if (i < settings.devices())
            add(log.devices[i].title.empty() ? log.devices[i].name : log.devices[i].title, {}, log.devices[i].bytes,
                estimate.plan.onGpu(i));
    if (!settings.usesGpu()) add("cpu", {}, log.processor, estimate.plan.processor);
    return loads;
}

std::string settingsText(const Settings& settings) {
    return fmt::format("context={} ubatch={} parallel={} kv={},{} flash={} gpu_layers={}", settings.context, settings.microBatch,
                       settings.conversations, ascii::lowered(name(settings.keyType)), ascii::lowered(name(settings.valueType)),
                       settings.flash ? "yes" : "no",
                       settings.gpuLayers == allLayers ? std::string("all") : std::to_string(settings.gpuLayers));
}

} // namespace wb::memory
