// SPDX-License-Identifier: MIT
#include "core/convert/jobs.h"

#include "core/base/share.h"
#include "core/convert/gguf/convert_run.h"
#include "core/convert/graph/graph_run.h"
#include "core/convert/quantize/quantize_output.h"
#include "core/convert/quantize/quantize_run.h"
#include "core/convert/weights/weights_run.h"
#include "core/formats/zip/member_checksums.h"

namespace wb::convert {
namespace {

namespace fs = std::filesystem;

// The progress of a run that counts elements, in bytes of its files. Refers to `progress`.
Progress inBytes(const Progress& progress, std::uint64_t bytes) {
    return {progress.stop, [&progress, bytes](std::uint64_t done, std::uint64_t total) {
                if (progress.report) progress.report(proportionalShare(bytes, done, total), bytes);
            }};
}

std::vector<fs::path> paths(const fs::path& folder, const std::vector<run::SourceFile>& files) {
    std::vector<fs::path> paths;
    for (const run::SourceFile& file : files) paths.push_back(folder / file.name);
    return paths;
}

void addPaths(const Model& model, std::vector<fs::path>& to) {
    for (const ModelFile& file : model.files) to.push_back(model.folder / file.name);
}

// Jobs of all kinds of plans: the checksums of the sources are compared before anything is written.
template <class Plan>
class PlannedJob : public Job {
public:
    PlannedJob(std::shared_ptr<const Plan> plan, JobFacts facts) : Job(std::move(facts)), m_plan(std::move(plan)) {}

    std::vector<Problem> problems() const override { return m_plan->problems; }
    Result<Outcome> run(const fs::path& target, const RunOptions& options, const Progress& progress) const final {
        WB_TRY(compareChecksums(options, progress));
        return write(target, options, inBytes(progress, bytes()));
    }

protected:
    const Plan& plan() const { return *m_plan; }

private:
    virtual Result<Outcome> write(const fs::path& target, const RunOptions& options, const Progress& progress) const = 0;

    std::shared_ptr<const Plan> m_plan;
};

class QuantizeJob final : public PlannedJob<quantize::QuantizePlan> {
public:
    using PlannedJob::PlannedJob;

    bool quantizes() const override { return true; }
    std::vector<fs::path> sources() const override {
        std::vector<fs::path> files;
        addPaths(*plan().model, files);
        return files;
    }
    std::vector<fs::path> targets(const fs::path& target) const override { return quantize::targetPaths(plan(), target); }
    std::uint64_t bytes() const override { return plan().fileBytes(); }
    std::uint64_t peakMemory(unsigned threads) const override { return quantize::peakMemory(plan(), threads); }
    Result<std::string> fingerprint() const override {
        WB_TRY_ASSIGN(run::JobId id, quantize::planJobId(plan()));
        return id.fingerprint;
    }

private:
    Result<Outcome> write(const fs::path& target, const RunOptions& options, const Progress& progress) const override {
        return quantize::runQuantize(plan(), target, options, progress);
    }
};

class ConvertJob final : public PlannedJob<ConvertPlan> {
public:
    using PlannedJob::PlannedJob;

    std::vector<fs::path> sources() const override { return paths(plan().folder.model->folder, plan().folder.files); }
    std::vector<fs::path> targets(const fs::path& target) const override { return {target}; }
    std::uint64_t bytes() const override { return plan().fileBytes; }
    std::uint64_t peakMemory(unsigned threads) const override { return convert::peakMemory(plan(), threads); }
    Result<std::string> fingerprint() const override { return planFingerprint(plan()); }

private:
    Result<Outcome> write(const fs::path& target, const RunOptions& options, const Progress& progress) const override {
        return runConvert(plan(), target, options, progress);
    }
};

class WeightsJob final : public PlannedJob<WeightsPlan> {
public:
    using PlannedJob::PlannedJob;

    std::vector<fs::path> sources() const override { return paths(plan().model->folder, plan().sources); }
    std::vector<fs::path> targets(const fs::path& target) const override { return plan().paths(target); }
    bool writesFolder() const override { return plan().isFolder; }
    std::uint64_t bytes() const override { return plan().fileBytes(); }
    std::uint64_t peakMemory(unsigned threads) const override { return convert::peakMemory(plan(), threads); }
    Result<std::string> fingerprint() const override { return planFingerprint(plan()); }

private:
    Result<Outcome> write(const fs::path& target, const RunOptions& options, const Progress& progress) const override {
        return runWeights(plan(), target, options, progress);
    }
};

class GraphJob final : public PlannedJob<GraphPlan> {
public:
    using PlannedJob::PlannedJob;

    std::vector<fs::path> sources() const override {
        std::vector<fs::path> files;
        addPaths(*plan().graph, files);
        addPaths(*plan().weights, files);
        return files;
    }
    std::vector<fs::path> targets(const fs::path& target) const override { return plan().paths(target); }
    std::uint64_t bytes() const override { return plan().fileBytes(); }
    std::uint64_t peakMemory(unsigned threads) const override { return convert::peakMemory(plan(), threads); }
    Result<std::string> fingerprint() const override { return planFingerprint(plan()); }

private:
    Result<Outcome> write(const fs::path& target, const RunOptions& options, const Progress& progress) const override {
        return runGraph(plan(), target, options, progress);
    }
};

} // namespace

Result<void> Job::compareChecksums(const RunOptions& options, const Progress& progress) const {
    if (options.acceptsDamage || !m_facts.model) return {};
    return zip::requireChecksums(*m_facts.model, {progress.stop, {}});
}

JobPtr quantizeJob(std::shared_ptr<const quantize::QuantizePlan> plan, JobFacts facts) {
    return std::make_shared<const QuantizeJob>(std::move(plan), std::move(facts));
}

JobPtr convertJob(std::shared_ptr<const ConvertPlan> plan, JobFacts facts) {
    return std::make_shared<const ConvertJob>(std::move(plan), std::move(facts));
}

JobPtr weightsJob(std::shared_ptr<const WeightsPlan> plan, JobFacts facts) {
    return std::make_shared<const WeightsJob>(std::move(plan), std::move(facts));
}

JobPtr graphJob(std::shared_ptr<const GraphPlan> plan, JobFacts facts) {
    return std::make_shared<const GraphJob>(std::move(plan), std::move(facts));
}

} // namespace wb::convert
