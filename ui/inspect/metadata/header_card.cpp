// SPDX-License-Identifier: MIT
#include "ui/inspect/metadata/header_card.h"

#include "core/base/text.h"
#include "core/model/stored_files.h"
#include "core/arch/model_name.h"
#include "core/model/danger.h"
#include "core/model/checkpoint.h"
#include "core/model/parameters.h"
#include "ui/inspect/metadata/safety_panel.h"
#include "core/arch/model_spec.h"
#include "core/formats/gguf/file_type.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/card.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/tables/fit_words.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/plain_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>

#include <algorithm>
#include <set>
#include <tuple>

namespace wb::ui::inspect {
namespace {

QString formatText(const Model& model) {
    const QString title = QString::fromLatin1(formatTitle(model.format));
    return model.version ? QStringLiteral("%1 %2").arg(title, text(*model.version)) : title;
}

// "30 B total, 3 B active · instruct · 2507": only what the name says.
QString nameText(const arch::ModelName& name) {
    QStringList parts;
    if (name.parameters) {
        const QString total = shownShortCount(*name.parameters);
        parts << (name.activeParameters ? HeaderCard::tr("%1 total, %2 active").arg(total, shownShortCount(*name.activeParameters))
                                        : total);
    } else if (name.experts && name.expertParameters) {
        parts << HeaderCard::tr("%1 experts, %2 each").arg(*name.experts).arg(shownShortCount(*name.expertParameters));
    }
    for (const std::string& part : {name.stage, name.date, name.quantization})
        if (!part.empty()) parts << text(part);
    return parts.join(QStringLiteral(" · "));
}

QString badgeText(Severity severity, int count) {
    switch (severity) {
    case Severity::Error: return HeaderCard::tr("%n error(s)", nullptr, count);
    case Severity::Warning: return HeaderCard::tr("%n warning(s)", nullptr, count);
    case Severity::Note: break;
    }
    return HeaderCard::tr("%n note(s)", nullptr, count);
}

QString fileTypeText(const Model& model) {
    const Value* const stored = model.metadata.find("general.file_type");
    const auto number = stored ? stored->unsignedNumber() : std::nullopt;
    const gguf::FileTypeInfo* const type = number ? gguf::fileTypeOfValue(*number & ~std::uint64_t{1024}) : nullptr; // guessed
    return type ? QString::fromLatin1(type->name) : QString();
}

// The weights as they are meant: one that is stored in parts counts once, with the bytes of all its parts. Texts and missing data
// are not weights.
struct Weights {
    quint64 elements = 0, bytes = 0;
    double bits() const { return elements == 0 ? 0 : 8.0 * static_cast<double>(bytes) / static_cast<double>(elements); }
};

Weights countWeights(const Model& model) {
    std::set<std::string_view> parts;
    Weights weights;
    if (model.checkpoint && model.checkpoint->isJoined) {
        for (const TensorInfo& tensor : model.tensors) {
            if (!isWeight(model, tensor) || tensor.details->isRepeated) continue;
            weights.elements += tensor.shape.elements();
            weights.bytes += tensor.bytes();
        }
        return weights;
    }
    for (const TensorInfo& tensor : model.tensors) {
        if (!tensor.logical || !tensor.details || !tensor.details->bitsPerWeight) continue;
        parts.insert(tensor.details->parts.begin(), tensor.details->parts.end());
        weights.elements += tensor.shape.elements();
    }
    for (const TensorInfo& tensor : model.tensors) {
        if (tensor.isUncounted() || tensor.bytes() == 0 || tensor.dtype == Dtype::Unknown) continue;
        weights.bytes += tensor.bytes();
        if (!parts.contains(tensor.name)) weights.elements += tensor.shape.elements();
    }
    return weights;
}

// "Q4_1 · 5.74 bits per weight · context 8,192 · 30 layers · 9 heads, 3 for keys · 49,152 tokens": what people look for first.
QString shapeText(const stats::Contents& contents) {
    const Model& model = *contents.model;
    QStringList parts;
    if (model.series && !model.series->empty())
        parts << HeaderCard::tr("newest of %n checkpoint(s): %1", nullptr, static_cast<int>(model.series->size()))
                     .arg(text(escapeControls(model.series->back().path)));
    if (const QString type = fileTypeText(model); !type.isEmpty()) parts << type;
    if (const double bits = countWeights(model).bits(); bits > 0)
        parts << HeaderCard::tr("%1 bits per weight").arg(QLocale().toString(bits, 'f', 2));
    const auto spec = arch::readSpec(model);
    if (!spec) return parts.join(QStringLiteral(" · "));
    if (spec->context > 0) parts << HeaderCard::tr("context length %1").arg(shownCount(spec->context));
    if (spec->trunkLayers() > 0) parts << HeaderCard::tr("%n layer(s)", nullptr, static_cast<int>(spec->trunkLayers()));
    if (spec->headCount > 0 && spec->kvHeadCount > 0 && spec->kvHeadCount != spec->headCount)
        parts << HeaderCard::tr("%1 heads, %2 KV heads").arg(shownCount(spec->headCount), shownCount(spec->kvHeadCount));
    else if (spec->headCount > 0) parts << HeaderCard::tr("%n head(s)", nullptr, static_cast<int>(spec->headCount));
    if (spec->vocabulary > 0) parts << HeaderCard::tr("vocabulary size %1").arg(shownCount(spec->vocabulary));
    return parts.join(QStringLiteral(" · "));
}

constexpr const char* badgeIcons[] = {"info", "warning", "error"}; // by severity

} // namespace

HeaderCard::HeaderCard(const stats::Contents& contents, const QString& title, const QString& path, QWidget* parent)
    : QFrame(parent), m_badges(new QHBoxLayout), m_verdict(new QToolButton(this)), m_fit(new QToolButton(this)) {
    setObjectName(QStringLiteral("headerCard"));
    setProperty("card", true);
    setAccessibleName(tr("About this model"));
    auto* lines = new QVBoxLayout(this);
    lines->setContentsMargins(16, 9, 12, 10);
    lines->setSpacing(5);
    auto* row = new QHBoxLayout;
    row->setSpacing(26);
    lines->addLayout(row);
    addFacts(row, contents, title);
    row->addStretch(1);
    addWays(row, *contents.model);
    auto* second = new QHBoxLayout;
    second->setSpacing(16);
    lines->addLayout(second);
    auto* shape = new ElidedLabel(this);
    shape->setObjectName(QStringLiteral("shapeFacts"));
    shape->setProperty("muted", true);
    shape->setText(shapeText(contents));
    shape->setToolTip(plainText(shape->text()));
    second->addWidget(shape, 1);
    m_verdict->setObjectName(QStringLiteral("badge-verdict"));
    m_verdict->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_verdict->hide(); // until it is computed
    connect(m_verdict, &QToolButton::clicked, this, &HeaderCard::safetyWanted);
    second->addWidget(m_verdict);
    m_fit->setObjectName(QStringLiteral("badge-fit"));
    m_fit->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_fit->setIcon(icon(QStringLiteral("memory")));
    m_fit->hide(); // until it is counted, and where it cannot be
    connect(m_fit, &QToolButton::clicked, this, &HeaderCard::memoryWanted);
    second->addWidget(m_fit);
    m_badges->setSpacing(6);
    second->addLayout(m_badges);
    showProblems(contents.model->problems);
    setToolTip(plainText(path));
}

QLabel* HeaderCard::addFact(QHBoxLayout* row, const QString& caption, const QString& value, const QString& toolTip) {
    if (value.isEmpty()) return nullptr;
    auto* fact = new QVBoxLayout;
    fact->setSpacing(1);
    QLabel* captionLabel = makeMutedLabel(this);
    captionLabel->setText(caption);
    captionLabel->setWordWrap(false);
    auto* valueLabel = new QLabel(value, this);
    valueLabel->setTextFormat(Qt::PlainText);
    valueLabel->setTextInteractionFlags(Qt::TextSelectableByMouse);
    valueLabel->setProperty("heading", QStringLiteral("section"));
    valueLabel->setAccessibleName(QStringLiteral("%1: %2").arg(caption, value));
    if (!toolTip.isEmpty()) valueLabel->setToolTip(plainText(toolTip));
    fact->addWidget(captionLabel);
    fact->addWidget(valueLabel);
    row->addLayout(fact);
    return valueLabel;
}

QString HeaderCard::parametersToolTip(const Model& model) {
    const QString parameters = shownCount(model.parameters());
    if (storedParameters(model) == model.parameters()) return parameters;
    return tr("%1 parameters; the files store %2 elements, training state and the scales of packed weights included")
        .arg(parameters, shownCount(storedParameters(model)));
}

void HeaderCard::addFacts(QHBoxLayout* row, const stats::Contents& contents, const QString& title) {
    const Model& model = *contents.model;
    const auto stored = static_cast<quint64>(std::ranges::count(model.tensors, false, &TensorInfo::logical));
    addFact(row, tr("Format"), formatText(model));
    addFact(row, tr("Architecture"), model.architecture ? text(*model.architecture) : QString());
    addFact(row, tr("Parameters"), shownShortCount(model.parameters()), parametersToolTip(model));
    const auto files = storedFiles(model);
    quint64 fileBytes = 0;
    for (const StoredFile& file : files) fileBytes += file.bytes;
    addFact(row, tr("Size"), fileSizeText(fileBytes),
            tr("%1 bytes in files, %2 of them tensor data").arg(shownCount(fileBytes), shownCount(contents.totalBytes)))
        ->setObjectName(QStringLiteral("fileSize"));
    const quint64 logical = model.tensors.size() - stored;
    addFact(row, tr("Tensors"), shownCount(stored),
            logical == 0
                ? QString()
                : tr("%1 stored tensors; %2 logical weights are made of them").arg(shownCount(stored), shownCount(logical)));
    addFact(row, tr("Files"), shownCount(files.size()));
    addNameFact(row, nameText(arch::parseModelName(title.toStdString())));
}

// The longest and the least sure of all facts is the one that gives way.
void HeaderCard::addNameFact(QHBoxLayout* row, const QString& value) {
    if (value.isEmpty()) return;
    auto* fact = new QVBoxLayout;
    fact->setSpacing(1);
    int width = 0;
    for (const auto& [text, property, kind] : {std::tuple(tr("From file name"), "muted", QVariant(true)),
                                               std::tuple(value, "heading", QVariant(QStringLiteral("section")))}) {
        auto* label = new ElidedLabel(this);
        label->setProperty(property, kind);
        label->setText(text);
        label->setToolTip(tr("Derived from the file name only, not from the tensors.") + QLatin1Char('\n') + value);
        label->setAccessibleName(QStringLiteral("%1: %2").arg(tr("From file name"), value));
        label->ensurePolished();
        width = std::max(width, label->sizeHint().width());
        fact->addWidget(label);
    }
    for (int i = 0; i < fact->count(); ++i) fact->itemAt(i)->widget()->setMaximumWidth(width);
    row->addLayout(fact, 1000); // all that is free, up to its width
}

void HeaderCard::showVerdict(const Danger& danger) {
    static constexpr const char* icons[] = {"check", "warning", "warning", "error"}; // by verdict
    m_verdict->setIcon(icon(QLatin1String(icons[static_cast<std::size_t>(danger.verdict())])));
    m_verdict->setText(verdictText(danger));
    m_verdict->setProperty("isError", danger.verdict() == Verdict::Dangerous);
    m_verdict->style()->polish(m_verdict);
    m_verdict->setAccessibleName(tr("If loaded elsewhere: %1").arg(verdictText(danger)));
    m_verdict->setToolTip(plainText(verdictSentence(danger)));
    m_verdict->show();
}

void HeaderCard::showRun(const wb::infer::RunCheck& check) {
    if (check.refusal) {
        const bool isDamaged = check.refusal->code == ErrorCode::Malformed;
        m_fit->setText(isDamaged ? tr("Damaged") : tr("Not supported by Chat"));
    } else {
        const bool isTight = check.fit && check.fit->verdict != wb::memory::Verdict::Fits;
        m_fit->setText(!check.runs() ? tr("Does not run here") : isTight ? tr("Runs here (tight)") : tr("Runs here"));
    }
    const QString sentence = runSentence(check);
    m_fit->setAccessibleName(QStringLiteral("%1. %2").arg(m_fit->text(), sentence));
    m_fit->setToolTip(plainText(tr("%1 Show breakdown (Ctrl+Shift+Y)").arg(sentence)));
    m_fit->show();
}

void HeaderCard::addWays(QHBoxLayout* row, const Model& model) {
    auto* ways = new QHBoxLayout;
    ways->setSpacing(6);
    if (model.metadata.find("tokenizer.chat_template")) {
        auto* show = new QPushButton(tr("Chat template"), this);
        show->setObjectName(QStringLiteral("showTemplate"));
        show->setToolTip(tr("Show chat template"));
        connect(show, &QPushButton::clicked, this, &HeaderCard::templateWanted);
        ways->addWidget(show);
    }
    const bool isQuantizable = model.format == FormatId::Gguf || model.format == FormatId::HuggingFace;
    auto* quantize = new QPushButton(icon(QStringLiteral("convert")), isQuantizable ? tr("Quantize") : tr("Convert"), this);
    quantize->setObjectName(QStringLiteral("quantizeThis"));
    quantize->setToolTip(isQuantizable ? tr("Quantize this model (Ctrl+G)") : tr("Convert this model (Ctrl+G)"));
    connect(quantize, &QPushButton::clicked, this, &HeaderCard::quantizeWanted);
    ways->addWidget(quantize);
    auto* compare = new QToolButton(this);
    compare->setObjectName(QStringLiteral("compareThis"));
    compare->setIcon(icon(QStringLiteral("copy")));
    compare->setAccessibleName(tr("Compare with…"));
    compare->setToolTip(tr("Compare with another model (Ctrl+D)"));
    connect(compare, &QToolButton::clicked, this, &HeaderCard::compareWanted);
    ways->addWidget(compare);
    row->addLayout(ways);
}

void HeaderCard::showProblems(const std::vector<Problem>& problems) {
    while (QLayoutItem* item = m_badges->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Note}) {
        const auto count = std::ranges::count(problems, severity, &Problem::severity);
        if (count == 0) continue;
        auto* badge = new QToolButton(this);
        badge->setObjectName(QStringLiteral("badge-%1").arg(QLatin1String(severityName(severity))));
        badge->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        badge->setIcon(icon(QLatin1String(badgeIcons[static_cast<std::size_t>(severity)])));
        badge->setText(badgeText(severity, static_cast<int>(count)));
        badge->setToolTip(tr("Show problems"));
        badge->setProperty("isError", severity == Severity::Error);
        connect(badge, &QToolButton::clicked, this, &HeaderCard::problemsWanted);
        m_badges->addWidget(badge);
    }
}

} // namespace wb::ui::inspect
