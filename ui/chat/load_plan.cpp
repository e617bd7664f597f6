// SPDX-License-Identifier: MIT
#include "ui/chat/load_plan.h"

#include "core/base/text.h"
#include "core/memory/estimate.h"

#include <algorithm>

namespace wb::ui::chat {
namespace {

constexpr std::size_t shortestContext = 256;

std::uint64_t needAt(const memory::Subject& subject, const memory::Weights& weights, memory::Settings settings,
                     std::size_t context) {
    settings.context = context;
    return memory::planOf(subject.spec, weights, settings).processor.total();
}

} // namespace

Result<LoadPlan> planLoad(const ModelPtr& model, std::size_t context, std::optional<std::uint64_t> freeMemory,
                          const infer::Placement& placement) {
    WB_TRY_ASSIGN(const memory::Subject subject, memory::subjectOf(model));
    WB_TRY_ASSIGN(const memory::Weights weights, subject.weights(nullptr));
    memory::Settings settings;
    settings.context = context;
    settings.gpuLayers = placement.gpuLayers;
    const memory::Plan estimated = memory::planOf(subject.spec, weights, settings);
    LoadPlan plan;
    plan.context = context;
    plan.free = freeMemory;
    const memory::DeviceBytes& parts = estimated.processor;
    plan.weights = parts[memory::PartKind::Weights];
    plan.cache = parts[memory::PartKind::Keys] + parts[memory::PartKind::Values] + parts[memory::PartKind::State];
    plan.compute = parts[memory::PartKind::Compute] + parts[memory::PartKind::Output];
    if (placement.gpuLayers > 0)
        plan.device = {placement.deviceName, placement.gpuLayers, subject.spec.trunkLayers(), estimated.gpu.total(),
                       placement.deviceFree};
    plan.fittingContext = context;
    while (freeMemory && plan.fittingContext > 0 && needAt(subject, weights, settings, plan.fittingContext) > *freeMemory)
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

} // namespace wb::ui::chat
