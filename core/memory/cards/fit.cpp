// SPDX-License-Identifier: MIT
#include "core/memory/cards/fit.h"

#include "core/base/ascii.h"
#include "core/memory/amounts.h"
#include "core/memory/serving/serving.h"

#include <algorithm>

namespace wb::memory {
namespace {

constexpr std::uint64_t step = 256; // cells of a cache come in such steps
constexpr std::uint64_t contextIfUnknown = 1 << 20;

// The settings with which one memory is requested the whole model.
Settings settingsFor(const Settings& settings, const Memory& memory) {
    Settings used = settings;
    used.split.clear();
    used.deviceMemory = memory.bytes;
    const std::string& measured = settings.correction ? settings.correction->device : memory.name;
    if (memory.side == Side::Processor ? measured != "cpu" : !isSameDevice(measured, memory.name)) used.correction.reset();
    if (memory.side == Side::Gpu && !used.usesGpu()) {
        used.gpuLayers = allLayers;
        used.backend.reset();
    }
    return used;
}

Fit fitAlone(const Subject& subject, const Weights& weights, const Settings& settings, const Memory& memory) {
    const Plan plan = planMemoryUse(subject.spec, weights, settings);
    return fitIn(subject, weights, settings, memory, memory.side == Side::Gpu ? plan.gpu : plan.processor);
}

bool holds(const Subject& subject, const Weights& weights, Settings settings, std::uint64_t context, const Memory& memory) {
    settings.context = context;
    return fitAlone(subject, weights, settings, memory).verdict == Verdict::Fits;
}

Verdict servingVerdict(const Subject& subject, const Weights& weights, const Settings& settings, const Memory& memory) {
    const auto budget = asBytes(settings.utilization * static_cast<double>(memory.bytes));
    const std::uint64_t least = servingMinimum(subject.spec, weights, settings);
    if (least <= budget && budget <= memory.available()) return Verdict::Fits;
    return least <= memory.available() ? Verdict::Tight : Verdict::No;
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
    return judge(need, estimate.gpuErrorBytes(need), memory) == Verdict::Fits;
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

bool isSameDevice(std::string_view a, std::string_view b) {
    const std::string low = ascii::lowered(a.substr(0, a.find(','))), other = ascii::lowered(b.substr(0, b.find(',')));
    if (low.empty() || other.empty()) return low == other;
    return low == other || low.ends_with(" " + other) || other.ends_with(" " + low);
}

const char* verdictName(Verdict verdict) { return verdict == Verdict::Fits ? "fits" : verdict == Verdict::Tight ? "tight" : "no"; }

std::uint64_t Memory::availableWhenIdle() const {
    for (const Card& card : cards())
        if (side == Side::Gpu && card.measured && *card.measured <= bytes && isSameDevice(card.name, name))
            return std::max(available(), *card.measured);
    return std::max(available(), bytes - std::min(bytes, source.empty() ? margin : 0));
}

Memory cardMemory(const Card& card) {
    Memory memory;
    memory.name = card.vendor + " " + card.title();
    memory.bytes = card.memory;
    memory.free = card.allocatable();
    memory.margin = card.measured ? usualMargin : displayMargin;
    memory.bandwidth = card.bandwidth;
    memory.source = card.source;
    return memory;
}

Verdict judge(std::uint64_t need, std::uint64_t error, const Memory& memory) {
    if (sum(need, error, memory.margin) <= memory.available()) return Verdict::Fits;
    return need - std::min(need, error) <= memory.available() ? Verdict::Tight : Verdict::No;
}

Fit fitIn(const Subject& subject, const Weights& weights, const Settings& settings, const Memory& memory,
          const DeviceBytes& bytes) {
    const bool isServed = settings.runtime == Runtime::Vllm && memory.side == Side::Gpu;
    const std::uint64_t error = errorBytes(subject, settings, memory.side, bytes);
    return {memory,
            bytes.total(),
            isServed ? servingVerdict(subject, weights, settings, memory) : judge(bytes.total(), error, memory),
            {}};
}

Fit checkFit(const Subject& subject, const Weights& weights, const Settings& settings, const Memory& memory) {
    const Settings used = settingsFor(settings, memory);
    Fit fit = fitAlone(subject, weights, used, memory);
    fit.longestContext = longestContext(subject, weights, used, memory);
    return fit;
}

Fit fitNow(const Subject& subject, const Weights& weights, const Settings& settings, const Memory& memory) {
    return fitAlone(subject, weights, settingsFor(settings, memory), memory);
}

Fit checkFit(const Subject& subject, const TrainingEstimate& estimate, const Memory& memory) {
    if (memory.side == Side::Processor) return {memory, estimate.host(), judge(estimate.host(), 0, memory), {}};
    Fit fit{memory, estimate.gpu(), judge(estimate.gpu(), estimate.gpuErrorBytes(estimate.gpu()), memory), {}};
    fit.longestContext = longestSequence(subject, estimate, memory);
    return fit;
}

} // namespace wb::memory
