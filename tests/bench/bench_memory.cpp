// SPDX-License-Identifier: MIT
#include "core/memory/cards/placement.h"
#include "core/memory/rule_of_thumb.h"

#include <benchmark/benchmark.h>

// What the Memory tab computes while a slider moves: one estimate, and all types on all cards.
namespace {

using namespace wb::memory;

Subject subjectNamed(const char* name) { return *subjectOfSize(name); }

std::vector<TypedWeights> subjectTypes(const Subject& subject) {
    std::vector<TypedWeights> types;
    for (const WeightType& type : weightTypes())
        if (auto weights = subject.weights(&type)) types.push_back({&type, std::move(*weights)});
    return types;
}

void oneEstimate(benchmark::State& state) {
    const Subject subject = subjectNamed("Llama-3.1-405B");
    Settings settings;
    for (auto _ : state) {
        settings.context = settings.context == 8192 ? 16384 : 8192;
        benchmark::DoNotOptimize(estimate(subject, subject.stored, settings));
    }
}
BENCHMARK(oneEstimate)->Unit(benchmark::kMicrosecond);

void allTypesOnAllCards(benchmark::State& state) {
    const Subject subject = subjectNamed("Qwen3-30B-A3B");
    const auto types = subjectTypes(subject);
    Settings settings;
    for (auto _ : state)
        for (const TypedWeights& typed : types)
            for (const Card& card : cards()) benchmark::DoNotOptimize(fitNow(subject, typed.weights, settings, cardMemory(card)));
    state.counters["verdicts"] = static_cast<double>(types.size() * cards().size());
}
BENCHMARK(allTypesOnAllCards)->Unit(benchmark::kMillisecond);

// What the tab does for one step of a slider: every type on one device, one type on every card with its longest context, and where
// the layers lie best.
void oneStepOfASlider(benchmark::State& state) {
    const Subject subject = subjectNamed("Qwen3-30B-A3B");
    const auto types = subjectTypes(subject);
    const Weights& weights = types.front().weights;
    const std::vector<Memory> gpus = {cardMemory(*cardsNamed("RTX 4090").front())};
    Settings settings;
    for (auto _ : state) {
        benchmark::DoNotOptimize(estimate(subject, weights, settings));
        for (const TypedWeights& typed : types) benchmark::DoNotOptimize(fitNow(subject, typed.weights, settings, gpus.front()));
        for (const Card& card : cards()) benchmark::DoNotOptimize(checkFit(subject, weights, settings, cardMemory(card)));
        benchmark::DoNotOptimize(bestPlacement(subject, weights, settings, gpus, nullptr));
        benchmark::DoNotOptimize(cardsFor(subject, weights, settings));
    }
}
BENCHMARK(oneStepOfASlider)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
