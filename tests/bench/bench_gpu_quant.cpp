// SPDX-License-Identifier: MIT
#include "gpu/device/recorder.h"
#include "gpu/quant/kernels.h"
#include "gpu/quant/known_rows.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>
#include <string>

// Bytes of f32 source a second that each quantizing shader reads while all data lie on the device: the best one there is, or the number
// that WEIGHBRIDGE_GPU_TEST_DEVICE gives. A plain copy on the device is the limit.
namespace {

using namespace wb;

gpu::DevicePtr device() {
    static const auto opened = [] {
        const char* wish = std::getenv("WEIGHBRIDGE_GPU_TEST_DEVICE");
        return wish != nullptr ? gpu::openAt(static_cast<unsigned>(std::strtoul(wish, nullptr, 10))) : gpu::openBest(gpu::Accept::AlsoSoftware);
    }();
    return opened ? *opened : nullptr;
}

std::uint64_t sourceBytes() { return device()->info().software() ? 1u << 20 : 64u << 20; }

gpu::BufferPtr filled(std::uint64_t bytes, std::span<const std::byte> pattern) {
    const auto upload = device()->buffer(bytes, gpu::Memory::Upload).value();
    const auto buffer = device()->buffer(bytes, gpu::Memory::Device).value();
    const auto to = upload->map<std::byte>();
    for (std::size_t at = 0; at + pattern.size() <= to.size(); at += pattern.size()) std::ranges::copy(pattern, to.begin() + static_cast<std::ptrdiff_t>(at));
    gpu::Recorder recorder(device());
    recorder.copy(upload->view(), buffer->view());
    std::ignore = device()->submit(std::move(recorder)).value().wait();
    return buffer;
}

// `record` adds the work of one round.
template <typename Record>
void timeRounds(benchmark::State& state, Record record) {
    for (auto _ : state) {
        gpu::Recorder recorder(device());
        record(recorder);
        const auto ticket = device()->submit(std::move(recorder));
        if (!ticket || !ticket->wait()) return state.SkipWithError("the device refused");
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(sourceBytes()));
}

void quantize(benchmark::State& state, const gpu::QuantKernel& kernel, bool weighted) {
    constexpr std::uint32_t columns = 512;
    const auto source = filled(sourceBytes(), std::as_bytes(std::span(gpu::knownRows()).first(columns)));
    const auto weights = filled(columns * 4, std::as_bytes(std::span(gpu::knownWeights())));
    const auto means = filled(sourceBytes() / columns, std::vector<std::byte>(4));
    const auto words = kernel.tables ? kernel.tables() : std::vector<std::uint32_t>(4);
    const auto tables = filled(words.size() * 4, std::as_bytes(std::span(words)));
    const auto result = device()->buffer(sourceBytes(), gpu::Memory::Device).value();
    const auto compiled = device()->kernel({name(kernel.dtype), kernel.words, 5, 8, {weighted ? 1u : 0u}}).value();
    const std::uint32_t blockElements = static_cast<std::uint32_t>(info(kernel.dtype).blockElements);
    const std::uint32_t blocks = static_cast<std::uint32_t>(sourceBytes() / 4) / blockElements;
    const std::array<std::uint32_t, 2> push = {blocks, columns / blockElements};
    timeRounds(state, [&](gpu::Recorder& recorder) {
        recorder.dispatch(compiled,
                          {gpu::reads(source->view()), gpu::reads(weights->view()), gpu::writes(result->view()), gpu::reads(means->view()),
                           gpu::reads(tables->view())},
                          push, {(blocks + kernel.blocksPerGroup - 1) / kernel.blocksPerGroup});
    });
}

void copy(benchmark::State& state) {
    const auto from = filled(sourceBytes(), std::vector<std::byte>(16));
    const auto to = device()->buffer(sourceBytes(), gpu::Memory::Device).value();
    timeRounds(state, [&](gpu::Recorder& recorder) { recorder.copy(from->view(), to->view()); });
}

} // namespace

int main(int argc, char** argv) {
    if (device() == nullptr) return 0;
    benchmark::AddCustomContext("device", device()->info().name);
    benchmark::RegisterBenchmark("copy on the device", copy)->UseRealTime();
    for (const gpu::QuantKernel& kernel : gpu::quantKernels())
        for (const bool weighted : {false, true})
            if (!weighted || kernel.weighted)
                benchmark::RegisterBenchmark((std::string(name(kernel.dtype)) + (weighted ? "/weighted" : "/plain")).c_str(),
                                             [&kernel, weighted](benchmark::State& state) { quantize(state, kernel, weighted); })
                    ->UseRealTime();
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}
