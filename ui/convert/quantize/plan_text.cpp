// SPDX-License-Identifier: MIT
#include "ui/convert/quantize/plan_text.h"

#include "core/arch/model_name.h"
#include "core/base/split_name.h"
#include "core/base/text.h"
#include "core/convert/gguf/converted_model.h"
#include "core/quant/budget/budget.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace wb::ui::convert {

using namespace wb::quantize;

namespace {

QString quoted(const std::string& text) { return QString::fromStdString(shellWord(text)); }

QStringList optionsBesideTypes(const QuantizeRequest& request) {
    QStringList options;
    for (const KeyOverride& override : request.overrides)
        options << QStringLiteral("--override-kv ") + quoted(overrideText(override));
    QStringList layers;
    for (const std::uint32_t layer : request.prune) layers << QString::number(layer);
    if (!layers.isEmpty()) options << QStringLiteral("--prune-layers ") + layers.join(u',');
    if (request.mix.pure) options << QStringLiteral("--pure");
    if (request.split.bytes > 0) options << QStringLiteral("--shard-size %1").arg(request.split.bytes);
    if (request.split.tensors > 0) options << QStringLiteral("--max-tensors %1").arg(request.split.tensors);
    return options;
}

} // namespace

Result<std::shared_ptr<const QuantizePlan>> shownPlan(const std::shared_ptr<const wb::convert::ConvertPlan>& plan) {
    WB_TRY_ASSIGN(ModelPtr model, wb::convert::convertedModel(plan));
    QuantizeRequest copy;
    copy.mix.copy = true;
    copy.allowRequantize = true; // what the folder stores in blocks stays as it is
    WB_TRY_ASSIGN(QuantizePlan shown, planQuantize(std::move(model), copy));
    shown.fileType = plan->type;
    shown.copy = false;
    shown.problems.insert(shown.problems.begin(), plan->problems.begin(), plan->problems.end());
    return std::make_shared<const QuantizePlan>(std::move(shown));
}

// Where the model is: its first file, or the Hugging Face folder, by whose name the file is called that is made of it.
static std::filesystem::path modelPlace(const Model& model) {
    const ModelFile& file = model.files[0];
    const bool isFolder = file.source && io::baseName(model.folder) == file.name && file.identity == io::Identity();
    return isFolder ? model.folder : model.folder / file.name;
}

QString nameWithoutType(const QString& shown) {
    const std::string name = shown.toStdString();
    std::string type = arch::parseModelName(name).quantization;
    type.erase(0, type.rfind('-') + 1); // of several words the last one
    const bool isLast = !type.empty() && name.size() > type.size() + 1 && name.ends_with(type) &&
                        std::string_view("-._ ").contains(name[name.size() - type.size() - 1]);
    return isLast ? ui::text(name.substr(0, name.size() - type.size() - 1)) : shown;
}

QString nameWithType(const QString& name, const QString& type) {
    const QString changed = QStringLiteral("%1-%2").arg(nameWithoutType(name), type);
    const bool isSource = changed.compare(name, Qt::CaseInsensitive) == 0; // as file systems compare
    return isSource ? QStringLiteral("%1-%2").arg(name, type) : changed;
}

QString suggestedTarget(const Model& model, const QString& type) {
    const QFileInfo source(qtPath(modelPlace(model)));
    const std::string stored = (source.isDir() ? source.fileName() : source.completeBaseName()).toStdString();
    const auto split = source.isDir() ? std::nullopt : parseSplitName(stored);
    const bool isType = quant::fileTypeFromName(type.toStdString()) || type.startsWith(QLatin1String("mixed")); // else all stay
    const QString name = ui::text(split ? std::string(split->stem) : stored);
    const QString folder = QFileInfo(source.path()).isWritable() ? source.path() : QDir::homePath();
    return QStringLiteral("%1/%2.gguf").arg(folder, isType ? nameWithType(name, type) : QStringLiteral("%1-%2").arg(name, type));
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
