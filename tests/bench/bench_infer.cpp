// SPDX-License-Identifier: MIT
#include "core/formats/open.h"
#include "core/infer/cpu/cpu_engine.h"
#include "core/infer/session.h"
#include "core/infer/simd_levels.h"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <numeric>

// Tokens a second of one model on the processor: reading a prompt and one token after the other, and how much of what memory can
// deliver the second takes. The model is the one that WEIGHBRIDGE_BENCH_MODEL names, else the starter model of ./dev run.
namespace {

std::filesystem::path modelPath() {
    if (const char* const named = std::getenv("WEIGHBRIDGE_BENCH_MODEL")) return named;
    const char* const home = std::getenv("HOME");
    return std::filesystem::path(home ? home : "/tmp") / ".cache/weighbridge/models/SmolLM2-135M-Instruct.Q4_1.gguf";
}

std::unique_ptr<wb::infer::Engine> load(unsigned threads) {
    const auto model = wb::formats::open(modelPath());
    if (!model) return nullptr;
    const auto graph = wb::infer::planGraph(*model);
    if (!graph) return nullptr;
    auto engine = wb::infer::cpu::makeCpuEngine(*graph, {.threads = threads, .context = 2048}, {});
    return engine ? std::move(*engine) : nullptr;
}

std::vector<wb::infer::Token> someTokens(std::size_t count, std::size_t vocabulary) {
    std::vector<wb::infer::Token> tokens(count);
    for (std::size_t i = 0; i < count; ++i) tokens[i] = static_cast<wb::infer::Token>(i * 7919 % vocabulary);
    return tokens;
}

void prefill(benchmark::State& state) {
    auto engine = load(static_cast<unsigned>(state.range(1)));
    if (!engine) return state.SkipWithError("the model cannot be loaded");
    wb::infer::Session session(std::move(engine));
    const auto tokens = someTokens(static_cast<std::size_t>(state.range(0)), session.engine().vocabulary());
    for (auto _ : state) {
        session.truncate(0);
        if (!session.append(tokens)) return state.SkipWithError("a batch failed");
    }
    state.counters["tokens"] =
        benchmark::Counter(static_cast<double>(state.iterations() * state.range(0)), benchmark::Counter::kIsRate);
}

void decode(benchmark::State& state) {
    auto engine = load(static_cast<unsigned>(state.range(0)));
    if (!engine) return state.SkipWithError("the model cannot be loaded");
    wb::infer::Session session(std::move(engine));
    const auto tokens = someTokens(64, session.engine().vocabulary());
    if (!session.append(tokens)) return state.SkipWithError("a batch failed");
    std::size_t next = 0;
    for (auto _ : state) {
        if (session.room() == 0) session.truncate(64);
        if (!session.append(std::span(&tokens[next++ % 64], 1))) return state.SkipWithError("a batch failed");
    }
    std::error_code ignored;
    const auto bytes = static_cast<double>(std::filesystem::file_size(modelPath(), ignored));
    state.counters["tokens"] = benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
    state.counters["file_bytes"] = benchmark::Counter(static_cast<double>(state.iterations()) * bytes, benchmark::Counter::kIsRate,
                                                      benchmark::Counter::kIs1024);
}

// What plain reading of memory reaches here, beside which file_bytes is to be seen.
void readMemory(benchmark::State& state) {
    std::vector<std::uint64_t> memory(32 << 20, 1);
    for (auto _ : state) benchmark::DoNotOptimize(std::accumulate(memory.begin(), memory.end(), std::uint64_t{0}));
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(memory.size() * sizeof(memory[0])));
}

} // namespace

BENCHMARK(readMemory)->Threads(1)->Threads(2)->UseRealTime();
BENCHMARK(prefill)->ArgNames({"tokens", "threads"})->Args({512, 1})->Args({512, 2})->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(decode)->ArgNames({"threads"})->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

int main(int count, char** words) {
    const char* const level = std::getenv("WEIGHBRIDGE_SIMD");
    if (level != nullptr && !wb::infer::chooseSimd(level)) {
        std::fputs("WEIGHBRIDGE_SIMD must be an instruction set that wb devices names.\n", stderr);
        return 2;
    }
    benchmark::Initialize(&count, words);
    if (benchmark::ReportUnrecognizedArguments(count, words)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
