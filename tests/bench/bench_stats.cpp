// SPDX-License-Identifier: MIT
#include "core/stats/f32_slab.h"
#include "core/stats/stats.h"
#include "core/stats/tile_kernels.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <string>

// Elements a second and core (of processor time, so that other work on the machine does not count) for 64 Mi elements in the page
// cache: all statistics, the first pass alone, reading the same bytes, and NumPy computing the same numbers (BENCH_PYTHON names
// another interpreter than python3).
namespace {

using namespace wb;

constexpr std::uint64_t elements = std::uint64_t{64} << 20;

void putNormal(std::vector<std::byte>& bytes, std::size_t at, std::size_t size, std::mt19937& random) {
    const float value = std::normal_distribution<float>(0, 0.02f)(random);
    std::memcpy(bytes.data() + at, reinterpret_cast<const char*>(&value) + sizeof(float) - size, size); // BF16 is the upper half
}

// Normally distributed codes under f16 scales around 2^-11 … 2^-9, as quantized weights have them.
void putBlock(std::vector<std::byte>& bytes, std::size_t at, Dtype dtype, std::mt19937& random) {
    const std::size_t scales = dtype == Dtype::Q4_K ? 2 : 1;
    std::normal_distribution<float> eight(0, 40);
    std::normal_distribution<float> four(7.5f, 2.5f);
    const auto nibble = [&] { return static_cast<unsigned>(std::clamp(four(random), 0.0f, 15.0f)); };
    for (std::size_t i = 0; i < info(dtype).blockBytes; ++i) {
        const int code = static_cast<int>(std::clamp(eight(random), -127.0f, 127.0f));
        bytes[at + i] = dtype == Dtype::Q4_K ? static_cast<std::byte>(nibble() | nibble() << 4) : static_cast<std::byte>(code);
    }
    for (std::size_t i = 0; i < scales; ++i) {
        const auto scale = static_cast<std::uint16_t>(0x1000 + random() % 0x0800);
        std::memcpy(bytes.data() + at + 2 * i, &scale, sizeof scale);
    }
}

// A long stretch of weights, which the file repeats.
std::vector<std::byte> stretch(Dtype dtype) {
    std::vector<std::byte> bytes(*rowBytes(dtype, std::uint64_t{1} << 20));
    std::mt19937 random(1);
    const std::size_t block = info(dtype).blockBytes;
    for (std::size_t at = 0; at < bytes.size(); at += block) {
        if (info(dtype).kind == DtypeKind::Block) putBlock(bytes, at, dtype, random);
        else putNormal(bytes, at, block, random);
    }
    return bytes;
}

// The tensor of one type in a file that lives as long as the program.
class TensorFile {
public:
    explicit TensorFile(Dtype dtype) : m_path(std::filesystem::temp_directory_path() / (std::string("bench_stats.") + name(dtype))) {
        const auto bytes = stretch(dtype);
        std::ofstream out(m_path, std::ios::binary);
        m_bytes = *rowBytes(dtype, elements);
        for (std::uint64_t written = 0; written < m_bytes; written += bytes.size())
            out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        out.close();
        m_source = io::FileSource::open(m_path).value();
        m_dtype = dtype;
    }
    ~TensorFile() { std::filesystem::remove(m_path); }
    TensorFile(const TensorFile&) = delete;
    TensorFile& operator=(const TensorFile&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    std::uint64_t bytes() const { return m_bytes; }

    TensorReader reader() const {
        Model model;
        model.files.push_back({m_path.filename().string(), m_bytes, m_source->identity(), m_source});
        TensorInfo tensor;
        tensor.dtype = m_dtype;
        tensor.shape = *Shape::make({elements / 4096, 4096});
        tensor.offset = 0;
        tensor.bytes = m_bytes;
        return TensorReader::open(model, tensor).value();
    }

private:
    std::filesystem::path m_path;
    std::shared_ptr<io::FileSource> m_source;
    std::uint64_t m_bytes = 0;
    Dtype m_dtype = Dtype::Unknown;
};

const TensorFile& file(Dtype dtype) {
    static std::array<std::unique_ptr<TensorFile>, static_cast<std::size_t>(Dtype::Count)> files;
    auto& one = files[static_cast<std::size_t>(dtype)];
    if (!one) one = std::make_unique<TensorFile>(dtype);
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
        std::int32_t least = INT32_MAX;
        for (std::uint64_t first = 0; first < elements; first += stats::slabElements) {
            if (!slab.read({first / stats::slabElements, first, stats::slabElements})) std::abort();
            for (std::size_t tile = 0; tile < slab.tiles(); ++tile) {
                const auto values = slab.tile(tile);
                const stats::TileRange range = stats::rangeOf(values);
                least = std::min(least, range.least);
                tree.add(stats::momentsOf(values, range.sum));
            }
        }
        benchmark::DoNotOptimize(tree.total());
        benchmark::DoNotOptimize(least);
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
    tensor.offset = 0;
    tensor.bytes = 4 * 64;
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
    const std::string command = std::string(python ? python : "python3") + " " STATS_NUMPY_SCRIPT " " + file(Dtype::F32).path().string();
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
    const auto timed = [](benchmark::internal::Benchmark* one) { one->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond)->MinTime(1); };
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
