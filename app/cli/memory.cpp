// SPDX-License-Identifier: MIT
#include "app/cli/memory.h"

#include "core/base/size.h"
#include "core/formats/json/json.h"
#include "core/formats/open.h"
#include "core/io/main_memory.h"
#include "gpu/device/device_info.h"

#include <algorithm>
#include <charconv>

namespace wb::cli {
namespace {

using namespace wb::memory;

// What is wrong with the command line; empty where nothing is.
struct Request {
    Settings settings;
    const WeightType* type = nullptr;
    std::vector<Memory> cards;
};

Error wrong(const char* option, const std::string& value, const char* choices) {
    return makeError(ErrorCode::Invalid, Reason("cli.memory_option"), "{} cannot be {}; choose {}.", option, value, choices);
}

Result<void> readCacheTypes(const std::string& text, Settings& settings) {
    if (text.empty()) return {};
    const std::size_t comma = text.find(',');
    const auto keys = cacheTypeFromName(text.substr(0, comma));
    const auto values = comma == std::string::npos ? keys : cacheTypeFromName(text.substr(comma + 1));
    if (!keys || !values)
        return std::unexpected(wrong("--kv", text, "f32, f16, bf16, q8_0, q5_1, q5_0, q4_1, q4_0 or iq4_nl, or two of them"));
    settings.keyType = *keys;
    settings.valueType = *values;
    return {};
}

Result<void> readGpuLayers(const std::string& text, Settings& settings) {
    if (text.empty()) return {};
    if (text == "all") {
        settings.gpuLayers = allLayers;
        return {};
    }
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), settings.gpuLayers);
    if (error != std::errc() || end != text.data() + text.size())
        return std::unexpected(wrong("--gpu-layers", text, "a number or all"));
    return {};
}

Result<void> readCards(const MemoryOptions& options, std::vector<Memory>& cards) {
    for (const std::string& name : options.cards) {
        const auto found = cardsNamed(name);
        if (found.empty()) return std::unexpected(wrong("--gpu", name, "a card such as \"RTX 4090\", or its --gpu-memory"));
        for (const Card* card : found) cards.push_back(memoryOf(*card));
    }
    for (const std::string& text : options.cardMemories) {
        const auto bytes = parseSize(text);
        if (!bytes) return std::unexpected(wrong("--gpu-memory", text, "a size such as 24GB or 16GiB"));
        cards.push_back({.name = text, .bytes = *bytes, .margin = usualMargin});
    }
    return {};
}

Result<Request> requestOf(const MemoryOptions& options) {
    Request request;
    request.settings = options.settings;
    request.settings.flash = !options.noFlash;
    WB_TRY(readCacheTypes(options.cacheTypes, request.settings));
    WB_TRY(readGpuLayers(options.gpuLayers, request.settings));
    WB_TRY(readCards(options, request.cards));
    if (options.type.empty()) return request;
    request.type = weightTypeFromName(options.type);
    if (!request.type)
        return std::unexpected(
            wrong("--type", options.type, "FP32, FP16, BF16, INT8, INT4 or a type that wb quantize --help lists"));
    return request;
}

// A config.json alone is no model that can be opened.
Result<Subject> subjectOfConfigFile(const std::filesystem::path& path, const formats::OpenOptions& options) {
    const std::string name = io::baseName(path);
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(path));
    std::vector<Problem> problems;
    WB_TRY_ASSIGN(const Value config, json::readFile(*source, name, options.limits, problems));
    if (!config.object())
        return fail(ErrorCode::Malformed, Reason("cli.not_a_config"), About{name},
                    WB_TEXT("{} is no JSON object; choose the config.json of a model."), name);
    return subjectOfConfig(*config.object(), name);
}

Result<Subject> subjectOfWhat(const Context& context, const std::string& what) {
    const std::filesystem::path path(what);
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) return subjectOfSize(what);
    if (!std::filesystem::is_directory(path, ignored) && path.extension() == ".json" &&
        !io::baseName(path).ends_with(".index.json"))
        return subjectOfConfigFile(path, context.openOptions());
    WB_TRY_ASSIGN(const ModelPtr model, formats::open(path, context.openOptions()));
    return subjectOf(model);
}

// Main memory, and every real graphics device.
std::vector<Memory> memoriesHere() {
    const io::MainMemory main = io::mainMemory();
    std::vector<Memory> memories = {
        {.name = "main memory", .side = Side::Processor, .bytes = main.bytes, .free = main.free, .margin = usualMargin}};
    const auto devices = gpu::devices();
    if (!devices) return memories;
    for (const gpu::DeviceInfo& device : *devices)
        if (!device.software() && device.memory > 0)
            memories.push_back({.name = device.name, .bytes = device.memory, .margin = displayMargin});
    return memories;
}

MemoryColumn columnOf(const Subject& subject, const WeightType& type, const Weights& weights, const Settings& settings,
                      const std::vector<Memory>& memories) {
    MemoryColumn column{type.name, weights.bitsPerWeight(), weights.total(), planOf(subject.spec, weights, settings).total(), {}};
    if (!memories.empty()) column.verdict = fitOf(subject, weights, settings, memories.front()).verdict;
    return column;
}

Result<MemoryReport> reportOf(const Context& context, const MemoryOptions& options, Request request) {
    WB_TRY_ASSIGN(const Subject subject, subjectOfWhat(context, options.what));
    request.settings.context = options.context.value_or(defaultContext(subject.spec));
    WB_TRY_ASSIGN(const Weights weights, subject.weights(request.type));
    MemoryReport report;
    WB_TRY_ASSIGN(report.estimate, estimate(subject, weights, request.settings));
    report.rule = ruleOfThumb(subject, weights, request.type, report.estimate);
    const std::vector<Memory> memories = request.cards.empty() ? memoriesHere() : request.cards;
    for (const Memory& memory : memories) report.fits.push_back(fitOf(subject, weights, request.settings, memory));
    if (!options.columns) return report;
    for (const WeightType& type : weightTypes())
        if (const auto other = subject.weights(&type))
            report.columns.push_back(columnOf(subject, type, *other, request.settings, memories));
    if (report.columns.empty()) WB_TRY(subject.weights(&weightTypes().front())); // says why there are none
    return report;
}

} // namespace

int memoryNeed(const Context& context, const MemoryOptions& options) {
    auto request = requestOf(options);
    if (!request) return refuseUsage(request.error().message());
    if (const auto log = context.log->open(); !log) return refuse(context, log.error(), context.log->path);
    const auto report = reportOf(context, options, std::move(*request));
    if (!report) return refuse(context, report.error(), options.what);
    logProblems(context, report->estimate.problems);
    if (context.json) printMemoryJson(*report);
    else printMemoryTables(*report);
    return done;
}

} // namespace wb::cli
