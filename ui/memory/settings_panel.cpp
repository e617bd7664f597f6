// SPDX-License-Identifier: MIT
#include "ui/memory/settings_panel.h"

#include "ui/memory/fields.h"
#include "ui/widgets/translate.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QScopedValueRollback>
#include <QSpinBox>

namespace wb::ui::memory {

using namespace wb::memory;

namespace {

int asInt(std::uint64_t number) { return static_cast<int>(std::min<std::uint64_t>(number, 1'000'000'000)); }

} // namespace

SettingsPanel::SettingsPanel(MemorySession& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_form(makeForm(this)), m_context(makeSpin(this, "context", 256, 1'000'000'000, 1024)),
      m_conversations(makeSpin(this, "conversations", 1, 256, 1)), m_microBatch(makeSpin(this, "microBatch", 1, 65536, 128)),
      m_layers(makeSpin(this, "gpuLayers", 0, 0, 1)), m_cacheType(makeBox(this, "cacheType")), m_type(makeBox(this, "type")),
      m_flash(new QCheckBox(this)) {
    m_flash->setObjectName(QStringLiteral("flash"));
    for (QWidget* field : std::initializer_list<QWidget*>{m_type, m_context, m_cacheType, m_layers, m_conversations, m_microBatch})
        m_form->addRow(QString(QChar::Space), field);
    m_form->addRow(m_flash);
    for (const Dtype type : cacheTypes()) m_cacheType->addItem(QString::fromLatin1(wb::name(type)), static_cast<int>(type));
    for (QSpinBox* spin : {m_context, m_conversations, m_microBatch, m_layers})
        connect(spin, &QSpinBox::valueChanged, this, &SettingsPanel::apply);
    connect(m_cacheType, &QComboBox::currentIndexChanged, this, &SettingsPanel::apply);
    connect(m_flash, &QCheckBox::toggled, this, &SettingsPanel::apply);
    connect(m_type, &QComboBox::currentIndexChanged, this, [this](int index) {
        if (m_isShowing || !m_session.counted()) return;
        const auto& types = m_session.counted()->types;
        m_session.setType(index <= 0 ? nullptr : types[static_cast<std::size_t>(index - 1)].type);
    });
    connect(&m_session, &MemorySession::opened, this, &SettingsPanel::showSettings);
    keepTranslated(this, [this] { retranslate(); });
}

void SettingsPanel::showSettings() {
    const QScopedValueRollback guard(m_isShowing, true);
    const Settings& settings = m_session.settings();
    m_context->setValue(asInt(settings.context));
    m_conversations->setValue(asInt(settings.conversations));
    m_microBatch->setValue(asInt(settings.microBatch));
    m_layers->setMaximum(asInt(m_session.counted() ? m_session.counted()->subject.spec.trunkLayers() + 1 : 0));
    m_layers->setValue(asInt(settings.gpuLayers));
    m_cacheType->setCurrentIndex(m_cacheType->findData(static_cast<int>(settings.keyType)));
    m_flash->setChecked(settings.flash);
    fillTypes();
}

void SettingsPanel::fillTypes() {
    const QScopedValueRollback guard(m_isShowing, true);
    m_type->clear();
    const Counted* const counted = m_session.counted();
    if (!counted) return;
    const QString stored = QString::fromStdString(counted->subject.stored.type);
    m_type->addItem(stored.isEmpty() ? tr("As in the file") : stored);
    int chosen = 0;
    for (const TypedWeights& typed : counted->types) {
        if (typed.type == m_session.type()) chosen = m_type->count();
        m_type->addItem(QString::fromLatin1(typed.type->name));
    }
    m_type->setCurrentIndex(chosen);
}

void SettingsPanel::apply() {
    if (m_isShowing || !m_session.counted()) return;
    Settings settings = m_session.settings();
    settings.context = static_cast<std::uint64_t>(m_context->value());
    settings.conversations = static_cast<std::uint64_t>(m_conversations->value());
    settings.microBatch = static_cast<std::uint64_t>(m_microBatch->value());
    settings.gpuLayers = static_cast<std::uint64_t>(m_layers->value());
    settings.keyType = settings.valueType = static_cast<Dtype>(m_cacheType->currentData().toInt());
    settings.flash = m_flash->isChecked();
    m_session.setSettings(settings);
}

void SettingsPanel::retranslate() {
    const std::initializer_list<std::pair<QWidget*, QString>> labels = {{m_type, tr("Type of the weights")},
                                                                        {m_context, tr("Context of all conversations")},
                                                                        {m_cacheType, tr("Type of the cache")},
                                                                        {m_layers, tr("Layers on a graphics device")},
                                                                        {m_conversations, tr("Conversations at the same time")},
                                                                        {m_microBatch, tr("Computed at once")}};
    for (const auto& [field, text] : labels) setLabel(m_form, field, text);
    m_context->setSuffix(tr(" tokens"));
    m_microBatch->setSuffix(tr(" tokens"));
    m_layers->setSpecialValueText(tr("none"));
    m_flash->setText(tr("Flash attention"));
    fillTypes();
}

} // namespace wb::ui::memory
