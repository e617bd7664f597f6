// SPDX-License-Identifier: MIT
#include "ui/chat/answer_panel.h"

#include "core/chat/known_templates.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/translate.h"
#include "ui/widgets/wheel.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QInputDialog>
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

constexpr int builtIn = 4; // presets; those of the user follow, then what is none

bool isSame(double a, double b) { return std::abs(a - b) < 1e-6; }

} // namespace

AnswerPanel::AnswerPanel(QWidget* parent)
    : QWidget(parent), m_form(new QFormLayout), m_instructionLabel(new QLabel(this)), m_instruction(new QPlainTextEdit(this)),
      m_presetLabel(new QLabel(this)), m_preset(new QComboBox(this)), m_save(new QPushButton(this)),
      m_delete(new QPushButton(this)), m_templateLabel(new QLabel(this)), m_template(new QComboBox(this)),
      m_templateText(addText("templateText", m_templateLabel)), m_stopLabel(new QLabel(this)), m_schemaLabel(new QLabel(this)),
      m_stop(addText("stopStrings", m_stopLabel)), m_schema(addText("responseSchema", m_schemaLabel)),
      m_reset(new QPushButton(this)) {
    setObjectName(QStringLiteral("answerPanel"));
    m_instruction->setObjectName(QStringLiteral("instruction"));
    m_instruction->setTabChangesFocus(true);
    m_instruction->setMaximumHeight(fontMetrics().lineSpacing() * 6);
    m_instructionLabel->setBuddy(m_instruction);
    m_preset->setObjectName(QStringLiteral("preset"));
    m_presetLabel->setBuddy(m_preset);
    needFocusForWheel(m_preset);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_form->setRowWrapPolicy(QFormLayout::DontWrapRows);
    m_form->addRow(m_presetLabel, m_preset);
    m_form->addRow(makePresetButtons());
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
    addTemplate();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 12, 12, 12);
    layout->addWidget(m_instructionLabel);
    layout->addWidget(m_instruction);
    layout->addLayout(m_form);
    layout->addWidget(m_reset, 0, Qt::AlignLeft);
    for (QWidget* widget :
         std::initializer_list<QWidget*>{m_stopLabel, m_stop, m_schemaLabel, m_schema, m_templateLabel, m_template, m_templateText})
        layout->addWidget(widget);
    layout->addStretch(1);
    connect(m_preset, &QComboBox::activated, this, &AnswerPanel::choosePreset);
    connect(m_reset, &QPushButton::clicked, this, [this] { choosePreset(0); });
    connect(m_instruction, &QPlainTextEdit::textChanged, this, [this] {
        if (m_isShowing) return;
        m_settings.instruction = m_instruction->toPlainText().toStdString();
        tell();
    });
    fillPresets();
    keepTranslated(this, [this] { retranslate(); });
}

QLayout* AnswerPanel::makePresetButtons() {
    m_save->setObjectName(QStringLiteral("savePreset"));
    m_delete->setObjectName(QStringLiteral("deletePreset"));
    connect(m_save, &QPushButton::clicked, this, &AnswerPanel::askForName);
    connect(m_delete, &QPushButton::clicked, this, &AnswerPanel::deletePreset);
    auto* row = new QHBoxLayout;
    row->addWidget(m_save);
    row->addWidget(m_delete);
    row->addStretch(1);
    return row;
}

void AnswerPanel::addTemplate() {
    m_template->setObjectName(QStringLiteral("chatTemplate"));
    m_template->addItem(QString());
    for (const KnownTemplate& known : knownTemplates()) m_template->addItem(ui::text(std::string(known.name)));
    m_template->addItem(QString());
    m_templateLabel->setBuddy(m_template);
    needFocusForWheel(m_template);
    connect(m_template, &QComboBox::activated, this, &AnswerPanel::chooseTemplate);
}

void AnswerPanel::setHasTemplate(bool has) {
    m_hasTemplate = has;
    retranslate();
}

// A custom template starts with the text of the previous one.
void AnswerPanel::chooseTemplate(int index) {
    const auto known = knownTemplates();
    const auto at = static_cast<std::size_t>(index) - 1;
    if (index == 0) applyTemplate({}, m_settings);
    else if (at < known.size()) applyTemplate(std::string(known[at].source), m_settings);
    else if (m_settings.chatTemplate.empty()) applyTemplate(std::string(known.back().source) + '\n', m_settings);
    else if (findTemplate(m_settings.chatTemplate)) m_settings.chatTemplate += '\n';
    tell();
}

void AnswerPanel::setPresets(const SavedPresets& presets) {
    m_presets = presets;
    fillPresets();
}

void AnswerPanel::fillPresets() {
    m_preset->clear();
    for (int i = 0; i < builtIn; ++i) m_preset->addItem(QString());
    for (const SavedPreset& preset : std::as_const(m_presets)) m_preset->addItem(preset.name);
    m_preset->addItem(QString());
    retranslate();
    showValues();
}

void AnswerPanel::askForName() {
    const QString name = askFrom(this, [this](QWidget* window) {
        const qsizetype shown = findPreset(m_presets, m_settings);
        return QInputDialog::getText(window, tr("Save preset"), tr("Name of the preset, which keeps all of these settings:"),
                                     QLineEdit::Normal, shown < 0 ? QString() : m_presets[shown].name);
    });
    savePreset(name);
}

void AnswerPanel::savePreset(const QString& name) {
    if (name.trimmed().isEmpty()) return;
    keepPreset(m_presets, name.trimmed(), m_settings);
    fillPresets();
    emit presetsChanged(m_presets);
}

void AnswerPanel::deletePreset() {
    const qsizetype shown = m_preset->currentIndex() - builtIn;
    if (shown < 0 || shown >= m_presets.size()) return;
    m_presets.removeAt(shown);
    fillPresets();
    emit presetsChanged(m_presets);
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
    if (!m_templateText->isHidden()) m_settings.chatTemplate = m_templateText->toPlainText().toStdString();
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
    box->setGroupSeparatorShown(high < std::numeric_limits<int>::max()); // but for the seed, which is no count
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
    const QString names[builtIn] = {isAdvised ? tr("Model defaults") : tr("llama.cpp defaults"), tr("Deterministic (greedy)"),
                                    tr("Balanced"), tr("Creative")};
    for (int i = 0; i < builtIn; ++i) m_preset->setItemText(i, names[i]);
    m_preset->setItemText(m_preset->count() - 1, tr("Custom"));
    m_save->setText(tr("Save as preset…"));
    m_save->setToolTip(tr("Keeps all of these settings, with the system prompt, under a name."));
    m_delete->setText(tr("Delete preset"));
    m_templateLabel->setText(tr("Chat template"));
    m_templateText->setAccessibleName(tr("Chat template"));
    m_template->setItemText(0, m_hasTemplate ? tr("Of the model") : tr("None: continue the text"));
    m_template->setItemText(m_template->count() - 1, tr("Custom"));
    m_template->setToolTip(tr("How messages are written for the model, in Jinja. A wrong template degrades responses."));
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
    for (const auto& [box, text] : {std::pair(m_stop, stops.join(u'\n')), std::pair(m_schema, ui::text(m_settings.responseSchema)),
                                    std::pair(m_templateText, ui::text(m_settings.chatTemplate))})
        if (box->toPlainText() != text) box->setPlainText(text);
    const qsizetype saved = findPreset(m_presets, m_settings);
    const auto preset = matchingPreset(m_settings);
    m_preset->setCurrentIndex(saved >= 0 ? static_cast<int>(builtIn + saved)
                              : preset   ? static_cast<int>(*preset)
                                         : m_preset->count() - 1);
    m_delete->setEnabled(saved >= 0);
    const KnownTemplate* const known = findTemplate(m_settings.chatTemplate);
    const bool isOwn = m_settings.chatTemplate.empty();
    m_template->setCurrentIndex(isOwn   ? 0
                                : known ? static_cast<int>(known - knownTemplates().data()) + 1
                                        : m_template->count() - 1);
    m_templateText->setVisible(!isOwn && !known);
    m_reset->setEnabled(m_settings.changesSampling());
    m_isShowing = false;
}

void AnswerPanel::choosePreset(int index) {
    const qsizetype saved = index - builtIn;
    if (saved >= m_presets.size()) return showValues();
    if (saved < 0) applyPreset(static_cast<Preset>(index), m_settings);
    else {
        const std::int64_t leftOut = m_settings.leftOut;
        m_settings = m_presets[saved].settings;
        m_settings.leftOut = leftOut;
    }
    tell();
}

void AnswerPanel::tell() {
    showValues();
    emit changed(m_settings);
}

} // namespace wb::ui::chat
