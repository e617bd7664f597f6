// SPDX-License-Identifier: MIT
#include "ui/convert/quantize/quantize_run_plan.h"

#include "core/base/split_name.h"
#include "core/base/text.h"
#include "core/convert/quantize/quantize_output.h"
#include "core/quant/budget/budget.h"
#include "ui/widgets/paths.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace wb::ui::convert {

using namespace wb::quantize;

namespace {

class QuantizeRunPlan : public RunPlan {
    Q_DECLARE_TR_FUNCTIONS(QuantizeRunPlan)

public:
    QuantizeRunPlan(std::shared_ptr<const QuantizePlan> plan, QString modelPath, QString text, const Services& services)
        : m_plan(std::move(plan)), m_modelPath(std::move(modelPath)), m_text(std::move(text)), m_threads(services.threads),
          m_quantizer(services.quantizer) {}

    QString kind() const override { return QStringLiteral("quantize"); }
    QString heading() const override { return tr("Quantizing"); }
    Sentence jobTitle() const override {
        return [name = QFileInfo(m_modelPath).fileName(), type = typeText(*m_plan)] {
            return tr("Quantizing %1 to %2").arg(name, type);
        };
    }
    QString modelPath() const override { return m_modelPath; }
    std::vector<std::filesystem::path> sources() const override {
        std::vector<std::filesystem::path> paths;
        for (const ModelFile& file : m_plan->model->files) paths.push_back(m_plan->model->folder / file.name);
        return paths;
    }
    std::vector<std::filesystem::path> targets(const std::filesystem::path& target) const override {
        return targetPaths(*m_plan, target);
    }
    std::uint64_t bytes() const override { return m_plan->fileBytes(); }
    QString text() const override { return m_text; }
    Result<std::string> fingerprint() const override {
        WB_TRY_ASSIGN(run::JobId id, jobIdOf(*m_plan));
        return id.fingerprint;
    }

    Result<RunOutcome> run(const std::filesystem::path& target, bool replace, run::Claim* claim,
                           const Progress& progress) const override {
        QuantizeRunOptions options;
        options.threads = m_threads;
        options.replace = replace;
        options.claim = claim;
        options.verify = run::Verify::Sample;
        if (m_quantizer) options.backend = m_quantizer;
        WB_TRY_ASSIGN(QuantizeOutcome outcome, runQuantize(*m_plan, target, options, inBytes(progress, bytes())));
        return RunOutcome{outcome.resumedItems, outcome.seconds, std::move(outcome.remarks), std::move(outcome.errors)};
    }

private:
    std::shared_ptr<const QuantizePlan> m_plan;
    QString m_modelPath;
    QString m_text;
    unsigned m_threads;
    std::function<std::shared_ptr<quant::Backend>()> m_quantizer;
};

QString quoted(const std::string& text) { return QString::fromStdString(shellWord(text)); }

QStringList optionsBesideTypes(const QuantizeRequest& request) {
    QStringList options;
    for (const KeyOverride& override : request.overrides) options << QStringLiteral("--override-kv ") + quoted(textOf(override));
    QStringList layers;
    for (const std::uint32_t layer : request.prune) layers << QString::number(layer);
    if (!layers.isEmpty()) options << QStringLiteral("--prune-layers ") + layers.join(u',');
    if (request.mix.pure) options << QStringLiteral("--pure");
    return options;
}

} // namespace

std::shared_ptr<const RunPlan> quantizeRunPlan(std::shared_ptr<const QuantizePlan> plan, const QString& modelPath,
                                               const QString& text, const Services& services) {
    return std::make_shared<QuantizeRunPlan>(std::move(plan), modelPath, text, services);
}

// Where the model lies: its first file, or the Hugging Face folder, by whose name the file is called that is made of it.
static std::filesystem::path placeOf(const QuantizePlan& plan) {
    const ModelFile& file = plan.model->files[0];
    const bool isFolder = file.source && io::baseName(plan.model->folder) == file.name && file.identity == io::Identity();
    return isFolder ? plan.model->folder : plan.model->folder / file.name;
}

QString suggestedTarget(const QuantizePlan& plan, const QString& type) {
    const QFileInfo source(qtPath(placeOf(plan)));
    const std::string stored = source.completeBaseName().toStdString();
    const auto split = parseSplitName(stored);
    QString stem = source.isDir() ? source.fileName()
                   : split        ? QString::fromUtf8(split->stem.data(), static_cast<qsizetype>(split->stem.size()))
                                  : source.completeBaseName();
    for (const char* ending : {"-f16", "-F16", "-bf16", "-BF16", "-f32", "-F32", ".f16", ".F16", ".bf16", ".BF16", ".f32", ".F32"})
        if (stem.endsWith(QLatin1String(ending))) stem.chop(static_cast<int>(qstrlen(ending)));
    const QString folder = QFileInfo(source.path()).isWritable() ? source.path() : QDir::homePath();
    return QStringLiteral("%1/%2-%3.gguf").arg(folder, stem, type);
}

QString typeText(const QuantizePlan& plan) { return QString::fromLatin1(quant::targetName(plan.fileType, plan.copy)); }

QString commandOptions(const QuantizePlan* plan, const QuantizeRequest& request) {
    if (!plan) return {};
    std::vector<std::pair<std::string, Dtype>> chosen;
    for (const PlannedTensor& tensor : plan->tensors) {
        const TensorInfo& source = plan->model->tensors[tensor.source];
        if (!tensor.kept && request.types.contains(source.name)) chosen.emplace_back(source.storedName(), tensor.to);
    }
    QStringList parts = optionsBesideTypes(request);
    for (const quant::TensorTypeRule& rule : quant::rulesFor(chosen))
        parts << QStringLiteral("--tensor-type ") + quoted(fmt::format("{}={}", rule.pattern, name(rule.type)));
    parts << typeText(*plan);
    return parts.join(u' ');
}

} // namespace wb::ui::convert
