// SPDX-License-Identifier: MIT
#include "core/quant/quantize.h"
#include "gpu/device/open.h"
#include "gpu/device/recorder.h"
#include "gpu/quant/kernels.h"
#include "gpu/quant/self_test_rows.h"
#include "gpu/shaders/bench_arithmetic.spv.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <map>
#include <string>
#include <thread>

// Megabytes of f32 source a second that each quantizing shader reads while all data lie on the device: the best one there is, or
// the number that WEIGHBRIDGE_GPU_TEST_DEVICE gives. Beside it the device's limits in the same run: a plain copy, and how many
// additions and multiplications it does. `ops/element` is the time of one element in units of the latter, which says of one device
// what to expect of another; `first_use_ms` is mostly the driver's compiler, unless the driver keeps what it compiled (Mesa:
// MESA_SHADER_CACHE_DISABLE=1).
namespace {

using namespace wb;

constexpr std::uint32_t columns = 512;
constexpr std::uint64_t copiedBytes = 64u << 20;

gpu::DevicePtr device() {
    static const auto opened = [] {
        const char* wish = std::getenv("WEIGHBRIDGE_GPU_TEST_DEVICE");
        return wish != nullptr ? gpu::openAt(static_cast<unsigned>(std::strtoul(wish, nullptr, 10)))
                               : gpu::openBest(gpu::DeviceFilter::All);
    }();
    return opened ? *opened : nullptr;
}

// Software devices take a second for what hardware does in a millisecond.
std::uint64_t sourceBytes() { return device()->info().software() ? 128u << 10 : 64u << 20; }

gpu::BufferPtr filled(std::uint64_t bytes, std::span<const std::byte> pattern) {
    const auto upload = device()->buffer(bytes, gpu::Memory::Upload).value();
    const auto buffer = device()->buffer(bytes, gpu::Memory::Device).value();
    const auto to = upload->map<std::byte>();
    for (std::size_t at = 0; at + pattern.size() <= to.size(); at += pattern.size())
        std::ranges::copy(pattern, to.begin() + static_cast<std::ptrdiff_t>(at));
    gpu::Recorder recorder(device());
    recorder.copy(upload->view(), buffer->view());
    std::ignore = device()->submit(std::move(recorder)).value().wait();
    return buffer;
}

// `record` adds the work of one round.
template <typename Record>
bool runRound(Record record) {
    gpu::Recorder recorder(device());
    record(recorder);
    const auto ticket = device()->submit(std::move(recorder));
    return ticket && ticket->wait();
}

// Seconds on the device. Those of a software device are the processor time of all threads divided by their number, so that what
// else runs on the machine counts less.
double now() {
    if (device()->info().software())
        return static_cast<double>(std::clock()) / CLOCKS_PER_SEC / std::thread::hardware_concurrency();
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The seconds of the best round.
template <typename Record>
double timeRounds(benchmark::State& state, Record record) {
    double best = std::numeric_limits<double>::infinity();
    for (auto _ : state) {
        const double start = now();
        if (!runRound(record)) state.SkipWithError("the device refused");
        best = std::min(best, now() - start);
    }
    return best;
}

// Additions and multiplications a second, the best of many short rounds.
double arithmeticRate() {
    static const double rate = [] {
        const std::uint32_t groups = device()->info().software() ? 64 : 16384;
        const auto numbers = filled(groups * 64 * 4, std::as_bytes(std::span(gpu::selfTestRows()).first(columns)));
        const auto kernel = device()->kernel({"arithmetic", gpu::shaders::bench_arithmetic, 1, 4}).value();
        double best = 0;
        for (int round = 0; round < 200; ++round) {
            const double start = now();
            runRound([&](gpu::Recorder& recorder) { recorder.dispatch(kernel, {gpu::updates(numbers->view())}, 0u, {groups}); });
            best = std::max(best, groups * 64 * 16384.0 / (now() - start));
        }
        return best;
    }();
    return rate;
}

// None of them zero: ties between candidates are rare in real matrices, and some searches take twice as long over them.
std::vector<float> columnWeights() {
    std::vector<float> weights;
    for (const float x : std::span(gpu::selfTestRows()).first(columns)) weights.push_back(1 + x);
    return weights;
}

// What a quantizing shader is bound to, with the first of the self-test rows over and over.
struct Bound {
    gpu::BufferPtr source, weights, means, tables, result, marks;

    explicit Bound(const gpu::QuantKernel& kernel) {
        const auto words = kernel.tables ? kernel.tables() : std::vector<std::uint32_t>(4);
        source = filled(sourceBytes(), std::as_bytes(std::span(gpu::selfTestRows()).first(columns)));
        weights = filled(columns * 4, std::as_bytes(std::span<const float>(columnWeights())));
        means = filled(sourceBytes() / columns, std::vector<std::byte>(4));
        tables = filled(words.size() * 4, std::as_bytes(std::span(words)));
        result = device()->buffer(sourceBytes(), gpu::Memory::Device).value();
        marks = device()->buffer(sourceBytes() / 128, gpu::Memory::Device).value();
    }

    void record(gpu::Recorder& recorder, const gpu::QuantKernel& kernel, const gpu::KernelPtr& compiled,
                std::uint32_t blocks) const {
        const std::array<std::uint32_t, 2> push = {blocks, columns / static_cast<std::uint32_t>(info(kernel.dtype).blockElements)};
        recorder.dispatch(compiled,
                          {gpu::reads(source->view()), gpu::reads(weights->view()), gpu::writes(result->view()),
                           gpu::reads(means->view()), gpu::reads(tables->view()), gpu::updates(marks->view())},
                          push, {gpu::groupsFor(blocks, kernel.blocksPerGroup)});
    }
};

void quantize(benchmark::State& state, const gpu::QuantKernel& kernel, bool weighted) {
    const Bound bound(kernel);
    const double start = now();
    const auto compiled = device()->kernel(gpu::quantizerCode(kernel, weighted, !device()->keepsSubnormals().value())).value();
    runRound([&](gpu::Recorder& recorder) { bound.record(recorder, kernel, compiled, 1); });
    static std::map<std::pair<Dtype, bool>, double> firstUses; // a benchmark runs several times, its shader is compiled once
    const double firstUse = firstUses.try_emplace({kernel.dtype, weighted}, now() - start).first->second;
    const std::uint64_t elements = sourceBytes() / 4;
    const auto blocks = static_cast<std::uint32_t>(elements / info(kernel.dtype).blockElements);
    const double seconds = timeRounds(state, [&](gpu::Recorder& recorder) { bound.record(recorder, kernel, compiled, blocks); });
    state.counters["MB/s"] = static_cast<double>(sourceBytes()) / seconds / 1e6;
    state.counters["ops/element"] = arithmeticRate() * seconds / static_cast<double>(elements);
    state.counters["first_use_ms"] = 1000 * firstUse;
}

void copy(benchmark::State& state) {
    const auto from = filled(copiedBytes, std::vector<std::byte>(16));
    const auto to = device()->buffer(copiedBytes, gpu::Memory::Device).value();
    const double seconds = timeRounds(state, [&](gpu::Recorder& recorder) { recorder.copy(from->view(), to->view()); });
    state.counters["MB/s"] = static_cast<double>(copiedBytes) / seconds / 1e6;
}

} // namespace

int main(int argc, char** argv) {
    if (device() == nullptr) return 0;
    benchmark::AddCustomContext("device", device()->info().name);
    benchmark::AddCustomContext("additions and multiplications", fmt::format("{:.1f} G/s", arithmeticRate() / 1e9));
    benchmark::RegisterBenchmark("copy on the device", copy)->UseRealTime()->MinTime(0.2);
    for (const gpu::QuantKernel& kernel : gpu::quantKernels())
        for (const bool weighted : {false, true})
            if (weighted ? kernel.weighted : quant::weightUse(kernel.dtype) != quant::WeightUse::Required)
                benchmark::RegisterBenchmark((std::string(name(kernel.dtype)) + (weighted ? "/weighted" : "/plain")).c_str(),
                                             [&kernel, weighted](benchmark::State& state) { quantize(state, kernel, weighted); })
                    ->UseRealTime()
                    ->MinTime(0.1)
                    ->Unit(benchmark::kMillisecond);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}
