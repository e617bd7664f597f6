// SPDX-License-Identifier: MIT
#include "core/chat/load_plan.h"

#include "core/base/text.h"

namespace wb::chat {
namespace {

constexpr std::size_t shortestContext = 256;

std::uint64_t logitBytes(const infer::Graph& graph) { return std::uint64_t{graph.vocabulary} * sizeof(float); }

// 0 if it cannot be planned.
std::uint64_t needWith(const infer::Graph& graph, const infer::Placement& placement, std::size_t context) {
    infer::EngineOptions options = placement.options;
    options.context = context;
    const auto memory = infer::planMainMemory(graph, options, placement.gpuLayers);
    return memory ? memory->total() + logitBytes(graph) : 0;
}

std::size_t fittingContext(const infer::Graph& graph, const infer::Placement& placement, std::uint64_t freeMemory) {
    std::size_t context = placement.options.context;
    while (context > 0 && needWith(graph, placement, context) > freeMemory)
        context = context / 2 >= shortestContext ? context / 2 : 0;
    return context;
}

} // namespace

LoadPlan planLoad(const infer::Graph& graph, const infer::Placement& placement, std::optional<std::uint64_t> freeMemory) {
    LoadPlan plan;
    plan.context = placement.options.context;
    plan.free = freeMemory;
    plan.weights = placement.main.weights;
    plan.cache = placement.main.keys + placement.main.values + placement.main.state;
    plan.compute = placement.main.compute + logitBytes(graph);
    if (placement.gpuLayers > 0)
        plan.device = {placement.deviceName,           placement.gpuLayers,  graph.layers.size(),
                       placement.deviceMemory.total(), placement.deviceFree, placement.options.gpuLayers.has_value()};
    plan.fittingContext = freeMemory ? fittingContext(graph, placement, *freeMemory) : plan.context;
    return plan;
}

Result<void> checkFits(const LoadPlan& plan, const std::string& name) {
    if (plan.fits()) return {};
    if (plan.fittingContext > 0)
        return fail(ErrorCode::TooLarge, Reason("chat.context_memory"), About{name},
                    WB_TEXT("{} needs {} with a context of {} tokens, but {} of memory is free; a context of {} tokens fits."),
                    name, humanBytes(plan.need()), plan.context, humanBytes(*plan.free), plan.fittingContext);
    return fail(ErrorCode::TooLarge, Reason("chat.memory"), About{name},
                WB_TEXT("{} needs {}, but {} of memory is free; close other programs or use a smaller quantization."), name,
                humanBytes(plan.need()), humanBytes(*plan.free));
}

} // namespace wb::chat
