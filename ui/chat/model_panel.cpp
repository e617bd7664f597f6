// SPDX-License-Identifier: MIT
#include "ui/chat/model_panel.h"

#include "ui/shell/settings/device_choice.h"
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
constexpr int contextStep = 1024, automatic = -1;

int offeredRow(infer::CacheType type) { return static_cast<int>(std::ranges::find(offeredTypes, type) - offeredTypes); }

} // namespace

ModelPanel::ModelPanel(QWidget* parent)
    : QWidget(parent), m_form(new QFormLayout), m_heading(makeHeading(this)), m_reload(new QPushButton(this)) {
    m_context = addNumber("contextLength", maxContext, m_contextLabel);
    m_keys = addCacheType("cacheKeys", m_keysLabel);
    m_values = addCacheType("cacheValues", m_valuesLabel);
    m_layers = addNumber("gpuLayers", maxLayers, m_layersLabel);
    m_layers->setMinimum(automatic);
    m_form->setRowVisible(m_layers, false); // until devices are offered
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

void ModelPanel::offerDevices(const Devices& devices, JobRunner& jobs) {
    if (m_device) return;
    m_device = new DeviceChoice(m_shown.device.value_or(m_defaultDevice), &devices, jobs, this);
    m_device->setObjectName(QStringLiteral("device"));
    m_device->setMinimumContentsLength(12); // the tooltip has the whole name
    m_deviceLabel = new QLabel(this);
    m_deviceLabel->setBuddy(m_device);
    int row = 0;
    m_form->getWidgetPosition(m_layers, &row, nullptr);
    m_form->insertRow(row, m_deviceLabel, m_device);
    m_form->setRowVisible(m_layers, true);
    needFocusForWheel(m_device);
    connect(m_device, &DeviceChoice::shownChanged, this, &ModelPanel::refresh); // the tooltip names the device
    connect(m_device, &QComboBox::activated, this, [this] {
        m_shown.device = m_device->chosen();
        take();
    });
    retranslate();
    refresh();
}

void ModelPanel::setDefaultDevice(const DeviceRef& device) {
    m_defaultDevice = device;
    showDevice();
    refresh();
}

void ModelPanel::showDevice() {
    if (m_device) m_device->choose(m_shown.device.value_or(m_defaultDevice));
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
    if (m_device) {
        m_deviceLabel->setText(tr("Device"));
        m_device->setAccessibleName(tr("Device that runs the model"));
        m_device->fill();
    }
    m_layersLabel->setText(tr("GPU layers"));
    m_layers->setSpecialValueText(tr("automatic"));
    m_layers->setToolTip(tr("Number of layers offloaded to the GPU, counted from the last; the output layer counts as one. "
                            "Automatic: as many as fit in free VRAM."));
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

// A number that was chosen for a larger model stays: all layers of a smaller one.
void ModelPanel::setLayersMax(std::uint64_t layers) {
    m_isShowing = true;
    const int most = layers > 0 ? static_cast<int>(std::min<std::uint64_t>(layers, maxLayers)) : maxLayers;
    m_layers->setMaximum(std::max(most, m_layers->value()));
    m_isShowing = false;
}

void ModelPanel::showValues() {
    m_isShowing = true;
    m_context->setValue(static_cast<int>(std::min<std::size_t>(m_shown.context, maxContext)));
    m_keys->setCurrentIndex(offeredRow(m_shown.keys));
    m_values->setCurrentIndex(offeredRow(m_shown.values));
    const int layers = m_shown.gpuLayers ? static_cast<int>(std::min<std::uint64_t>(*m_shown.gpuLayers, maxLayers)) : automatic;
    m_layers->setMaximum(std::max(m_layers->maximum(), layers));
    m_layers->setValue(layers);
    m_threads->setValue(static_cast<int>(std::min<unsigned>(m_shown.threads, maxThreads)));
    showDevice();
    m_isShowing = false;
    refresh();
}

void ModelPanel::take() {
    if (m_isShowing) return;
    const bool isCut =
        m_context->value() == m_context->maximum() && m_shown.context > static_cast<std::size_t>(m_context->maximum());
    if (!isCut) m_shown.context = static_cast<std::size_t>(m_context->value());
    m_shown.keys = offeredTypes[m_keys->currentIndex()];
    m_shown.values = offeredTypes[m_values->currentIndex()];
    m_shown.gpuLayers = m_layers->value() == automatic ? std::nullopt : std::optional<std::uint64_t>(m_layers->value());
    m_shown.threads = static_cast<unsigned>(m_threads->value());
    refresh();
    if (m_contextMax == 0) emit applyWanted(m_shown); // no model is loaded
}

void ModelPanel::refresh() {
    const bool hasGpu = m_device && !m_device->chosen().isProcessor();
    m_layers->setEnabled(hasGpu);
    m_layersLabel->setEnabled(hasGpu);
    if (m_device)
        m_device->setToolTip(
            tr("Device that runs the model: %1. A device chosen here counts for the Chat tab alone.").arg(m_device->currentText()));
    m_reload->setVisible(m_contextMax > 0 && m_shown != m_applied);
}

} // namespace wb::ui::chat
