// SPDX-License-Identifier: MIT
#include "core/memory/fit.h"

#include "core/memory/amounts.h"

#include <algorithm>

namespace wb::memory {
namespace {

constexpr std::uint64_t step = 256; // cells of a cache come in such steps
constexpr std::uint64_t contextIfUnknown = 1 << 20;

struct Need {
    std::uint64_t bytes = 0;
    std::uint64_t error = 0;
};

Need needOf(const Subject& subject, const Weights& weights, const Settings& settings, Side side) {
    Estimate numbers;
    numbers.trust = subject.trust;
    numbers.plan = planOf(subject.spec, weights, settings);
    const bool isUsual = subject.spec.family && subject.spec.recurrent.kind == arch::Recurrence::None;
    if (isUsual) numbers.errorPercent = 0;
    return {numbers.plan.on(side).total(), numbers.error(side)};
}

bool holds(const Subject& subject, const Weights& weights, Settings settings, std::uint64_t context, const Memory& memory) {
    settings.context = context;
    const Need need = needOf(subject, weights, settings, memory.side);
    return judge(need.bytes, need.error, memory) == Verdict::Fits;
}

std::optional<std::uint64_t> longestContext(const Subject& subject, const Weights& weights, const Settings& settings,
                                            const Memory& memory) {
    std::uint64_t most = (subject.spec.context > 0 ? subject.spec.context : contextIfUnknown) / step;
    if (settings.conversations > 1 && !settings.unified)
        most = std::max(most, product(most, std::min<std::uint64_t>(settings.conversations, 256)));
    std::uint64_t least = std::max<std::uint64_t>(1, settings.conversations / step);
    most = std::min(std::max(most, least), arch::maxContext / step);
    if (!holds(subject, weights, settings, least * step, memory)) return {};
    while (least < most) {
        const std::uint64_t middle = least + (most - least + 1) / 2;
        if (holds(subject, weights, settings, middle * step, memory)) least = middle;
        else most = middle - 1;
    }
    return least * step;
}

constexpr std::uint64_t sequenceIfUnknown = 1 << 20;

bool holds(const Subject& subject, const TrainingEstimate& estimate, std::uint64_t sequence, const Memory& memory) {
    const std::uint64_t need = gpuBytesAt(subject.spec, estimate, sequence);
    return judge(need, estimate.errorOf(need), memory) == Verdict::Fits;
}

std::optional<std::uint64_t> longestSequence(const Subject& subject, const TrainingEstimate& estimate, const Memory& memory) {
    std::uint64_t least = 1;
    std::uint64_t most = subject.spec.context > 0 ? subject.spec.context : sequenceIfUnknown;
    if (!holds(subject, estimate, least, memory)) return {};
    while (least < most) {
        const std::uint64_t middle = least + (most - least + 1) / 2;
        if (holds(subject, estimate, middle, memory)) least = middle;
        else most = middle - 1;
    }
    return least;
}

} // namespace

const char* verdictName(Verdict verdict) { return verdict == Verdict::Fits ? "fits" : verdict == Verdict::Tight ? "tight" : "no"; }

Memory memoryOf(const Card& card) {
    Memory memory;
    memory.name = card.vendor + " " + card.title();
    memory.bytes = card.memory;
    memory.free = card.allocatable();
    memory.margin = card.measured ? usualMargin : displayMargin;
    memory.bandwidth = card.bandwidth;
    return memory;
}

Verdict judge(std::uint64_t need, std::uint64_t error, const Memory& memory) {
    if (sum(need, error, memory.margin) <= memory.available()) return Verdict::Fits;
    return need - std::min(need, error) <= memory.available() ? Verdict::Tight : Verdict::No;
}

Fit fitOf(const Subject& subject, const Weights& weights, const Settings& settings, const Memory& memory) {
    Settings used = settings;
    if (memory.side == Side::Gpu && !used.usesGpu()) used.gpuLayers = allLayers;
    const Need need = needOf(subject, weights, used, memory.side);
    Fit fit{memory, need.bytes, judge(need.bytes, need.error, memory), {}};
    fit.longestContext = longestContext(subject, weights, used, memory);
    return fit;
}

Fit fitOf(const Subject& subject, const TrainingEstimate& estimate, const Memory& memory) {
    if (memory.side == Side::Processor) return {memory, estimate.host(), judge(estimate.host(), 0, memory), {}};
    Fit fit{memory, estimate.gpu(), judge(estimate.gpu(), estimate.errorOf(estimate.gpu()), memory), {}};
    fit.longestContext = longestSequence(subject, estimate, memory);
    return fit;
}

} // namespace wb::memory
