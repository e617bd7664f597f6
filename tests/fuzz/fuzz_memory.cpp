// SPDX-License-Identifier: MIT
#include "core/memory/cards/advice.h"
#include "core/memory/serving/calibration.h"
#include "core/memory/cards/placement.h"

#include <cstdlib>

// Metadata of a stranger's file, settings of a careless user, a log and a file of measured loads: counted or refused, and whatever
// is counted adds up.
namespace {

using namespace wb;
using namespace wb::memory;

class Bytes {
public:
    Bytes(const std::uint8_t* data, std::size_t size) : m_data(data), m_size(size) {}

    std::uint64_t next(std::size_t count) {
        std::uint64_t number = 0;
        for (std::size_t i = 0; i < count; ++i) number = number << 8 | byte();
        return number;
    }
    std::uint8_t byte() { return m_at < m_size ? m_data[m_at++] : 0; }
    // Small numbers, sizes of models, and any number.
    std::uint64_t number() {
        const std::uint8_t kind = byte();
        return next(kind % 4 == 0 ? 1 : kind % 4 == 1 ? 2 : kind % 4 == 2 ? 4 : 8);
    }
    std::string rest() {
        std::string text(reinterpret_cast<const char*>(m_data) + m_at, m_size - m_at);
        m_at = m_size;
        return text;
    }

private:
    const std::uint8_t* m_data;
    std::size_t m_size;
    std::size_t m_at = 0;
};

constexpr const char* architectures[] = {"llama", "gemma3", "qwen3moe", "deepseek2", "mamba2", "qwen35", "gemma4", "unheard"};
constexpr const char* keys[] = {"block_count",
                                "context_length",
                                "embedding_length",
                                "feed_forward_length",
                                "attention.head_count",
                                "attention.head_count_kv",
                                "attention.key_length",
                                "attention.value_length",
                                "vocab_size",
                                "expert_count",
                                "expert_used_count",
                                "expert_feed_forward_length",
                                "attention.sliding_window",
                                "attention.kv_lora_rank",
                                "ssm.conv_kernel",
                                "ssm.inner_size",
                                "ssm.state_size",
                                "ssm.time_step_rank",
                                "ssm.group_count",
                                "full_attention_interval",
                                "nextn_predict_layers"};

ModelPtr randomModel(Bytes& bytes) {
    auto model = std::make_shared<Model>();
    model->format = FormatId::Gguf;
    const std::string architecture = architectures[bytes.byte() % std::size(architectures)];
    model->architecture = architecture;
    model->metadata.members.push_back({"general.architecture", Value::of(architecture)});
    for (const char* key : keys)
        if (const std::uint8_t has = bytes.byte(); has % 4 != 0)
            model->metadata.members.push_back({architecture + "." + key, Value::ofUnsigned(ValueType::U64, bytes.number())});
    model->metadata.count = model->metadata.members.size();
    for (int i = bytes.byte() % 8; i > 0; --i) {
        TensorInfo tensor;
        tensor.name = i % 2 ? "token_embd.weight" : "blk." + std::to_string(bytes.number()) + ".ffn_up_exps.weight";
        tensor.dtype = bytes.byte() % 2 ? Dtype::F16 : Dtype::Q4_K;
        const std::uint64_t dimensions[] = {bytes.number(), bytes.number()};
        if (const auto shape = wb::Shape::make(dimensions)) tensor.shape = *shape;
        model->tensors.push_back(std::move(tensor));
    }
    return model;
}

Settings bytesSettings(Bytes& bytes) {
    Settings settings;
    settings.context = bytes.number();
    settings.batch = bytes.number();
    settings.microBatch = bytes.number();
    settings.conversations = bytes.number();
    const std::uint8_t flags = bytes.byte();
    settings.unified = flags & 1;
    settings.flash = flags & 2;
    settings.fullWindows = flags & 4;
    settings.loadsPrediction = flags & 8;
    if (flags & 16) settings.outputs = bytes.number();
    settings.keyType = cacheTypes()[bytes.byte() % cacheTypes().size()];
    settings.valueType = cacheTypes()[bytes.byte() % cacheTypes().size()];
    settings.gpuLayers = flags & 32 ? allLayers : bytes.number();
    settings.cpuExperts = bytes.number();
    settings.runtime = static_cast<Runtime>(bytes.byte() % 4);
    if (flags & 64) settings.backend = static_cast<Backend>(bytes.byte() % 4);
    settings.build = static_cast<std::uint32_t>(bytes.next(4));
    settings.deviceMemory = bytes.number();
    for (int i = bytes.byte() % 4; i > 0; --i) settings.split.push_back(bytes.number());
    if (flags & 128) settings.correction = Correction{"card", 3, static_cast<std::int64_t>(bytes.next(8)), bytes.number()};
    return settings;
}

void checkSums(const Estimate& estimate) {
    std::uint64_t parts = 0, devices = estimate.plan.processor.total();
    for (const Part& part : estimate.parts) parts += part.bytes;
    for (std::size_t i = 0; i < std::max<std::size_t>(1, estimate.plan.devices.size()); ++i)
        devices += estimate.plan.onGpu(i).total();
    if (parts != estimate.total() || devices != estimate.total()) std::abort();
}

void count(Bytes& bytes) {
    const auto subject = memorySubject(randomModel(bytes));
    if (!subject) return;
    const Settings settings = bytesSettings(bytes);
    if (const auto result = estimate(*subject, subject->stored, settings)) {
        checkSums(*result);
        const Memory card{.name = "card", .bytes = bytes.number(), .margin = bytes.number(), .bandwidth = bytes.number() % 10'000};
        (void)checkFit(*subject, subject->stored, settings, card);
        (void)adviceFor(*subject, nullptr, settings);
        const std::vector<Memory> cards = {card, card};
        const Placement placement = bestPlacement(*subject, subject->stored, settings, cards, nullptr);
        if (placement.settings.usesGpu() && placement.devices.size() != cards.size()) std::abort();
    }
    TrainingSettings training;
    training.method = static_cast<Method>(bytes.byte() % 6);
    training.sequence = bytes.number();
    training.batch = bytes.number();
    training.rank = bytes.number();
    training.gpus = bytes.number();
    training.zeroStage = bytes.byte() % 5;
    if (const auto trained = estimateTraining(*subject, training)) {
        std::uint64_t parts = 0;
        for (const Part& part : trained->gpuParts) parts += part.bytes;
        if (parts != trained->gpu()) std::abort();
    }
}

void readTexts(const std::string& text) {
    if (const auto log = readRuntimeLog(text, "a log")) (void)log->applyTo({});
    if (const auto loads = loadsOfCsv(text, "a file")) {
        const auto again = loadsOfCsv(loadsCsv(*loads), "a file");
        if (!again || again->size() != loads->size()) std::abort();
        (void)loadCorrection(*loads, {}, "cpu");
    }
    (void)subjectOfSize(text);
    (void)shapeFromText(text);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes bytes(data, size);
    if (bytes.byte() % 4 == 0) readTexts(bytes.rest());
    else count(bytes);
    return 0;
}
