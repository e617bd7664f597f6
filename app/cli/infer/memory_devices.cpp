// SPDX-License-Identifier: MIT
#include "app/cli/infer/memory.h"

#include "app/cli/table.h"
#include "app/cli/user_folders.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/io/byte_source.h"

#include <algorithm>

// The best placement of layers, the devices that fit them, and what a log says that was really allocated.
namespace wb::cli {
namespace {

using namespace wb::memory;

constexpr std::uint64_t maxLog = 256 << 20;

void writeNumber(JsonWriter& json, const std::optional<std::uint64_t>& value) {
    if (value) json.integer(*value);
    else json.null();
}

void writePlacement(JsonWriter& json, const std::optional<Placement>& placement) {
    json.newline();
    json.key("placement");
    if (!placement) return json.null();
    json.beginObject();
    json.key("gpu_layers");
    if (placement->settings.gpuLayers == allLayers) json.string("all");
    else json.integer(placement->settings.gpuLayers);
    json.key("split"), json.beginArray();
    for (const std::uint64_t layers : placement->settings.split) json.integer(layers);
    json.endArray();
    json.key("cpu_experts"), json.integer(placement->settings.cpuExperts);
    json.key("fits"), json.boolean(placement->fits());
    json.key("tokens_per_second_bound"), writeNumber(json, placement->tokensPerSecond);
    json.key("devices"), json.beginArray();
    const auto write = [&](const Fit& fit) {
        json.beginObject();
        json.key("device"), json.string(fit.memory.name);
        json.key("need"), json.integer(fit.need);
        json.key("free"), writeNumber(json, fit.memory.free);
        json.key("verdict"), json.string(verdictName(fit.verdict));
        json.endObject();
    };
    for (const Fit& fit : placement->devices) write(fit);
    if (placement->main) write(*placement->main);
    json.endArray();
    json.endObject();
}

void writeChoices(JsonWriter& json, const std::vector<CardChoice>& choices) {
    json.newline();
    json.key("cards"), json.beginArray();
    for (const CardChoice& choice : choices) {
        json.newline();
        json.beginObject();
        json.key("card"), json.string(choice.card->vendor + " " + choice.card->title());
        json.key("count"), json.integer(choice.count);
        json.key("need"), json.integer(choice.need);
        json.key("tokens_per_second_bound"), writeNumber(json, choice.tokensPerSecond);
        json.endObject();
    }
    json.endArray();
}

void writeCorrection(JsonWriter& json, const MemoryReport& report) {
    json.newline();
    json.key("calibration");
    const auto& correction = report.estimate.settings.correction;
    if (report.training || !correction) return json.null();
    json.beginObject();
    json.key("device"), json.string(correction->device);
    json.key("loads"), json.integer(correction->loads);
    json.key("shift"), json.number(static_cast<double>(correction->shift));
    json.key("range"), json.integer(correction->range);
    json.endObject();
}

void writeMeasured(JsonWriter& json, const std::optional<MeasuredReport>& measured) {
    json.newline();
    json.key("measured");
    if (!measured) return json.null();
    json.beginArray();
    for (const MeasuredLoad& load : measured->loads) {
        json.beginObject();
        json.key("device"), json.string(load.device);
        json.key("build"), json.string(load.build);
        json.key("settings"), json.string(load.settings);
        json.key("measured"), json.integer(load.measured);
        json.key("estimated"), json.integer(load.estimated);
        for (std::size_t i = 0; i < partKinds; ++i)
            if (load.parts.parts[i] > 0) json.key(partName(static_cast<PartKind>(i))), json.integer(load.parts.parts[i]);
        json.endObject();
    }
    json.endArray();
}

std::string placementText(const Placement& placement) {
    const Settings& settings = placement.settings;
    if (!settings.usesGpu()) return "No layer fits on the GPU; the CPU computes all layers.";
    std::string text =
        settings.gpuLayers == allLayers ? "All layers on the GPU" : fmt::format("{} layers on the GPU", settings.gpuLayers);
    if (!settings.split.empty()) {
        text += ", split";
        for (std::size_t i = 0; i < settings.split.size(); ++i) text += fmt::format("{} {}", i > 0 ? "," : "", settings.split[i]);
    }
    if (settings.cpuExperts > 0) text += fmt::format(", experts of the first {} layers in RAM", settings.cpuExperts);
    return text + ".";
}

void printPlacement(const Placement& placement) {
    fmt::print("\nBest placement: {}\n", placementText(placement));
    Table table({{"Device"}, {"Required", true}, {"Free", true}, {"Fits"}});
    const auto add = [&](const Fit& fit) {
        table.add({fit.memory.name, humanBytes(fit.need), humanBytes(fit.memory.available()), verdictName(fit.verdict)});
    };
    for (const Fit& fit : placement.devices) add(fit);
    if (placement.main) add(*placement.main);
    table.print();
    if (placement.tokensPerSecond) fmt::print("At most {} tokens/s (bandwidth limit).\n", *placement.tokensPerSecond);
}

void printChoices(const std::vector<CardChoice>& choices) {
    fmt::print("\nSmallest GPUs that fit the model:\n");
    const bool hasSpeed = std::ranges::any_of(choices, [](const CardChoice& choice) { return choice.tokensPerSecond.has_value(); });
    std::vector<Table::Column> columns = {{"GPUs", true}, {"Card"}, {"Required per GPU", true}};
    if (hasSpeed) columns.push_back({"Max tokens/s", true}); // training has none
    Table table(std::move(columns));
    for (const CardChoice& choice : choices) {
        std::vector<std::string> cells = {fmt::format("{} ×", choice.count), choice.card->vendor + " " + choice.card->title(),
                                          humanBytes(choice.need)};
        if (hasSpeed) cells.push_back(choice.tokensPerSecond ? std::to_string(*choice.tokensPerSecond) : "-");
        table.add(std::move(cells));
    }
    table.print();
}

void printMeasured(const MeasuredReport& measured) {
    for (const MeasuredLoad& load : measured.loads) {
        fmt::print("\nMeasured on {} ({}): {} (estimate: {})\n", load.deviceTitle(), load.settings, humanBytes(load.measured),
                   humanBytes(load.estimated));
        Table table({{"Part"}, {"Measured", true}});
        for (std::size_t i = 0; i < partKinds; ++i)
            if (load.parts.parts[i] > 0) table.add({partName(static_cast<PartKind>(i)), humanBytes(load.parts.parts[i])});
        table.print();
    }
}

} // namespace

Result<RuntimeLog> readLog(const std::string& path) {
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(path));
    if (source->size() > maxLog)
        return fail(ErrorCode::TooLarge, Reason("cli.log_too_large"), About{source->name()},
                    WB_TEXT("{} is too large for a log; reduce it to the lines of a single load."), source->name());
    std::string text(static_cast<std::size_t>(source->size()), '\0');
    WB_TRY(source->readAt(0, std::as_writable_bytes(std::span(text))));
    return readRuntimeLog(text, source->name());
}

Result<MeasuredReport> measuredReport(const RuntimeLog& log, const Estimate& estimate, const std::string& architecture) {
    MeasuredReport report{log, measuredLoads(log, estimate, architecture, today())};
    WB_TRY(addLoads(loadsFile(stateFolder()), report.loads));
    return report;
}

void writeDeviceMembers(JsonWriter& json, const MemoryReport& report) {
    writePlacement(json, report.placement);
    writeChoices(json, report.choices);
    json.newline();
    json.key("best_type");
    if (report.bestType) {
        json.beginObject();
        json.key("type"), json.string(report.bestType->type->name);
        json.key("kld"), json.number(report.bestType->divergence);
        json.key("imatrix"), json.boolean(false);
        json.key("need"), json.integer(report.bestType->need);
        json.endObject();
    } else {
        json.null();
    }
    writeCorrection(json, report);
    writeMeasured(json, report.measured);
}

void printDeviceTables(const MemoryReport& report) {
    if (report.bestType)
        fmt::print("\nRecommended for the first device: {} (KLD {:.4g} without imatrix), {} in all.\n", report.bestType->type->name,
                   report.bestType->divergence, humanBytes(report.bestType->need));
    if (report.placement) printPlacement(*report.placement);
    if (!report.choices.empty()) printChoices(report.choices);
    if (report.measured) printMeasured(*report.measured);
}

} // namespace wb::cli
