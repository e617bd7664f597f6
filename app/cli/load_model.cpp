// SPDX-License-Identifier: MIT
#include "app/cli/load_model.h"

#include "app/cli/progress_line.h"
#include "core/formats/open.h"
#include "core/quant/kernels/simd_choice.h"

#include <algorithm>
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

Result<std::unique_ptr<infer::Engine>> loadModel(const Context& context, const infer::Graph& graph,
                                                 infer::cpu::CpuOptions options) {
    if (context.device.starts_with("gpu"))
        return fail(ErrorCode::Unsupported, Reason("infer.device"),
                    WB_TEXT("Models run on the processor only so far; leave --device away or say --device cpu."));
    options.threads = context.threads;
    options.scalar = quant::usesScalarForm();
    ProgressLine line("load", !context.quiet);
    const Progress progress{context.stop, [&line](std::uint64_t done, std::uint64_t total) { line.set(done, total); }};
    return infer::cpu::makeCpuEngine(graph, options, progress);
}

} // namespace wb::cli
