// SPDX-License-Identifier: MIT
#include "core/memory/cards/advice.h"

#include "core/memory/training/optimizers.h"
#include "core/quant/mix/published_quality.h"

#include <algorithm>
#include <functional>

namespace wb::memory {
namespace {

constexpr std::uint64_t smallMicroBatch = 128;
constexpr std::uint64_t shortestContext = 2048;

// Mixes from large to small, of which the first that is smaller than the present weights is proposed.
constexpr const char* mixesBySize[] = {"FP16", "Q8_0", "Q6_K", "Q5_K_M", "Q4_K_M", "Q3_K_M", "Q2_K"};

// Collects changes, and keeps those that save something.
class Advisor {
public:
    explicit Advisor(std::uint64_t present) : m_present(present) {}

    void add(Phrase change, std::optional<std::uint64_t> then, Phrase cost) {
        if (then && *then < m_present) m_advice.push_back({std::move(change), m_present - *then, std::move(cost)});
    }
    std::vector<Advice> take() { return std::move(m_advice); }

private:
    std::uint64_t m_present;
    std::vector<Advice> m_advice;
};

std::uint64_t subjectNeed(const Subject& subject, const Weights& weights, const Settings& settings) {
    const Plan plan = planMemoryUse(subject.spec, weights, settings);
    return settings.usesGpu() ? plan.gpu.total() : plan.processor.total();
}

// Where the divergence of a mix was published, with the band it is in.
const char* lossSentence(quant::LossBand band) {
    switch (band) {
    case quant::LossBand::None:
    case quant::LossBand::Unnoticed:
        return WB_TEXT("Negligible quality loss: {} bits per weight, KLD {} of Llama 3 8B without imatrix.");
    case quant::LossBand::Small: return WB_TEXT("Small quality loss: {} bits per weight, KLD {} of Llama 3 8B without imatrix.");
    case quant::LossBand::Noticeable:
        return WB_TEXT("Noticeable quality loss: {} bits per weight, KLD {} of Llama 3 8B without imatrix.");
    case quant::LossBand::Large: return WB_TEXT("Large quality loss: {} bits per weight, KLD {} of Llama 3 8B without imatrix.");
    case quant::LossBand::Severe: break;
    }
    return WB_TEXT("Severe quality loss: {} bits per weight, KLD {} of Llama 3 8B without imatrix.");
}

void addMixes(Advisor& advisor, const Subject& subject, const Weights& present, const Settings& settings) {
    for (const char* name : mixesBySize) {
        const auto weights = subject.weights(weightTypeFromName(name));
        if (!weights || weights->total() >= present.total()) continue;
        const auto divergence = typeDivergence(*weightTypeFromName(name), subject).plain;
        const std::string bits = fmt::format("{:.2f}", weights->bitsPerWeight());
        advisor.add(phrase(WB_TEXT("Quantize the weights to {}."), name), subjectNeed(subject, *weights, settings),
                    divergence ? phrase(lossSentence(quant::lossBand(*divergence)), bits, fmt::format("{:.3g}", *divergence))
                               : phrase(WB_TEXT("Lower precision: {} bits per weight."), bits));
        return;
    }
}

// Experts are read by few of the tokens, so that they cost less speed in RAM than whole layers do.
void addExperts(Advisor& advisor, const Subject& subject, const Weights& weights, const Settings& settings) {
    const auto layers =
        static_cast<std::uint64_t>(std::ranges::count_if(weights.experts, [](std::uint64_t bytes) { return bytes > 0; }));
    if (!settings.usesGpu() || layers == 0 || settings.cpuExperts >= weights.experts.size()) return;
    Settings other = settings;
    other.cpuExperts = weights.experts.size();
    if (!check(other, subject.spec)) return;
    advisor.add(phrase(WB_TEXT("Keep the experts of all {} MoE layers on the CPU."), layers), subjectNeed(subject, weights, other),
                phrase(WB_TEXT("Slower generation, but faster than moving whole layers to the CPU.")));
}

} // namespace

std::vector<Advice> adviceFor(const Subject& subject, const WeightType* type, const Settings& settings) {
    const auto weights = subject.weights(type);
    if (!weights) return {};
    Advisor advisor(subjectNeed(subject, *weights, settings));
    const auto with = [&](const std::function<void(Settings&)>& change) -> std::optional<std::uint64_t> {
        Settings other = settings;
        change(other);
        if (!check(other, subject.spec)) return {};
        return subjectNeed(subject, *weights, other);
    };
    if (!settings.flash)
        advisor.add(phrase(WB_TEXT("Turn on flash attention.")), with([](Settings& other) { other.flash = true; }),
                    phrase(WB_TEXT("No quality loss.")));
    if (settings.fullWindows)
        advisor.add(phrase(WB_TEXT("Limit sliding-window layers to their window.")),
                    with([](Settings& other) { other.fullWindows = false; }),
                    phrase(WB_TEXT("Going back to an earlier message requires reprocessing the prompt.")));
    if (settings.microBatch > smallMicroBatch)
        advisor.add(phrase(WB_TEXT("Reduce the micro-batch size to {} tokens."), smallMicroBatch),
                    with([](Settings& other) { other.microBatch = smallMicroBatch; }),
                    phrase(WB_TEXT("Slower prompt processing.")));
    if (settings.conversations > 1)
        advisor.add(phrase(WB_TEXT("Process one sequence at a time.")), with([](Settings& other) {
                        other.context = std::max<std::uint64_t>(1, other.context / other.conversations);
                        other.conversations = 1;
                    }),
                    phrase(WB_TEXT("No parallel requests.")));
    if (info(settings.keyType).kind != DtypeKind::Block)
        advisor.add(phrase(WB_TEXT("Use a q8_0 KV cache.")),
                    with([](Settings& other) { other.keyType = other.valueType = Dtype::Q8_0; }),
                    phrase(WB_TEXT("Almost no measurable loss.")));
    if (info(settings.keyType).kind != DtypeKind::Block || settings.keyType == Dtype::Q8_0)
        advisor.add(phrase(WB_TEXT("Use a q4_0 KV cache.")),
                    with([](Settings& other) { other.keyType = other.valueType = Dtype::Q4_0; }),
                    phrase(WB_TEXT("Lower accuracy in long conversations.")));
    if (settings.context > shortestContext)
        advisor.add(phrase(WB_TEXT("Reduce the context length to {} tokens."), settings.context / 2),
                    with([](Settings& other) { other.context /= 2; }), phrase(WB_TEXT("Shorter conversations.")));
    addExperts(advisor, subject, *weights, settings);
    if (settings.usesGpu()) {
        const std::uint64_t layers = std::min<std::uint64_t>(settings.gpuLayers, weights->blocks.size() + 1);
        advisor.add(phrase(WB_TEXT("Halve the GPU layers: {} on the GPU."), layers / 2),
                    with([&](Settings& other) { other.gpuLayers = layers / 2; }), phrase(WB_TEXT("Slower generation.")));
    }
    addMixes(advisor, subject, *weights, settings);
    return advisor.take();
}

std::vector<Advice> adviceFor(const Subject& subject, const TrainingEstimate& estimate) {
    const TrainingSettings& settings = estimate.settings;
    Advisor advisor(estimate.gpu());
    const auto with = [&](const std::function<void(TrainingSettings&)>& change) -> std::optional<std::uint64_t> {
        TrainingSettings other = settings;
        change(other);
        const auto result = estimateTraining(subject, other);
        return result ? std::optional(result->gpu()) : std::nullopt;
    };
    if (!settings.flash)
        advisor.add(phrase(WB_TEXT("Turn on flash attention.")), with([](auto& other) { other.flash = true; }),
                    phrase(WB_TEXT("No quality loss.")));
    if (!settings.chunkedLoss)
        advisor.add(phrase(WB_TEXT("Compute the loss in chunks (as in Liger and torchtune).")),
                    with([](auto& other) { other.chunkedLoss = true; }), phrase(WB_TEXT("No quality loss.")));
    if (!settings.checkpointing)
        advisor.add(phrase(WB_TEXT("Turn on gradient checkpointing.")), with([](auto& other) { other.checkpointing = true; }),
                    phrase(WB_TEXT("Steps take about a third longer.")));
    if (settings.method == Method::Dpo && settings.reference == Reference::Copy)
        advisor.add(phrase(WB_TEXT("Share the base model as the DPO reference model.")),
                    with([](auto& other) { other.reference = Reference::Shared; }), phrase(WB_TEXT("No quality loss.")));
    if (settings.batch > 1)
        advisor.add(phrase(WB_TEXT("Use batch size 1 with {} gradient accumulation steps."), settings.batch),
                    with([](auto& other) { other.batch = 1; }), phrase(WB_TEXT("Slower steps.")));
    if (settings.optimizerUsed().law == Optimizer::Law::PerParameter && settings.optimizerUsed().stateBytes > 2)
        advisor.add(phrase(WB_TEXT("Use an 8-bit optimizer.")),
                    with([](auto& other) { other.optimizer = optimizerFromName("adamw-8bit"); }),
                    phrase(WB_TEXT("Almost no measurable loss.")));
    if (settings.gpus > 1 && settings.zeroStage < 3)
        advisor.add(phrase(WB_TEXT("Use ZeRO stage {}."), settings.zeroStage + 1), with([](auto& other) { ++other.zeroStage; }),
                    phrase(WB_TEXT("More communication between GPUs.")));
    if (settings.trainsAdapters() && settings.rank > 8)
        advisor.add(phrase(WB_TEXT("Halve the LoRA rank to {}."), settings.rank / 2), with([](auto& other) { other.rank /= 2; }),
                    phrase(WB_TEXT("Lower adapter capacity.")));
    if (settings.sequence > 512)
        advisor.add(phrase(WB_TEXT("Halve the sequence length to {} tokens."), settings.sequence / 2),
                    with([](auto& other) { other.sequence /= 2; }), phrase(WB_TEXT("Longer texts are truncated.")));
    if (settings.method == Method::Lora)
        advisor.add(phrase(WB_TEXT("Train on a 4-bit base model (QLoRA).")), with([](auto& other) {
                        other.method = Method::Qlora;
                        other.base = BaseType::Nf4;
                    }),
                    phrase(WB_TEXT("Lower base model precision and slower steps.")));
    if (settings.method == Method::Full)
        advisor.add(phrase(WB_TEXT("Train a LoRA adapter instead of all weights.")),
                    with([](auto& other) { other.method = Method::Lora; }), phrase(WB_TEXT("Lower capacity to change the model.")));
    return advisor.take();
}

} // namespace wb::memory
