// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/recorder.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <vector>

namespace wb::gpu {

// The result of a step, and its time: the best of some rounds.
struct TimedRuns {
    std::vector<float> numbers; // the step's result
    double seconds = 0;         // of `repeats` steps
};

// `record(recorder)` adds the step, whose result is the first numbers of `out`. The first run compiles its kernels.
template <class Record>
Result<TimedRuns> timeRuns(const DevicePtr& device, const View& out, std::size_t count, int repeats, Record record) {
    constexpr int rounds = 3;
    const std::uint64_t bytes = count * sizeof(float);
    WB_TRY_ASSIGN(const BufferPtr back, device->buffer(bytes, Memory::Readback));
    const auto submit = [&](int times) -> Result<double> {
        Recorder recorder(device);
        for (int i = 0; i < times; ++i) WB_TRY(record(recorder));
        recorder.copy({out.buffer, out.offset, bytes}, back->view(0, bytes));
        const auto begin = std::chrono::steady_clock::now();
        WB_TRY_ASSIGN(const Ticket ticket, device->submit(std::move(recorder)));
        WB_TRY(ticket.wait());
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    WB_TRY(submit(1));
    const auto numbers = back->map<float>().first(count);
    TimedRuns runs{{numbers.begin(), numbers.end()}, std::numeric_limits<double>::infinity()};
    for (int round = 0; round < rounds; ++round) {
        WB_TRY_ASSIGN(const double seconds, submit(repeats));
        runs.seconds = std::min(runs.seconds, seconds);
    }
    return runs;
}

} // namespace wb::gpu
