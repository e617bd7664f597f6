// SPDX-License-Identifier: MIT
#include "core/chat/load_plan.h"

#include "core/base/text.h"

#include <algorithm>

namespace wb::chat {
namespace {

constexpr std::size_t shortestContext = 256;

std::uint64_t logitBytes(const infer::Graph& graph) { return std::uint64_t{graph.vocabulary} * sizeof(float); }

// No need where nothing can be planned.
std::uint64_t needAt(const infer::Graph& graph, infer::EngineOptions options, std::size_t context, std::uint64_t gpuLayers) {
    options.context = context;
    const auto memory = infer::planMainMemory(graph, options, gpuLayers);
    return memory ? memory->total() + logitBytes(graph) : 0;
}

} // namespace

LoadPlan planLoad(const infer::Graph& graph, const infer::Placement& placement, std::optional<std::uint64_t> freeMemory) {
    LoadPlan plan;
    plan.main = placement.main;
    plan.context = placement.options.context;
    plan.free = freeMemory;
    plan.weights = plan.main.weights;
    plan.cache = plan.main.keys + plan.main.values + plan.main.state;
    plan.compute = plan.main.compute + logitBytes(graph);
    if (placement.gpuLayers > 0)
        plan.device = {placement.deviceName, placement.gpuLayers, graph.layers.size(), placement.deviceMemory.total(),
                       placement.deviceFree};
    plan.fittingContext = plan.context;
    while (freeMemory && plan.fittingContext > 0 &&
           needAt(graph, placement.options, plan.fittingContext, placement.gpuLayers) > *freeMemory)
        plan.fittingContext = plan.fittingContext / 2 >= shortestContext ? plan.fittingContext / 2 : 0;
    return plan;
}

Result<void> checkFits(const LoadPlan& plan, const std::string& name) {
    if (plan.fits()) return {};
    if (plan.fittingContext > 0)
        return fail(ErrorCode::TooLarge, Reason("chat.context_memory"), About{name},
                    WB_TEXT("{} needs {} with a context of {} tokens, and {} of memory are free; a context of {} tokens fits."),
                    name, humanBytes(plan.need()), plan.context, humanBytes(*plan.free), plan.fittingContext);
    return fail(ErrorCode::TooLarge, Reason("chat.memory"), About{name},
                WB_TEXT("{} needs {}, and {} of memory are free; close other programs or take a smaller type of it."), name,
                humanBytes(plan.need()), humanBytes(*plan.free));
}

} // namespace wb::chat
