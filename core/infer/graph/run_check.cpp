// SPDX-License-Identifier: MIT
#include "core/infer/graph/run_check.h"

#include "core/formats/open.h"
#include "core/infer/backend.h"

#include <algorithm>

namespace wb::infer {
namespace {

constexpr std::size_t shortestContext = 256;

// The memory that the CPU needs at a context, the logits of a token included; empty where nothing can be planned.
std::optional<std::uint64_t> needAt(const Graph& graph, EngineOptions options, std::size_t context, std::uint64_t gpuLayers) {
    options.context = context;
    const auto memory = planMainMemory(graph, options, gpuLayers);
    if (!memory) return std::nullopt;
    return memory->total() + std::uint64_t{graph.vocabulary} * sizeof(float);
}

std::optional<memory::Badge> fitBadgeIfKnown(const ModelPtr& model, std::span<const memory::Memory> memories) {
    const auto subject = memory::memorySubject(model);
    if (!subject) return std::nullopt;
    auto badge = memory::fitBadge(*subject, memories);
    return badge ? std::optional(*badge) : std::nullopt;
}

// RAM by the plan of the engine, a GPU by the estimate.
bool fitsMemory(const Graph& graph, const std::optional<memory::Badge>& fit, std::span<const memory::Memory> memories) {
    if (fit && fit->verdict != memory::Verdict::No) return true;
    if (memories.empty()) return false;
    EngineOptions options;
    options.context = std::min<std::size_t>(memory::Settings().context, graph.context);
    return fittingContext(graph, options, memories.front().available(), 0) > 0;
}

RunCheck checkGraph(const Result<Graph>& graph, const ModelPtr& model, std::span<const memory::Memory> memories) {
    RunCheck check;
    if (model) check.fit = fitBadgeIfKnown(model, memories);
    if (!graph) {
        check.refusal = graph.error();
        return check;
    }
    EngineOptions shortest;
    shortest.context = std::min<std::size_t>(shortestContext, graph->context);
    const auto planned = planMainMemory(*graph, shortest, 0);
    if (!planned) check.refusal = planned.error();
    else check.fitsMemory = fitsMemory(*graph, check.fit, memories);
    return check;
}

} // namespace

Result<Graph> openToRun(const std::filesystem::path& path, formats::OpenOptions options) {
    options.strictness = formats::Strictness::Strict;
    WB_TRY_ASSIGN(ModelPtr model, formats::open(path, options));
    return planGraph(std::move(model));
}

std::size_t fittingContext(const Graph& graph, EngineOptions options, std::uint64_t freeMemory, std::uint64_t gpuLayers) {
    std::size_t context = options.context > 0 ? options.context : graph.context;
    while (context > 0) {
        const auto need = needAt(graph, options, context, gpuLayers);
        if (!need) return 0;
        if (*need <= freeMemory) return context;
        context = context / 2 >= shortestContext ? context / 2 : 0;
    }
    return 0;
}

// A damaged file is opened again for its memory, as far as its header goes.
Result<RunCheck> checkRun(const std::filesystem::path& path, std::span<const memory::Memory> memories,
                          const std::stop_token& stop) {
    formats::OpenOptions options;
    options.threads = 1;
    options.progress.stop = stop;
    const Result<Graph> graph = openToRun(path, options);
    if (stop.stop_requested()) return std::unexpected(canceled());
    if (graph) return checkGraph(graph, graph->model, memories);
    const auto shown = formats::open(path, options);
    if (stop.stop_requested()) return std::unexpected(canceled());
    return checkGraph(graph, shown ? *shown : nullptr, memories);
}

RunCheck checkRunnable(const ModelPtr& model, std::span<const memory::Memory> memories) {
    return checkGraph(planGraph(model), model, memories);
}

} // namespace wb::infer
