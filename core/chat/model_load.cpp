// SPDX-License-Identifier: MIT
#include "core/chat/model_load.h"

#include "core/io/byte_source.h"
#include "core/io/system/main_memory.h"

#include <algorithm>

namespace wb::chat {

ModelLoad::ModelLoad(infer::Graph graph, infer::EngineOptions options, std::shared_ptr<infer::Backend> backend)
    : m_graph(std::move(graph)), m_options(options), m_backend(std::move(backend)) {
    if (!m_backend) m_backend = infer::makeCpuBackend();
}

Result<LoadPlan> ModelLoad::planWith(std::size_t context, std::optional<std::uint64_t> freeMemory) {
    infer::EngineOptions options = m_options;
    options.context = context;
    WB_TRY_ASSIGN(m_placement, m_backend->place(m_graph, options));
    return planLoad(m_graph, m_placement, freeMemory);
}

Result<LoadPlan> ModelLoad::plan(std::uint64_t released) {
    auto freeMemory = io::mainMemory().free;
    if (freeMemory) *freeMemory += released;
    const std::size_t usual = std::min<std::size_t>(defaultContext, m_graph.context);
    const bool isChosen = m_options.context > 0;
    WB_TRY_ASSIGN(LoadPlan plan, planWith(isChosen ? m_options.context : usual, freeMemory));
    if (!isChosen && !plan.fits() && plan.fittingContext > 0) {
        WB_TRY_ASSIGN(plan, planWith(plan.fittingContext, freeMemory));
        plan.wantedContext = usual;
    }
    WB_TRY(checkFits(plan, io::baseName(m_graph.model->path)));
    return plan;
}

Result<std::unique_ptr<infer::Engine>> ModelLoad::load(const Progress& progress) const {
    return m_backend->load(m_graph, m_placement, progress);
}

Result<void> ModelLoad::remember(const infer::LoadStore& store, const infer::Engine& engine) const {
    return infer::rememberLoad(store, *m_graph.model, m_placement, engine);
}

} // namespace wb::chat
