// SPDX-License-Identifier: MIT
#include "core/tensor/decode.h"

#include <benchmark/benchmark.h>
#include <hwy/targets.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

// Elements a second of every type's decoder, for each SIMD target and the scalar reference, in tiles of 4096 elements from 128 Ki
// elements: what the statistics do, and little enough for the L2 cache. memcpy of as many f32 is what decoding could at most reach.
namespace {

constexpr std::size_t elements = 128 * 1024;
constexpr std::size_t tile = 4096;

using Decode = void (*)(wb::Dtype, std::span<const std::byte>, std::span<float>);

// Random bytes whose 16-bit words are finite as f16 numbers, as the scales of real tensors are.
std::vector<std::byte> randomBlocks(wb::Dtype dtype) {
    std::vector<std::byte> bytes(*wb::rowBytes(dtype, elements));
    std::mt19937 random(1);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() & 0xBB);
    return bytes;
}

void report(benchmark::State& state) { state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(elements)); }

void decodeTiles(benchmark::State& state, wb::Dtype dtype, Decode decode, std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(target);
    const auto bytes = randomBlocks(dtype);
    const std::size_t tileBytes = bytes.size() / (elements / tile);
    std::vector<float> out(tile);
    for (auto _ : state)
        for (std::size_t t = 0; t < elements / tile; ++t) {
            decode(dtype, std::span(bytes).subspan(t * tileBytes, tileBytes), out);
            benchmark::DoNotOptimize(out.data());
            benchmark::ClobberMemory();
        }
    report(state);
}

void copyTiles(benchmark::State& state) {
    const std::vector<float> in(elements, 1.0F);
    std::vector<float> out(tile);
    for (auto _ : state)
        for (std::size_t i = 0; i < elements; i += tile) {
            std::memcpy(out.data(), in.data() + i, tile * sizeof(float));
            benchmark::DoNotOptimize(out.data());
            benchmark::ClobberMemory();
        }
    report(state);
}

} // namespace

int main(int argc, char** argv) {
    const auto targets = hwy::SupportedAndGeneratedTargets();
    benchmark::RegisterBenchmark("memcpy", copyTiles);
    for (const wb::DtypeInfo& type : wb::allDtypes()) {
        if (!wb::canDecode(type.dtype)) continue;
        const std::string name = type.name;
        for (const auto target : targets)
            benchmark::RegisterBenchmark((name + "/" + hwy::TargetName(target)).c_str(), decodeTiles, type.dtype, wb::decode,
                                         target);
        benchmark::RegisterBenchmark((name + "/scalar").c_str(), decodeTiles, type.dtype, wb::scalar::decode, targets.front());
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}
