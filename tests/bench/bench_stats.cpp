// SPDX-License-Identifier: MIT
#include "core/stats/engine/f32_slab.h"
#include "core/stats/stats.h"
#include "core/stats/engine/tile_kernels.h"
#include "tests/bench/tensor_file.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

// Elements a second and core (of processor time, so that other work on the machine does not count) for 64 Mi elements in the page
// cache: all statistics, the first pass alone, reading the same bytes, and NumPy computing the same numbers (BENCH_PYTHON names
// another interpreter than python3).
namespace {

using namespace wb;
using bench::TensorFile;

constexpr std::uint64_t elements = std::uint64_t{64} << 20;

const TensorFile& file(Dtype dtype) {
    static std::array<std::unique_ptr<TensorFile>, static_cast<std::size_t>(Dtype::Count)> files;
    auto& one = files[static_cast<std::size_t>(dtype)];
    if (!one) one = std::make_unique<TensorFile>(dtype, elements);
    return *one;
}

void count(benchmark::State& state, Dtype dtype) {
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(elements));
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(file(dtype).bytes()));
}

void everything(benchmark::State& state, Dtype dtype, unsigned threads) {
    const TensorReader reader = file(dtype).reader();
    const auto backend = stats::makeCpuBackend();
    for (auto _ : state) benchmark::DoNotOptimize(backend->compute(reader, {.threads = threads}, {}));
    count(state, dtype);
}

// Moments, minimum and maximum alone.
void firstPass(benchmark::State& state, Dtype dtype) {
    const TensorReader reader = file(dtype).reader();
    stats::F32Slab slab(reader);
    for (auto _ : state) {
        stats::MomentTree tree;
        std::int32_t min = INT32_MAX;
        for (std::uint64_t first = 0; first < elements; first += stats::slabElements) {
            if (!slab.read({first / stats::slabElements, first, stats::slabElements})) std::abort();
            for (std::size_t tile = 0; tile < slab.tiles(); ++tile) {
                const auto values = slab.tile(tile);
                const stats::TileRange range = stats::computeRange(values);
                min = std::min(min, range.min);
                tree.add(stats::computeMoments(values, range.sum));
            }
        }
        benchmark::DoNotOptimize(tree.total());
        benchmark::DoNotOptimize(min);
    }
    count(state, dtype);
}

// A norm of a small model: what a tensor costs before its elements count.
void smallTensor(benchmark::State& state) {
    Model model;
    model.files.push_back({"small", 4 * 64, {}, std::make_shared<io::MemorySource>("small", std::vector<std::byte>(4 * 64))});
    TensorInfo tensor;
    tensor.dtype = Dtype::F32;
    tensor.shape = *Shape::make({64});
    tensor.source = TensorSource::stored(0, 0, 4 * 64);
    const TensorReader reader = TensorReader::open(model, tensor).value();
    const auto backend = stats::makeCpuBackend();
    for (auto _ : state) benchmark::DoNotOptimize(backend->compute(reader, {}, {}));
}

// The file's bytes through the same reads, and nothing else.
void readFile(benchmark::State& state, Dtype dtype) {
    const TensorReader reader = file(dtype).reader();
    std::vector<std::byte> slab(reader.byteCount(stats::slabElements));
    for (auto _ : state)
        for (std::uint64_t first = 0; first < elements; first += stats::slabElements) {
            if (!reader.readRaw(first, stats::slabElements, slab)) std::abort();
            benchmark::DoNotOptimize(slab.data());
        }
    count(state, dtype);
}

// As many bytes that already lie in this program's memory.
void readMemory(benchmark::State& state, Dtype dtype) {
    std::vector<std::uint64_t> memory(file(dtype).bytes() / 8, 1);
    for (auto _ : state) {
        std::array<std::uint64_t, 8> sums{};
        for (std::size_t i = 0; i + 8 <= memory.size(); i += 8)
            for (std::size_t lane = 0; lane < 8; ++lane) sums[lane] += memory[i + lane];
        benchmark::DoNotOptimize(sums);
    }
    count(state, dtype);
}

void numpy(benchmark::State& state) {
    const char* python = std::getenv("BENCH_PYTHON");
    const std::string command =
        std::string(python ? python : "python3") + " " STATS_NUMPY_SCRIPT " " + file(Dtype::F32).path().string();
    double rate = 0;
    for (auto _ : state) {
        std::FILE* pipe = ::popen((command + " 2>/dev/null").c_str(), "r");
        if (!pipe || std::fscanf(pipe, "%lf", &rate) != 1) rate = 0;
        if (pipe) ::pclose(pipe);
    }
    if (rate == 0) state.SkipWithError("NumPy is not there; set BENCH_PYTHON to a python3 that has it");
    state.counters["elements_per_second"] = rate;
}

void registerAll(Dtype dtype) {
    const std::string type = name(dtype);
    const auto timed = [](benchmark::internal::Benchmark* one) {
        one->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond)->MinTime(1);
    };
    timed(benchmark::RegisterBenchmark((type + "/everything/threads:1").c_str(), everything, dtype, 1));
    timed(benchmark::RegisterBenchmark((type + "/everything/threads:all").c_str(), everything, dtype, 0));
    timed(benchmark::RegisterBenchmark((type + "/moments_min_max").c_str(), firstPass, dtype));
    timed(benchmark::RegisterBenchmark((type + "/read_file").c_str(), readFile, dtype));
    timed(benchmark::RegisterBenchmark((type + "/read_memory").c_str(), readMemory, dtype));
}

} // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    for (const Dtype dtype : {Dtype::F32, Dtype::BF16, Dtype::Q8_0, Dtype::Q4_K}) registerAll(dtype);
    benchmark::RegisterBenchmark("F32/64_elements", smallTensor);
    benchmark::RegisterBenchmark("F32/numpy", numpy)->Iterations(1);
    benchmark::RunSpecifiedBenchmarks();
}
