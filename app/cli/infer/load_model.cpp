// SPDX-License-Identifier: MIT
#include "app/cli/infer/load_model.h"

#include "app/cli/progress_line.h"
#include "app/cli/user_folders.h"
#include "core/base/text.h"
#include "core/memory/calibration.h"
#include "core/quant/kernels/simd_choice.h"
#include "gpu/compute/inference.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <limits>
#include <optional>

namespace wb::cli {

Result<void> chooseCache(const std::string& types, infer::EngineOptions& into) {
    if (types.empty()) return {};
    const std::size_t comma = std::min(types.find(','), types.size());
    const auto keys = infer::findCacheType(std::string_view(types).substr(0, comma));
    const auto values = comma < types.size() ? infer::findCacheType(std::string_view(types).substr(comma + 1)) : keys;
    if (!keys || !values)
        return fail(ErrorCode::Invalid, cacheType,
                    WB_TEXT("{} is no type of a cache here; it can be f16, f32 or q8_0, or two of them for keys and values."),
                    types);
    into.keys = *keys;
    into.values = *values;
    return {};
}

Result<std::optional<std::uint64_t>> gpuLayersOf(const std::string& words) {
    if (words.empty()) return std::nullopt;
    if (words == "all") return std::numeric_limits<std::uint64_t>::max();
    std::uint64_t layers = 0;
    const auto [end, error] = std::from_chars(words.data(), words.data() + words.size(), layers);
    if (error == std::errc() && end == words.data() + words.size()) return layers;
    return fail(ErrorCode::Invalid, gpuLayerCount, WB_TEXT("{} is no number of layers; --gpu-layers takes a number or all."),
                words);
}

infer::EngineOptions chosenEngine(const Context& context) {
    infer::EngineOptions options;
    options.threads = context.threads;
    options.scalar = quant::usesScalarForm();
    return options;
}

Result<std::shared_ptr<infer::Backend>> chosenBackend(const Context& context) {
    const gpu::compute::ComputeDevice device(gpu::compute::choiceOfOption(context.device));
    if (const auto required = device.requireNamed(); !required)
        return std::unexpected(named(deviceOption(context), required.error()));
    return gpu::compute::makeInference(device);
}

infer::LoadStore loadStore(bool forgets) {
    const std::filesystem::path state = stateFolder();
    if (forgets || state.empty()) return {};
    return {memory::loadsFile(state), WEIGHBRIDGE_VERSION};
}

Result<PlannedModel> planModel(const Context& context, infer::Graph graph, const infer::EngineOptions& options) {
    WB_TRY_ASSIGN(auto backend, chosenBackend(context));
    PlannedModel planned{chat::ModelLoad(std::move(graph), options, std::move(backend)), {}};
    WB_TRY_ASSIGN(planned.plan, planned.load.plan());
    printPlan(context, planned.plan);
    return planned;
}

Result<std::unique_ptr<infer::Engine>> loadModel(const Context& context, const PlannedModel& planned,
                                                 const infer::LoadStore& store) {
    Result<std::unique_ptr<infer::Engine>> engine;
    {
        ProgressLine line("load", !context.quiet);
        const auto report = [&line](std::uint64_t done, std::uint64_t total) { line.set(done, total); };
        engine = planned.load.load({context.stop, report});
    }
    if (!engine) return engine;
    printRemarks(context, **engine, 0);
    const auto recorded = planned.load.remember(store, **engine);
    if (!recorded) log(context, "load not recorded: " + recorded.error().message());
    return engine;
}

void printPlan(const Context& context, const chat::LoadPlan& plan) {
    if (plan.wantedContext == 0) return;
    printRemark(context,
                makeProblem(Severity::Note, Reason("chat.shorter_context"), "", {},
                            WB_TEXT("The context has {} tokens instead of the usual {}, which do not fit in memory; choose "
                                    "another with --context."),
                            plan.context, plan.wantedContext));
}

void printRemark(const Context& context, const Problem& remark) {
    fmt::print(stderr, "wb: {}\n", escapeControls(toUtf8(remark.message())));
    logProblems(context, {remark});
}

std::size_t printRemarks(const Context& context, const infer::Engine& engine, std::size_t printed) {
    const std::vector<Problem> remarks = engine.remarks();
    for (; printed < remarks.size(); ++printed) printRemark(context, remarks[printed]);
    return remarks.size();
}

} // namespace wb::cli
