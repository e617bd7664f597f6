// SPDX-License-Identifier: MIT
#include "ui/convert/folder/folder_panel.h"

#include "core/text/pretokenizer.h"
#include "ui/convert/adapter_list.h"
#include "ui/shell/danger_question.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/box_name.h"
#include "ui/widgets/card.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/wheel.h"

#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <algorithm>

namespace wb::ui::convert {
namespace {

QString writtenText(const wb::convert::ConvertPlan* plan, const char* key) {
    if (!plan) return {};
    const auto pair =
        std::ranges::find(plan->pairs, std::string_view(key), [](const auto& p) { return std::string_view(p.stored.key); });
    if (pair == plan->pairs.end()) return {};
    const std::size_t head = sizeof(std::uint64_t) + std::string_view(key).size() + sizeof(std::uint32_t) + sizeof(std::uint64_t);
    const std::string& bytes = pair->stored.bytes;
    return bytes.size() < head ? QString() : QString::fromUtf8(bytes.data() + head, static_cast<qsizetype>(bytes.size() - head));
}

} // namespace

FolderPanel::FolderPanel(QuantizeChoices& choices, const PlanSession& plans, const Services& services, QWidget* parent)
    : QWidget(parent), m_choices(choices), m_plans(plans), m_name(new QLineEdit(this)), m_pre(new QComboBox(this)),
      m_template(new QPushButton(this)), m_noTemplate(new QPushButton(icon(QStringLiteral("close")), {}, this)),
      m_adapters(new AdapterList(this)), m_question(new DangerQuestion(services, this)),
      m_base(new QPushButton(icon(QStringLiteral("folder")), {}, this)), m_note(makeMutedLabel(this)) {
    m_name->setObjectName(QStringLiteral("modelName"));
    m_name->setAccessibleName(tr("Model name"));
    m_name->setClearButtonEnabled(true);
    m_pre->setObjectName(QStringLiteral("preTokenizer"));
    needFocusForWheel(m_pre);
    m_pre->addItem(tr("Auto-detected"), QString());
    std::vector<std::string_view> names = text::PreTokenizer::values();
    std::ranges::sort(names);
    for (const std::string_view name : names) {
        const QString text = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
        m_pre->addItem(text, text);
    }
    m_pre->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_note->setObjectName(QStringLiteral("folderNote"));
    connect(m_name, &QLineEdit::editingFinished, this, [this] { m_choices.setModelName(m_name->text().trimmed()); });
    connect(m_pre, &QComboBox::activated, this, [this] { m_choices.setPreTokenizer(m_pre->currentData().toString()); });
    m_template->setObjectName(QStringLiteral("chatTemplate"));
    m_noTemplate->setAccessibleName(tr("Use the folder's template"));
    m_noTemplate->setToolTip(m_noTemplate->accessibleName());
    connect(m_template, &QPushButton::clicked, this, &FolderPanel::askForTemplate);
    connect(m_noTemplate, &QPushButton::clicked, this, [this] { m_choices.setChatTemplate({}); });
    connect(m_adapters, &AdapterList::entriesWanted, this, &FolderPanel::setAdapters);
    m_base->setObjectName(QStringLiteral("adapterBase"));
    connect(m_base, &QPushButton::clicked, this, &FolderPanel::askForBase);
    auto* templates = new QWidget(this);
    auto* chatTemplate = new QHBoxLayout(templates);
    chatTemplate->setContentsMargins(0, 0, 0, 0);
    chatTemplate->addWidget(m_template, 1);
    chatTemplate->addWidget(m_noTemplate);
    auto* layout = new QFormLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addRow(tr("Name"), m_name);
    layout->addRow(tr("Base model"), m_base);
    layout->addRow(tr("Pre-tokenizer"), m_pre);
    layout->addRow(tr("Chat template"), templates);
    layout->addRow(m_adapters);
    m_ofAdapters = {m_base, layout->labelForField(m_base)};
    m_ofModels = {m_pre, layout->labelForField(m_pre), templates, layout->labelForField(templates), m_adapters};
    layout->addRow(m_note);
    nameBox(m_pre, tr("Pre-tokenizer"));
}

// Small, so that it is read at once; what is larger is not a template.
void FolderPanel::askForTemplate() {
    constexpr qint64 most = 4 << 20;
    const QString folder = m_plans.path();
    const QString path = askFrom(this, [&folder](QWidget* window) {
        return QFileDialog::getOpenFileName(window, tr("Choose chat template"), folder, tr("Jinja templates (*.jinja *.j2 *.txt)"));
    });
    if (path.isEmpty()) return;
    QFile file(path);
    const bool isReadable = file.size() > 0 && file.size() <= most && file.open(QIODevice::ReadOnly);
    if (isReadable) return m_choices.setChatTemplate(QString::fromUtf8(file.readAll()));
    emit message(tr("%1 is empty, too large for a template, or unreadable; choose another file.").arg(shortPath(path)));
}

void FolderPanel::setAdapters(const std::vector<wb::convert::AdapterFile>& adapters) {
    if (adapters.size() <= m_choices.folder().adapters.size()) return m_choices.setAdapters(adapters);
    m_question->ask(QString::fromStdString(adapters.back().path), [this, adapters] { m_choices.setAdapters(adapters); });
}

void FolderPanel::askForBase() {
    const QString folder = QFileInfo(m_plans.path()).absolutePath();
    const QString path = askFrom(this, [&folder](QWidget* window) {
        return QFileDialog::getExistingDirectory(window, tr("Choose the base model folder of the adapter"), folder);
    });
    if (!path.isEmpty()) m_choices.setBase(path);
}

void FolderPanel::refreshBase() {
    const QString base = QString::fromStdString(m_choices.folder().base);
    constexpr int nameWidth = 170;
    const QString name = m_base->fontMetrics().elidedText(QFileInfo(base).fileName(), Qt::ElideMiddle, nameWidth);
    m_base->setText(base.isEmpty() ? tr("Choose folder…") : QString(name).replace(u'&', QStringLiteral("&&")));
    m_base->setToolTip(base.isEmpty() ? QString() : plainText(shortPath(base)));
    for (QWidget* widget : m_ofModels) widget->setVisible(!m_plans.isAdapter());
    for (QWidget* widget : m_ofAdapters) widget->setVisible(m_plans.isAdapter());
}

void FolderPanel::refresh() {
    refreshBase();
    const auto conversion = m_plans.conversion();
    const QString name = QString::fromStdString(m_choices.folder().modelName);
    if (!m_name->hasFocus() && m_name->text() != name) m_name->setText(name);
    m_name->setPlaceholderText(writtenText(conversion.get(), "general.name"));
    m_pre->setCurrentIndex(std::max(0, m_pre->findData(QString::fromStdString(m_choices.folder().preTokenizer))));
    const bool hasOwnTemplate = !m_choices.folder().chatTemplate.empty();
    m_template->setText(hasOwnTemplate ? tr("Other…") : tr("From the folder…"));
    m_noTemplate->setVisible(hasOwnTemplate);
    m_adapters->setModel(m_plans.path());
    m_adapters->setEntries(m_choices.folder().adapters);
    const QString pre = writtenText(conversion.get(), "tokenizer.ggml.pre");
    m_note->setText(
        m_plans.wantsPreTokenizer()
            ? tr("Unknown pre-tokenizer. Choose a model that splits text the same way; a wrong choice degrades the model.")
        : m_choices.folder().preTokenizer.empty() && !pre.isEmpty() ? tr("Detected pre-tokenizer: %1.").arg(pre)
                                                                    : QString());
    m_note->setVisible(!m_note->text().isEmpty());
}

} // namespace wb::ui::convert
