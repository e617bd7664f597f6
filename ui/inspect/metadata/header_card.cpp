// SPDX-License-Identifier: MIT
#include "ui/inspect/metadata/header_card.h"

#include "core/arch/model_name.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/card.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/plain_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <algorithm>

namespace wb::ui::inspect {
namespace {

struct FormatName {
    const char* format;
    const char* title;
};

constexpr FormatName formatNames[] = {
    {"gguf", "GGUF"}, {"safetensors", "safetensors"}, {"huggingface", "Hugging Face"}, {"diffusers", "Diffusers"}};

QString formatText(const Model& model) {
    const auto* const found =
        std::ranges::find(formatNames, model.format, [](const FormatName& row) { return std::string(row.format); });
    const QString title = found == std::end(formatNames) ? text(model.format) : QString::fromLatin1(found->title);
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
        parts << HeaderCard::tr("%1 experts of %2").arg(*name.experts).arg(shownShortCount(*name.expertParameters));
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

constexpr const char* badgeIcons[] = {"info", "warning", "error"}; // by severity

} // namespace

HeaderCard::HeaderCard(const Contents& contents, const QString& title, const QString& path, QWidget* parent) : QFrame(parent) {
    setObjectName(QStringLiteral("headerCard"));
    setProperty("card", true);
    setAccessibleName(tr("About this model"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(16, 9, 12, 10);
    row->setSpacing(26);
    addFacts(row, contents, title);
    row->addStretch(1);
    addBadges(row, contents.model->problems);
    setToolTip(plainText(path));
}

void HeaderCard::addFact(QHBoxLayout* row, const QString& caption, const QString& value, const QString& toolTip) {
    if (value.isEmpty()) return;
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
}

void HeaderCard::addFacts(QHBoxLayout* row, const Contents& contents, const QString& title) {
    const Model& model = *contents.model;
    const auto stored = static_cast<quint64>(std::ranges::count(model.tensors, false, &TensorInfo::logical));
    addFact(row, tr("Format"), formatText(model));
    addFact(row, tr("Architecture"), model.architecture ? text(*model.architecture) : QString());
    addFact(row, tr("Parameters"), shownShortCount(model.parameters()), shownCount(model.parameters()));
    addFact(row, tr("Size"), bytesText(contents.totalBytes), tr("%1 bytes in tensors").arg(shownCount(contents.totalBytes)));
    addFact(row, tr("Tensors"), shownCount(stored));
    addFact(row, tr("Files"), shownCount(model.files.size()));
    addFact(row, tr("From its name"), nameText(arch::parseModelName(title.toStdString())),
            tr("Read from the name only, not from the tensors."));
}

void HeaderCard::addBadges(QHBoxLayout* row, const std::vector<Problem>& problems) {
    auto* badges = new QHBoxLayout;
    badges->setSpacing(6);
    for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Note}) {
        const auto count = std::ranges::count(problems, severity, &Problem::severity);
        if (count == 0) continue;
        auto* badge = new QToolButton(this);
        badge->setObjectName(QStringLiteral("badge-%1").arg(QLatin1String(severityName(severity))));
        badge->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        badge->setIcon(icon(QLatin1String(badgeIcons[static_cast<std::size_t>(severity)])));
        badge->setText(badgeText(severity, static_cast<int>(count)));
        badge->setToolTip(tr("Show the problems"));
        connect(badge, &QToolButton::clicked, this, &HeaderCard::problemsWanted);
        badges->addWidget(badge);
    }
    row->addLayout(badges);
}

} // namespace wb::ui::inspect
