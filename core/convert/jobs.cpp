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

class QuantizeJob final : public Job {
public:
    QuantizeJob(std::shared_ptr<const quantize::QuantizePlan> plan, JobFacts facts)
        : Job(std::move(facts)), m_plan(std::move(plan)) {}

    bool quantizes() const override { return true; }
    std::vector<fs::path> sources() const override {
        std::vector<fs::path> paths;
        for (const ModelFile& file : m_plan->model->files) paths.push_back(m_plan->model->folder / file.name);
        return paths;
    }
    std::vector<fs::path> targets(const fs::path& target) const override { return quantize::targetPaths(*m_plan, target); }
    std::uint64_t bytes() const override { return m_plan->fileBytes(); }
    std::uint64_t peakMemory(unsigned threads) const override { return quantize::peakMemory(*m_plan, threads); }
    std::vector<Problem> problems() const override { return m_plan->problems; }
    Result<std::string> fingerprint() const override {
        WB_TRY_ASSIGN(run::JobId id, quantize::planJobId(*m_plan));
        return id.fingerprint;
    }
    Result<Outcome> run(const fs::path& target, const RunOptions& options, const Progress& progress) const override {
        WB_TRY(compareChecksums(options, progress));
        return quantize::runQuantize(*m_plan, target, options, inBytes(progress, bytes()));
    }

private:
    std::shared_ptr<const quantize::QuantizePlan> m_plan;
};

class ConvertJob final : public Job {
public:
    ConvertJob(std::shared_ptr<const ConvertPlan> plan, JobFacts facts) : Job(std::move(facts)), m_plan(std::move(plan)) {}

    std::vector<fs::path> sources() const override { return paths(m_plan->folder.model->folder, m_plan->folder.files); }
    std::vector<fs::path> targets(const fs::path& target) const override { return {target}; }
    std::uint64_t bytes() const override { return m_plan->fileBytes; }
    std::uint64_t peakMemory(unsigned threads) const override { return convert::peakMemory(*m_plan, threads); }
    std::vector<Problem> problems() const override { return m_plan->problems; }
    Result<std::string> fingerprint() const override { return planFingerprint(*m_plan); }
    Result<Outcome> run(const fs::path& target, const RunOptions& options, const Progress& progress) const override {
        WB_TRY(compareChecksums(options, progress));
        return runConvert(*m_plan, target, options, inBytes(progress, bytes()));
    }

private:
    std::shared_ptr<const ConvertPlan> m_plan;
};

class WeightsJob final : public Job {
public:
    WeightsJob(std::shared_ptr<const WeightsPlan> plan, JobFacts facts) : Job(std::move(facts)), m_plan(std::move(plan)) {}

    std::vector<fs::path> sources() const override { return paths(m_plan->model->folder, m_plan->sources); }
    std::vector<fs::path> targets(const fs::path& target) const override { return m_plan->paths(target); }
    bool writesFolder() const override { return m_plan->isFolder; }
    std::uint64_t bytes() const override { return m_plan->fileBytes(); }
    std::uint64_t peakMemory(unsigned threads) const override { return convert::peakMemory(*m_plan, threads); }
    std::vector<Problem> problems() const override { return m_plan->problems; }
    Result<std::string> fingerprint() const override { return planFingerprint(*m_plan); }
    Result<Outcome> run(const fs::path& target, const RunOptions& options, const Progress& progress) const override {
        WB_TRY(compareChecksums(options, progress));
        return runWeights(*m_plan, target, options, inBytes(progress, bytes()));
    }

private:
    std::shared_ptr<const WeightsPlan> m_plan;
};

class GraphJob final : public Job {
public:
    GraphJob(std::shared_ptr<const GraphPlan> plan, JobFacts facts) : Job(std::move(facts)), m_plan(std::move(plan)) {}

    std::vector<fs::path> sources() const override {
        std::vector<fs::path> files;
        for (const Model* model : {m_plan->graph.get(), m_plan->weights.get()})
            for (const ModelFile& file : model->files) files.push_back(model->folder / file.name);
        return files;
    }
    std::vector<fs::path> targets(const fs::path& target) const override { return m_plan->paths(target); }
    std::uint64_t bytes() const override { return m_plan->fileBytes(); }
    std::uint64_t peakMemory(unsigned threads) const override { return convert::peakMemory(*m_plan, threads); }
    std::vector<Problem> problems() const override { return m_plan->problems; }
    Result<std::string> fingerprint() const override { return planFingerprint(*m_plan); }
    Result<Outcome> run(const fs::path& target, const RunOptions& options, const Progress& progress) const override {
        WB_TRY(compareChecksums(options, progress));
        return runGraph(*m_plan, target, options, inBytes(progress, bytes()));
    }

private:
    std::shared_ptr<const GraphPlan> m_plan;
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
