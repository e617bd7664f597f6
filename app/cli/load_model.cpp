// SPDX-License-Identifier: MIT
#include "app/cli/load_model.h"

#include "app/cli/progress_line.h"
#include "core/base/text.h"
#include "core/formats/open.h"
#include "core/quant/kernels/simd_choice.h"
#include "gpu/compute/inference.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <limits>
#include <optional>

namespace wb::cli {
namespace {

std::optional<infer::cpu::CacheType> cacheTypeOf(std::string_view name) {
    using enum infer::cpu::CacheType;
    if (name == "f16") return F16;
    if (name == "f32") return F32;
    return name == "q8_0" ? std::optional(Q8_0) : std::nullopt;
}

} // namespace

Result<infer::Graph> planModel(const Context& context, const std::string& path) {
    formats::OpenOptions open = context.openOptions();
    open.strictness = formats::Strictness::Strict;
    WB_TRY_ASSIGN(ModelPtr model, formats::open(std::filesystem::path(path), open));
    return infer::planGraph(std::move(model));
}

Result<void> chooseCache(const std::string& types, infer::cpu::CpuOptions& into) {
    if (types.empty()) return {};
    const std::size_t comma = std::min(types.find(','), types.size());
    const auto keys = cacheTypeOf(types.substr(0, comma));
    const auto values = comma < types.size() ? cacheTypeOf(types.substr(comma + 1)) : keys;
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
    options.cpu.threads = context.threads;
    options.cpu.scalar = quant::usesScalarForm();
    const gpu::compute::ComputeDevice device(gpu::compute::choiceOfOption(context.device));
    if (const auto required = device.requireNamed(); !required)
        return std::unexpected(named(deviceOption(context), required.error()));
    auto engine = [&] {
        ProgressLine line("load", !context.quiet);
        const Progress progress{context.stop, [&line](std::uint64_t done, std::uint64_t total) { line.set(done, total); }};
        return gpu::compute::makeInference(device)->load(graph, options, progress);
    }();
    if (engine) tellRemarks(context, **engine, 0);
    return engine;
}

std::size_t tellRemarks(const Context& context, const infer::Engine& engine, std::size_t told) {
    const std::vector<Problem> remarks = engine.remarks();
    for (std::size_t i = told; i < remarks.size(); ++i)
        fmt::print(stderr, "wb: {}\n", escapeControls(toUtf8(remarks[i].message())));
    logProblems(context, {remarks.begin() + static_cast<std::ptrdiff_t>(std::min(told, remarks.size())), remarks.end()});
    return remarks.size();
}

} // namespace wb::cli
