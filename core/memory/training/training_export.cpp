// SPDX-License-Identifier: MIT
#include "core/memory/training/training_export.h"

#include "core/base/json_writer.h"
#include "core/memory/training/optimizers.h"

namespace wb::memory {
namespace {

constexpr const char* attentionModules[] = {"q_proj", "k_proj", "v_proj", "o_proj"};

Error cannotSay(const char* program, const char* setting, const char* sentence, const std::string& value) {
    return makeError(ErrorCode::Unsupported, Reason("memory.export_setting"), About{setting}, sentence, program, value);
}

// What neither program has a key for.
Result<void> checkMethod(const char* program, const TrainingSettings& settings) {
    if (settings.method == Method::Prompt || settings.method == Method::Prefix)
        return std::unexpected(
            cannotSay(program, "train", WB_TEXT("{} does not support {} tuning; only PEFT does."), methodName(settings.method)));
    if (!settings.optimizerUsed().transformers)
        return std::unexpected(cannotSay(program, "optimizer",
                                         WB_TEXT("{} does not support the optimizer {}; choose adamw, for example."),
                                         settings.optimizerUsed().name));
    if (settings.method == Method::Dpo && settings.reference == Reference::Precomputed)
        return std::unexpected(cannotSay(program, "dpo-reference",
                                         WB_TEXT("{} has no setting for a {} DPO reference model; choose shared."),
                                         referenceName(settings.reference)));
    if (settings.averages)
        return std::unexpected(cannotSay(program, "ema", WB_TEXT("{} has no setting for {}; remove it."), "EMA"));
    if (settings.zeroStage == 0 && (settings.offload != Offload::None || settings.gradientsInFp32))
        return std::unexpected(cannotSay(program, "zero",
                                         WB_TEXT("{} supports offloading and FP32 gradient accumulation only with DeepSpeed, but "
                                                 "the ZeRO stage is {}; choose 1, 2 or 3."),
                                         "0"));
    return {};
}

// Lines of YAML.
class Yaml {
public:
    void comment(std::string_view text) { m_text += fmt::format("# {}\n", text); }
    template <typename Number>
    void number(std::string_view key, Number value) {
        m_text += fmt::format("{}: {}\n", key, value);
    }
    void word(std::string_view key, std::string_view value) { m_text += fmt::format("{}: {}\n", key, value); }
    void flag(std::string_view key) { word(key, "true"); }
    // Any text: JSON's strings are YAML's too.
    void text(std::string_view key, std::string_view value) {
        m_text += fmt::format("{}: ", key);
        JsonWriter json([this](std::string_view part) { m_text += part; });
        json.string(value);
        json.finish(); // ends the line too
    }
    void list(std::string_view key, std::span<const char* const> values) {
        m_text += fmt::format("{}:\n", key);
        for (const char* value : values) m_text += fmt::format("  - {}\n", value);
    }
    std::string take() { return std::move(m_text); }

private:
    std::string m_text;
};

void writeOffload(JsonWriter& json, const char* key) {
    json.newline();
    json.key(key), json.beginObject();
    json.key("device"), json.string("cpu");
    json.endObject();
}

// Buckets have the sizes that the estimate counts.
std::string deepSpeedText(const TrainingSettings& settings) {
    std::string text;
    JsonWriter json([&text](std::string_view part) { text += part; });
    json.beginObject();
    json.newline(), json.key("train_batch_size"), json.string("auto");
    json.newline(), json.key("train_micro_batch_size_per_gpu"), json.string("auto");
    json.newline(), json.key("gradient_accumulation_steps"), json.string("auto");
    if (settings.gradientsInFp32) {
        json.newline(), json.key("data_types"), json.beginObject();
        json.key("grad_accum_dtype"), json.string("fp32");
        json.endObject();
    }
    for (const BaseType type : {BaseType::Bf16, BaseType::Fp16}) {
        json.newline(), json.key(baseName(type)), json.beginObject();
        json.key("enabled"), json.string("auto");
        json.endObject();
    }
    json.newline(), json.key("zero_optimization"), json.beginObject();
    json.newline(), json.key("stage"), json.integer(settings.zeroStage);
    if (settings.offload != Offload::None) writeOffload(json, "offload_optimizer");
    if (settings.offload == Offload::All) writeOffload(json, "offload_param");
    json.newline(), json.key("reduce_bucket_size"), json.integer(500'000'000);
    json.newline(), json.key("allgather_bucket_size"), json.integer(500'000'000);
    if (settings.zeroStage == 3) json.newline(), json.key("stage3_max_live_parameters"), json.integer(1'000'000'000);
    json.endObject();
    json.endObject();
    json.finish();
    return text;
}

std::string deepSpeedName(const TrainingSettings& settings) { return fmt::format("ds_zero{}.json", settings.zeroStage); }

std::vector<ExportedFile> yamlFiles(Yaml& yaml, const TrainingSettings& settings) {
    if (settings.zeroStage > 0) yaml.text("deepspeed", "./" + deepSpeedName(settings));
    std::vector<ExportedFile> files = {{{}, yaml.take()}};
    if (settings.zeroStage > 0) files.push_back({deepSpeedName(settings), deepSpeedText(settings)});
    return files;
}

void writeModel(Yaml& yaml, const char* key, const ExportedModel& model) {
    if (model.id.empty()) yaml.comment("Only a size was given: put the path or the id of the model in place of MODEL.");
    yaml.text(key, model.id.empty() ? "MODEL" : model.id);
}

void writeLlamaFactoryBase(Yaml& yaml, const TrainingSettings& settings) {
    if (settings.isQuantized()) {
        yaml.number("quantization_bit", settings.baseUsed() == BaseType::Nf4 ? 4 : 8);
        yaml.word("quantization_method", "bnb");
        if (settings.baseUsed() == BaseType::Nf4) {
            yaml.word("quantization_type", "nf4");
            yaml.word("double_quantization", settings.doubleQuantized ? "true" : "false");
        }
    }
    if (settings.baseUsed() == BaseType::Fp16) yaml.flag("fp16");
    else if (settings.baseUsed() != BaseType::Fp32) yaml.flag("bf16");
}

void writeLlamaFactoryAdapters(Yaml& yaml, const TrainingSettings& settings) {
    yaml.word("finetuning_type", settings.trainsAdapters() ? "lora" : "full");
    if (!settings.trainsAdapters()) return;
    yaml.number("lora_rank", settings.rank);
    yaml.number("lora_alpha", 2 * settings.rank);
    yaml.word("lora_target", settings.targets == Targets::All ? "all" : "q_proj,k_proj,v_proj,o_proj");
    if (settings.dora) yaml.flag("use_dora");
    if (settings.rslora) yaml.flag("use_rslora");
}

} // namespace

Result<std::vector<ExportedFile>> llamaFactoryFiles(const ExportedModel& model, const TrainingSettings& settings) {
    WB_TRY(checkMethod("LLaMA-Factory", settings));
    Yaml yaml;
    writeModel(yaml, "model_name_or_path", model);
    yaml.word("stage", settings.method == Method::Dpo ? "dpo" : "sft");
    yaml.flag("do_train");
    writeLlamaFactoryAdapters(yaml, settings);
    writeLlamaFactoryBase(yaml, settings);
    if (settings.method == Method::Dpo && settings.reference == Reference::Copy)
        yaml.text("ref_model", model.id.empty() ? "MODEL" : model.id);
    yaml.number("cutoff_len", settings.sequence);
    yaml.number("per_device_train_batch_size", settings.batch);
    yaml.number("gradient_accumulation_steps", 1);
    yaml.word("optim", settings.optimizerUsed().transformers);
    if (!settings.checkpointing) yaml.flag("disable_gradient_checkpointing");
    yaml.word("flash_attn", settings.flash ? "sdpa" : "disabled");
    if (settings.chunkedLoss) yaml.flag("enable_liger_kernel");
    yaml.comment("A name of data/dataset_info.json; only you know the data.");
    yaml.comment("dataset: DATASET");
    yaml.comment("The chat template of the model's family, such as llama3 or qwen.");
    yaml.comment("template: TEMPLATE");
    yaml.comment("output_dir: OUTPUT");
    return yamlFiles(yaml, settings);
}

Result<std::vector<ExportedFile>> axolotlFiles(const ExportedModel& model, const TrainingSettings& settings) {
    WB_TRY(checkMethod("Axolotl", settings));
    if (settings.method == Method::Dpo && settings.reference == Reference::Copy)
        return std::unexpected(cannotSay("Axolotl", "dpo-reference",
                                         WB_TEXT("{} has no setting for a {} DPO reference model; choose shared."),
                                         referenceName(settings.reference)));
    if (!settings.doubleQuantized && settings.baseUsed() == BaseType::Nf4)
        return std::unexpected(
            cannotSay("Axolotl", "double-quant", WB_TEXT("{} always uses double quantization with {}; turn it on."), "nf4"));
    Yaml yaml;
    writeModel(yaml, "base_model", model);
    if (settings.method == Method::Dpo) yaml.word("rl", "dpo");
    if (settings.trainsAdapters()) {
        yaml.word("adapter", settings.baseUsed() == BaseType::Nf4 ? "qlora" : "lora");
        yaml.number("lora_r", settings.rank);
        yaml.number("lora_alpha", 2 * settings.rank);
        if (settings.targets == Targets::All) yaml.flag("lora_target_linear");
        else yaml.list("lora_target_modules", attentionModules);
        if (settings.dora) yaml.flag("peft_use_dora");
        if (settings.rslora) yaml.flag("peft_use_rslora");
    }
    if (settings.baseUsed() == BaseType::Nf4) yaml.flag("load_in_4bit");
    if (settings.baseUsed() == BaseType::Int8) yaml.flag("load_in_8bit");
    yaml.number("sequence_len", settings.sequence);
    yaml.number("micro_batch_size", settings.batch);
    yaml.number("gradient_accumulation_steps", 1);
    yaml.word("optimizer", settings.optimizerUsed().transformers);
    yaml.word("gradient_checkpointing", settings.checkpointing ? "true" : "false");
    yaml.word("attn_implementation", settings.flash ? "sdpa" : "eager");
    if (settings.chunkedLoss) yaml.flag("chunked_cross_entropy");
    if (settings.baseUsed() == BaseType::Fp16) yaml.flag("fp16");
    else yaml.word("bf16", settings.baseUsed() == BaseType::Fp32 ? "false" : "auto");
    yaml.comment("Only you know the data:");
    yaml.comment("datasets:");
    yaml.comment("  - path: DATASET");
    yaml.comment("    type: chat_template");
    yaml.comment("output_dir: OUTPUT");
    return yamlFiles(yaml, settings);
}

} // namespace wb::memory
