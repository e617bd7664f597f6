// SPDX-License-Identifier: MIT
#include "core/infer/backend.h"

namespace wb::infer {
namespace {

class CpuBackend final : public Backend {
public:
    Placement place(const Graph&, const EngineOptions&) override { return {}; }

    Result<std::unique_ptr<Engine>> load(const Graph& graph, const EngineOptions& options, const Progress& progress) override {
        return cpu::makeCpuEngine(graph, options.cpu, progress);
    }
};

} // namespace

std::unique_ptr<Backend> makeCpuBackend() { return std::make_unique<CpuBackend>(); }

} // namespace wb::infer
