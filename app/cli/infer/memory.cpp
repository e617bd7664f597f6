// SPDX-License-Identifier: MIT
#include "app/cli/infer/memory.h"

#include "app/cli/open_model.h"
#include "app/cli/output_file.h"
#include "app/cli/hub/remote_model.h"
#include "app/cli/user_folders.h"
#include "core/base/size.h"
#include "core/hub/repository.h"
#include "core/infer/memory_plan.h"
#include "core/io/system/main_memory.h"
#include "core/memory/amounts.h"
#include "core/memory/exports.h"
#include "core/memory/open_subject.h"
#include "gpu/device/device_info.h"

#include <algorithm>
#include <charconv>

namespace wb::cli {
namespace {

using namespace wb::memory;

struct Export {
    ExportTarget target = ExportTarget::Vllm;
    std::string file;
};

// The options with their meaning.
struct Request {
    Settings settings;
    const WeightType* type = nullptr;
    std::vector<Memory> cards;
    std::optional<std::uint64_t> reserve;
    std::optional<TrainingSettings> training;
    std::optional<Export> exported;
};

Error wrongMemoryOption(const char* option, const std::string& value, const char* choices) {
    return makeError(ErrorCode::Invalid, Reason("cli.memory_option"), "{} cannot be {}; choose {}.", option, value, choices);
}

Result<void> readCacheTypes(const std::string& text, Settings& settings) {
    if (text.empty()) return {};
    const std::size_t comma = text.find(',');
    const auto keys = memory::cacheTypeFromName(text.substr(0, comma));
    const auto values = comma == std::string::npos ? keys : memory::cacheTypeFromName(text.substr(comma + 1));
    if (!keys || !values)
        return std::unexpected(
            wrongMemoryOption("--kv", text, "f32, f16, bf16, q8_0, q5_1, q5_0, q4_1, q4_0 or iq4_nl, or two of them"));
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
        return std::unexpected(wrongMemoryOption("--gpu-layers", text, "a number or all"));
    return {};
}

// Several cards hold a model together where layers are put on GPUs.
bool isTogether(const MemoryOptions& options) { return options.cards.size() + options.cardMemories.size() > 1; }

Result<void> readCards(const MemoryOptions& options, std::vector<Memory>& cards) {
    for (const std::string& name : options.cards) {
        const auto found = cardsNamed(name);
        if (found.empty())
            return std::unexpected(wrongMemoryOption("--gpu", name, "a card such as \"RTX 4090\", or its --gpu-memory"));
        if (found.size() > 1 && isTogether(options) && !options.gpuLayers.empty())
            return std::unexpected(
                wrongMemoryOption("--gpu", name, ("one of its sizes, such as \"" + found.front()->title() + "\"").c_str()));
        for (const Card* card : found) cards.push_back(cardMemory(*card));
    }
    for (const std::string& text : options.cardMemories) {
        const auto bytes = parseSize(text);
        if (!bytes) return std::unexpected(wrongMemoryOption("--gpu-memory", text, "a size such as 24GB or 16GiB"));
        cards.push_back({.name = text, .bytes = *bytes, .margin = usualMargin});
    }
    return {};
}

Result<void> readRuntime(const MemoryOptions& options, Settings& settings) {
    if (!options.runtime.empty()) {
        const auto runtime = runtimeFromName(options.runtime);
        if (!runtime)
            return std::unexpected(wrongMemoryOption("--runtime", options.runtime, "weighbridge, llama.cpp, vllm or transformers"));
        settings.runtime = *runtime;
    }
    if (!options.backend.empty()) {
        settings.backend = backendFromName(options.backend);
        if (!settings.backend)
            return std::unexpected(wrongMemoryOption("--backend", options.backend, "cpu, vulkan, cuda or metal"));
    }
    if (!options.build.empty()) {
        const auto build = buildFromText(options.build);
        if (!build) return std::unexpected(wrongMemoryOption("--build", options.build, "a month such as 2026-05"));
        settings.build = *build;
    }
    // A backend of GPUs, and the programs that know no other place, have all layers there.
    const bool isGpuBackend = settings.backend && *settings.backend != Backend::Cpu;
    const bool isServer = settings.runtime == Runtime::Vllm || settings.runtime == Runtime::Transformers;
    if (options.gpuLayers.empty() && (isGpuBackend || (isServer && !settings.backend))) settings.gpuLayers = allLayers;
    return {};
}

Result<void> readSplit(const MemoryOptions& options, std::span<const Memory> cards, Settings& settings) {
    const bool isWanted = isTogether(options) && settings.usesGpu();
    if (!isWanted) {
        if (options.split.empty()) return {};
        return std::unexpected(wrongMemoryOption("--split", options.split, "it with several --gpu and --gpu-layers"));
    }
    settings.split.assign(cards.size(), 0); // by their memory, once the layers are known
    std::string_view text = options.split;
    for (std::size_t i = 0; !text.empty(); ++i) {
        const std::size_t comma = text.find(',');
        const std::string_view digits = text.substr(0, comma);
        text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
        std::uint64_t layers = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), layers);
        if (error != std::errc() || end != digits.data() + digits.size() || i >= cards.size())
            return std::unexpected(
                wrongMemoryOption("--split", options.split, "as many numbers as there are cards, such as 20,13"));
        settings.split[i] = layers;
    }
    return {};
}

Result<void> readReserve(const MemoryOptions& options, Request& request) {
    if (options.reserve.empty()) return {};
    request.reserve = options.reserve == "0" ? 0 : parseSize(options.reserve);
    if (!request.reserve) return std::unexpected(wrongMemoryOption("--reserve", options.reserve, "a size such as 1GiB, or 0"));
    for (Memory& card : request.cards) card.margin = *request.reserve;
    return {};
}

Result<void> readExport(const MemoryOptions& options, Request& request) {
    if (options.exported.empty()) return {};
    const auto target = exportTargetFromName(options.exported[0]);
    if (!target)
        return std::unexpected(
            wrongMemoryOption("--export", options.exported[0], "vllm, llama-server, ollama, llama-factory or axolotl"));
    request.exported = Export{*target, options.exported[1]};
    return {};
}

Result<Request> memoryRequest(const MemoryOptions& options) {
    if (options.what.empty() == options.shape.empty())
        return fail(ErrorCode::Invalid, Reason("cli.memory_option"), "Specify a model: a path, a size such as 7B, or --shape.");
    Request request;
    request.settings = options.settings;
    request.settings.batch = options.batch.value_or(request.settings.batch);
    request.settings.flash = !options.noFlash;
    WB_TRY(readExport(options, request));
    if (!options.method.empty()) {
        WB_TRY_ASSIGN(request.training, toTrainingSettings(options));
    }
    WB_TRY(readCacheTypes(options.cacheTypes, request.settings));
    WB_TRY(readGpuLayers(options.gpuLayers, request.settings));
    WB_TRY(readCards(options, request.cards));
    WB_TRY(readRuntime(options, request.settings));
    WB_TRY(readSplit(options, request.cards, request.settings));
    WB_TRY(readReserve(options, request));
    if (options.type.empty()) return request;
    request.type = weightTypeFromName(options.type);
    if (!request.type)
        return std::unexpected(
            wrongMemoryOption("--type", options.type, "FP32, FP16, BF16, INT8, INT4 or a type that wb quantize --help lists"));
    return request;
}

Result<Subject> subjectOfText(const Context& context, const std::string& what) {
    const std::filesystem::path path(what);
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
        if (!hub::isRemoteId(what)) return subjectOfSize(what);
        WB_TRY_ASSIGN(const ModelPtr model, openRemote(context, what));
        return memorySubject(model);
    }
    return openSubject(path, context.openOptions());
}

Result<Subject> subjectOfWhat(const Context& context, const MemoryOptions& options) {
    if (options.shape.empty()) return subjectOfText(context, options.what);
    WB_TRY_ASSIGN(const memory::Shape shape, shapeFromText(options.shape));
    return subjectOfShape(shape, Trust::Config);
}

Result<ModelPtr> openFileOrRemote(const Context& context, const std::string& what) {
    std::error_code ignored;
    if (!std::filesystem::exists(what, ignored) && hub::isRemoteId(what)) return openRemote(context, what);
    return openModel(context, what, formats::Strictness::Lenient);
}

// Bytes of a file's tensors, for any use; of a hub by its header.
Result<std::uint64_t> bytesOfFile(const Context& context, const std::string& what) {
    WB_TRY_ASSIGN(const ModelPtr model, openFileOrRemote(context, what));
    return storedWeights(*model, {}).total();
}

Result<void> addCompanions(const Context& context, const MemoryOptions& options, Settings& settings) {
    if (!options.projector.empty()) {
        WB_TRY_ASSIGN(settings.projectorBytes, bytesOfFile(context, options.projector));
    }
    if (!options.lora.empty()) {
        WB_TRY_ASSIGN(settings.loraBytes, bytesOfFile(context, options.lora));
    }
    if (options.draft.empty()) return {};
    if (options.draft == ownDraft) {
        settings.predictsAhead = true;
        return {};
    }
    WB_TRY_ASSIGN(const Subject draft, subjectOfText(context, options.draft));
    Settings same = settings;
    same.gpuLayers = settings.usesGpu() ? allLayers : 0;
    same.projectorBytes = same.loraBytes = same.cpuExperts = 0;
    settings.draftBytes = planMemoryUse(draft.spec, draft.stored, same).total();
    return {};
}

MemoryColumn subjectColumn(const Subject& subject, const WeightType& type, const Weights& weights, const Settings& settings,
                           std::span<const Memory> memories) {
    MemoryColumn column{
        type.name, weights.bitsPerWeight(),      weights.total(), planMemoryUse(subject.spec, weights, settings).total(),
        {},        typeDivergence(type, subject)};
    if (!memories.empty()) column.verdict = fitNow(subject, weights, settings, memories.front()).verdict;
    return column;
}

std::vector<Memory> requestMemories(const Request& request) {
    if (!request.cards.empty()) return request.cards;
    std::vector<Memory> memories = memoriesHere();
    if (request.reserve)
        for (Memory& memory : memories) memory.margin = *request.reserve;
    return memories;
}

Result<MemoryReport> trainingReport(const Subject& subject, const Request& request) {
    MemoryReport report;
    WB_TRY_ASSIGN(report.training, estimateTraining(subject, *request.training));
    report.choices = cardsFor(subject, *request.training);
    report.rule = trainingRule(*report.training);
    report.advice = adviceFor(subject, *report.training);
    for (const Memory& memory : requestMemories(request))
        if (memory.side == Side::Gpu || report.training->host() > 0)
            report.fits.push_back(checkFit(subject, *report.training, memory));
    return report;
}

std::optional<std::uint64_t> speedBound(const Subject& subject, const Weights& weights, const std::vector<Memory>& memories) {
    const std::uint64_t bytes = bytesReadPerToken(subject.spec, weights);
    if (memories.empty() || memories.front().bandwidth == 0 || bytes == 0) return {};
    return memories.front().bandwidth * 1'000'000'000 / bytes;
}

// The settings once the model and the devices are known.
Result<Settings> subjectSettings(const Context& context, const Subject& subject, const MemoryOptions& options,
                                 const Request& request, std::span<const Memory> memories) {
    Settings settings = request.settings;
    settings.context = options.context.value_or(defaultContext(subject.spec));
    WB_TRY(addCompanions(context, options, settings));
    if (settings.split.size() > 1 && options.split.empty())
        settings.split = usualSplit(std::min<std::uint64_t>(settings.gpuLayers, subject.spec.trunkLayers() + 1), memories);
    for (const Memory& memory : memories)
        if (memory.side == Side::Gpu && settings.deviceMemory == 0) settings.deviceMemory = memory.bytes;
    return settings;
}

// The calibration of this device by earlier loads; a file that cannot be read is a remark.
void addCorrection(Settings& settings, std::span<const Memory> memories, std::vector<Problem>& problems) {
    const auto loads = readLoads(loadsFile(stateFolder()));
    if (!loads) return problems.push_back(asProblem(Severity::Warning, Reason("memory.measured"), "", loads.error()));
    if (!settings.usesGpu()) settings.correction = loadCorrection(*loads, settings, "cpu");
    for (const Memory& memory : memories)
        if (settings.usesGpu() && memory.side == Side::Gpu && !settings.correction)
            settings.correction = loadCorrection(*loads, settings, memory.name);
}

// Weighbridge's own plan, and what of this machine contains it.
Result<MemoryReport> ownReport(const Context& context, const Subject& subject, const Request& request, const Settings& settings) {
    if (request.type)
        return fail(ErrorCode::Invalid, Reason("cli.memory_own_type"), About{"type"},
                    WB_TEXT("Weighbridge's own plan uses the file as stored; remove --type."));
    MemoryReport report;
    WB_TRY_ASSIGN(report.estimate, infer::planMemory(subject, settings, context.threads));
    WB_TRY_ASSIGN(const Weights weights, subject.weights(nullptr));
    report.rule = ruleOfThumb(subject, weights, nullptr, report.estimate);
    for (const Memory& memory : requestMemories(request)) {
        if (memory.side != Side::Processor) continue;
        const std::uint64_t need = report.estimate.total();
        report.fits.push_back({memory, need, judge(need, asBytes(0.03 * static_cast<double>(need)), memory), {}});
    }
    return report;
}

// One entry for each card of those that contain the model together, or for each memory alone.
std::vector<Fit> subjectFits(const Subject& subject, const Weights& weights, const Settings& settings,
                             std::span<const Memory> memories) {
    if (settings.split.size() > 1) return planPlacement(subject, weights, settings, memories, nullptr).devices;
    std::vector<Fit> fits;
    for (const Memory& memory : memories) fits.push_back(checkFit(subject, weights, settings, memory));
    return fits;
}

// Where the layers would lie best, and which cards and types would do.
void addChoices(MemoryReport& report, const Subject& subject, const Weights& weights, const MemoryOptions& options,
                const Settings& settings, std::span<const Memory> memories) {
    std::vector<Memory> gpus;
    for (const Memory& memory : memories)
        if (memory.side == Side::Gpu) gpus.push_back(memory);
    const bool areAlternatives = gpus.size() > 1 && !isTogether(options) && !options.cards.empty();
    const Memory* const main = memories.empty() || memories.front().side != Side::Processor ? nullptr : &memories.front();
    if (!gpus.empty() && !areAlternatives) report.placement = bestPlacement(subject, weights, settings, gpus, main);
    report.choices = cardsFor(subject, weights, settings);
}

void addColumns(MemoryReport& report, const Subject& subject, const Settings& settings, std::span<const Memory> memories) {
    std::vector<TypedWeights> types;
    for (const WeightType& type : weightTypes())
        if (auto other = subject.weights(&type)) types.push_back({&type, std::move(*other)});
    for (const TypedWeights& typed : types)
        report.columns.push_back(subjectColumn(subject, *typed.type, typed.weights, settings, memories));
    if (!memories.empty()) report.bestType = typeFor(subject, types, settings, memories.front());
}

Result<MemoryReport> inferenceReport(const Context& context, const Subject& subject, const MemoryOptions& options,
                                     const Request& request) {
    const std::vector<Memory> memories = requestMemories(request);
    WB_TRY_ASSIGN(Settings settings, subjectSettings(context, subject, options, request, memories));
    std::optional<RuntimeLog> log;
    if (!options.measured.empty()) {
        WB_TRY_ASSIGN(log, readLog(options.measured));
        settings = log->applyTo(settings);
    }
    std::vector<Problem> problems;
    if (!log) addCorrection(settings, memories, problems);
    if (settings.runtime == Runtime::Weighbridge) {
        auto report = ownReport(context, subject, request, settings);
        if (report) report->estimate.problems.insert(report->estimate.problems.end(), problems.begin(), problems.end());
        return report;
    }
    WB_TRY_ASSIGN(const Weights weights, subject.weights(request.type));
    MemoryReport report;
    WB_TRY_ASSIGN(report.estimate, estimate(subject, weights, settings));
    report.estimate.problems.insert(report.estimate.problems.end(), problems.begin(), problems.end());
    if (log) {
        WB_TRY_ASSIGN(report.measured, measuredReport(*log, report.estimate, subject.spec.architecture));
    }
    report.rule = ruleOfThumb(subject, weights, request.type, report.estimate);
    report.advice = adviceFor(subject, request.type, settings);
    report.tokensPerSecond = speedBound(subject, weights, memories);
    if (subject.hasWeights()) {
        report.fits = subjectFits(subject, weights, settings, memories);
        addChoices(report, subject, weights, options, settings, memories);
    }
    if (!options.columns) return report;
    addColumns(report, subject, settings, memories);
    if (report.columns.empty()) WB_TRY(subject.weights(&weightTypes().front())); // says why none exist
    return report;
}

ExportedModel subjectExportedModel(const Subject& subject, const MemoryOptions& options) {
    std::error_code ignored;
    const std::filesystem::path path(options.what);
    ExportedModel model;
    model.predictsAhead = subject.spec.predictionLayers > 0;
    if (options.what.empty()) return model;
    if (std::filesystem::exists(path, ignored)) {
        model.id = std::filesystem::absolute(path, ignored).lexically_normal().string();
        model.isGguf = subject.model->format == FormatId::Gguf;
    } else if (const auto id = hub::parseRemoteId(options.what)) {
        model.id = id->repository.name;
        model.isModelScope = id->repository.hub == hub::Hub::ModelScope;
        model.isGguf = subject.model->format == FormatId::Gguf;
    }
    return model;
}

// Further files go into the folder of the file that was asked for.
Result<void> writeExport(const Context& context, const Subject& subject, const MemoryOptions& options, const Request& request,
                         const MemoryReport& report) {
    const ExportedModel model = subjectExportedModel(subject, options);
    const Export& wanted = *request.exported;
    WB_TRY_ASSIGN(const auto files, report.training
                                        ? exportTraining(wanted.target, model, *report.training)
                                        : exportInference(wanted.target, model, report.estimate, options.training.gpus));
    const auto pathOf = [&](const ExportedFile& file) {
        const std::filesystem::path path(wanted.file);
        return file.name.empty() ? path : path.parent_path() / file.name;
    };
    const bool isShown = wanted.file == stdoutWord;
    for (const ExportedFile& file : files)
        if (!isShown && !file.name.empty()) WB_TRY(context.files->alsoWrite(pathOf(file)));
    for (const ExportedFile& file : files) {
        if (isShown && !file.name.empty()) fmt::print("\n# {}\n", file.name);
        WB_TRY(writeOutput(isShown ? wanted.file : pathOf(file).string(), file.text));
    }
    return {};
}

Result<MemoryReport> contextReport(const Context& context, const MemoryOptions& options, const Request& request) {
    WB_TRY_ASSIGN(const Subject subject, subjectOfWhat(context, options));
    if (subject.model) WB_TRY(context.files->alsoRead(*subject.model));
    WB_TRY(openLog(context));
    WB_TRY_ASSIGN(MemoryReport report,
                  request.training ? trainingReport(subject, request) : inferenceReport(context, subject, options, request));
    if (request.exported) WB_TRY(writeExport(context, subject, options, request, report));
    return report;
}

} // namespace

std::vector<Memory> memoriesHere() {
    const io::MainMemory main = io::mainMemory();
    std::vector<Memory> memories = {
        {.name = "RAM", .side = Side::Processor, .bytes = main.bytes, .free = main.free, .margin = usualMargin}};
    const auto devices = gpu::devices();
    if (!devices) return memories;
    for (const gpu::DeviceInfo& device : *devices)
        if (!device.software() && device.memory > 0)
            memories.push_back({.name = device.name, .bytes = device.memory, .free = device.free, .margin = displayMargin});
    return memories;
}

// Options that are about the measured loads alone.
std::optional<int> doneWithLoads(const Context& context, const MemoryOptions& options) {
    if (!options.clearMeasured && options.measuredCsv.empty()) return {};
    const auto file = loadsFile(stateFolder());
    if (!options.measuredCsv.empty()) {
        const auto loads = readLoads(file);
        if (!loads) return refuse(context, loads.error(), file.string());
        if (const auto written = writeOutput(options.measuredCsv, loadsCsv(*loads)); !written)
            return refuse(context, written.error(), options.measuredCsv);
    }
    if (options.clearMeasured)
        if (const auto cleared = clearLoads(file); !cleared) return refuse(context, cleared.error(), file.string());
    return done;
}

int memoryNeed(const Context& context, const MemoryOptions& options) {
    if (const auto status = doneWithLoads(context, options)) return *status;
    auto request = memoryRequest(options);
    if (!request) return refuseUsage(request.error().message());
    const auto report = contextReport(context, options, *request);
    if (!report) return refuse(context, report.error(), options.what);
    logProblems(context, report->problems());
    if (context.json) printMemoryJson(*report);
    else if (!context.files->usesStdout()) printMemoryTables(*report);
    return done;
}

} // namespace wb::cli
