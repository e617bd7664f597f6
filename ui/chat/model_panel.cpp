// SPDX-License-Identifier: MIT
#include "ui/chat/model_panel.h"

#include "ui/widgets/card.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/translate.h"
#include "ui/widgets/wheel.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace wb::ui::chat {
namespace {

constexpr infer::CacheType offeredTypes[] = {infer::CacheType::F16, infer::CacheType::Q8_0, infer::CacheType::F32};
constexpr int contextStep = 1024;

int offeredRow(infer::CacheType type) { return static_cast<int>(std::ranges::find(offeredTypes, type) - offeredTypes); }

} // namespace

ModelPanel::ModelPanel(QWidget* parent)
    : QWidget(parent), m_form(new QFormLayout), m_heading(makeHeading(this)), m_reload(new QPushButton(this)) {
    m_context = addNumber("contextLength", maxContext, m_contextLabel);
    m_keys = addCacheType("cacheKeys", m_keysLabel);
    m_values = addCacheType("cacheValues", m_valuesLabel);
    m_threads = addNumber("threads", maxThreads, m_threadsLabel);
    m_context->setSingleStep(contextStep);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_reload->setObjectName(QStringLiteral("reloadModel"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 12, 12, 0);
    layout->addWidget(m_heading);
    layout->addLayout(m_form);
    layout->addWidget(m_reload, 0, Qt::AlignLeft);
    connect(m_reload, &QPushButton::clicked, this, [this] { emit applyWanted(m_shown); });
    keepTranslated(this, [this] { retranslate(); });
    showValues();
}

QSpinBox* ModelPanel::addNumber(const char* name, int high, QLabel*& label) {
    auto* box = new QSpinBox(this);
    box->setObjectName(QLatin1String(name));
    box->setRange(0, high);
    box->setGroupSeparatorShown(true);
    label = new QLabel(this);
    label->setBuddy(box);
    m_form->addRow(label, box);
    needFocusForWheel(box);
    connect(box, &QSpinBox::valueChanged, this, &ModelPanel::take);
    return box;
}

QComboBox* ModelPanel::addCacheType(const char* name, QLabel*& label) {
    auto* box = new QComboBox(this);
    box->setObjectName(QLatin1String(name));
    for (const infer::CacheType type : offeredTypes) {
        const std::string_view text = infer::name(type);
        box->addItem(QString::fromLatin1(text.data(), static_cast<qsizetype>(text.size())));
    }
    label = new QLabel(this);
    label->setBuddy(box);
    m_form->addRow(label, box);
    needFocusForWheel(box);
    connect(box, &QComboBox::activated, this, &ModelPanel::take);
    return box;
}

void ModelPanel::retranslate() {
    m_heading->setText(tr("Model settings"));
    m_contextLabel->setText(tr("Context length"));
    m_context->setSpecialValueText(tr("automatic"));
    m_context->setSuffix(tr(" tokens"));
    const QString meaning =
        tr("Number of tokens that the model keeps in memory. Automatic: 8,192 or the model's own context length "
           "if shorter, less if memory is short.");
    m_context->setToolTip(m_contextMax > 0 ? meaning + u' ' + tr("This model supports %1 tokens.").arg(shownCount(m_contextMax))
                                           : meaning);
    m_keysLabel->setText(tr("KV cache K"));
    m_valuesLabel->setText(tr("KV cache V"));
    const QString cache = tr("Type of the KV cache. q8_0 takes about half the memory of f16, with a negligible loss of quality.");
    m_keys->setToolTip(cache);
    m_values->setToolTip(cache);
    m_threadsLabel->setText(tr("CPU threads"));
    m_threads->setSpecialValueText(tr("as in Settings"));
    m_threads->setToolTip(tr("Number of CPU threads that run the model."));
    m_reload->setText(tr("Reload model to apply"));
    m_reload->setToolTip(tr("Loads the model again with these settings. The chat is kept."));
}

void ModelPanel::setSettings(const ModelSettings& settings) {
    m_applied = m_shown = settings;
    showValues();
}

void ModelPanel::setContextMax(std::size_t tokens) {
    m_contextMax = tokens;
    m_isShowing = true; // a smaller model shows its own length; the setting stays for others
    m_context->setMaximum(tokens > 0 ? static_cast<int>(std::min<std::size_t>(tokens, maxContext)) : maxContext);
    m_context->setValue(static_cast<int>(std::min<std::size_t>(m_shown.context, maxContext)));
    m_isShowing = false;
    retranslate();
    refresh();
}

void ModelPanel::showValues() {
    m_isShowing = true;
    m_context->setValue(static_cast<int>(std::min<std::size_t>(m_shown.context, maxContext)));
    m_keys->setCurrentIndex(offeredRow(m_shown.keys));
    m_values->setCurrentIndex(offeredRow(m_shown.values));
    m_threads->setValue(static_cast<int>(std::min<unsigned>(m_shown.threads, maxThreads)));
    m_isShowing = false;
    refresh();
}

void ModelPanel::take() {
    if (m_isShowing) return;
    const bool isCut =
        m_context->value() == m_context->maximum() && m_shown.context > static_cast<std::size_t>(m_context->maximum());
    m_shown = {isCut ? m_shown.context : static_cast<std::size_t>(m_context->value()), offeredTypes[m_keys->currentIndex()],
               offeredTypes[m_values->currentIndex()], static_cast<unsigned>(m_threads->value())};
    refresh();
    if (m_contextMax == 0) emit applyWanted(m_shown); // no model is loaded
}

void ModelPanel::refresh() { m_reload->setVisible(m_contextMax > 0 && m_shown != m_applied); }

} // namespace wb::ui::chat
