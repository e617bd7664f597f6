// SPDX-License-Identifier: MIT
#include "app/cli/convert/quantize.h"

#include "app/cli/convert/run_job.h"
#include "app/cli/output_file.h"
#include "app/cli/progress_line.h"
#include "core/base/text.h"
#include "core/convert/open_source.h"
#include "core/convert/plan_job.h"
#include "core/convert/quantize/quantize_output.h"

#include <algorithm>
#include <cstdio>

namespace wb::cli {
namespace {

// A failure of the work on the file that the user typed as `path`.
Result<void> naming(const std::string& path, Result<void> result) {
    if (result) return result;
    return std::unexpected(named(baseName(path), std::move(result).error()));
}

// From the request to the plan. Errors name the file, or the device, that the user gave.
class Preparation {
public:
    Preparation(const Context& context, const QuantizeOptions& options, ParsedOptions parsed, LazyBackend& backend)
        : m_context(context), m_options(options), m_parsed(std::move(parsed)), m_backend(backend) {}

    Result<void> run() {
        m_request.source = std::filesystem::path(m_options.in);
        m_request.accepts = convert::Accepts::Gguf;
        m_request.isTrusted = m_options.yes;
        m_request.threads = m_context.threads;
        WB_TRY(naming(m_options.planFile, usePlanFile()));
        WB_TRY(measureTypes());
        m_planned = planAsking(m_context, m_request, m_options.in);
        if (m_planned.failure) return std::unexpected(*m_planned.failure);
        WB_TRY(checkJobFiles(m_context, job(), quantize::sourceFiles(plan()), m_options.out));
        return naming(m_options.savePlanFile, savePlan());
    }

    const convert::Job& job() const { return *m_planned.job; }
    const quantize::QuantizePlan& plan() const { return *m_planned.quantized; }
    const quantize::BudgetPlan* budget() const { return m_budget ? &*m_budget : nullptr; }

private:
    Result<void> usePlanFile() {
        if (m_options.planFile.empty()) {
            m_request.quantize = m_parsed.request;
            m_request.matrixFile = m_parsed.matrix;
            return {};
        }
        WB_TRY_ASSIGN(const quantize::PlanFile plan, quantize::readPlan(std::filesystem::path(m_options.planFile)));
        m_request.quantize = plan.request;
        m_request.matrixFile = plan.matrix;
        m_request.savedPlan = plan;
        return {};
    }

    // Chooses the types for a budget.
    Result<void> measureTypes() {
        if (m_parsed.budget == 0) return {};
        const Progress progress{m_context.stop, {}};
        auto matrix = quantize::readMatrix(m_request.matrixFile, progress);
        if (!matrix) return naming(m_request.matrixFile.path, std::unexpected(matrix.error()));
        m_request.matrix = std::move(*matrix);
        auto model = convert::openSource(m_request.source, {m_request.isTrusted, m_context.threads, progress});
        if (!model) return naming(m_options.in, std::unexpected(model.error()));
        m_request.model = std::move(*model);
        WB_TRY_ASSIGN(const auto backend, m_backend.get());
        return naming(m_options.in, chooseTypes(*backend));
    }

    Result<void> chooseTypes(quant::Backend& backend) {
        ProgressLine line("measure", !m_context.quiet);
        const Progress progress{m_context.stop,
                                [&, bytes = m_request.model->tensorBytes()](std::uint64_t done, std::uint64_t total) {
                                    line.set(proportionalShare(bytes, done, total), bytes);
                                }};
        quant::BudgetOptions options;
        options.threads = m_context.threads;
        options.backend = &backend;
        if (m_options.budgetExact) options.sampledElements = 0;
        quantize::QuantizeRequest wanted = m_request.quantize;
        wanted.matrix = m_request.matrix;
        WB_TRY_ASSIGN(m_budget, quantize::planBudget(m_request.model, wanted, m_parsed.budget, options, progress));
        m_request.quantize = m_budget->request;
        return {};
    }

    Result<void> savePlan() const {
        if (m_options.savePlanFile.empty()) return {};
        if (!m_planned.planText) return std::unexpected(m_planned.planText.error());
        return writeOutput(m_options.savePlanFile, *m_planned.planText);
    }

    const Context& m_context;
    const QuantizeOptions& m_options;
    ParsedOptions m_parsed;
    LazyBackend& m_backend;
    convert::GgufRequest m_request;
    convert::GgufPlanned m_planned;
    std::optional<quantize::BudgetPlan> m_budget;
};

int showQuantized(const Context& context, const QuantizeOptions& options, const QuantizeResult& result, const std::string& device) {
    logProblems(context, result.plan.problems);
    logProblems(context, result.remarks);
    const std::string json = quantizeJson(options, result, device);
    if (context.json) std::fwrite(json.data(), 1, json.size(), stdout);
    else if (!context.files->usesStdout()) printQuantizeTables(options, result, context.quiet);
    // Last, because the measurements cannot be repeated once the new file is in place.
    if (auto report = writeOutput(options.reportFile, json); !report) return refuse(context, report.error(), options.reportFile);
    return done;
}

} // namespace

int quantize(const Context& context, const QuantizeOptions& options) {
    if (options.compare) return compareMixes(context, options);
    if (options.out.empty()) return refuseUsage("OUT is required. Run wb quantize --help to see how it is used.");
    if (options.context || !options.memory.empty() || options.exact)
        return refuseUsage("--context, --memory and --exact belong to --compare.");
    if (const auto verify = parseVerify(options.verify); !verify) return refuseUsage(verify.error().message());
    auto parsed = parseOptions(options);
    if (!parsed && parsed.error().code == ErrorCode::Invalid) return refuseUsage(parsed.error().message());
    if (!parsed) return refuse(context, parsed.error(), options.tensorTypeFile);
    LazyBackend backend(context);
    Preparation preparation(context, options, std::move(*parsed), backend);
    if (const auto prepared = preparation.run(); !prepared) return refuseJob(context, prepared.error());
    const quantize::QuantizePlan& plan = preparation.plan();
    if (options.dryRun)
        return showQuantized(context, options, {plan, preparation.budget(), nullptr, backend.remarks()}, backend.name());
    if (const auto device = backend.requireNamed(); !device) return refuse(context, device.error());
    const JobRun run{options.in, options.out, options.verify, options.force, options.restart};
    const auto outcome = runJob(context, preparation.job(), run, backend);
    if (!outcome) return refuseRun(context, preparation.job(), run, outcome.error());
    return showQuantized(context, options, {plan, preparation.budget(), &*outcome, outcome->remarks}, outcome->device);
}

} // namespace wb::cli
