// SPDX-License-Identifier: MIT
#include "core/chat/load_plan.h"

#include "core/base/text.h"
#include "core/infer/graph/run_check.h"

namespace wb::chat {

LoadPlan planLoad(const infer::Graph& graph, const infer::Placement& placement, std::optional<std::uint64_t> freeMemory) {
    LoadPlan plan;
    plan.context = placement.options.context;
    plan.free = freeMemory;
    plan.weights = placement.main.weights;
    plan.cache = placement.main.keys + placement.main.values + placement.main.state;
    plan.compute = placement.main.compute + std::uint64_t{graph.vocabulary} * sizeof(float); // and the logits
    if (placement.gpuLayers > 0)
        plan.device = {placement.deviceName,           placement.gpuLayers,  graph.layers.size(),
                       placement.deviceMemory.total(), placement.deviceFree, placement.options.gpuLayers.has_value()};
    plan.fittingContext = plan.context;
    if (freeMemory)
        plan.fittingContext = infer::fittingContext(graph, placement.options, *freeMemory, placement.layersOutsideMain());
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
