// SPDX-License-Identifier: MIT
#include "app/cli/memory.h"
#include "app/cli/table.h"
#include "core/base/ascii.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"

#include <cstdio>

namespace wb::cli {
namespace {

using namespace wb::memory;

// Files count in decimal units, memory in binary ones.
std::string fileSize(std::uint64_t bytes) {
    const double size = static_cast<double>(bytes);
    return bytes < 1'000'000'000 ? fmt::format("{:.2f} MB", size / 1e6) : fmt::format("{:.2f} GB", size / 1e9);
}

std::string formulaOf(const Part& part) {
    std::string text;
    for (const Phrase& term : part.formula) text += (text.empty() ? "" : " + ") + term.text();
    return text;
}

std::string typeName(Dtype type) { return ascii::lowered(name(type)); }

void writeSettings(JsonWriter& json, const Estimate& estimate) {
    const Settings& settings = estimate.settings;
    json.key("settings"), json.beginObject();
    json.key("context"), json.integer(settings.context);
    json.key("kv_k"), json.string(typeName(settings.keyType));
    json.key("kv_v"), json.string(typeName(settings.valueType));
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
    json.key("type");
    if (estimate.type.empty()) json.null();
    else json.string(estimate.type);
    json.endObject();
}

void writeParts(JsonWriter& json, const Estimate& estimate) {
    json.newline();
    json.key("parts"), json.beginArray();
    for (const Part& part : estimate.parts) {
        json.newline();
        json.beginObject();
        json.key("name"), json.string(partName(part.kind));
        json.key("bytes"), json.integer(part.bytes);
        json.key("device"), json.string(sideName(part.side));
        json.key("formula"), json.string(formulaOf(part));
        json.endObject();
    }
    json.endArray();
}

void writeDevices(JsonWriter& json, const Estimate& estimate) {
    json.newline();
    json.key("per_device"), json.beginArray();
    for (const Side side : {Side::Gpu, Side::Processor}) {
        if (estimate.plan.on(side).total() == 0) continue;
        json.beginObject();
        json.key("device"), json.string(sideName(side));
        json.key("total"), json.integer(estimate.plan.on(side).total());
        for (const Part& part : estimate.parts)
            if (part.side == side) json.key(partName(part.kind)), json.integer(part.bytes);
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
        json.key("quality"), json.null();
        json.endObject();
    }
    json.endArray();
}

void writePhrases(JsonWriter& json, const char* name, const std::vector<Phrase>& phrases) {
    json.key(name), json.beginArray();
    for (const Phrase& one : phrases) json.string(one.text());
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
    if (report.estimate.errorPercent) json.number(*report.estimate.errorPercent);
    else json.null();
    writePhrases(json, "not_modelled", report.estimate.notModelled);
    json.key("advice"), json.beginArray(), json.endArray();
    json.key("problems"), json.beginArray();
    for (const Problem& problem : report.estimate.problems) {
        json.beginObject();
        json.key("severity"), json.string(severityName(problem.severity));
        json.key("where"), json.string(problem.file);
        json.key("message"), json.string(problem.message());
        json.key("code"), json.string(problem.code.id());
        json.endObject();
    }
    json.endArray();
}

void printParts(const Estimate& estimate) {
    Table table({{"Part"}, {"Device"}, {"Memory", true}, {"Formula"}});
    for (const Part& part : estimate.parts)
        table.add({partName(part.kind), sideName(part.side), humanBytes(part.bytes), formulaOf(part)});
    table.add({"total", "", humanBytes(estimate.total()), ""});
    table.print();
}

std::string tokensText(const std::optional<std::uint64_t>& tokens) { return tokens ? std::to_string(*tokens) : "-"; }

void printFits(const std::vector<Fit>& fits) {
    Table table({{"Device"}, {"Memory", true}, {"Free", true}, {"Need", true}, {"Verdict"}, {"Longest context", true}});
    for (const Fit& fit : fits)
        table.add({fit.memory.name, humanBytes(fit.memory.bytes), fit.memory.free ? humanBytes(*fit.memory.free) : "-",
                   humanBytes(fit.need), verdictName(fit.verdict), tokensText(fit.longestContext)});
    fmt::print("\n");
    table.print();
}

void printColumns(const std::vector<MemoryColumn>& columns) {
    Table table({{"Type"}, {"Bits a weight", true}, {"File", true}, {"Weights", true}, {"Total", true}, {"Verdict"}});
    for (const MemoryColumn& column : columns)
        table.add({column.type, fmt::format("{:.2f}", column.bitsPerWeight), fileSize(column.weights), humanBytes(column.weights),
                   humanBytes(column.total), verdictName(column.verdict)});
    fmt::print("\n");
    table.print();
}

} // namespace

void printMemoryJson(const MemoryReport& report) {
    const Estimate& estimate = report.estimate;
    JsonWriter json([](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); });
    json.beginObject();
    json.key("name"), json.string(estimate.name);
    json.key("class"), json.string(trustName(estimate.trust));
    json.key("runtime"), json.string("llama.cpp");
    json.key("backend"), json.string(estimate.settings.usesGpu() ? "vulkan" : "cpu");
    writeSettings(json, estimate);
    json.key("context_used"), json.integer(estimate.contextUsed);
    json.key("parameters"), json.integer(estimate.parameters);
    json.key("trainable"), json.null();
    json.key("total"), json.integer(estimate.total());
    writeParts(json, estimate);
    writeDevices(json, estimate);
    json.key("cells"), json.beginArray();
    for (const CacheGroup& group : estimate.cells) {
        json.beginArray();
        for (const std::uint64_t number : {group.cells, group.streams, group.layers}) json.integer(number);
        json.endArray();
    }
    json.endArray();
    json.key("bytes_per_token"), json.integer(estimate.bytesPerToken);
    json.key("tokens_per_second_bound"), json.null();
    writeFits(json, report.fits);
    writeColumns(json, report.columns);
    writeRest(json, report);
    json.endObject();
    json.finish();
    fmt::print("\n");
}

void printMemoryTables(const MemoryReport& report) {
    const Estimate& estimate = report.estimate;
    fmt::print("{}, {} parameters, {} tokens of context; class: {}", estimate.name, humanCount(estimate.parameters),
               estimate.contextUsed, trustName(estimate.trust));
    if (estimate.errorPercent) fmt::print(", error {:.1f} %", *estimate.errorPercent);
    fmt::print("\n\n");
    printParts(estimate);
    fmt::print("\nRule of thumb: {}\n", report.rule.text.text());
    for (const Phrase& why : report.rule.why) fmt::print("  {}\n", why.text());
    printFits(report.fits);
    if (!report.columns.empty()) printColumns(report.columns);
    for (const Phrase& gap : estimate.notModelled) fmt::print("\nNot counted: {}", gap.text());
    for (const Problem& problem : estimate.problems) fmt::print("\n{}: {}", severityName(problem.severity), problem.message());
    if (!estimate.notModelled.empty() || !estimate.problems.empty()) fmt::print("\n");
}

} // namespace wb::cli
