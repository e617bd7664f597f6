// SPDX-License-Identifier: MIT
#pragma once

#include "core/tensor/dtype.h"

#include <array>
#include <map>
#include <mutex>
#include <optional>

namespace wb::gpu::compute {

enum class MeasuredTask : std::uint8_t { Statistics, Quantizing, WeightedQuantizing };
enum class Worker : std::uint8_t { Device, Processor };

// How fast a device and the CPU did each kind of work: the one measure by which an automatic choice prefers either.
// Thread-safe.
class SpeedTable {
public:
    // Bytes a second, the best of several runs.
    struct Speeds {
        double device;
        double processor;
    };

    void add(MeasuredTask task, Dtype dtype, Worker worker, double bytes, double seconds);

    // Empty until both have run twice: the first run pays for starting up.
    std::optional<Speeds> find(MeasuredTask task, Dtype dtype) const;

    // Who shall do the next piece of work: the faster one (the device where they are equal), or the one that has run less often.
    Worker next(MeasuredTask task, Dtype dtype) const;

private:
    struct Runs {
        unsigned count = 0;
        double best = 0; // bytes per second
    };
    using Both = std::array<Runs, 2>; // by Worker
    Both measuredRuns(MeasuredTask task, Dtype dtype) const;

    mutable std::mutex m_mutex;
    std::map<std::pair<MeasuredTask, Dtype>, Both> m_runs;
};

} // namespace wb::gpu::compute
