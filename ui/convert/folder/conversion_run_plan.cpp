// SPDX-License-Identifier: MIT
#include "ui/convert/folder/conversion_run_plan.h"

#include "core/convert/gguf/convert_run.h"
#include "core/formats/zip/member_checksums.h"
#include "ui/widgets/paths.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace wb::ui::convert {
namespace {

using wb::convert::ConvertPlan;

class ConversionRunPlan : public RunPlan {
    Q_DECLARE_TR_FUNCTIONS(ConversionRunPlan)

public:
    ConversionRunPlan(std::shared_ptr<const ConvertPlan> plan, QString modelPath, QString text, unsigned threads)
        : m_plan(std::move(plan)), m_modelPath(std::move(modelPath)), m_text(std::move(text)), m_threads(threads) {}

    QString kind() const override { return QStringLiteral("convert"); }
    QString heading() const override { return tr("Converting"); }
    Sentence jobTitle() const override {
        return [name = QFileInfo(m_modelPath).fileName()] { return tr("Converting %1").arg(name); };
    }
    QString modelPath() const override { return m_modelPath; }
    std::vector<std::filesystem::path> sources() const override {
        std::vector<std::filesystem::path> paths;
        for (const run::SourceFile& file : m_plan->folder.files) paths.push_back(m_plan->folder.model->folder / file.name);
        return paths;
    }
    std::vector<std::filesystem::path> targets(const std::filesystem::path& target) const override { return {target}; }
    std::uint64_t bytes() const override { return m_plan->fileBytes; }
    QString text() const override { return m_text; }
    Result<std::string> fingerprint() const override { return wb::convert::fingerprintOf(*m_plan); }

    Result<RunOutcome> run(const std::filesystem::path& target, bool replace, run::Claim* claim,
                           const Progress& progress) const override {
        WB_TRY(zip::requireChecksums(*m_plan->folder.model, {progress.stop, {}}));
        run::RunOptions options;
        options.threads = m_threads;
        options.replace = replace;
        options.claim = claim;
        WB_TRY_ASSIGN(wb::convert::ConvertOutcome outcome,
                      wb::convert::runConvert(*m_plan, target, options, inBytes(progress, bytes())));
        return RunOutcome{outcome.resumedItems, outcome.seconds, std::move(outcome.remarks),
                          std::vector<quantize::TensorError>(m_plan->tensors.size())};
    }

private:
    std::shared_ptr<const ConvertPlan> m_plan;
    QString m_modelPath;
    QString m_text;
    unsigned m_threads;
};

} // namespace

std::shared_ptr<const RunPlan> conversionRunPlan(std::shared_ptr<const ConvertPlan> plan, const QString& modelPath,
                                                 const QString& text, const Services& services) {
    return std::make_shared<ConversionRunPlan>(std::move(plan), modelPath, text, services.threads);
}

} // namespace wb::ui::convert
