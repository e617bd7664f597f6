// SPDX-License-Identifier: MIT
#include "core/memory/exports.h"

#include "core/base/ascii.h"
#include "core/memory/training/training_export.h"

#include <algorithm>
#include <array>

namespace wb::memory {
namespace {

constexpr std::array<const char*, 5> targets = {"vllm", "llama-server", "ollama", "llama-factory", "axolotl"};

// A word of a POSIX shell.
std::string quoted(const std::string& word) {
    const auto isPlain = [](char c) {
        const char low = ascii::lower(c);
        return ascii::isDigit(c) || (low >= 'a' && low <= 'z') || std::string_view("/._-:@+=,").find(c) != std::string_view::npos;
    };
    bool plain = !word.empty();
    for (const char c : word) plain = plain && isPlain(c);
    if (plain) return word;
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

Error cannotSay(ExportTarget target, const char* setting, const char* sentence, const std::string& value) {
    return makeError(ErrorCode::Unsupported, Reason("memory.export_setting"), About{setting}, sentence,
                     targets[static_cast<std::size_t>(target)], value);
}

std::string typeName(Dtype type) { return ascii::lowered(name(type)); }

std::string placeholder(const ExportedModel& model, const char* word) { return model.id.empty() ? word : quoted(model.id); }

constexpr const char* fillModel = "# Only a size was given: put the path or the id of the model in place of MODEL.\n";

Result<std::string> vllmLine(const ExportedModel& model, const Estimate& estimate, std::uint64_t gpus) {
    const Settings& settings = estimate.settings;
    std::string text = model.id.empty() ? fillModel : "";
    if (model.isGguf)
        text +=
            "# vLLM reads GGUF files of one part only, slower than its own formats, and takes the tokenizer from --tokenizer.\n";
    if (model.isModelScope) text += "VLLM_USE_MODELSCOPE=true ";
    text += fmt::format("vllm serve {} --max-model-len {} --gpu-memory-utilization {} --tensor-parallel-size {}",
                        placeholder(model, "MODEL"), settings.context / settings.conversations, settings.utilization,
                        std::max<std::uint64_t>(gpus, settings.devices()));
    if (settings.conversations > 1) text += fmt::format(" --max-num-seqs {}", settings.conversations);
    if (settings.keyType != settings.valueType)
        return std::unexpected(cannotSay(ExportTarget::Vllm, "kv", WB_TEXT("{} uses the same type for K and V caches, not {}."),
                                         typeName(settings.keyType) + "," + typeName(settings.valueType)));
    if (settings.keyType == Dtype::Q8_0) text += " --kv-cache-dtype fp8";
    else if (settings.keyType != Dtype::F16 && settings.keyType != Dtype::BF16)
        return std::unexpected(cannotSay(ExportTarget::Vllm, "kv",
                                         WB_TEXT("{} does not support a {} KV cache; choose f16 or q8_0."),
                                         typeName(settings.keyType)));
    if (model.predictsAhead) text += " --speculative-config '{\"method\":\"mtp\",\"num_speculative_tokens\":1}'";
    return text + "\n";
}

std::string serverLine(const ExportedModel& model, const Estimate& estimate) {
    const Settings& settings = estimate.settings;
    const std::string layers = settings.gpuLayers == allLayers ? "all" : std::to_string(settings.gpuLayers);
    std::string text = fmt::format("{}llama-server -m {} -c {} -ngl {} -ctk {} -ctv {} -b {} -ub {} -np {} -fa {}",
                                   model.id.empty() ? fillModel : "", placeholder(model, "MODEL"), settings.context,
                                   layers == "all" ? "999" : layers, typeName(settings.keyType), typeName(settings.valueType),
                                   settings.batch, settings.microBatch, settings.conversations, settings.flash ? "on" : "off");
    if (settings.unified) text += " --kv-unified";
    if (settings.fullWindows) text += " --swa-full";
    if (settings.cpuExperts > 0) text += fmt::format(" --n-cpu-moe {}", settings.cpuExperts);
    for (std::size_t i = 0; i < settings.split.size(); ++i) text += fmt::format("{}{}", i == 0 ? " -ts " : ",", settings.split[i]);
    return text + "\n";
}

Result<std::string> ollamaFile(const ExportedModel& model, const Estimate& estimate) {
    const Settings& settings = estimate.settings;
    const bool isKnown = settings.keyType == Dtype::F16 || settings.keyType == Dtype::Q8_0 || settings.keyType == Dtype::Q4_0;
    if (settings.keyType != settings.valueType || !isKnown)
        return std::unexpected(cannotSay(ExportTarget::Ollama, "kv",
                                         WB_TEXT("{} uses one KV cache type for keys and values (f16, q8_0 or q4_0), not {}."),
                                         typeName(settings.keyType) + "," + typeName(settings.valueType)));
    std::string text = model.id.empty() ? fillModel : "";
    text += "# The server reads these environment variables:\n";
    text += fmt::format("#   OLLAMA_FLASH_ATTENTION={} OLLAMA_KV_CACHE_TYPE={} OLLAMA_NUM_PARALLEL={}\n", settings.flash ? 1 : 0,
                        typeName(settings.keyType), settings.conversations);
    text += fmt::format("FROM {}\n", model.id.empty() ? "MODEL" : model.id);
    text += fmt::format("PARAMETER num_ctx {}\n", settings.context / settings.conversations);
    text += fmt::format("PARAMETER num_gpu {}\n", settings.gpuLayers == allLayers ? 999 : settings.gpuLayers);
    return text + fmt::format("PARAMETER num_batch {}\n", settings.microBatch);
}

Result<std::string> inferenceText(ExportTarget target, const ExportedModel& model, const Estimate& estimate, std::uint64_t gpus) {
    if (target == ExportTarget::Vllm) return vllmLine(model, estimate, gpus);
    if (target == ExportTarget::Ollama) return ollamaFile(model, estimate);
    return serverLine(model, estimate);
}

} // namespace

std::span<const char* const> exportTargets() { return targets; }

std::optional<ExportTarget> exportTargetFromName(std::string_view name) {
    for (std::size_t i = 0; i < targets.size(); ++i)
        if (ascii::same(name, targets[i])) return static_cast<ExportTarget>(i);
    return {};
}

bool isForTraining(ExportTarget target) { return target == ExportTarget::LlamaFactory || target == ExportTarget::Axolotl; }

Result<std::vector<ExportedFile>> exportInference(ExportTarget target, const ExportedModel& model, const Estimate& estimate,
                                                  std::uint64_t gpus) {
    if (isForTraining(target))
        return std::unexpected(
            cannotSay(target, "export", WB_TEXT("{} is a training tool; specify the method with {}."), "--train"));
    WB_TRY_ASSIGN(std::string text, inferenceText(target, model, estimate, gpus));
    return std::vector<ExportedFile>{{{}, std::move(text)}};
}

Result<std::vector<ExportedFile>> exportTraining(ExportTarget target, const ExportedModel& model,
                                                 const TrainingEstimate& estimate) {
    if (!isForTraining(target))
        return std::unexpected(
            cannotSay(target, "export", WB_TEXT("{} cannot train models; choose {}."), "llama-factory or axolotl"));
    return target == ExportTarget::Axolotl ? axolotlFiles(model, estimate.settings) : llamaFactoryFiles(model, estimate.settings);
}

} // namespace wb::memory
