// SPDX-License-Identifier: MIT
#include "app/cli/infer/memory.h"
#include "app/cli/table.h"
#include "core/base/ascii.h"
#include "core/base/counts.h"
#include "core/base/error.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/memory/training/optimizers.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>

namespace wb::cli {
namespace {

using namespace wb::memory;

// Files count in decimal units, memory in binary ones.
std::string fileSize(std::uint64_t bytes) {
    const double size = static_cast<double>(bytes);
    return bytes < 1'000'000'000 ? fmt::format("{:.2f} MB", size / 1e6) : fmt::format("{:.2f} GB", size / 1e9);
}

std::string partFormula(const MemoryPart& part) {
    std::string text;
    for (const Phrase& term : part.formula) text += (text.empty() ? "" : " + ") + term.text();
    if (part.sharedBy == 1) return text;
    return part.formula.size() == 1 ? fmt::format("{} / {} GPUs", text, part.sharedBy)
                                    : fmt::format("({}) / {} GPUs", text, part.sharedBy);
}

std::string cacheTypeName(Dtype type) { return ascii::lowered(name(type)); }

void writeSettings(JsonWriter& json, const Estimate& estimate) {
    const Settings& settings = estimate.settings;
    json.key("settings"), json.beginObject();
    json.key("context"), json.integer(settings.context);
    json.key("kv_k"), json.string(cacheTypeName(settings.keyType));
    json.key("kv_v"), json.string(cacheTypeName(settings.valueType));
    json.key("batch"), json.integer(settings.batch);
    json.key("ubatch"), json.integer(settings.microBatch);
    json.key("parallel"), json.integer(settings.conversations);
    json.key("kv_unified"), json.boolean(settings.unified);
    json.key("outputs"), json.integer(settings.outputRows());
    json.key("flash"), json.boolean(settings.flash);
    json.key("swa_full"), json.boolean(settings.fullWindows);
    json.key("gpu_layers");
    if (settings.gpuLayers == allLayers) json.string("all");
    else json.integer(settings.gpuLayers);
    json.key("mtp"), json.boolean(settings.loadsPrediction || settings.predictsAhead);
    json.key("draft_tokens"), settings.drafts() ? json.integer(settings.draftTokens) : json.null();
    json.key("cpu_experts"), json.integer(settings.cpuExperts);
    json.key("split"), json.beginArray();
    for (const std::uint64_t layers : settings.split) json.integer(layers);
    json.endArray();
    json.key("build");
    if (settings.runtime == Runtime::LlamaCpp) json.string(fmt::format("{}-{:02}", settings.build / 100, settings.build % 100));
    else json.null();
    json.key("utilization");
    if (settings.runtime == Runtime::Vllm) json.number(settings.utilization);
    else json.null();
    json.key("type");
    if (estimate.type.empty()) json.null();
    else json.string(estimate.type);
    json.endObject();
}

void writeTraining(JsonWriter& json, const TrainingSettings& settings) {
    json.key("settings"), json.beginObject();
    json.key("train"), json.string(methodName(settings.method));
    json.key("base"), json.string(baseName(settings.baseUsed()));
    json.key("rank"), json.integer(settings.rank);
    json.key("targets"), json.string(targetsName(settings.targets));
    json.key("double_quant"), json.boolean(settings.doubleQuantized);
    json.key("dora"), json.boolean(settings.dora);
    json.key("ema"), json.boolean(settings.averages);
    json.key("rslora"), json.boolean(settings.rslora);
    json.key("virtual_tokens"), json.integer(settings.virtualTokens);
    json.key("dpo_reference"), json.string(referenceName(settings.reference));
    json.key("sequence"), json.integer(settings.sequence);
    json.key("batch"), json.integer(settings.batch);
    json.key("optimizer"), json.string(settings.optimizerUsed().name);
    json.key("grad_fp32"), json.boolean(settings.gradientsInFp32);
    json.key("checkpointing"), json.boolean(settings.checkpointing);
    json.key("flash"), json.boolean(settings.flash);
    json.key("chunked_loss"), json.boolean(settings.chunkedLoss);
    json.key("offload"), json.string(offloadName(settings.offload));
    json.key("zero"), json.integer(settings.zeroStage);
    json.key("gpus"), json.integer(settings.gpus);
    json.endObject();
}

// The parts of one device.
struct DeviceParts {
    std::string device;
    std::span<const MemoryPart> parts;
};

// Graphics devices first; the GPUs of a training run hold the same each.
std::vector<DeviceParts> reportDevices(const MemoryReport& report) {
    std::vector<DeviceParts> devices;
    if (report.training) {
        for (std::uint64_t i = 0; i < report.training->settings.gpus; ++i)
            devices.push_back({deviceName(Side::Gpu, i), report.training->gpuParts});
        if (!report.training->hostParts.empty()) devices.push_back({deviceName(Side::Processor), report.training->hostParts});
        return devices;
    }
    const std::span<const MemoryPart> parts = report.estimate.parts; // those of a device side by side
    for (std::size_t first = 0, i = 0; i < parts.size(); ++i) {
        const bool isLast = i + 1 == parts.size() || parts[i + 1].side != parts[i].side || parts[i + 1].device != parts[i].device;
        if (!isLast) continue;
        devices.push_back({deviceName(parts[i].side, parts[i].device), parts.subspan(first, i + 1 - first)});
        first = i + 1;
    }
    return devices;
}

void writeParts(JsonWriter& json, const std::vector<DeviceParts>& devices) {
    json.newline();
    json.key("parts"), json.beginArray();
    for (const DeviceParts& device : devices)
        for (const MemoryPart& part : device.parts) {
            json.newline();
            json.beginObject();
            json.key("name"), json.string(partName(part.kind));
            json.key("bytes"), json.integer(part.bytes);
            json.key("device"), json.string(device.device);
            json.key("formula"), json.string(partFormula(part));
            json.endObject();
        }
    json.endArray();
}

void writeDevices(JsonWriter& json, const std::vector<DeviceParts>& devices) {
    json.newline();
    json.key("per_device"), json.beginArray();
    for (const DeviceParts& device : devices) {
        std::uint64_t total = 0;
        for (const MemoryPart& part : device.parts) total += part.bytes;
        json.beginObject();
        json.key("device"), json.string(device.device);
        json.key("total"), json.integer(total);
        for (const MemoryPart& part : device.parts) json.key(partName(part.kind)), json.integer(part.bytes);
        json.endObject();
    }
    json.endArray();
}

void writeOptional(JsonWriter& json, const std::optional<std::uint64_t>& value) {
    if (value) json.integer(*value);
    else json.null();
}

void writeFits(JsonWriter& json, const std::vector<Fit>& fits) {
    json.newline();
    json.key("fits"), json.beginArray();
    for (const Fit& fit : fits) {
        json.newline();
        json.beginObject();
        json.key("device"), json.string(fit.memory.name);
        json.key("memory"), json.integer(fit.memory.bytes);
        json.key("free"), writeOptional(json, fit.memory.free);
        json.key("free_when_idle"), json.integer(fit.memory.availableWhenIdle());
        json.key("bandwidth_gb_s"),
            writeOptional(json, fit.memory.bandwidth > 0 ? std::optional(fit.memory.bandwidth) : std::nullopt);
        json.key("source"), fit.memory.source.empty() ? json.null() : json.string(fit.memory.source);
        json.key("need"), json.integer(fit.need);
        json.key("verdict"), json.string(verdictName(fit.verdict));
        json.key("context_max"), writeOptional(json, fit.longestContext);
        json.endObject();
    }
    json.endArray();
}

void writeColumns(JsonWriter& json, const std::vector<MemoryColumn>& columns) {
    json.newline();
    json.key("columns");
    if (columns.empty()) return json.null();
    json.beginArray();
    for (const MemoryColumn& column : columns) {
        json.newline();
        json.beginObject();
        json.key("type"), json.string(column.type);
        json.key("bits_per_weight"), json.number(column.bitsPerWeight);
        json.key("weights"), json.integer(column.weights);
        json.key("total"), json.integer(column.total);
        json.key("verdict"), json.string(verdictName(column.verdict));
        json.key("quality");
        if (column.divergence) {
            const bool isPlain = column.divergence.plain.has_value();
            json.beginObject();
            json.key("kld"), json.number(isPlain ? *column.divergence.plain : *column.divergence.weighted);
            json.key("imatrix"), json.boolean(!isPlain);
            json.key("source"), json.string(quant::publishedSource);
            json.endObject();
        } else {
            json.null();
        }
        json.endObject();
    }
    json.endArray();
}

void writePhrases(JsonWriter& json, const char* name, const std::vector<Phrase>& phrases) {
    json.key(name), json.beginArray();
    for (const Phrase& one : phrases) json.string(one.text());
    json.endArray();
}

void writeAdvice(JsonWriter& json, const std::vector<Advice>& advice) {
    json.newline();
    json.key("advice"), json.beginArray();
    for (const Advice& one : advice) {
        json.newline();
        json.beginObject();
        json.key("change"), json.string(one.change.text());
        json.key("saves"), json.integer(one.saves);
        json.key("cost"), json.string(one.cost.text());
        json.endObject();
    }
    json.endArray();
}

void writeRest(JsonWriter& json, const MemoryReport& report) {
    json.newline();
    json.key("rule_of_thumb"), json.beginObject();
    json.key("text"), json.string(report.rule.text.text());
    json.key("bytes"), json.integer(report.rule.bytes);
    writePhrases(json, "why", report.rule.why);
    json.endObject();
    json.newline();
    json.key("error_percent");
    if (report.training) json.number(std::round(10 * report.training->errorPercent) / 10);
    else if (report.estimate.errorPercent) json.number(*report.estimate.errorPercent);
    else json.null();
    writePhrases(json, "not_modelled", report.training ? report.training->notModelled : report.estimate.notModelled);
    writeAdvice(json, report.advice);
    json.key("problems"), json.beginArray();
    for (const Problem& problem : report.problems()) {
        json.beginObject();
        json.key("severity"), json.string(severityName(problem.severity));
        json.key("where"), json.string(problem.file);
        json.key("message"), json.string(problem.message());
        json.key("code"), json.string(problem.code.id());
        json.endObject();
    }
    json.endArray();
}

void printParts(const MemoryReport& report) {
    Table table({{"Part"}, {"Device"}, {"Memory", true}, {"Formula"}});
    const auto add = [&](const std::vector<MemoryPart>& parts, const char* gpu) {
        for (const MemoryPart& part : parts)
            table.add({partName(part.kind), part.side == Side::Gpu && *gpu ? gpu : deviceName(part.side, part.device),
                       humanBytes(part.bytes), partFormula(part)});
    };
    if (!report.training) {
        add(report.estimate.parts, "");
        for (const DeviceParts& device : reportDevices(report)) {
            std::uint64_t bytes = 0;
            for (const MemoryPart& part : device.parts) bytes += part.bytes;
            if (device.parts.size() < report.estimate.parts.size()) table.add({"total", device.device, humanBytes(bytes), ""});
        }
        table.add({"total", "", humanBytes(report.estimate.total()), ""});
        return table.print();
    }
    const bool isOne = report.training->settings.gpus == 1;
    add(report.training->gpuParts, isOne ? "gpu0" : "each GPU");
    if (!isOne) table.add({"total", "each GPU", humanBytes(report.training->gpu()), ""});
    add(report.training->hostParts, "");
    table.add({"total", "", humanBytes(report.training->total()), ""});
    table.print();
}

std::string tokensText(const std::optional<std::uint64_t>& tokens) { return tokens ? grouped(*tokens) : "-"; }

void printFits(const std::vector<Fit>& fits, const char* longest) {
    Table table({{"Device"}, {"Memory", true}, {"Free", true}, {"Required", true}, {"Fits"}, {longest, true}});
    for (const Fit& fit : fits)
        table.add({fit.memory.name, humanBytes(fit.memory.bytes), fit.memory.free ? humanBytes(*fit.memory.free) : "-",
                   humanBytes(fit.need), verdictName(fit.verdict), tokensText(fit.longestContext)});
    fmt::print("\n");
    table.print();
}

void printColumns(const std::vector<MemoryColumn>& columns) {
    Table table({{"Type"},
                 {"Bits per weight", true},
                 {"File", true},
                 {"Weights", true},
                 {"Total", true},
                 {"Fits"},
                 {"KLD", true},
                 {"KLD, imatrix", true}});
    const auto shown = [](const std::optional<double>& kld) { return kld ? fmt::format("{:.4g}", *kld) : "-"; };
    for (const MemoryColumn& column : columns)
        table.add({column.type, fmt::format("{:.2f}", column.bitsPerWeight), fileSize(column.weights), humanBytes(column.weights),
                   humanBytes(column.total), verdictName(column.verdict), shown(column.divergence.plain),
                   shown(column.divergence.weighted)});
    fmt::print("\n");
    table.print();
}

} // namespace

void printMemoryJson(const MemoryReport& report) {
    const Estimate& estimate = report.estimate;
    const auto& training = report.training;
    const std::vector<DeviceParts> devices = reportDevices(report);
    JsonWriter json([](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); });
    json.beginObject();
    json.key("name"), json.string(training ? training->name : estimate.name);
    json.key("class"), json.string(trustName(training ? training->trust : estimate.trust));
    json.key("runtime"), json.string(runtimeName(training ? Runtime::Transformers : estimate.settings.runtime));
    json.key("backend"), json.string(backendName(training ? Backend::Cuda : estimate.settings.backendUsed()));
    if (training) writeTraining(json, training->settings);
    else writeSettings(json, estimate);
    json.key("context_used"), json.integer(training ? training->settings.sequence : estimate.contextUsed);
    json.key("parameters"), json.integer(training ? training->parameters : estimate.parameters);
    json.key("trainable");
    if (training) json.integer(training->trainable);
    else json.null();
    json.key("total"), json.integer(training ? training->total() : estimate.total());
    writeParts(json, devices);
    writeDevices(json, devices);
    json.key("cells"), json.beginArray();
    for (const CacheGroup& group : estimate.cells) {
        json.beginArray();
        for (const std::uint64_t number : {group.cells, group.streams, group.layers}) json.integer(number);
        json.endArray();
    }
    json.endArray();
    json.key("bytes_per_token"), json.integer(training ? 0 : estimate.bytesPerToken);
    json.key("tokens_per_second_bound"), writeOptional(json, report.tokensPerSecond);
    writeFits(json, report.fits);
    writeColumns(json, report.columns);
    writeDeviceMembers(json, report);
    writeRest(json, report);
    json.endObject();
    json.finish();
    fmt::print("\n");
}

void printMemoryTables(const MemoryReport& report) {
    const Estimate& estimate = report.estimate;
    if (report.training) {
        const TrainingEstimate& training = *report.training;
        fmt::print("{}, {} parameters, {} trainable ({}); {} × {} tokens per step; class: {}, error {:.0f}%\n\n", training.name,
                   humanCount(training.parameters), humanCount(training.trainable), methodName(training.settings.method),
                   grouped(training.settings.sequences()), grouped(training.settings.sequence), trustName(training.trust),
                   training.errorPercent);
    } else {
        fmt::print("{}, {} parameters, context length {}; class: {}", estimate.name, humanCount(estimate.parameters),
                   grouped(estimate.contextUsed), trustName(estimate.trust));
        if (estimate.errorPercent) fmt::print(", error {:.1f}%", *estimate.errorPercent);
        if (const auto& correction = estimate.settings.correction)
            fmt::print(", calibrated, ±{} from {}", humanBytes(correction->range),
                       fillSentence("{} load(s)", {grouped(correction->loads)}));
        fmt::print("\n\n");
    }
    printParts(report);
    fmt::print("\nRule of thumb: {}\n", report.rule.text.text());
    for (const Phrase& why : report.rule.why) fmt::print("  {}\n", why.text());
    if (!report.fits.empty()) printFits(report.fits, report.training ? "Max sequence length" : "Max context length");
    if (report.tokensPerSecond)
        fmt::print("At most {} tokens/s on the first device if the whole model fits on it (bandwidth limit).\n",
                   *report.tokensPerSecond);
    if (!report.columns.empty()) printColumns(report.columns);
    printDeviceTables(report);
    if (!report.advice.empty()) fmt::print("\nWays to reduce memory, cheapest first:\n");
    for (const Advice& one : report.advice)
        fmt::print("  {} saves {}. {}\n", one.change.text(), humanBytes(one.saves), one.cost.text());
    const auto& gaps = report.training ? report.training->notModelled : estimate.notModelled;
    for (const Phrase& gap : gaps) fmt::print("\nNot included: {}", gap.text());
    for (const Problem& problem : report.problems()) fmt::print("\n{}: {}", severityName(problem.severity), problem.message());
    if (!gaps.empty() || !report.problems().empty()) fmt::print("\n");
}

} // namespace wb::cli
