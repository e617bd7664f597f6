// SPDX-License-Identifier: MIT
#include "core/query/query.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <array>

namespace wb::query {
namespace {

constexpr std::size_t tensorCount = 100'000;

// The names of a large mixture of experts, where roles and numbers stand deep in the name.
std::vector<TensorInfo> makeTensors() {
    constexpr std::array parts = {"gate_proj", "up_proj", "down_proj"};
    std::vector<TensorInfo> tensors(tensorCount);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        tensors[i].name = fmt::format("model.layers.{}.mlp.experts.{}.{}.weight", i / 600, i % 600 / 3, parts[i % 3]);
        tensors[i].dtype = Dtype::BF16;
        tensors[i].shape = *Shape::make({4096, i + 1});
        tensors[i].source = TensorSource::stored(0, 0, 8192 * (i + 1));
    }
    return tensors;
}

void filter(benchmark::State& state, const char* text) {
    const auto tensors = makeTensors();
    const auto query = parse(text);
    stats::TensorStats known;
    known.kurtosis = 3;
    for (auto _ : state) {
        std::size_t found = 0;
        for (const TensorInfo& tensor : tensors)
            found += query->matches({tensor, "Qwen3MoeForCausalLM", "model.safetensors", &known});
        benchmark::DoNotOptimize(found);
    }
}

BENCHMARK_CAPTURE(filter, contains, "attn")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(filter, glob, "name:*.down_proj.*")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(filter, regex, "name:~ffn|down_proj\\.weight$")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(filter, role, "role:attention")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(filter, numbers, "layer:0-3 size:>10M type:bf16")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(filter, statistic, "kurt>50")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(filter, hostile, "name:~^(a+)+$")->Unit(benchmark::kMillisecond);

} // namespace
} // namespace wb::query

BENCHMARK_MAIN();
