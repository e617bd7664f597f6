// SPDX-License-Identifier: MIT
#include "gpu/decode/read_slab.h"
#include "gpu/device/host_upload.h"
#include "gpu/device/open.h"
#include "gpu/stats/gpu_backend.h"
#include "tests/bench/tensor_file.h"

#include <benchmark/benchmark.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>

// Statistics on the best Vulkan device (BENCH_DEVICE names another one by number), on all cores of the CPU, reading the same bytes
// by one thread, and the way to the device alone: straight into its memory where it lets the CPU, and through a copy. Wall time, of
// a tensor in the page cache.
namespace {

using namespace wb;

constexpr Dtype dtypes[] = {Dtype::F32, Dtype::BF16, Dtype::Q8_0, Dtype::Q4_K};

void compute(benchmark::State& state, stats::Backend& backend, const bench::TensorFile& file) {
    const TensorReader reader = file.reader();
    for (auto _ : state) {
        const auto stats = backend.compute(reader, {}, {});
        if (!stats) {
            state.SkipWithError(stats.error().message().c_str());
            return;
        }
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(reader.elements()));
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(file.bytes()));
}

void read(benchmark::State& state, const bench::TensorFile& file) {
    const TensorReader reader = file.reader();
    constexpr std::uint64_t slabElements = std::uint64_t{1} << 20;
    std::vector<std::byte> slab(reader.byteCount(slabElements));
    for (auto _ : state)
        for (std::uint64_t first = 0; first < reader.elements(); first += slabElements) {
            if (!reader.readRaw(first, slabElements, slab)) std::abort();
            benchmark::DoNotOptimize(slab.data());
        }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(reader.elements()));
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(file.bytes()));
}

// The tensor through two inlets by turns, as statistics have it, without a kernel.
Result<void> uploadAll(const gpu::DevicePtr& device, std::array<gpu::HostUpload, 2>& inlets, const TensorReader& reader) {
    constexpr std::uint64_t slabElements = std::uint64_t{1} << 22;
    std::array<std::optional<gpu::Ticket>, 2> busy;
    for (std::uint64_t first = 0, turn = 0; first < reader.elements(); first += slabElements, turn ^= 1) {
        if (busy[turn]) WB_TRY(busy[turn]->wait());
        const std::uint64_t count = std::min(slabElements, reader.elements() - first), bytes = reader.byteCount(count);
        WB_TRY(gpu::readSlab(reader, first, count, inlets[turn].map().first(bytes), {}));
        gpu::Recorder recorder(device);
        inlets[turn].enter(recorder, bytes);
        WB_TRY_ASSIGN(busy[turn], device->submit(std::move(recorder)));
    }
    for (const auto& ticket : busy)
        if (ticket) WB_TRY(ticket->wait());
    return {};
}

void upload(benchmark::State& state, const gpu::DevicePtr& device, const bench::TensorFile& file, gpu::HostUpload::Way way) {
    const TensorReader reader = file.reader();
    std::array<gpu::HostUpload, 2> inlets;
    for (gpu::HostUpload& inlet : inlets) inlet = gpu::HostUpload::make(*device, 16u << 20, way).value();
    for (auto _ : state)
        if (const auto done = uploadAll(device, inlets, reader); !done) state.SkipWithError(done.error().message().c_str());
    state.SetLabel(inlets[0].isDirect() ? "into the device's memory" : "through a copy");
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(reader.elements()));
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(file.bytes()));
}

Result<gpu::DevicePtr> openDevice() {
    const char* wish = std::getenv("BENCH_DEVICE");
    if (wish != nullptr) return gpu::openAt(static_cast<unsigned>(std::strtoul(wish, nullptr, 10)));
    return gpu::openBest(gpu::DeviceFilter::All);
}

} // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    const auto device = openDevice();
    if (!device) {
        std::fprintf(stderr, "%s\n", device.error().message().c_str());
        return 0;
    }
    benchmark::AddCustomContext("device", (*device)->info().name + ", " + (*device)->info().driver);
    const std::uint64_t elements = std::uint64_t{(*device)->info().software() ? 8u : 256u} << 20;
    const auto onDevice = gpu::makeGpuBackend(*device);
    const auto onCpu = stats::makeCpuBackend();
    std::vector<std::unique_ptr<bench::TensorFile>> files;
    for (const Dtype dtype : dtypes) {
        const bench::TensorFile& file = *files.emplace_back(std::make_unique<bench::TensorFile>(dtype, elements));
        const std::string type = name(dtype);
        const auto timed = [](benchmark::internal::Benchmark* one) {
            one->UseRealTime()->Unit(benchmark::kMillisecond)->MinTime(1);
        };
        timed(benchmark::RegisterBenchmark((type + "/device").c_str(),
                                           [&](benchmark::State& state) { compute(state, *onDevice, file); }));
        timed(
            benchmark::RegisterBenchmark((type + "/cpu").c_str(), [&](benchmark::State& state) { compute(state, *onCpu, file); }));
        timed(benchmark::RegisterBenchmark((type + "/read_file").c_str(), [&](benchmark::State& state) { read(state, file); }));
        using Way = gpu::HostUpload::Way;
        timed(benchmark::RegisterBenchmark((type + "/upload").c_str(),
                                           [&](benchmark::State& state) { upload(state, *device, file, Way::Best); }));
        timed(benchmark::RegisterBenchmark((type + "/upload_copied").c_str(),
                                           [&](benchmark::State& state) { upload(state, *device, file, Way::Copied); }));
    }
    benchmark::RunSpecifiedBenchmarks();
}
