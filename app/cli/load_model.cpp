// SPDX-License-Identifier: MIT
#include "app/cli/load_model.h"

#include "app/cli/progress_line.h"
#include "core/formats/open.h"
#include "core/quant/kernels/simd_choice.h"

namespace wb::cli {

Result<infer::Graph> planModel(const Context& context, const std::string& path) {
    formats::OpenOptions open = context.openOptions();
    open.strictness = formats::Strictness::Strict;
    WB_TRY_ASSIGN(ModelPtr model, formats::open(std::filesystem::path(path), open));
    return infer::planGraph(std::move(model));
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
