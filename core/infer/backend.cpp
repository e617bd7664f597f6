// SPDX-License-Identifier: MIT
#include "core/infer/backend.h"

#include "core/infer/cpu/cpu_engine.h"

#include <algorithm>

namespace wb::infer {
namespace {

class CpuBackend final : public Backend {
public:
    Result<Placement> place(const Graph& graph, EngineOptions options) override {
        if (options.context == 0) options.context = graph.context;
        Placement placement;
        placement.options = options;
        WB_TRY_ASSIGN(placement.main, cpu::planCpuMemory(graph, options));
        return placement;
    }

    Result<std::unique_ptr<Engine>> load(const Graph& graph, const Placement& placement, const Progress& progress) override {
        return cpu::makeCpuEngine(graph, placement.options, progress);
    }
};

} // namespace

std::unique_ptr<Backend> makeCpuBackend() { return std::make_unique<CpuBackend>(); }

Result<EngineMemory> planMainMemory(const Graph& graph, const EngineOptions& options, std::uint64_t gpuLayers) {
    if (gpuLayers == 0) return cpu::planCpuMemory(graph, options);
    const std::uint64_t moved = std::min<std::uint64_t>(gpuLayers - 1, graph.layers.size());
    const auto first = static_cast<std::size_t>(graph.layers.size() - moved);
    return first > 0 ? cpu::planCpuMemory(firstLayers(graph, first), options) : EngineMemory{};
}

} // namespace wb::infer
