// SPDX-License-Identifier: MIT
#include "ui/memory/settings_panel.h"

#include "ui/memory/fields.h"
#include "ui/widgets/translate.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QScopedValueRollback>
#include <QSlider>
#include <QSpinBox>

namespace wb::ui::memory {

using namespace wb::memory;

namespace {

constexpr int contextStep = 1024;                // of the slider
constexpr std::uint64_t unknownContext = 131072; // the slider's end where the model does not specify

int asInt(std::uint64_t number) { return static_cast<int>(std::min<std::uint64_t>(number, 1'000'000'000)); }

} // namespace

SettingsPanel::SettingsPanel(MemorySession& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_form(makeForm(this)), m_context(makeSpin(this, "context", 256, 1'000'000'000, 1024)),
      m_conversations(makeSpin(this, "conversations", 1, 256, 1)), m_microBatch(makeSpin(this, "microBatch", 1, 65536, 128)),
      m_layers(makeSpin(this, "gpuLayers", 0, 0, 1)), m_experts(makeSpin(this, "cpuExperts", 0, 0, 1)),
      m_contextSlider(new QSlider(Qt::Horizontal, this)), m_cacheType(makeBox(this, "cacheType")),
      m_valueType(makeBox(this, "valueType")), m_type(makeBox(this, "type")), m_runtime(makeBox(this, "runtime")),
      m_backend(makeBox(this, "backend")), m_build(makeBox(this, "build")), m_flash(new QCheckBox(this)),
      m_unified(new QCheckBox(this)), m_ahead(new QCheckBox(this)) {
    m_flash->setObjectName(QStringLiteral("flash"));
    m_unified->setObjectName(QStringLiteral("unified"));
    m_ahead->setObjectName(QStringLiteral("ahead"));
    m_contextSlider->setObjectName(QStringLiteral("contextSlider"));
    for (QWidget* field : std::initializer_list<QWidget*>{m_runtime, m_backend, m_build, m_type, m_context})
        m_form->addRow(QString(QChar::Space), field);
    m_form->addRow(m_contextSlider);
    for (QWidget* field :
         std::initializer_list<QWidget*>{m_cacheType, m_valueType, m_layers, m_experts, m_conversations, m_microBatch})
        m_form->addRow(QString(QChar::Space), field);
    for (QCheckBox* box : {m_flash, m_unified, m_ahead}) m_form->addRow(box);
    for (QComboBox* box : {m_cacheType, m_valueType})
        for (const Dtype type : cacheTypes()) box->addItem(QString::fromLatin1(wb::name(type)), static_cast<int>(type));
    for (const Runtime runtime : {Runtime::LlamaCpp, Runtime::Weighbridge, Runtime::Vllm, Runtime::Transformers})
        m_runtime->addItem(QString::fromLatin1(runtimeName(runtime)), static_cast<int>(runtime));
    for (QSpinBox* spin : {m_context, m_conversations, m_microBatch, m_layers, m_experts})
        connect(spin, &QSpinBox::valueChanged, this, &SettingsPanel::apply);
    connect(m_cacheType, &QComboBox::currentIndexChanged, m_valueType, &QComboBox::setCurrentIndex); // alike unless chosen apart
    for (QComboBox* box : {m_cacheType, m_valueType, m_backend, m_build})
        connect(box, &QComboBox::currentIndexChanged, this, &SettingsPanel::apply);
    connect(m_runtime, &QComboBox::currentIndexChanged, this, [this] {
        if (m_isShowing) return;
        fillBackends();
        apply();
    });
    for (QCheckBox* box : {m_flash, m_unified, m_ahead}) connect(box, &QCheckBox::toggled, this, &SettingsPanel::apply);
    connect(m_contextSlider, &QSlider::valueChanged, this, [this](int steps) {
        if (!m_isShowing) m_context->setValue(steps * contextStep);
    });
    connect(m_type, &QComboBox::currentIndexChanged, this, [this](int index) {
        if (m_isShowing || !m_session.counted()) return;
        const auto& types = m_session.counted()->types;
        m_session.setType(index <= 0 ? nullptr : types[static_cast<std::size_t>(index - 1)].type);
    });
    for (const auto signal : {&MemorySession::opened, &MemorySession::settingsReplaced})
        connect(&m_session, signal, this, &SettingsPanel::showSettings);
    keepTranslated(this, [this] { retranslate(); });
}

// Programs that serve compute everything on their devices; Weighbridge's plan is that of the CPU.
void SettingsPanel::fillBackends() {
    const QScopedValueRollback guard(m_isShowing, true);
    const QVariant present = m_backend->currentData();
    m_backend->clear();
    const auto runtime = static_cast<Runtime>(m_runtime->currentData().toInt());
    const auto offer = [this](const QString& text, Backend backend) { m_backend->addItem(text, static_cast<int>(backend)); };
    if (runtime != Runtime::Vllm) offer(tr("CPU"), Backend::Cpu);
    if (runtime == Runtime::LlamaCpp) offer(QStringLiteral("Vulkan"), Backend::Vulkan);
    if (runtime != Runtime::Weighbridge) offer(QStringLiteral("CUDA"), Backend::Cuda);
    if (runtime == Runtime::LlamaCpp) offer(QStringLiteral("Metal"), Backend::Metal);
    m_backend->setCurrentIndex(std::max(0, m_backend->findData(present)));
    showFields();
}

// Settings without effect for the program and the model are not shown.
void SettingsPanel::showFields() {
    const auto runtime = static_cast<Runtime>(m_runtime->currentData().toInt());
    const bool isLlamaCpp = runtime == Runtime::LlamaCpp;
    const auto show = [this](QWidget* field, bool isShown) {
        field->setVisible(isShown);
        if (QWidget* label = m_form->labelForField(field)) label->setVisible(isShown);
    };
    show(m_build, isLlamaCpp);
    show(m_layers, isLlamaCpp);
    show(m_experts, isLlamaCpp && m_session.counted() && m_session.counted()->subject.spec.hasExperts());
    show(m_microBatch, isLlamaCpp);
    show(m_conversations, runtime != Runtime::Weighbridge);
    show(m_type, runtime != Runtime::Weighbridge);
    m_flash->setVisible(isLlamaCpp);
    m_unified->setVisible(isLlamaCpp);
    const bool hasLayersAhead = m_session.counted() && m_session.counted()->subject.spec.predictionLayers > 0;
    m_ahead->setVisible(hasLayersAhead && runtime != Runtime::Weighbridge);
}

void SettingsPanel::showSettings() {
    const QScopedValueRollback guard(m_isShowing, true);
    const Settings& settings = m_session.settings();
    const Counted* const counted = m_session.counted();
    m_runtime->setCurrentIndex(m_runtime->findData(static_cast<int>(settings.runtime)));
    fillBackends();
    m_backend->setCurrentIndex(std::max(0, m_backend->findData(static_cast<int>(settings.backendUsed()))));
    m_context->setValue(asInt(settings.context));
    const std::uint64_t longest = counted && counted->subject.spec.context > 0 ? counted->subject.spec.context : unknownContext;
    m_contextSlider->setRange(1, std::max(1, asInt(longest / contextStep)));
    m_contextSlider->setValue(asInt(settings.context / contextStep));
    m_conversations->setValue(asInt(settings.conversations));
    m_microBatch->setValue(asInt(settings.microBatch));
    const std::uint64_t layers = counted ? counted->subject.spec.trunkLayers() : 0;
    m_layers->setMaximum(asInt(layers + 1));
    m_layers->setValue(asInt(std::min(settings.gpuLayers, layers + 1)));
    m_experts->setMaximum(asInt(layers));
    m_experts->setValue(asInt(settings.cpuExperts));
    m_cacheType->setCurrentIndex(m_cacheType->findData(static_cast<int>(settings.keyType)));
    m_valueType->setCurrentIndex(m_valueType->findData(static_cast<int>(settings.valueType)));
    m_flash->setChecked(settings.flash);
    m_unified->setChecked(settings.unified);
    m_ahead->setChecked(settings.predictsAhead);
    showFields();
    fillTypes();
}

void SettingsPanel::fillTypes() {
    const QScopedValueRollback guard(m_isShowing, true);
    m_type->clear();
    const Counted* const counted = m_session.counted();
    if (!counted) return;
    const QString stored = QString::fromStdString(counted->subject.stored.type);
    m_type->addItem(stored.isEmpty() ? tr("Same as file") : stored);
    int chosen = 0;
    for (const TypedWeights& typed : counted->types) {
        if (typed.type == m_session.type()) chosen = m_type->count();
        m_type->addItem(QString::fromLatin1(typed.type->name));
    }
    m_type->setCurrentIndex(chosen);
}

void SettingsPanel::apply() {
    if (m_isShowing || !m_session.counted()) return;
    const Settings before = m_session.settings();
    Settings settings = before;
    settings.runtime = static_cast<Runtime>(m_runtime->currentData().toInt());
    settings.build = m_build->currentData().toUInt();
    settings.context = static_cast<std::uint64_t>(m_context->value());
    settings.conversations = settings.runtime == Runtime::Weighbridge ? 1 : static_cast<std::uint64_t>(m_conversations->value());
    settings.microBatch = static_cast<std::uint64_t>(m_microBatch->value());
    settings.cpuExperts = settings.runtime == Runtime::LlamaCpp ? static_cast<std::uint64_t>(m_experts->value()) : 0;
    settings.keyType = static_cast<Dtype>(m_cacheType->currentData().toInt());
    settings.valueType = static_cast<Dtype>(m_valueType->currentData().toInt());
    settings.flash = m_flash->isChecked();
    settings.unified = m_unified->isChecked();
    settings.predictsAhead = m_ahead->isChecked() && settings.runtime != Runtime::Weighbridge;
    placeLayers(settings, before);
    {
        const QScopedValueRollback guard(m_isShowing, true);
        m_contextSlider->setValue(asInt(settings.context / contextStep));
    }
    m_session.setSettings(settings);
}

// The CPU has no layers on a device and any other backend has some; whichever of the two was changed decides.
void SettingsPanel::placeLayers(Settings& settings, const Settings& before) {
    const QScopedValueRollback guard(m_isShowing, true);
    auto backend = static_cast<Backend>(m_backend->currentData().toInt());
    if (settings.runtime != Runtime::LlamaCpp) {
        settings.gpuLayers = backend == Backend::Cpu ? 0 : allLayers;
    } else {
        const bool isNewBackend = backend != before.backendUsed();
        if (isNewBackend && backend == Backend::Cpu) m_layers->setValue(0);
        else if (isNewBackend && m_layers->value() == 0) m_layers->setValue(m_layers->maximum());
        settings.gpuLayers = static_cast<std::uint64_t>(m_layers->value());
        if (settings.gpuLayers == 0) backend = Backend::Cpu;
        else if (backend == Backend::Cpu) backend = Backend::Vulkan;
        m_backend->setCurrentIndex(m_backend->findData(static_cast<int>(backend)));
    }
    settings.backend = backend;
    if (settings.gpuLayers != before.gpuLayers || settings.runtime != Runtime::LlamaCpp) settings.split.clear();
    const std::size_t cards = m_session.cards().size();
    if (settings.runtime != Runtime::LlamaCpp && settings.usesGpu() && cards > 1) settings.split.assign(cards, 1);
}

void SettingsPanel::retranslate() {
    const std::initializer_list<std::pair<QWidget*, QString>> labels = {{m_runtime, tr("Runtime")},
                                                                        {m_backend, tr("Backend")},
                                                                        {m_build, tr("llama.cpp build")},
                                                                        {m_type, tr("Weight type")},
                                                                        {m_context, tr("Context length (total)")},
                                                                        {m_cacheType, tr("K cache type")},
                                                                        {m_valueType, tr("V cache type")},
                                                                        {m_layers, tr("GPU layers")},
                                                                        {m_experts, tr("Layers with experts on CPU")},
                                                                        {m_conversations, tr("Parallel sequences")},
                                                                        {m_microBatch, tr("Micro-batch size")}};
    for (const auto& [field, text] : labels) setLabel(m_form, field, text);
    m_contextSlider->setAccessibleName(tr("Context length (total)"));
    m_context->setSuffix(tr(" tokens"));
    m_microBatch->setSuffix(tr(" tokens"));
    m_layers->setSpecialValueText(tr("none"));
    m_experts->setSpecialValueText(tr("none"));
    m_flash->setText(tr("Flash attention"));
    m_unified->setText(tr("Unified KV cache"));
    m_ahead->setText(tr("Speculative decoding with MTP layers"));
    m_ahead->setToolTip(tr("Loads the multi-token prediction (MTP) layers, which have their own KV cache"));
    fillBuilds();
    fillBackends();
    fillTypes();
}

// The months after which a law changed.
void SettingsPanel::fillBuilds() {
    const QScopedValueRollback guard(m_isShowing, true);
    const int present = std::max(0, m_build->currentIndex());
    m_build->clear();
    m_build->addItem(tr("latest"), newestBuild);
    for (const auto& [text, build] : std::initializer_list<std::pair<QString, uint>>{
             {tr("July 2026"), 202607}, {tr("May 2026"), 202605}, {tr("April 2026"), 202604}, {tr("May 2025"), 202505}})
        m_build->addItem(text, build);
    m_build->setCurrentIndex(present);
}

} // namespace wb::ui::memory
