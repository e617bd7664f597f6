// SPDX-License-Identifier: MIT
#include "core/quant/quantize.h"

#include <benchmark/benchmark.h>
#include <hwy/targets.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

// Elements a second of one core for every type: the fast form on every SIMD target beside its scalar twin, plain and with column
// weights, on rows of 4096 normal values as weights have them.
namespace {

constexpr std::size_t rowLength = 4096;
constexpr std::size_t rows = 8;

using Quantizer = void (*)(wb::Dtype, std::span<const float>, std::span<const float>, std::span<std::byte>);

std::vector<float> normalValues(std::size_t count, float mean, float deviation) {
    std::mt19937 random(1);
    std::normal_distribution<float> normal(mean, deviation);
    std::vector<float> values(count);
    for (float& value : values) value = normal(random);
    return values;
}

void quantizeRows(benchmark::State& state, wb::Dtype dtype, Quantizer quantize, bool weighted, std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(target);
    const auto values = normalValues(rowLength * rows, 0, 0.02F);
    std::vector<float> weights = weighted ? normalValues(rowLength, 1, 0.2F) : std::vector<float>();
    for (float& weight : weights) weight = std::fabs(weight);
    std::vector<std::byte> out(*wb::rowBytes(dtype, rowLength));
    quantize(dtype, std::span(values).first(rowLength), weights, out); // grids are built when they are first asked for
    std::size_t row = 0;
    for (auto _ : state) {
        quantize(dtype, std::span(values).subspan(row * rowLength, rowLength), weights, out);
        row = (row + 1) % rows;
        benchmark::DoNotOptimize(out.data());
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(rowLength));
}

void add(const wb::DtypeInfo& type, bool weighted) {
    const std::string name = std::string(type.name) + (weighted ? "/weighted" : "/plain");
    const auto targets = hwy::SupportedAndGeneratedTargets();
    for (const auto target : targets)
        benchmark::RegisterBenchmark((name + "/" + hwy::TargetName(target)).c_str(), quantizeRows, type.dtype,
                                     wb::quant::quantizeRow, weighted, target);
    benchmark::RegisterBenchmark((name + "/scalar").c_str(), quantizeRows, type.dtype, wb::quant::scalar::quantizeRow, weighted,
                                 targets.front());
}

} // namespace

int main(int argc, char** argv) {
    for (const wb::DtypeInfo& type : wb::allDtypes()) {
        if (!wb::quant::canQuantize(type.dtype)) continue;
        const wb::quant::WeightUse use = wb::quant::weightUse(type.dtype);
        if (use != wb::quant::WeightUse::Required) add(type, false);
        if (use != wb::quant::WeightUse::Ignored) add(type, true);
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
