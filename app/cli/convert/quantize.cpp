// SPDX-License-Identifier: MIT
#include "app/cli/convert/quantize.h"

#include "app/cli/convert/kept_work.h"
#include "app/cli/convert/lazy_backend.h"
#include "app/cli/progress_line.h"
#include "app/cli/same_file.h"
#include "app/cli/user_folders.h"
#include "core/base/text.h"
#include "core/convert/quantize/quantize_output.h"
#include "core/convert/run/work_files.h"
#include "core/formats/open.h"
#include "core/io/atomic_writer.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace wb::cli {
namespace {

Result<ModelPtr> openModel(const Context& context, const QuantizeOptions& options) {
    formats::OpenOptions open = context.openOptions();
    open.strictness = formats::Strictness::Strict;
    return formats::open(std::filesystem::path(options.in), open);
}

Result<void> writeFile(const std::string& path, const std::string& text) {
    if (path.empty()) return {};
    WB_TRY_ASSIGN(auto writer, io::AtomicWriter::create(std::filesystem::path(path)));
    WB_TRY(writer.write(text));
    return writer.commit();
}

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
        WB_TRY(checkOwn());
        WB_TRY(naming(m_context.log->path, m_context.log->open()));
        WB_TRY(naming(m_options.reportFile, checkReport()));
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
        WB_TRY_ASSIGN(m_model, openModel(m_context, m_options));
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

    // Beside the words typed, which parseOptions knows, the other parts of a model, a folder's only file and the files of a plan.
    // The log is asked first, as the refusal of another file would be written into it.
    Result<void> checkOwn() const {
        for (const std::string& written : {m_context.log->path, m_options.reportFile, m_options.savePlanFile})
            if (isMade(written) || run::sourceAt(quantize::sourceFiles(m_plan), std::filesystem::path(written)))
                return namedTwice(written);
        for (const std::string& read : {m_options.planFile, m_options.tensorTypeFile})
            if (isMade(read)) return namedTwice(read);
        return {};
    }

    // Whether the run itself will write this file.
    bool isMade(const std::filesystem::path& path) const {
        if (path.empty()) return false;
        const std::filesystem::path out(m_options.out);
        return std::ranges::any_of(run::workFiles(out, quantize::targetPaths(m_plan, out)),
                                   [&](const auto& made) { return isSameFile(path, made); });
    }

    // Now rather than when all work is done.
    Result<void> checkReport() const {
        if (m_options.reportFile.empty()) return {};
        WB_TRY_ASSIGN(const auto unused, io::AtomicWriter::create(std::filesystem::path(m_options.reportFile)));
        return {};
    }

    Result<void> savePlan() const {
        if (m_options.savePlanFile.empty()) return {};
        WB_TRY_ASSIGN(const std::string json, quantize::planJson(m_plan, m_parsed.request, m_parsed.matrix));
        return writeFile(m_options.savePlanFile, json);
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
    else printQuantizeTables(options, result);
    // Last, as what was measured comes from no second run once the new file is in place.
    if (auto report = writeFile(options.reportFile, json); !report) return refuse(context, report.error(), options.reportFile);
    return done;
}

} // namespace

int quantize(const Context& context, const QuantizeOptions& options) {
    if (options.compare) return compareMixes(context, options);
    if (options.out.empty()) return refuseUsage("OUT is required. Run wb quantize --help to see how it is used.");
    if (options.context || !options.memory.empty() || options.exact)
        return refuseUsage("--context, --memory and --exact belong to --compare.");
    auto parsed = parseOptions(options, context.log->path);
    if (!parsed && parsed.error().code == ErrorCode::Invalid) return refuseUsage(parsed.error().message());
    if (const auto log = context.log->check(); !log) return refuse(context, log.error(), context.log->path);
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
