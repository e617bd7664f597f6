// SPDX-License-Identifier: MIT
#include "ui/chat/answer_panel.h"

#include "ui/widgets/numbers.h"
#include "ui/widgets/translate.h"
#include "ui/widgets/wheel.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>

namespace wb::ui::chat {

using namespace wb::chat;

namespace {

constexpr int presets = 4;

bool isSame(double a, double b) { return std::abs(a - b) < 1e-6; }

} // namespace

AnswerPanel::AnswerPanel(QWidget* parent)
    : QWidget(parent), m_form(new QFormLayout), m_instructionLabel(new QLabel(this)), m_instruction(new QPlainTextEdit(this)),
      m_presetLabel(new QLabel(this)), m_preset(new QComboBox(this)), m_stopLabel(new QLabel(this)),
      m_schemaLabel(new QLabel(this)), m_stop(addText("stopStrings", m_stopLabel)),
      m_schema(addText("responseSchema", m_schemaLabel)), m_reset(new QPushButton(this)) {
    setObjectName(QStringLiteral("answerPanel"));
    m_instruction->setObjectName(QStringLiteral("instruction"));
    m_instruction->setTabChangesFocus(true);
    m_instruction->setMaximumHeight(fontMetrics().lineSpacing() * 6);
    m_instructionLabel->setBuddy(m_instruction);
    m_preset->setObjectName(QStringLiteral("preset"));
    m_presetLabel->setBuddy(m_preset);
    needFocusForWheel(m_preset);
    for (int i = 0; i <= presets; ++i) m_preset->addItem(QString());
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_form->setRowWrapPolicy(QFormLayout::DontWrapRows);
    m_form->addRow(m_presetLabel, m_preset);
    addNumber("temperature", &ConversationSettings::temperature, &text::SamplingOptions::temperature, 5, 0.05);
    m_topK = addWhole("topK", 1'000'000);
    m_topKLabel = qobject_cast<QLabel*>(m_form->labelForField(m_topK));
    addNumber("topP", &ConversationSettings::topP, &text::SamplingOptions::topP, 1, 0.01);
    addNumber("minP", &ConversationSettings::minP, &text::SamplingOptions::minP, 1, 0.01);
    addNumber("repeatPenalty", &ConversationSettings::repeatPenalty, &text::SamplingOptions::repeatPenalty, 5, 0.05);
    addNumber("dryMultiplier", &ConversationSettings::dryMultiplier, &text::SamplingOptions::dryMultiplier, 10, 0.1);
    addNumber("xtcProbability", &ConversationSettings::xtcProbability, &text::SamplingOptions::xtcProbability, 1, 0.05);
    m_most = addWhole("maxTokens", 1'000'000'000);
    m_maxLabel = qobject_cast<QLabel*>(m_form->labelForField(m_most));
    m_reasoning = addWhole("reasoningBudget", 1'000'000'000);
    m_reasoning->setMinimum(-1);
    m_reasoningLabel = qobject_cast<QLabel*>(m_form->labelForField(m_reasoning));
    m_seed = addWhole("seed", std::numeric_limits<int>::max());
    m_seed->setMinimum(-1);
    m_seedLabel = qobject_cast<QLabel*>(m_form->labelForField(m_seed));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 12, 12, 12);
    layout->addWidget(m_instructionLabel);
    layout->addWidget(m_instruction);
    layout->addLayout(m_form);
    layout->addWidget(m_reset, 0, Qt::AlignLeft);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_stopLabel, m_stop, m_schemaLabel, m_schema}) layout->addWidget(widget);
    layout->addStretch(1);
    connect(m_preset, &QComboBox::activated, this, &AnswerPanel::choosePreset);
    connect(m_reset, &QPushButton::clicked, this, [this] { choosePreset(0); });
    connect(m_instruction, &QPlainTextEdit::textChanged, this, [this] {
        if (m_isShowing) return;
        m_settings.instruction = m_instruction->toPlainText().toStdString();
        tell();
    });
    keepTranslated(this, [this] { retranslate(); });
    showValues();
}

// A few lines of text; the label is its name.
QPlainTextEdit* AnswerPanel::addText(const char* name, QLabel* label) {
    auto* box = new QPlainTextEdit(this);
    box->setObjectName(QLatin1String(name));
    box->setTabChangesFocus(true);
    box->setMaximumHeight(fontMetrics().lineSpacing() * 4);
    label->setBuddy(box);
    connect(box, &QPlainTextEdit::textChanged, this, &AnswerPanel::takeTexts);
    return box;
}

void AnswerPanel::takeTexts() {
    if (m_isShowing) return;
    m_settings.stopStrings.clear();
    for (const QString& line : m_stop->toPlainText().split(u'\n'))
        if (!line.isEmpty()) m_settings.stopStrings.push_back(line.toStdString());
    m_settings.responseSchema = m_schema->toPlainText().trimmed().toStdString();
    emit changed(m_settings); // the text stays as it is typed
}

void AnswerPanel::addNumber(const char* name, std::optional<double> ConversationSettings::* member,
                            float text::SamplingOptions::* own, double high, double step) {
    auto* box = new QDoubleSpinBox(this);
    box->setObjectName(QLatin1String(name));
    box->setDecimals(2);
    box->setRange(member == &ConversationSettings::repeatPenalty ? 0.1 : 0, high);
    box->setSingleStep(step);
    auto* label = new QLabel(this);
    label->setBuddy(box);
    m_form->addRow(label, box);
    m_numbers.push_back({label, box, member, own});
    needFocusForWheel(box);
    connect(box, &QDoubleSpinBox::valueChanged, this, [this, member, own](double value) {
        if (m_isShowing) return;
        if (isSame(value, static_cast<double>(m_own.*own))) (m_settings.*member).reset();
        else m_settings.*member = value;
        tell();
    });
}

QSpinBox* AnswerPanel::addWhole(const char* name, int high) {
    auto* box = new QSpinBox(this);
    box->setObjectName(QLatin1String(name));
    box->setRange(0, high);
    auto* label = new QLabel(this);
    label->setBuddy(box);
    m_form->addRow(label, box);
    needFocusForWheel(box);
    connect(box, &QSpinBox::valueChanged, this, &AnswerPanel::takeWholes);
    return box;
}

void AnswerPanel::takeWholes() {
    if (m_isShowing) return;
    m_settings.topK = m_topK->value() == m_own.topK ? std::nullopt : std::optional(m_topK->value());
    m_settings.seed = m_seed->value() < 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(m_seed->value()));
    m_settings.maxTokens = m_most->value() == 0 ? std::nullopt : std::optional(static_cast<std::size_t>(m_most->value()));
    const int reasoning = m_reasoning->value();
    m_settings.reasoningBudget = reasoning < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(reasoning));
    tell();
}

void AnswerPanel::retranslate() {
    m_instructionLabel->setText(tr("System prompt"));
    m_instruction->setPlaceholderText(tr("Instructions for the model in this chat. Leave empty for no system prompt."));
    m_presetLabel->setText(tr("Preset"));
    const bool isAdvised = m_source != text::SamplingSource::Defaults;
    const QString names[] = {isAdvised ? tr("Model defaults") : tr("llama.cpp defaults"), tr("Deterministic (greedy)"),
                             tr("Balanced"), tr("Creative"), tr("Custom")};
    for (int i = 0; i <= presets; ++i) m_preset->setItemText(i, names[i]);
    const QString labels[] = {tr("Temperature"),    tr("Top-p"),          tr("Min-p"),
                              tr("Repeat penalty"), tr("DRY multiplier"), tr("XTC probability")};
    const QString tips[] = {tr("Randomness of sampling; 0 always picks the most likely token."),
                            tr("Nucleus sampling: keeps the most likely tokens up to this total probability."),
                            tr("Drops tokens whose probability is below this fraction of the most likely token's."),
                            tr("Penalizes recently used tokens; 1 is off."),
                            tr("Penalizes repeated sequences (DRY); 0 is off."),
                            tr("Probability of removing the top tokens (XTC), for more variety; 0 is off.")};
    for (std::size_t i = 0; i < m_numbers.size(); ++i) {
        m_numbers[i].label->setText(labels[i]);
        m_numbers[i].box->setToolTip(tips[i]);
    }
    m_topKLabel->setText(tr("Top-k"));
    m_topK->setSpecialValueText(tr("all"));
    m_topK->setToolTip(tr("Samples only from this many of the most likely tokens."));
    m_maxLabel->setText(tr("Max tokens"));
    m_most->setSpecialValueText(tr("up to context length"));
    m_most->setSuffix(tr(" tokens"));
    m_most->setToolTip(tr("Maximum number of tokens in a response."));
    m_reasoningLabel->setText(tr("Reasoning budget"));
    m_reasoning->setSpecialValueText(tr("no limit"));
    m_reasoning->setSuffix(tr(" tokens"));
    m_reasoning->setToolTip(tr("Maximum number of reasoning tokens; the model then answers."));
    m_seedLabel->setText(tr("Seed"));
    m_seed->setSpecialValueText(tr("random"));
    m_seed->setToolTip(tr("The same seed and settings reproduce the same response."));
    m_reset->setText(tr("Reset to defaults"));
    m_stopLabel->setText(tr("Stop strings"));
    m_stop->setPlaceholderText(tr("One per line"));
    m_stop->setToolTip(tr("The response ends before the first of these texts."));
    m_schemaLabel->setText(tr("JSON schema"));
    m_schema->setPlaceholderText(tr("Leave empty for any text."));
    m_schema->setToolTip(tr("Responses are JSON values that match this schema."));
    m_preset->setToolTip(sourceText());
}

QString AnswerPanel::sourceText() const {
    switch (m_source) {
    case text::SamplingSource::Gguf: return tr("The defaults are those that the file of the model advises.");
    case text::SamplingSource::GenerationConfig: return tr("The defaults are those of generation_config.json next to the model.");
    case text::SamplingSource::Defaults: break;
    }
    return tr("The model advises no sampling; the defaults are those of llama.cpp.");
}

void AnswerPanel::setModel(const text::ModelSampling& own) {
    m_own = own.options;
    m_source = own.source;
    retranslate();
    showValues();
}

void AnswerPanel::setSettings(const ConversationSettings& settings) {
    m_settings = settings;
    showValues();
}

void AnswerPanel::showValues() {
    m_isShowing = true;
    for (const Number& number : m_numbers)
        number.box->setValue((m_settings.*number.member).value_or(static_cast<double>(m_own.*number.own)));
    m_topK->setValue(m_settings.topK.value_or(m_own.topK));
    m_most->setValue(static_cast<int>(std::min<std::size_t>(m_settings.maxTokens.value_or(0), 1'000'000'000)));
    m_reasoning->setValue(
        m_settings.reasoningBudget ? static_cast<int>(std::min<std::size_t>(*m_settings.reasoningBudget, 1'000'000'000)) : -1);
    m_seed->setValue(m_settings.seed ? static_cast<int>(std::min<std::uint32_t>(*m_settings.seed, 0x7FFF'FFFF)) : -1);
    const QString instruction = ui::text(m_settings.instruction);
    if (m_instruction->toPlainText() != instruction) m_instruction->setPlainText(instruction);
    QStringList stops;
    for (const std::string& stop : m_settings.stopStrings) stops << ui::text(stop);
    for (const auto& [box, text] : {std::pair(m_stop, stops.join(u'\n')), std::pair(m_schema, ui::text(m_settings.responseSchema))})
        if (box->toPlainText() != text) box->setPlainText(text);
    const auto preset = matchingPreset(m_settings);
    m_preset->setCurrentIndex(preset ? static_cast<int>(*preset) : presets);
    m_reset->setEnabled(m_settings.changesSampling());
    m_isShowing = false;
}

void AnswerPanel::choosePreset(int index) {
    if (index >= presets) return showValues();
    applyPreset(static_cast<Preset>(index), m_settings);
    tell();
}

void AnswerPanel::tell() {
    showValues();
    emit changed(m_settings);
}

} // namespace wb::ui::chat
