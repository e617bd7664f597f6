// SPDX-License-Identifier: MIT
#include "ui/shell/settings/settings_dialog.h"

#include "core/jobs/thread_pool.h"
#include "ui/shell/settings/device_choice.h"
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
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

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

SettingsDialog::SettingsDialog(SettingsStore& store, const QString& defaultCache, const Devices* devices, JobRunner& jobs,
                               QWidget* parent)
    : QDialog(parent), m_store(store), m_language(new QComboBox(this)), m_theme(new QComboBox(this)), m_threads(new QSpinBox(this)),
      m_device(new DeviceChoice(store.settings().device, devices, jobs, this)), m_cacheFolder(new QLineEdit(this)),
      m_openFolder(new QLineEdit(this)) {
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 20, 20, 16);
    layout->setSpacing(14);
    layout->addWidget(makeLookCard());
    layout->addWidget(makeWorkCard(defaultCache));
    layout->addStretch();
    layout->addWidget(buttons);
    resize(640, sizeHint().height());

    const Settings& settings = m_store.settings();
    m_threads->setValue(settings.threads);
    m_cacheFolder->setText(QDir::toNativeSeparators(settings.cacheFolder));
    m_openFolder->setText(QDir::toNativeSeparators(settings.openFolder));
    keepTranslated(this, [this] {
        setWindowTitle(tr("Settings"));
        fillChoices();
    });
    for (QComboBox* choice : {m_language, m_theme, static_cast<QComboBox*>(m_device)})
        connect(choice, &QComboBox::activated, this, &SettingsDialog::store);
    connect(m_threads, &QSpinBox::valueChanged, this, &SettingsDialog::store);
    for (QLineEdit* field : {m_cacheFolder, m_openFolder})
        connect(field, &QLineEdit::editingFinished, this, &SettingsDialog::store);
}

QWidget* SettingsDialog::makeLookCard() {
    auto* card = new Card(this);
    QFormLayout* form = makeForm(card);
    addRow(form, m_language, m_language, [] { return tr("&Language"); });
    addRow(form, m_theme, m_theme, [] { return tr("&Theme"); });
    keepTranslated(card, [card] { card->setHeading(tr("Appearance")); });
    return card;
}

QWidget* SettingsDialog::makeWorkCard(const QString& defaultCache) {
    auto* card = new Card(this);
    QFormLayout* form = makeForm(card);
    m_threads->setRange(0, 1024);
    m_cacheFolder->setPlaceholderText(shortPath(defaultCache));
    addRow(form, m_threads, m_threads, [] { return tr("&CPU threads"); });
    addRow(form, m_device, m_device, [] { return tr("Compute &device"); });
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
    m_store.set(settings);
}

} // namespace wb::ui
