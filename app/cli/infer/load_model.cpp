// SPDX-License-Identifier: MIT
#include "app/cli/infer/load_model.h"

#include "app/cli/progress_line.h"
#include "app/cli/user_folders.h"
#include "core/base/text.h"
#include "core/infer/memory_plan.h"
#include "core/infer/run_check.h"
#include "core/quant/kernels/simd_choice.h"
#include "gpu/compute/inference.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <limits>
#include <optional>

namespace wb::cli {
namespace {

// One load on the device that the user chose.
class Load {
public:
    Load(const Context& context, const infer::Graph& graph, infer::EngineOptions options)
        : m_context(context), m_graph(graph), m_options(std::move(options)),
          m_device(gpu::compute::choiceOfOption(context.device)) {
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
    return infer::openToRun(std::filesystem::path(path), context.openOptions());
}

Result<void> chooseCache(const std::string& types, infer::EngineOptions& into) {
    if (types.empty()) return {};
    const std::size_t comma = std::min(types.find(','), types.size());
    const auto keys = infer::findCacheType(std::string_view(types).substr(0, comma));
    const auto values = comma < types.size() ? infer::findCacheType(std::string_view(types).substr(comma + 1)) : keys;
    if (!keys || !values)
        return fail(ErrorCode::Invalid, cacheType,
                    WB_TEXT("{} is no type of a cache here; it can be f16, f32 or q8_0, or two of them for keys and values."),
                    types);
    into.keys = *keys;
    into.values = *values;
    return {};
}

Result<std::optional<std::uint64_t>> gpuLayersOf(const std::string& words) {
    if (words.empty()) return std::nullopt;
    if (words == "all") return std::numeric_limits<std::uint64_t>::max();
    std::uint64_t layers = 0;
    const auto [end, error] = std::from_chars(words.data(), words.data() + words.size(), layers);
    if (error == std::errc() && end == words.data() + words.size()) return layers;
    return fail(ErrorCode::Invalid, gpuLayerCount, WB_TEXT("{} is no number of layers; --gpu-layers takes a number or all."),
                words);
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
