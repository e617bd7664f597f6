// SPDX-License-Identifier: MIT
#include "gpu/compute/speed_table.h"

#include <algorithm>

namespace wb::gpu::compute {
namespace {

constexpr unsigned minRuns = 2;
constexpr std::size_t device = 0, processor = 1; // of Both

} // namespace

SpeedTable::Both SpeedTable::measuredRuns(MeasuredTask task, Dtype dtype) const {
    const std::lock_guard lock(m_mutex);
    const auto found = m_runs.find({task, dtype});
    return found == m_runs.end() ? Both{} : found->second;
}

void SpeedTable::add(MeasuredTask task, Dtype dtype, Worker worker, double bytes, double seconds) {
    const std::lock_guard lock(m_mutex);
    Runs& runs = m_runs[{task, dtype}][worker == Worker::Device ? device : processor];
    ++runs.count;
    if (seconds > 0) runs.best = std::max(runs.best, bytes / seconds);
}

std::optional<SpeedTable::Speeds> SpeedTable::find(MeasuredTask task, Dtype dtype) const {
    const Both runs = measuredRuns(task, dtype);
    if (runs[device].count < minRuns || runs[processor].count < minRuns) return {};
    return Speeds{runs[device].best, runs[processor].best};
}

Worker SpeedTable::next(MeasuredTask task, Dtype dtype) const {
    const Both runs = measuredRuns(task, dtype);
    const bool isMeasured = runs[device].count >= minRuns && runs[processor].count >= minRuns;
    const bool isDevices = isMeasured ? runs[device].best >= runs[processor].best : runs[device].count <= runs[processor].count;
    return isDevices ? Worker::Device : Worker::Processor;
}

} // namespace wb::gpu::compute
