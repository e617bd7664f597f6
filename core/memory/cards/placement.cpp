// SPDX-License-Identifier: MIT
#include "core/memory/cards/placement.h"

#include "core/memory/amounts.h"
#include "core/memory/serving/serving.h"
#include "core/quant/mix/recommendation.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace wb::memory {
namespace {

constexpr std::array<std::uint64_t, 3> cardCounts = {1, 2, 4};

// Seconds per token if every bandwidth is given.
std::optional<std::uint64_t> readBound(std::span<const std::uint64_t> read, std::span<const Memory> gpus, const Memory* main) {
    double seconds = 0;
    for (std::size_t i = 0; i < read.size(); ++i) {
        const std::uint64_t bandwidth = i > 0 ? gpus[i - 1].bandwidth : main ? main->bandwidth : 0;
        if (read[i] == 0) continue;
        if (bandwidth == 0) return {};
        seconds += static_cast<double>(read[i]) / (static_cast<double>(bandwidth) * 1e9);
    }
    return seconds > 0 ? std::optional(asBytes(1 / seconds)) : std::nullopt;
}

// Tries placements of one model on the same devices.
class Search {
public:
    Search(const Subject& subject, const Weights& weights, const Settings& settings, std::span<const Memory> gpus)
        : m_subject(subject), m_weights(weights), m_settings(settings), m_gpus(gpus), m_layers(weights.blocks.size()) {
        if (m_settings.backend == Backend::Cpu) m_settings.backend.reset();
        m_settings.deviceMemory = gpus.front().bytes;
        if (gpus.size() > 1) m_settings.correction.reset(); // it was measured on one device
    }

    std::size_t layers() const { return m_layers; }

    // The last `layers`, the output counted, on the devices, without the experts of the first blocks. Empty where they do not fit.
    std::optional<Settings> place(std::uint64_t layers, std::uint64_t cpuExperts) const {
        Settings tried = m_settings;
        tried.gpuLayers = layers > m_layers ? allLayers : layers;
        tried.cpuExperts = cpuExperts;
        tried.split.clear();
        if (isServing(tried) && m_gpus.size() > 1) tried.split.assign(m_gpus.size(), 1);
        if (isServing(tried) || m_gpus.size() == 1) return fitsAll(tried) ? std::optional(tried) : std::nullopt;
        std::optional<Settings> best;
        for (const bool fromLast : {false, true})
            if (splitGreedily(tried, fromLast) && (!best || settingsSpeed(tried) > settingsSpeed(*best))) best = tried;
        return best;
    }

private:
    bool fitsOn(const Settings& settings, const Plan& plan, std::size_t device) const {
        const DeviceBytes& bytes = plan.onGpu(device);
        return bytes.total() == 0 || fitIn(m_subject, m_weights, settings, m_gpus[device], bytes).verdict == Verdict::Fits;
    }

    bool fitsAll(const Settings& settings) const {
        const Plan plan = planMemoryUse(m_subject.spec, m_weights, settings);
        for (std::size_t i = 0; i < m_gpus.size(); ++i)
            if (!fitsOn(settings, plan, i)) return false;
        return true;
    }

    // Of the GPUs alone: what RAM reads is the same for both.
    std::uint64_t settingsSpeed(const Settings& settings) const {
        auto read = bytesReadPerToken(m_subject.spec, m_weights, settings);
        read[0] = 0;
        return readBound(read, m_gpus, nullptr).value_or(0);
    }

    // Fills one device after the other, from the first or from the last.
    bool splitGreedily(Settings& tried, bool fromLast) const {
        const std::size_t count = m_gpus.size();
        tried.split.assign(count, 0);
        std::uint64_t left = std::min<std::uint64_t>(tried.gpuLayers, m_layers + 1);
        for (std::size_t step = 0; step < count && left > 0; ++step) {
            const std::size_t device = fromLast ? count - 1 - step : step;
            tried.split[device] = maxOn(tried, device, left, fromLast ? 0 : count - 1);
            left -= tried.split[device];
        }
        return left == 0 && fitsAll(tried);
    }

    // The most layers that a device holds in addition to the existing ones; `rest` receives the remainder.
    std::uint64_t maxOn(const Settings& tried, std::size_t device, std::uint64_t left, std::size_t rest) const {
        std::uint64_t least = 0, most = left;
        while (least < most) {
            const std::uint64_t middle = least + (most - least + 1) / 2;
            Settings other = tried;
            other.split[device] = middle;
            if (rest != device) other.split[rest] = left - middle;
            if (fitsOn(other, planMemoryUse(m_subject.spec, m_weights, other), device)) least = middle;
            else most = middle - 1;
        }
        return least;
    }

    const Subject& m_subject;
    const Weights& m_weights;
    Settings m_settings;
    std::span<const Memory> m_gpus;
    std::size_t m_layers;
};

// The least number of `low` to `high` for which `isTrue`, which holds for all above once it holds.
template <typename Test>
std::optional<std::uint64_t> minFromLow(std::uint64_t low, std::uint64_t high, Test isTrue) {
    if (!isTrue(high)) return {};
    while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        if (isTrue(middle)) high = middle;
        else low = middle + 1;
    }
    return low;
}

} // namespace

bool Placement::fits() const {
    const auto holds = [](const Fit& fit) { return fit.verdict == Verdict::Fits; };
    return std::ranges::all_of(devices, holds) && (!main || holds(*main));
}

Placement planPlacement(const Subject& subject, const Weights& weights, const Settings& settings, std::span<const Memory> gpus,
                        const Memory* main) {
    Placement placement;
    placement.settings = settings;
    const Plan plan = planMemoryUse(subject.spec, weights, settings);
    if (settings.usesGpu())
        for (std::size_t i = 0; i < gpus.size(); ++i)
            placement.devices.push_back(fitIn(subject, weights, settings, gpus[i], plan.onGpu(i)));
    if (main) placement.main = fitIn(subject, weights, settings, *main, plan.processor);
    const auto read = bytesReadPerToken(subject.spec, weights, settings);
    placement.fromMain = read[0];
    placement.tokensPerSecond = readBound(read, gpus, main);
    return placement;
}

Placement bestPlacement(const Subject& subject, const Weights& weights, const Settings& settings, std::span<const Memory> gpus,
                        const Memory* main) {
    const Search search(subject, weights, settings, gpus);
    const std::uint64_t all = search.layers() + 1;
    const bool hasExperts = subject.spec.hasExperts() && !isServing(settings);
    std::vector<Placement> found;
    const auto keep = [&](const std::optional<Settings>& chosen) {
        if (chosen) found.push_back(planPlacement(subject, weights, *chosen, gpus, main));
    };
    const auto experts =
        minFromLow(0, hasExperts ? search.layers() : 0, [&](std::uint64_t n) { return search.place(all, n).has_value(); });
    if (experts) keep(search.place(all, *experts));
    // Whole layers are left to the CPU where experts are not enough, or instead of them.
    if (experts != std::uint64_t{0} && !isServing(settings)) {
        const std::uint64_t moved = hasExperts && !experts ? search.layers() : 0;
        const auto left = minFromLow(1, all, [&](std::uint64_t n) { return n == all || search.place(all - n, moved); });
        if (left && *left < all) keep(search.place(all - *left, moved));
    }
    if (found.empty()) {
        Settings none = settings;
        none.gpuLayers = none.cpuExperts = 0;
        none.split.clear();
        none.backend.reset();
        keep(none);
    }
    return *std::ranges::min_element(found, [](const Placement& a, const Placement& b) {
        if (a.fits() != b.fits()) return a.fits();
        if (a.fromMain != b.fromMain) return a.fromMain < b.fromMain;
        return a.tokensPerSecond.value_or(0) > b.tokensPerSecond.value_or(0);
    });
}

// Layer k of n goes to the first device whose share of the memory, with those before it, is above k / n.
std::vector<std::uint64_t> usualSplit(std::uint64_t layers, std::span<const Memory> gpus) {
    double all = 0;
    for (const Memory& gpu : gpus) all += static_cast<double>(gpu.available());
    std::vector<std::uint64_t> split(gpus.size(), 0);
    if (all <= 0) return split;
    double before = 0;
    std::uint64_t taken = 0;
    for (std::size_t i = 0; i < gpus.size(); ++i) {
        before += static_cast<double>(gpus[i].available()) / all;
        const std::uint64_t end = i + 1 == gpus.size() ? layers : asBytes(std::ceil(before * static_cast<double>(layers)));
        split[i] = std::max(end, taken) - taken;
        taken += split[i];
    }
    return split;
}

std::optional<TypeChoice> typeFor(const Subject& subject, std::span<const TypedWeights> types, const Settings& settings,
                                  const Memory& memory) {
    std::vector<quant::TypeOffer> offers;
    for (const TypedWeights& typed : types) {
        const auto divergence = typeDivergence(*typed.type, subject).plain; // as the weights here are
        const Fit fit = divergence ? fitNow(subject, typed.weights, settings, memory) : Fit();
        offers.push_back({fit.need, divergence, fit.verdict == Verdict::Fits});
    }
    const auto best = quant::adviseType(offers, quant::unnoticedDivergence);
    if (!best) return std::nullopt;
    return TypeChoice{types[best->offer].type, *offers[best->offer].loss, offers[best->offer].bytes};
}

namespace {

std::vector<const Card*> cardsBySize() {
    std::vector<const Card*> sorted;
    for (const Card& card : cards()) sorted.push_back(&card);
    std::ranges::stable_sort(sorted, {}, [](const Card* card) { return card->allocatable(); });
    return sorted;
}

// The first `most` cards, smallest first and one of each size, for which `choose` answers: several alike would crowd out the
// others. A computer has only one memory that it shares.
template <typename Choose>
void addSmallest(std::vector<CardChoice>& choices, std::uint64_t count, std::size_t most, Choose choose) {
    std::size_t found = 0;
    std::uint64_t last = 0;
    for (const Card* card : cardsBySize()) {
        if (found == most) return;
        if ((card->shared && count > 1) || card->allocatable() == last) continue;
        if (const std::optional<CardChoice> choice = choose(*card)) {
            choices.push_back(*choice);
            last = card->allocatable();
            ++found;
        }
    }
}

} // namespace

std::vector<CardChoice> cardsFor(const Subject& subject, const Weights& weights, const Settings& settings, std::size_t most) {
    std::vector<CardChoice> choices;
    for (const std::uint64_t count : cardCounts)
        addSmallest(choices, count, most, [&](const Card& card) -> std::optional<CardChoice> {
            if (product(card.allocatable(), count) < weights.total() / 2) return {}; // too small, whatever else is needed
            const std::vector<Memory> memories(count, cardMemory(card));
            const Search search(subject, weights, settings, memories);
            const auto found = search.place(search.layers() + 1, settings.cpuExperts);
            if (!found) return {};
            const Placement placement = planPlacement(subject, weights, *found, memories, nullptr);
            CardChoice choice{&card, count, 0, placement.tokensPerSecond};
            for (const Fit& fit : placement.devices) choice.need = std::max(choice.need, fit.need);
            return choice;
        });
    return choices;
}

std::vector<CardChoice> cardsFor(const Subject& subject, const TrainingSettings& settings, std::size_t most) {
    std::vector<CardChoice> choices;
    for (const std::uint64_t count : cardCounts) {
        if (count > 1 && settings.zeroStage == 0) continue; // each would need as much
        TrainingSettings tried = settings;
        tried.gpus = count;
        const auto estimate = estimateTraining(subject, tried);
        if (!estimate) continue;
        addSmallest(choices, count, most, [&](const Card& card) -> std::optional<CardChoice> {
            if (settings.method == Method::Qlora && card.vendor != "NVIDIA") return {}; // bitsandbytes is for CUDA
            const std::uint64_t need = estimate->gpu();
            if (judge(need, estimate->gpuErrorBytes(need), cardMemory(card)) != Verdict::Fits) return {};
            return CardChoice{&card, count, need, {}};
        });
    }
    return choices;
}

} // namespace wb::memory
