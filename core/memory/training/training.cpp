// SPDX-License-Identifier: MIT
#include "core/memory/training/training.h"

#include "core/base/text.h"
#include "core/memory/training/activations.h"
#include "core/memory/amounts.h"
#include "core/memory/formulas.h"
#include "core/memory/training/optimizers.h"

#include <algorithm>
#include <cmath>

namespace wb::memory {
namespace {

constexpr std::uint64_t contextBytes =
    500'000'000; // CUDA's and PyTorch's own (docs/reference/memory.md, "Rules for training" and "Overheads")
constexpr std::uint64_t bucketElements = 500'000'000; // DeepSpeed's default for reduce and for allgather
constexpr std::uint64_t gatheredLayers = 2;           // the present one and the next
constexpr double scaleBlock = 64;                     // weights that share a scale in nf4
constexpr double scalesBlock = 256;                   // scales that share one when they are quantized again

// The allocator keeps more than it hands out: median and highest of 59 runs (docs/reference/memory.md, "Reserve and context").
struct ReserveClass {
    double median;
    double highest;
};

ReserveClass settingsReserve(const TrainingSettings& settings) {
    if (settings.flash) return settings.isQuantized() ? ReserveClass{0.12, 0.25} : ReserveClass{0.05, 0.09};
    return settings.isQuantized() ? ReserveClass{0.17, 0.44} : ReserveClass{0.17, 0.49};
}

double weightBytes(BaseType base) { return base == BaseType::Fp32 ? 4 : 2; }

double scaleBytes(bool isDouble) { return isDouble ? 1 / scaleBlock + 4 / (scaleBlock * scalesBlock) : 4 / scaleBlock; }

// Builds the parts of one GPU and of RAM.
class Run {
public:
    Run(const arch::ModelSpec& spec, const Parameters& parameters, const TrainingSettings& settings, TrainingEstimate& result)
        : m_spec(spec), m_parameters(parameters), m_trainable(trainableParameters(parameters, spec, settings)),
          m_settings(settings), m_result(result) {}

    void addParts() {
        m_result.trainable = m_trainable.parameters();
        addBase();
        if (m_settings.method != Method::Full)
            addShare(PartKind::Adapters, product(4, m_result.trainable), 3, false,
                     {phrase(WB_TEXT("{} trainable parameters × 4 bytes"), m_result.trainable)});
        addGradients();
        addOptimizer();
        const Activations activations = trainingActivations(m_spec, m_settings);
        add(m_result.gpuParts, PartKind::Activations, Side::Gpu, activations.layers, activations.layerTerms);
        add(m_result.gpuParts, PartKind::Logits, Side::Gpu, activations.logits, activations.logitTerms);
        addCommunication();
        addReserve();
        add(m_result.gpuParts, PartKind::Context, Side::Gpu, contextBytes, {phrase(WB_TEXT("CUDA and PyTorch overhead"))});
    }

private:
    static void add(std::vector<MemoryPart>& parts, PartKind kind, Side side, std::uint64_t bytes, std::vector<Phrase> terms) {
        if (bytes > 0) parts.push_back({kind, side, bytes, std::move(terms)});
    }

    // From `stage` of ZeRO on each GPU holds its share only.
    void addShare(PartKind kind, std::uint64_t all, std::uint64_t stage, bool isOffloaded, std::vector<Phrase> terms) {
        const bool isShared = m_settings.zeroStage >= stage && m_settings.gpus > 1;
        if (isOffloaded) {
            const std::uint64_t copies = isShared || m_settings.zeroStage >= stage ? 1 : m_settings.gpus;
            if (copies > 1) terms.push_back(phrase(WB_TEXT("the same for each of the {} processes"), copies));
            return add(m_result.hostParts, kind, Side::Processor, product(all, copies), std::move(terms));
        }
        const std::uint64_t devices = isShared ? m_settings.gpus : 1;
        add(m_result.gpuParts, kind, Side::Gpu, all / devices + (all % devices != 0), std::move(terms));
        if (isShared && all > 0) m_result.gpuParts.back().sharedBy = devices;
    }

    double scaled(std::uint64_t parameters) const { return static_cast<double>(parameters) * m_parameters.scale; }

    void addBase() {
        const BaseType base = m_settings.baseUsed();
        const double copies = m_settings.method == Method::Dpo && m_settings.reference == Reference::Copy ? 2 : 1;
        const double linear = scaled(m_parameters.linear), other = scaled(m_parameters.other);
        std::vector<Phrase> terms;
        double bytes = 0;
        if (base == BaseType::Nf4) {
            const double each = 0.5 + scaleBytes(m_settings.doubleQuantized);
            bytes = each * linear + 4 * other;
            terms = {phrase(WB_TEXT("{} linear parameters × {} byte(s) including scales"), asBytes(linear), plainNumber(each)),
                     phrase(WB_TEXT("{} other parameters × 4 bytes"), asBytes(other))};
        } else if (base == BaseType::Int8) {
            bytes = linear + 4 * scaled(m_parameters.linearRows) + 4 * other;
            terms = {phrase(WB_TEXT("{} linear parameters × 1 byte"), asBytes(linear)),
                     phrase(WB_TEXT("{} row scale(s) × 4 bytes"), asBytes(scaled(m_parameters.linearRows))),
                     phrase(WB_TEXT("{} other parameters × 4 bytes"), asBytes(other))};
        } else {
            bytes = weightBytes(base) * (linear + other);
            terms = {phrase(WB_TEXT("{} parameters × {} byte(s)"), asBytes(linear + other), plainNumber(weightBytes(base)))};
        }
        if (copies > 1) terms.push_back(phrase(WB_TEXT("the same again for the DPO reference model")));
        m_baseBytes = bytes * copies;
        addShare(PartKind::Base, asBytes(m_baseBytes), 3, m_settings.offload == Offload::All, std::move(terms));
    }

    bool isFull() const { return m_settings.method == Method::Full; }
    bool trainsIn16Bits() const { return isFull() && m_settings.baseUsed() != BaseType::Fp32; }

    void addGradients() {
        const std::uint64_t each = trainsIn16Bits() && !m_settings.gradientsInFp32 ? 2 : 4;
        addShare(PartKind::Gradients, product(each, m_result.trainable), 2, m_settings.offload != Offload::None,
                 {phrase(WB_TEXT("{} trainable parameters × {} byte(s)"), m_result.trainable, each)});
    }

    void addOptimizer() {
        const Optimizer& optimizer = m_settings.optimizerUsed();
        const std::uint64_t states = stateBytes(optimizer, m_trainable, m_settings.rank);
        const std::uint64_t master = trainsIn16Bits() && optimizer.keepsMaster ? product(4, m_result.trainable) : 0;
        std::vector<Phrase> terms;
        if (states > 0)
            terms.push_back(phrase(
                WB_TEXT("{} states: {} trainable parameters × {} byte(s)"), optimizer.name, m_result.trainable,
                plainNumber(static_cast<double>(states) / static_cast<double>(std::max<std::uint64_t>(1, m_result.trainable)))));
        if (master > 0) terms.push_back(phrase(WB_TEXT("FP32 weights: {} × 4 bytes"), m_result.trainable));
        const std::uint64_t each = trainsIn16Bits() ? 2 : 4;
        const std::uint64_t average = m_settings.averages ? product(each, m_result.trainable) : 0;
        if (average > 0) terms.push_back(phrase(WB_TEXT("their EMA: {} × {} byte(s)"), m_result.trainable, each));
        addShare(PartKind::Optimizer, sum(states, master, average), 1, m_settings.offload != Offload::None, std::move(terms));
    }

    void addCommunication() {
        if (m_settings.zeroStage == 0 || m_settings.gpus < 2) return;
        const auto each = static_cast<std::uint64_t>(weightBytes(m_settings.baseUsed()));
        const std::uint64_t buckets = m_settings.zeroStage == 3 ? 1 : 2;
        add(m_result.gpuParts, PartKind::Buckets, Side::Gpu, product(buckets, bucketElements, each),
            {phrase(WB_TEXT("{} bucket(s) × {} element(s) × {} byte(s)"), buckets, bucketElements, each)});
        if (m_settings.zeroStage < 3) return;
        const double bytesEach = m_baseBytes / std::max(1.0, scaled(m_parameters.all()));
        const double layer = scaled(m_parameters.largestBlock);
        add(m_result.gpuParts, PartKind::Gathered, Side::Gpu, asBytes(gatheredLayers * layer * bytesEach),
            {phrase(WB_TEXT("{} layer(s) × {} parameters × {} byte(s)"), gatheredLayers, asBytes(layer), plainNumber(bytesEach))});
    }

    void addReserve() {
        const ReserveClass reserve = settingsReserve(m_settings);
        const std::uint64_t allocated = m_result.gpu();
        m_result.reserve = reserve.median;
        m_result.errorPercent = 100 * (reserve.highest - reserve.median) / (1 + reserve.median);
        add(m_result.gpuParts, PartKind::Reserve, Side::Gpu, asBytes(reserve.median * static_cast<double>(allocated)),
            {phrase(WB_TEXT("{}% of {}, reserved by the allocator"), plainNumber(100 * reserve.median), humanBytes(allocated))});
    }

    const arch::ModelSpec& m_spec;
    const Parameters& m_parameters;
    Trainable m_trainable;
    const TrainingSettings& m_settings;
    TrainingEstimate& m_result;
    double m_baseBytes = 0;
};

std::vector<Phrase> specGaps(const arch::ModelSpec& spec, const TrainingSettings& settings) {
    std::vector<Phrase> gaps = {phrase(WB_TEXT("Fused kernels and torch.compile, which reduce memory."))};
    if (spec.hasExperts()) gaps.push_back(phrase(WB_TEXT("Activations of expert routing: validated with dense models only.")));
    if (spec.recurrent.kind != arch::Recurrence::None)
        gaps.push_back(phrase(WB_TEXT("Activations of recurrent layers: validated with transformers only.")));
    if (settings.gpus > 1 && settings.zeroStage == 0)
        gaps.push_back(phrase(WB_TEXT("Communication buckets of data-parallel training without ZeRO.")));
    if (settings.optimizerUsed().isPaged)
        gaps.push_back(
            phrase(WB_TEXT("Paged optimizer states are counted on the GPU, although they may move to RAM when memory is short.")));
    return gaps;
}

std::uint64_t partsBytes(const std::vector<MemoryPart>& parts) {
    std::uint64_t all = 0;
    for (const MemoryPart& part : parts) all = sum(all, part.bytes);
    return all;
}

} // namespace

std::uint64_t TrainingEstimate::gpu() const { return partsBytes(gpuParts); }
std::uint64_t TrainingEstimate::host() const { return partsBytes(hostParts); }
std::uint64_t TrainingEstimate::total() const { return sum(product(gpu(), settings.gpus), host()); }

std::uint64_t TrainingEstimate::part(PartKind kind) const {
    const auto found = std::ranges::find(gpuParts, kind, &MemoryPart::kind);
    return found == gpuParts.end() ? 0 : found->bytes;
}

std::uint64_t TrainingEstimate::gpuErrorBytes(std::uint64_t gpuBytes) const {
    return asBytes(errorPercent / 100 * static_cast<double>(gpuBytes - std::min(gpuBytes, part(PartKind::Context))));
}

std::uint64_t gpuBytesAt(const arch::ModelSpec& spec, const TrainingEstimate& estimate, std::uint64_t sequence) {
    std::uint64_t states = 0;
    for (const MemoryPart& part : estimate.gpuParts)
        if (part.kind != PartKind::Activations && part.kind != PartKind::Logits && part.kind != PartKind::Reserve &&
            part.kind != PartKind::Context)
            states = sum(states, part.bytes);
    TrainingSettings settings = estimate.settings;
    settings.sequence = sequence;
    const double allocated = static_cast<double>(sum(states, activationBytes(spec, settings)));
    return sum(asBytes(allocated * (1 + estimate.reserve)), estimate.part(PartKind::Context));
}

Result<TrainingEstimate> estimateTraining(const Subject& subject, const TrainingSettings& settings) {
    WB_TRY(check(settings));
    WB_TRY_ASSIGN(const Parameters parameters, countParameters(subject));
    TrainingEstimate result;
    result.name = subject.name;
    result.trust = subject.trust;
    result.settings = settings;
    result.parameters = subject.parameters;
    Run(subject.spec, parameters, settings, result).addParts();
    result.notModelled = specGaps(subject.spec, settings);
    result.problems = subject.problems;
    WB_TRY(checkCountable(result.total(), subject.name));
    return result;
}

} // namespace wb::memory
