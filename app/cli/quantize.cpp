// SPDX-License-Identifier: MIT
#include "app/cli/quantize.h"

#include "app/cli/progress_line.h"
#include "core/base/text.h"
#include "core/formats/open.h"
#include "core/io/atomic_writer.h"

#include <cstdio>

namespace wb::cli {
namespace {

Result<void> readMatrix(const Context& context, const QuantizeOptions& options, convert::QuantizeRequest& request) {
    if (options.imatrix.empty()) return {};
    WB_TRY_ASSIGN(request.matrix, quant::readImatrix(std::filesystem::path(options.imatrix), Progress{context.stop, {}}));
    if (!options.includeWeights.empty()) quant::filterEntries(*request.matrix, options.includeWeights, false);
    if (!options.excludeWeights.empty()) quant::filterEntries(*request.matrix, options.excludeWeights, true);
    return {};
}

Result<convert::QuantizePlan> makePlan(const Context& context, const QuantizeOptions& options, convert::QuantizeRequest request) {
    formats::OpenOptions open = context.openOptions();
    open.strictness = formats::Strictness::Strict;
    WB_TRY_ASSIGN(ModelPtr model, formats::open(std::filesystem::path(options.in), open));
    return convert::planQuantize(std::move(model), std::move(request));
}

Result<void> writeReport(const QuantizeOptions& options, const std::string& json) {
    if (options.reportFile.empty()) return {};
    WB_TRY_ASSIGN(auto writer, io::AtomicWriter::create(std::filesystem::path(options.reportFile)));
    WB_TRY(writer.write(json));
    return writer.commit();
}

Result<convert::QuantizeOutcome> execute(const Context& context, const QuantizeOptions& options, const convert::QuantizePlan& plan) {
    ProgressLine line("quantize", !context.quiet);
    const std::uint64_t parameters = std::max<std::uint64_t>(1, plan.parameters());
    const auto report = [&](std::uint64_t done, std::uint64_t) {
        line.set(static_cast<std::uint64_t>(static_cast<double>(done) / static_cast<double>(parameters) * static_cast<double>(plan.fileBytes)),
                 plan.fileBytes);
    };
    const convert::QuantizeRunOptions run{context.threads, options.force, options.restart};
    return convert::runQuantize(plan, std::filesystem::path(options.out), run, Progress{context.stop, report});
}

void show(const Context& context, const QuantizeOptions& options, const convert::QuantizePlan& plan,
          const convert::QuantizeOutcome* outcome, const std::string& json) {
    if (context.json) std::fwrite(json.data(), 1, json.size(), stdout);
    else printQuantizeTables(options, plan, outcome);
}

} // namespace

int quantize(const Context& context, const QuantizeOptions& options) {
    auto request = quantizeRequest(options);
    if (!request) return refuseUsage(request.error().message());
    if (auto device = context.checkDevice(); !device) return refuse(context, device.error(), options.in);
    if (auto matrix = readMatrix(context, options, *request); !matrix) return refuse(context, matrix.error(), options.imatrix);
    const auto plan = makePlan(context, options, std::move(*request));
    if (!plan) return refuse(context, plan.error(), options.in);
    if (options.dryRun) {
        show(context, options, *plan, nullptr, quantizeJson(options, *plan, nullptr, "cpu"));
        return done;
    }
    const auto outcome = execute(context, options, *plan);
    if (!outcome) return refuse(context, outcome.error(), options.in);
    const std::string json = quantizeJson(options, *plan, &*outcome, "cpu");
    if (auto report = writeReport(options, json); !report) return refuse(context, report.error(), options.reportFile);
    show(context, options, *plan, &*outcome, json);
    return done;
}

} // namespace wb::cli
