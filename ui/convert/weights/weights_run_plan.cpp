// SPDX-License-Identifier: MIT
#include "core/base/share.h"
#include "core/convert/weights/weights_run.h"
#include "core/formats/zip/member_checksums.h"
#include "ui/convert/weights/weights_planning.h"
#include "ui/widgets/paths.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace wb::ui::convert {
namespace {

class WeightsRunPlan : public RunPlan {
    Q_DECLARE_TR_FUNCTIONS(WeightsRunPlan)

public:
    WeightsRunPlan(std::shared_ptr<const wb::convert::WeightsPlan> plan, const WeightsChoices& choices, unsigned threads)
        : m_plan(std::move(plan)), m_source(choices.source),
          m_text(QString::fromStdString(wb::convert::weightsPlanText(choices.file))), m_merges(!choices.file.adapters.empty()),
          m_threads(threads) {}

    QString kind() const override { return m_merges ? QStringLiteral("merge") : QStringLiteral("convert"); }
    QString heading() const override { return m_merges ? tr("Merging") : tr("Converting"); }
    Sentence jobTitle() const override {
        return [name = QFileInfo(m_source).fileName(), merges = m_merges] {
            return merges ? tr("Merging into %1").arg(name) : tr("Converting %1").arg(name);
        };
    }
    QString modelPath() const override { return m_source; }
    std::vector<std::filesystem::path> sources() const override {
        std::vector<std::filesystem::path> paths;
        for (const run::SourceFile& file : m_plan->sources) paths.push_back(m_plan->model->folder / file.name);
        return paths;
    }
    std::vector<std::filesystem::path> targets(const std::filesystem::path& target) const override { return m_plan->paths(target); }
    bool writesFolder() const override { return m_plan->isFolder; }
    std::uint64_t bytes() const override { return m_plan->fileBytes(); }
    QString text() const override { return m_text; }
    Result<std::string> fingerprint() const override { return wb::convert::fingerprintOf(*m_plan); }

    Result<RunOutcome> run(const std::filesystem::path& target, bool replace, run::Claim* claim,
                           const Progress& progress) const override {
        WB_TRY(zip::requireChecksums(*m_plan->model, {progress.stop, {}}));
        wb::convert::WeightsOptions options;
        options.run.threads = m_threads;
        options.run.replace = replace;
        options.run.claim = claim;
        options.kind = m_merges ? "merge" : "convert";
        WB_TRY_ASSIGN(wb::convert::WeightsOutcome outcome,
                      wb::convert::runWeights(*m_plan, target, options, inBytes(progress, bytes())));
        return RunOutcome{outcome.resumedItems, outcome.seconds, std::move(outcome.remarks), {}};
    }

private:
    std::shared_ptr<const wb::convert::WeightsPlan> m_plan;
    QString m_source;
    QString m_text;
    bool m_merges;
    unsigned m_threads;
};

} // namespace

std::shared_ptr<const RunPlan> weightsRunPlan(const std::shared_ptr<const wb::convert::WeightsPlan>& plan,
                                              const WeightsChoices& choices, const Services& services) {
    return std::make_shared<WeightsRunPlan>(plan, choices, services.threads);
}

} // namespace wb::ui::convert
