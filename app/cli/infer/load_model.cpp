// SPDX-License-Identifier: MIT
#include "app/cli/infer/load_model.h"

#include "app/cli/open_model.h"
#include "app/cli/progress_line.h"
#include "app/cli/trust.h"
#include "app/cli/user_folders.h"
#include "core/base/text.h"
#include "core/convert/trust.h"
#include "core/formats/open.h"
#include "core/infer/memory_plan.h"
#include "core/infer/run_check.h"
#include "core/quant/kernels/simd_choice.h"
#include "gpu/compute/inference.h"

#include <algorithm>
#include <cstdio>
#include <optional>

namespace wb::cli {
namespace {

// One load on the device that the user chose.
class Load {
public:
    Load(const Context& context, const infer::Graph& graph, infer::EngineOptions options)
        : m_context(context), m_graph(graph), m_options(std::move(options)), m_device(context.device) {
        m_options.threads = context.threads;
        m_options.scalar = quant::usesScalarForm();
    }

    Result<std::unique_ptr<infer::Engine>> run(const infer::LoadStore& store = {}) {
        if (const auto required = m_device.requireNamed(); !required)
            return std::unexpected(named(deviceOption(m_context), required.error()));
        const auto backend = gpu::compute::makeInference(m_device);
        WB_TRY_ASSIGN(const infer::Placement placement, backend->place(m_graph, m_options));
        WB_TRY_ASSIGN(auto engine, load(*backend, placement));
        tellRemarks(m_context, *engine, 0);
        remember(store, placement, *engine);
        return engine;
    }

private:
    Result<std::unique_ptr<infer::Engine>> load(infer::Backend& backend, const infer::Placement& placement) const {
        ProgressLine line("load", !m_context.quiet);
        const Progress progress{m_context.stop, [&line](std::uint64_t done, std::uint64_t total) { line.set(done, total); }};
        return backend.load(m_graph, placement, progress);
    }

    void remember(const infer::LoadStore& store, const infer::Placement& placement, const infer::Engine& engine) const {
        const auto written = infer::rememberLoad(store, *m_graph.model, placement, engine);
        if (!written) log(m_context, "load not remembered: " + written.error().message());
    }

    const Context& m_context;
    const infer::Graph& m_graph;
    infer::EngineOptions m_options;
    gpu::compute::ComputeDevice m_device;
};

} // namespace

Result<infer::Graph> planModel(const Context& context, const std::string& path) {
    WB_TRY_ASSIGN(ModelPtr model, openModel(context, path, formats::Strictness::Strict));
    WB_TRY(openLog(context));
    const auto trusted = convert::requireTrust(*model, context.trustsModels);
    if (!trusted && !confirms(context, trusted.error())) return std::unexpected(withOption(trusted.error(), trustOption));
    return infer::planGraph(std::move(model));
}

Result<std::unique_ptr<infer::Engine>> loadModel(const Context& context, const infer::Graph& graph, infer::EngineOptions options) {
    return Load(context, graph, std::move(options)).run();
}

Result<std::unique_ptr<infer::Engine>> loadAndRemember(const Context& context, const infer::Graph& graph,
                                                       const infer::EngineOptions& options, bool forgets) {
    const std::filesystem::path state = stateFolder();
    if (forgets || state.empty()) return loadModel(context, graph, options);
    return Load(context, graph, options).run({memory::loadsFile(state), WEIGHBRIDGE_VERSION});
}

std::size_t tellRemarks(const Context& context, const infer::Engine& engine, std::size_t told) {
    const std::vector<Problem> remarks = engine.remarks();
    for (std::size_t i = told; i < remarks.size(); ++i)
        fmt::print(stderr, "wb: {}\n", escapeControls(toUtf8(remarks[i].message())));
    logProblems(context, {remarks.begin() + static_cast<std::ptrdiff_t>(std::min(told, remarks.size())), remarks.end()});
    return remarks.size();
}

} // namespace wb::cli
