// SPDX-License-Identifier: MIT
#include "app/cli/infer/load_model.h"

#include "app/cli/open_model.h"
#include "app/cli/progress_line.h"
#include "app/cli/trust.h"
#include "app/cli/user_folders.h"
#include "core/base/text.h"
#include "core/memory/serving/calibration.h"
#include "core/convert/trust.h"
#include "core/formats/open.h"
#include "core/infer/memory_plan.h"
#include "core/infer/graph/run_check.h"
#include "core/quant/kernels/simd_choice.h"
#include "gpu/compute/inference.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>

namespace wb::cli {

Result<infer::Graph> openGraph(const Context& context, const std::string& path) {
    WB_TRY_ASSIGN(ModelPtr model, openModel(context, path, formats::Strictness::Strict));
    WB_TRY(openLog(context));
    const auto trusted = convert::requireTrust(*model, context.trustsModels);
    if (!trusted && !confirms(context, trusted.error())) return std::unexpected(withOption(trusted.error(), trustOption));
    return infer::planGraph(std::move(model));
}

infer::EngineOptions engineOn(const Context& context, infer::EngineOptions options) {
    options.threads = context.threads;
    options.scalar = quant::usesScalarForm();
    const bool isFast = std::getenv("WEIGHBRIDGE_GPU_KERNELS") != nullptr; // "fast", or wb has refused
    if (isFast && options.kernels == infer::KernelSet::Auto) options.kernels = infer::KernelSet::Fast;
    return options;
}

Result<std::shared_ptr<infer::Backend>> chosenBackend(const Context& context) {
    const gpu::compute::ComputeDevice device(context.device);
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
    PlannedModel planned{chat::ModelLoad(std::move(graph), engineOn(context, options), std::move(backend)), {}};
    WB_TRY_ASSIGN(planned.plan, planned.load.plan());
    printPlan(context, planned.plan);
    for (const Problem& remark : planned.load.placement().remarks) printRemark(context, remark);
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
    printRemarks(context, **engine, planned.load.placement().remarks.size());
    if (const std::string kernels = (*engine)->kernels(); !kernels.empty())
        log(context, fmt::format("model on {}, kernels: {}", (*engine)->device(), kernels));
    const auto recorded = planned.load.remember(store, **engine);
    if (!recorded) log(context, "load not recorded: " + recorded.error().message());
    return engine;
}

namespace {

// Which layers are on the GPU, counted as in the window, and why the others are not.
Problem devicePlanRemark(const chat::DevicePlan& device) {
    const std::string bytes = humanBytes(device.bytes), free = humanBytes(device.free);
    const auto note = [](const char* text, const auto&... arguments) {
        return makeProblem(Severity::Note, Reason("chat.gpu_layers"), "", {}, text, arguments...);
    };
    if (device.holdsAll())
        return note(WB_TEXT("All {} layers are on the GPU {}: {} of {} free."), device.layers, device.name, bytes, free);
    const char* const text = device.isChosen
                                 ? WB_TEXT("The last {} of {} layers are on the GPU {} (as selected): {} of {} free.")
                                 : WB_TEXT("The last {} of {} layers are on the GPU {} (the rest does not fit): {} of {} free.");
    return note(text, device.gpuLayers - 1, device.layers, device.name, bytes, free);
}

} // namespace

void printPlan(const Context& context, const chat::LoadPlan& plan) {
    if (plan.device.gpuLayers > 0) {
        const Problem remark = devicePlanRemark(plan.device);
        if (!context.quiet && ProgressLine::isTerminal()) printRemark(context, remark);
        else logProblems(context, {remark});
    }
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
