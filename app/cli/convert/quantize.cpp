// SPDX-License-Identifier: MIT
#include "app/cli/convert/quantize.h"

#include "app/cli/convert/kept_work.h"
#include "app/cli/convert/lazy_backend.h"
#include "app/cli/open_model.h"
#include "app/cli/output_file.h"
#include "app/cli/progress_line.h"
#include "app/cli/user_folders.h"
#include "core/base/text.h"
#include "core/convert/quantize/quantize_output.h"
#include "core/convert/run/work_files.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace wb::cli {
namespace {

constexpr std::array remedies = {Remedy{quant::needsOneType, "--pure"}, Remedy{quantize::quantizedAlready, "--allow-requantize"},
                                 Remedy{run::targetExists, "--force"}};

int refuseQuantizing(const Context& context, const Error& error) { return refuse(context, error, remedies); }

// Whether it is a new file that an error of the run is about, rather than the model.
bool isAboutTarget(const Error& error, const quantize::QuantizePlan& plan, const std::string& out) {
    if (error.code == ErrorCode::NotWritable || error.code == ErrorCode::NoRoom) return true;
    const auto targets = quantize::targetPaths(plan, std::filesystem::path(out));
    return std::ranges::any_of(targets, [&](const auto& path) { return io::baseName(path) == error.subject; });
}

// A failure of what was done with the file that the user typed as `path`.
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
        WB_TRY(naming(m_options.planFile, usePlanFile()));
        WB_TRY(naming(m_parsed.matrix.path, readMatrix()));
        WB_TRY(naming(m_options.in, planModel()));
        WB_TRY(measureTypes());
        WB_TRY(checkFiles());
        WB_TRY(openLog(m_context));
        return naming(m_options.savePlanFile, savePlan());
    }

    const quantize::QuantizePlan& plan() const { return m_plan; }
    const quantize::BudgetPlan* budget() const { return m_budget ? &*m_budget : nullptr; }

    // So that the run is listed until it ends, and the window can resume it. Null where that cannot be: the run itself goes on.
    std::unique_ptr<run::Claim> claim() const {
        const std::filesystem::path state = stateFolder(), out(m_options.out);
        if (state.empty()) return nullptr;
        run::RunRecord record{"quantize",     out, std::filesystem::path(m_options.in), {}, quantize::targetPaths(m_plan, out),
                              m_options.force};
        record.plan = quantize::planJson(m_plan, m_parsed.request, m_parsed.matrix).value_or("");
        auto claim = run::claim(state, std::move(record));
        if (!claim) log(m_context, claim.error().message());
        return claim ? std::move(*claim) : nullptr;
    }

private:
    Result<void> usePlanFile() {
        if (m_options.planFile.empty()) return {};
        WB_TRY_ASSIGN(m_parsed.plan, quantize::readPlan(std::filesystem::path(m_options.planFile)));
        m_parsed.request = m_parsed.plan->request;
        m_parsed.matrix = m_parsed.plan->matrix;
        return {};
    }

    Result<void> readMatrix() {
        WB_TRY_ASSIGN(m_parsed.request.matrix, quantize::readMatrix(m_parsed.matrix, Progress{m_context.stop, {}}));
        return {};
    }

    Result<void> planModel() {
        WB_TRY_ASSIGN(m_model, openModel(m_context, m_options.in, formats::Strictness::Strict));
        if (m_parsed.plan) WB_TRY(quantize::checkPlanFits(*m_parsed.plan, *m_model));
        if (m_parsed.budget > 0) return {};
        WB_TRY_ASSIGN(m_plan, quantize::planQuantize(m_model, m_parsed.request));
        return {};
    }

    // Measures the types for a budget.
    Result<void> measureTypes() {
        if (m_parsed.budget == 0) return {};
        WB_TRY_ASSIGN(const auto backend, m_backend.get());
        return naming(m_options.in, chooseTypes(m_model, *backend));
    }

    Result<void> chooseTypes(const ModelPtr& model, quant::Backend& backend) {
        ProgressLine line("measure", !m_context.quiet);
        const Progress progress{m_context.stop, [&, bytes = model->tensorBytes()](std::uint64_t done, std::uint64_t total) {
                                    line.set(shareOf(bytes, done, total), bytes);
                                }};
        quant::BudgetOptions options;
        options.threads = m_context.threads;
        options.backend = &backend;
        if (m_options.budgetExact) options.sampledElements = 0;
        WB_TRY_ASSIGN(m_budget, quantize::planBudget(model, m_parsed.request, m_parsed.budget, options, progress));
        m_parsed.request = m_budget->request;
        m_plan = m_budget->plan;
        return {};
    }

    // What the words do not name: a plan's matrix, the parts of a model and of the result.
    Result<void> checkFiles() const {
        std::vector<io::Identity> read;
        for (const run::SourceFile& source : quantize::sourceFiles(m_plan)) read.push_back(source.identity);
        WB_TRY(m_context.files->alsoRead(read));
        const std::filesystem::path out(m_options.out);
        return m_context.files->alsoWork(quantize::targetPaths(m_plan, out), out);
    }

    Result<void> savePlan() const {
        if (m_options.savePlanFile.empty()) return {};
        WB_TRY_ASSIGN(const std::string json, quantize::planJson(m_plan, m_parsed.request, m_parsed.matrix));
        return writeOutput(m_options.savePlanFile, json);
    }

    const Context& m_context;
    const QuantizeOptions& m_options;
    ParsedOptions m_parsed;
    LazyBackend& m_backend;
    ModelPtr m_model;
    quantize::QuantizePlan m_plan;
    std::optional<quantize::BudgetPlan> m_budget;
};

Result<quantize::QuantizeOutcome> execute(const Context& context, const QuantizeOptions& options,
                                          const quantize::QuantizePlan& plan, run::Claim* claim, LazyBackend& backend) {
    ProgressLine line("quantize", !context.quiet);
    const auto report = [&, bytes = plan.fileBytes()](std::uint64_t done, std::uint64_t total) {
        line.set(shareOf(bytes, done, total), bytes);
    };
    quantize::QuantizeRunOptions run;
    run.claim = claim;
    run.threads = context.threads;
    run.replace = options.force;
    run.restart = options.restart;
    run.backend = [&backend] { return backend.get(); };
    return quantize::runQuantize(plan, std::filesystem::path(options.out), run, Progress{context.stop, report});
}

int show(const Context& context, const QuantizeOptions& options, const QuantizeResult& result, const std::string& device) {
    logProblems(context, result.plan.problems);
    logProblems(context, result.remarks);
    const std::string json = quantizeJson(options, result, device);
    if (context.json) std::fwrite(json.data(), 1, json.size(), stdout);
    else if (!context.files->usesStdout()) printQuantizeTables(options, result);
    // Last, as what was measured comes from no second run once the new file is in place.
    if (auto report = writeOutput(options.reportFile, json); !report) return refuse(context, report.error(), options.reportFile);
    return done;
}

} // namespace

int quantize(const Context& context, const QuantizeOptions& options) {
    if (options.compare) return compareMixes(context, options);
    if (options.out.empty()) return refuseUsage("OUT is required. Run wb quantize --help to see how it is used.");
    if (options.context || !options.memory.empty() || options.exact)
        return refuseUsage("--context, --memory and --exact belong to --compare.");
    auto parsed = parseOptions(options);
    if (!parsed && parsed.error().code == ErrorCode::Invalid) return refuseUsage(parsed.error().message());
    if (!parsed) return refuse(context, parsed.error(), options.tensorTypeFile);
    LazyBackend backend(context);
    Preparation preparation(context, options, std::move(*parsed), backend);
    if (const auto prepared = preparation.run(); !prepared) return refuseQuantizing(context, prepared.error());
    const quantize::QuantizePlan& plan = preparation.plan();
    if (options.dryRun) return show(context, options, {plan, preparation.budget(), nullptr, backend.remarks()}, backend.name());
    if (const auto device = backend.requireNamed(); !device) return refuse(context, device.error());
    auto claim = preparation.claim();
    const auto outcome = execute(context, options, plan, claim.get(), backend);
    claim.reset();
    if (!outcome) {
        if (outcome.error().code == ErrorCode::Cancelled) {
            const int status = refuse(context, outcome.error());
            const std::filesystem::path target(options.out);
            sayKeptWork(context, run::workFiles(target, quantize::targetPaths(plan, target)), options.out);
            return status;
        }
        const std::string& path = isAboutTarget(outcome.error(), plan, options.out) ? options.out : options.in;
        return refuseQuantizing(context, named(baseName(path), outcome.error()));
    }
    return show(context, options, {plan, preparation.budget(), &*outcome, outcome->remarks}, outcome->device);
}

} // namespace wb::cli
