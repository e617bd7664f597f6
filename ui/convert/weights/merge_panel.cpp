// SPDX-License-Identifier: MIT
#include "ui/convert/weights/merge_panel.h"

#include "ui/widgets/box_name.h"
#include "ui/widgets/sentence.h"
#include "ui/widgets/wheel.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace wb::ui::convert {

using wb::convert::MergeChoices;
using wb::merge::MergeMethod;
using wb::merge::MergeSettings;

MergePanel::MergePanel(QWidget* parent)
    : QWidget(parent),
      m_models(new NumberList({"addModel", tr("Add a model…"), tr("Models of the same architecture as the base model"),
                               tr("Choose a model folder"), tr("Weight of %1"), tr("Remove %1"), tr("Remove this model")},
                              this)),
      m_form(new QFormLayout), m_method(new QComboBox(this)), m_tokenizer(new QComboBox(this)), m_seed(new QSpinBox(this)),
      m_layers(new QLineEdit(this)), m_rules(new QPlainTextEdit(this)) {
    m_form->setRowWrapPolicy(QFormLayout::WrapAllRows);
    connect(m_models, &NumberList::entriesWanted, this, &MergePanel::setModels);
    makeMethod();
    makeNumbers();
    makeTexts();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_models);
    layout->addLayout(m_form);
    layout->addLayout(makeRecipe());
    setChoices({}, {});
}

QLayout* MergePanel::makeRecipe() {
    auto* open = new QPushButton(tr("Open recipe…"), this);
    open->setObjectName(QStringLiteral("openRecipe"));
    open->setToolTip(tr("Read a YAML configuration of mergekit"));
    connect(open, &QPushButton::clicked, this, &MergePanel::openWanted);
    auto* save = new QPushButton(tr("Save recipe…"), this);
    save->setObjectName(QStringLiteral("saveRecipe"));
    save->setToolTip(tr("Write this merge as a YAML configuration of mergekit"));
    connect(save, &QPushButton::clicked, this, &MergePanel::saveWanted);
    auto* row = new QHBoxLayout;
    row->addWidget(open);
    row->addWidget(save);
    return row;
}

void MergePanel::makeMethod() {
    const std::pair<MergeMethod, QString> methods[] = {{MergeMethod::Linear, tr("Linear (weighted average)")},
                                                       {MergeMethod::Slerp, tr("SLERP")},
                                                       {MergeMethod::TaskArithmetic, tr("Task arithmetic")},
                                                       {MergeMethod::Ties, tr("TIES")},
                                                       {MergeMethod::DareLinear, tr("DARE (linear)")},
                                                       {MergeMethod::DareTies, tr("DARE (TIES)")},
                                                       {MergeMethod::Layers, tr("Layers")}};
    for (const auto& [method, text] : methods) m_method->addItem(text, static_cast<int>(method));
    m_method->setObjectName(QStringLiteral("mergeMethod"));
    nameBox(m_method, tr("Merge method"));
    needFocusForWheel(m_method);
    connect(m_method, &QComboBox::activated, this,
            [this] { setMethod(static_cast<MergeMethod>(m_method->currentData().toInt())); });
    m_form->addRow(tr("Merge method"), m_method);
}

QDoubleSpinBox* MergePanel::addNumber(const char* name, const QString& label, const QString& tip, double least, double most,
                                      double MergeSettings::* field) {
    auto* box = new QDoubleSpinBox(this);
    box->setObjectName(QLatin1String(name));
    box->setRange(least, most);
    box->setDecimals(3);
    box->setSingleStep(0.1);
    box->setKeyboardTracking(false);
    box->setAccessibleName(label);
    box->setToolTip(tip);
    needFocusForWheel(box);
    connect(box, &QDoubleSpinBox::valueChanged, this,
            [this, field](double value) { change([&](MergeChoices& choices) { choices.settings.*field = value; }); });
    m_form->addRow(label, box);
    return box;
}

void MergePanel::makeNumbers() {
    constexpr double least = 0.001; // of the density: 0 would drop everything
    m_baseWeight = addNumber("mergeBaseWeight", tr("Weight of the base model"), tr("Weight of the base model in the average"), -10,
                             10, &MergeSettings::baseWeight);
    m_t = addNumber("mergeT", tr("Position (t)"), tr("0 is the base model, 1 the other model."), 0, 1, &MergeSettings::t);
    m_density = addNumber("mergeDensity", tr("Density"), tr("Share of the differences that is kept; 1 keeps all."), least, 1,
                          &MergeSettings::density);
    m_lambda = addNumber("mergeLambda", tr("Lambda"), tr("Factor of the merged differences; 1 is neutral."), -10, 10,
                         &MergeSettings::lambda);
    m_seed->setObjectName(QStringLiteral("mergeSeed"));
    m_seed->setAccessibleName(tr("Seed"));
    m_seed->setToolTip(tr("Seed of the random masks; the same seed gives the same file."));
    m_seed->setRange(0, std::numeric_limits<int>::max());
    m_seed->setKeyboardTracking(false);
    needFocusForWheel(m_seed);
    connect(m_seed, &QSpinBox::valueChanged, this,
            [this](int seed) { change([&](MergeChoices& choices) { choices.settings.seed = static_cast<std::uint64_t>(seed); }); });
    m_form->addRow(tr("Seed"), m_seed);
}

void MergePanel::makeTexts() {
    m_layers->setObjectName(QStringLiteral("mergeLayers"));
    m_layers->setAccessibleName(tr("Layers"));
    m_layers->setPlaceholderText(QStringLiteral("A:0-15,B:8-31"));
    m_layers->setToolTip(tr("Layers of the new model in order: A is the base model, B the first other model."));
    connect(m_layers, &QLineEdit::editingFinished, this, &MergePanel::readLayers);
    m_form->addRow(tr("Layers"), m_layers);
    m_rules->setObjectName(QStringLiteral("mergeRules"));
    m_rules->setAccessibleName(tr("Rules for tensors"));
    m_rules->setPlaceholderText(QStringLiteral("self_attn:t=0,0.5,1"));
    m_rules->setToolTip(
        tr("One rule per line, as REGEX:KEY=V with the key weight, density or t. Several values are spread over the "
           "layers."));
    m_rules->setTabChangesFocus(true);
    m_rules->setFixedHeight(3 * m_rules->fontMetrics().lineSpacing() + 12);
    connect(m_rules, &QPlainTextEdit::textChanged, this, &MergePanel::readRules);
    m_form->addRow(tr("Rules for tensors"), m_rules);
    m_tokenizer->setObjectName(QStringLiteral("mergeTokenizer"));
    nameBox(m_tokenizer, tr("Tokenizer"));
    needFocusForWheel(m_tokenizer);
    connect(m_tokenizer, &QComboBox::activated, this, [this] {
        const std::string chosen = m_tokenizer->currentData().toString().toStdString();
        change([&](MergeChoices& choices) { choices.tokenizer = chosen; });
    });
    m_form->addRow(tr("Tokenizer"), m_tokenizer);
}

void MergePanel::change(const std::function<void(MergeChoices&)>& apply) {
    MergeChoices choices = m_choices;
    apply(choices);
    if (!(choices == m_choices)) emit choicesWanted(choices);
}

void MergePanel::setModels(const NumberList::Entries& entries) {
    change([&](MergeChoices& choices) {
        choices.models.clear();
        choices.settings.weights.clear();
        for (const auto& [path, weight] : entries) {
            choices.models.push_back(path);
            choices.settings.weights.push_back(weight);
        }
        if (std::ranges::find(choices.models, choices.tokenizer) == choices.models.end() && choices.tokenizer != "base")
            choices.tokenizer.clear();
    });
}

// Numbers that the method does not have return to their defaults, so that no hidden one makes a plan invalid.
void MergePanel::setMethod(MergeMethod method) {
    change([&](MergeChoices& choices) {
        MergeSettings& settings = choices.settings;
        settings.method = method;
        if (!merge::dropsDifferences(method)) settings.density = 1;
        if (!merge::dropsAtRandom(method)) settings.seed = 0;
        if (method != MergeMethod::Layers) settings.layers.clear();
        m_invalid.clear();
    });
}

void MergePanel::readRules() {
    std::vector<wb::merge::MergeRule> rules;
    m_invalid.clear();
    for (const QString& line : m_rules->toPlainText().split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        auto rule = wb::merge::parseMergeRule(line.trimmed().toStdString());
        if (!rule) {
            m_invalid = translated(rule.error());
            emit choicesWanted(m_choices); // the sentence shows
            return;
        }
        rules.push_back(std::move(*rule));
    }
    MergeChoices choices = m_choices;
    choices.settings.rules = std::move(rules);
    emit choicesWanted(choices);
}

void MergePanel::readLayers() {
    const std::string text = m_layers->text().trimmed().toStdString();
    m_invalid.clear();
    if (text.empty()) return change([](MergeChoices& choices) { choices.settings.layers.clear(); });
    auto layers = wb::merge::parseLayerSlices(text);
    if (!layers) {
        m_invalid = translated(layers.error());
        emit choicesWanted(m_choices);
        return;
    }
    change([&](MergeChoices& choices) { choices.settings.layers = *layers; });
}

QString MergePanel::missing() const {
    if (m_choices.models.empty()) return tr("Add a model to merge with the base model.");
    return m_invalid;
}

void MergePanel::showRow(QWidget* field, bool shown) {
    field->setVisible(shown);
    m_form->labelForField(field)->setVisible(shown);
}

void MergePanel::refreshTokenizers() {
    const QString chosen = QString::fromStdString(m_choices.tokenizer);
    m_tokenizer->clear();
    m_tokenizer->addItem(tr("Vocabularies must match"), QString());
    m_tokenizer->addItem(tr("Of the base model"), QStringLiteral("base"));
    for (const std::string& path : m_choices.models) {
        const QString text = QString::fromStdString(path);
        m_tokenizer->addItem(tr("Of %1").arg(QFileInfo(text).fileName()), text);
    }
    m_tokenizer->setCurrentIndex(std::max(0, m_tokenizer->findData(chosen)));
}

void MergePanel::setChoices(const MergeChoices& choices, const QString& base) {
    m_choices = choices;
    m_base = base;
    const MergeSettings& settings = choices.settings;
    NumberList::Entries entries;
    for (std::size_t i = 0; i < choices.models.size(); ++i) entries.push_back({choices.models[i], settings.weights[i]});
    m_models->setModel(base);
    m_models->setEntries(entries);
    m_method->setCurrentIndex(m_method->findData(static_cast<int>(settings.method)));
    for (const auto& [box, value] : {std::pair(m_baseWeight, settings.baseWeight), std::pair(m_t, settings.t),
                                     std::pair(m_density, settings.density), std::pair(m_lambda, settings.lambda)}) {
        const QSignalBlocker blocker(box);
        box->setValue(value);
    }
    const QSignalBlocker seedBlocker(m_seed);
    m_seed->setValue(static_cast<int>(std::min<std::uint64_t>(settings.seed, std::numeric_limits<int>::max())));
    if (!m_layers->hasFocus()) m_layers->setText(QString::fromStdString(settingText(settings.layers)));
    if (!m_rules->hasFocus() && m_invalid.isEmpty()) {
        QStringList lines;
        for (const auto& rule : settings.rules) lines << QString::fromStdString(settingText(rule));
        const QSignalBlocker rulesBlocker(m_rules);
        m_rules->setPlainText(lines.join(QLatin1Char('\n')));
    }
    refreshTokenizers();
    const MergeMethod method = settings.method;
    const bool drops = merge::dropsDifferences(method);
    showRow(m_baseWeight, method == MergeMethod::Linear);
    showRow(m_t, method == MergeMethod::Slerp);
    showRow(m_density, drops);
    showRow(m_lambda, drops || method == MergeMethod::TaskArithmetic);
    showRow(m_seed, merge::dropsAtRandom(method));
    showRow(m_layers, method == MergeMethod::Layers);
    showRow(m_rules, method != MergeMethod::Layers);
}

} // namespace wb::ui::convert
