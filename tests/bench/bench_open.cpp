// SPDX-License-Identifier: MIT
#include "core/formats/huggingface/huggingface.h"
#include "core/formats/json/json.h"
#include "core/formats/safetensors/safetensors.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

// Opening a sharded model of 400 GB: 60,000 tensors in 200 sparse files, as a folder with a tokenizer and as an index alone; the
// counter residentMiB is what one opened model adds to the process. One iteration opens and forgets the model.
namespace {

constexpr int shards = 200;
constexpr int tensorsPerShard = 300;
constexpr std::uint64_t rows = 3256;
constexpr std::uint64_t bytesPerTensor = rows * 1024 * 2; // 400 GB in all

std::uint64_t residentBytes() {
    std::ifstream status("/proc/self/statm");
    std::uint64_t total = 0;
    std::uint64_t resident = 0;
    status >> total >> resident;
    return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::string tensorName(int number) {
    static constexpr const char* parts[] = {"gate_proj", "up_proj", "down_proj"};
    return fmt::format("model.layers.{}.mlp.experts.{}.{}.weight", number / 750, number / 3 % 250, parts[number % 3]);
}

std::string shardName(int shard) { return fmt::format("model-{:05}-of-{:05}.safetensors", shard + 1, shards); }

void writeShard(const std::filesystem::path& folder, int shard) {
    std::string header = R"({"__metadata__":{"format":"pt"})";
    for (int i = 0; i < tensorsPerShard; ++i) {
        const std::uint64_t begin = static_cast<std::uint64_t>(i) * bytesPerTensor;
        header += fmt::format(R"(,"{}":{{"dtype":"{}","shape":[{},1024],"data_offsets":[{},{}]}})",
                              tensorName(shard * tensorsPerShard + i), i % 2 ? "BF16" : "F16", rows, begin, begin + bytesPerTensor);
    }
    header += "}";
    const std::uint64_t length = header.size();
    std::ofstream(folder / shardName(shard), std::ios::binary).write(reinterpret_cast<const char*>(&length), 8) << header;
    std::filesystem::resize_file(folder / shardName(shard), 8 + length + tensorsPerShard * bytesPerTensor);
}

void writeIndex(const std::filesystem::path& folder) {
    std::ofstream index(folder / "model.safetensors.index.json");
    index << "{\n  \"metadata\": {\n    \"total_size\": " << shards * tensorsPerShard * bytesPerTensor
          << "\n  },\n  \"weight_map\": {\n";
    for (int i = 0; i < shards * tensorsPerShard; ++i)
        index << (i ? ",\n" : "") << "    \"" << tensorName(i) << "\": \"" << shardName(i / tensorsPerShard) << '"';
    index << "\n  }\n}\n";
}

// 17 MB, as the tokenizers of models with 250,000 tokens are.
void writeTokenizer(const std::filesystem::path& folder) {
    std::ofstream out(folder / "tokenizer.json");
    out << "{\n  \"version\": \"1.0\",\n  \"model\": {\n    \"type\": \"BPE\",\n    \"vocab\": {\n";
    for (int i = 0; i < 250'000; ++i) out << (i ? ",\n" : "") << fmt::format("      \"\u0120token{}\": {}", i, i);
    out << "\n    },\n    \"merges\": [\n";
    for (int i = 0; i < 250'000; ++i) out << (i ? ",\n" : "") << fmt::format("      \"\u0120to ken{}\"", i);
    out << "\n    ]\n  }\n}\n";
}

// Made once, removed at the end.
class SparseModel {
public:
    SparseModel() : m_path(std::filesystem::temp_directory_path() / fmt::format("weighbridge-bench-{}", getpid())) {
        std::filesystem::create_directories(m_path);
        for (int shard = 0; shard < shards; ++shard) writeShard(m_path, shard);
        writeIndex(m_path);
        std::ofstream(m_path / "config.json") << R"({"architectures":["SparseForCausalLM"]})";
        std::filesystem::create_directories(tokenizer());
        writeTokenizer(tokenizer());
        std::ofstream(tokenizer() / "config.json") << "{}";
    }
    ~SparseModel() { std::filesystem::remove_all(m_path); }
    SparseModel(const SparseModel&) = delete;
    SparseModel& operator=(const SparseModel&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    std::filesystem::path tokenizer() const { return m_path / "tokenizer"; }

private:
    std::filesystem::path m_path;
};

const SparseModel& sparseModel() {
    static const SparseModel model;
    return model;
}

void measure(benchmark::State& state, const std::filesystem::path& path, auto open) {
    const std::uint64_t before = residentBytes();
    std::uint64_t grown = 0;
    for (auto _ : state) {
        const wb::Result<wb::ModelPtr> model = open(path, wb::formats::OpenOptions{});
        if (!model) return state.SkipWithError(model.error().message().c_str());
        const std::uint64_t now = residentBytes();
        grown = now > before ? now - before : 0;
    }
    state.counters["residentMiB"] = static_cast<double>(grown) / (1 << 20);
}

void openIndex(benchmark::State& state) {
    measure(state, sparseModel().path() / "model.safetensors.index.json", wb::safetensors::openIndex);
}

void openFolder(benchmark::State& state) { measure(state, sparseModel().path(), wb::huggingface::openFolder); }

void openTokenizer(benchmark::State& state) { measure(state, sparseModel().tokenizer(), wb::huggingface::openFolder); }

BENCHMARK(openIndex)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(openFolder)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(openTokenizer)->Unit(benchmark::kMillisecond)->UseRealTime();

} // namespace

BENCHMARK_MAIN();
