// SPDX-License-Identifier: MIT
#include "ui/shell/settings/settings_dialog.h"

#include "core/jobs/thread_pool.h"
#include "ui/shell/settings/device_choice.h"
#include "ui/shell/settings/device_speed_row.h"
#include "ui/shell/settings/settings_store.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/card.h"
#include "ui/widgets/mnemonic.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/translate.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace wb::ui {
namespace {

QFormLayout* makeForm(Card* card) {
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(18);
    form->setVerticalSpacing(12);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    card->content()->addLayout(form);
    return form;
}

// A label that follows the language and leads to its field with Alt and a letter.
void addRow(QFormLayout* form, QWidget* row, QWidget* field, const std::function<QString()>& text) {
    auto* label = new QLabel(form->parentWidget());
    label->setBuddy(field);
    label->setMinimumSize(170, 32); // as wide in every card, as high as a field
    form->addRow(label, row);
    keepTranslated(label, [label, field, text] {
        label->setText(text());
        field->setAccessibleName(withoutMnemonic(text()));
    });
}

} // namespace

SettingsDialog::SettingsDialog(SettingsStore& store, const QString& defaultCache, const QString& defaultModels,
                               const Devices* devices, JobRunner& jobs, QWidget* parent)
    : QDialog(parent), m_store(store), m_language(new QComboBox(this)), m_theme(new QComboBox(this)),
      m_fontSize(new QSpinBox(this)), m_threads(new QSpinBox(this)),
      m_device(new DeviceChoice(store.settings().device, devices, jobs, this)),
      m_deviceSpeed(new DeviceSpeedRow(
          devices, jobs, [this] { return m_device->chosen(); }, [this] { return static_cast<unsigned>(m_threads->value()); },
          this)),
      m_cacheFolder(new QLineEdit(this)), m_openFolder(new QLineEdit(this)), m_modelsFolder(new QLineEdit(this)),
      m_proxy(new QLineEdit(this)), m_context(new QSpinBox(this)) {
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* cards = new QWidget(this);
    auto* column = new QVBoxLayout(cards);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(14);
    column->addWidget(makeLookCard());
    column->addWidget(makeWorkCard(defaultCache));
    column->addWidget(makeModelsCard(defaultModels));
    column->addStretch();
    auto* scroll = new QScrollArea(this); // of a window that is lower than the cards
    scroll->setWidget(cards);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->viewport()->setAutoFillBackground(false);
    cards->setAutoFillBackground(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 20, 20, 16);
    layout->setSpacing(14);
    layout->addWidget(scroll);
    layout->addWidget(buttons);

    const Settings& settings = m_store.settings();
    m_threads->setValue(settings.threads);
    m_cacheFolder->setText(QDir::toNativeSeparators(settings.cacheFolder));
    m_openFolder->setText(QDir::toNativeSeparators(settings.openFolder));
    m_modelsFolder->setText(QDir::toNativeSeparators(settings.modelsFolder));
    m_proxy->setText(settings.proxy);
    m_fontSize->setValue(settings.fontSize > 0 ? settings.fontSize : m_fontSize->minimum());
    m_context->setValue(settings.context);
    keepTranslated(this, [this] {
        setWindowTitle(tr("Settings"));
        fillChoices();
    });
    const int around = buttons->sizeHint().height() + 64; // the margins, too
    const int most = parent ? parent->window()->height() - 40 : 900;
    resize(640, std::min(cards->sizeHint().height() + around, most));
    for (QComboBox* choice : {m_language, m_theme, static_cast<QComboBox*>(m_device)})
        connect(choice, &QComboBox::activated, this, &SettingsDialog::store);
    connect(m_device, &QComboBox::activated, m_deviceSpeed, &DeviceSpeedRow::lookUp);
    for (QSpinBox* number : {m_threads, m_fontSize, m_context})
        connect(number, &QSpinBox::valueChanged, this, &SettingsDialog::store);
    for (QLineEdit* field : {m_cacheFolder, m_openFolder, m_modelsFolder, m_proxy})
        connect(field, &QLineEdit::editingFinished, this, &SettingsDialog::store);
}

QWidget* SettingsDialog::makeLookCard() {
    auto* card = new Card(this);
    QFormLayout* form = makeForm(card);
    addRow(form, m_language, m_language, [] { return tr("&Language"); });
    addRow(form, m_theme, m_theme, [] { return tr("&Theme"); });
    m_fontSize->setRange(minFontSize - 1, maxFontSize); // below the least: the system's
    m_fontSize->setObjectName(QStringLiteral("fontSize"));
    addRow(form, m_fontSize, m_fontSize, [] { return tr("Font &size"); });
    keepTranslated(card, [this, card] {
        card->setHeading(tr("Appearance"));
        m_fontSize->setSpecialValueText(tr("System"));
        m_fontSize->setSuffix(tr(" pt"));
        m_fontSize->setToolTip(tr("Takes effect at the next start."));
    });
    return card;
}

QWidget* SettingsDialog::makeWorkCard(const QString& defaultCache) {
    auto* card = new Card(this);
    QFormLayout* form = makeForm(card);
    m_threads->setRange(0, 1024);
    m_cacheFolder->setPlaceholderText(shortPath(defaultCache));
    addRow(form, m_threads, m_threads, [] { return tr("&CPU threads"); });
    addRow(form, m_device, m_device, [] { return tr("Compute &device"); });
    addRow(form, m_deviceSpeed, m_deviceSpeed, [] { return tr("GPU sp&eed"); });
    addRow(form, makeFolderField(m_cacheFolder, [] { return tr("Choose cache folder"); }), m_cacheFolder,
           [] { return tr("C&ache folder"); });
    addRow(form, makeFolderField(m_openFolder, [] { return tr("Choose default folder"); }), m_openFolder,
           [] { return tr("De&fault folder"); });
    keepTranslated(card, [this, card] {
        card->setHeading(tr("Compute and storage"));
        m_threads->setSpecialValueText(tr("All (%n)", nullptr, static_cast<int>(jobs::machineThreads())));
        m_device->setToolTip(
            tr("Device for statistics, heat maps and quantization. If a GPU fails, the CPU takes over. Plots are also drawn on "
               "this device, starting with the next frame; if the CPU is selected, the best GPU draws them."));
        m_cacheFolder->setToolTip(tr("Cache for results that can be recomputed."));
        m_openFolder->setPlaceholderText(tr("Last used folder"));
        m_openFolder->setToolTip(tr("Open dialogs start in this folder."));
    });
    return card;
}

QWidget* SettingsDialog::makeModelsCard(const QString& defaultModels) {
    auto* card = new Card(this);
    QFormLayout* form = makeForm(card);
    m_modelsFolder->setObjectName(QStringLiteral("modelsFolder"));
    m_modelsFolder->setPlaceholderText(shortPath(defaultModels));
    m_proxy->setObjectName(QStringLiteral("proxy"));
    m_proxy->setClearButtonEnabled(true);
    m_context->setObjectName(QStringLiteral("defaultContext"));
    m_context->setRange(0, maxContext);
    m_context->setGroupSeparatorShown(true);
    m_context->setSingleStep(1024);
    addRow(form, makeFolderField(m_modelsFolder, [] { return tr("Choose models folder"); }), m_modelsFolder,
           [] { return tr("&Models folder"); });
    addRow(form, m_proxy, m_proxy, [] { return tr("&Proxy"); });
    addRow(form, m_context, m_context, [] { return tr("C&ontext length"); });
    keepTranslated(card, [this, card] {
        card->setHeading(tr("Models and downloads"));
        m_modelsFolder->setToolTip(tr("New downloads are saved here. Models that are already downloaded are not moved."));
        m_proxy->setPlaceholderText(tr("System; or http://host:port, socks5://host:port"));
        m_proxy->setToolTip(tr("Proxy for hubs and downloads. Takes effect at the next start."));
        m_context->setSpecialValueText(tr("Automatic (up to 8,192 tokens)"));
        m_context->setSuffix(tr(" tokens"));
        m_context->setToolTip(tr("Context length of new chats, unless the chat chooses another. Applies when a model is loaded."));
    });
    return card;
}

QWidget* SettingsDialog::makeFolderField(QLineEdit* field, const std::function<QString()>& title) {
    auto* row = new QWidget(this);
    auto* browse = new QPushButton(row);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(field, 1);
    layout->addWidget(browse);
    field->setClearButtonEnabled(true);
    connect(browse, &QPushButton::clicked, this, [this, field, title] {
        const QString folder =
            askFrom(this, [&](QWidget* window) { return QFileDialog::getExistingDirectory(window, title(), field->text()); });
        if (folder.isEmpty()) return;
        field->setText(QDir::toNativeSeparators(folder));
        store();
    });
    keepTranslated(row, [browse, title] {
        browse->setText(tr("Browse…"));
        browse->setAccessibleName(title());
        browse->setToolTip(title());
    });
    return row;
}

void SettingsDialog::fillChoices() {
    const QSignalBlocker blockLanguage(m_language);
    const QSignalBlocker blockTheme(m_theme);
    m_language->clear();
    m_language->addItem(tr("System"), QString());
    m_language->addItem(QStringLiteral("English"), QStringLiteral("en"));
    m_language->addItem(QStringLiteral("简体中文"), QStringLiteral("zh_CN"));
    m_language->setCurrentIndex(m_language->findData(m_store.settings().language));
    m_theme->clear();
    m_theme->addItems({tr("System"), tr("Light"), tr("Dark")}); // as enum Theme
    m_theme->setCurrentIndex(static_cast<int>(m_store.settings().theme));
    m_device->fill();
}

void SettingsDialog::store() {
    Settings settings;
    settings.language = m_language->currentData().toString();
    settings.theme = static_cast<Theme>(m_theme->currentIndex());
    settings.threads = m_threads->value();
    settings.device = m_device->chosen();
    settings.cacheFolder = QDir::fromNativeSeparators(m_cacheFolder->text());
    settings.openFolder = QDir::fromNativeSeparators(m_openFolder->text());
    settings.modelsFolder = QDir::fromNativeSeparators(m_modelsFolder->text());
    settings.proxy = m_proxy->text().trimmed();
    settings.fontSize = m_fontSize->value() >= minFontSize ? m_fontSize->value() : 0;
    settings.context = m_context->value();
    m_store.set(settings);
}

} // namespace wb::ui
