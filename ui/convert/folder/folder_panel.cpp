// SPDX-License-Identifier: MIT
#include "ui/convert/folder/folder_panel.h"

#include "core/text/pretokenizer.h"
#include "ui/widgets/box_name.h"
#include "ui/widgets/card.h"
#include "ui/widgets/wheel.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>

#include <algorithm>

namespace wb::ui::convert {
namespace {

QString writtenText(const conversion::ConvertPlan* plan, const char* key) {
    if (!plan) return {};
    const auto pair =
        std::ranges::find(plan->pairs, std::string_view(key), [](const auto& p) { return std::string_view(p.stored.key); });
    if (pair == plan->pairs.end()) return {};
    const std::size_t head = sizeof(std::uint64_t) + std::string_view(key).size() + sizeof(std::uint32_t) + sizeof(std::uint64_t);
    const std::string& bytes = pair->stored.bytes;
    return bytes.size() < head ? QString() : QString::fromUtf8(bytes.data() + head, static_cast<qsizetype>(bytes.size() - head));
}

} // namespace

FolderPanel::FolderPanel(QuantizeChoices& choices, const PlanSession& plans, QWidget* parent)
    : QWidget(parent), m_choices(choices), m_plans(plans), m_name(new QLineEdit(this)), m_pre(new QComboBox(this)),
      m_note(makeMutedLabel(this)) {
    m_name->setObjectName(QStringLiteral("modelName"));
    m_name->setAccessibleName(tr("Name of the model"));
    m_name->setClearButtonEnabled(true);
    m_pre->setObjectName(QStringLiteral("preTokenizer"));
    needFocusForWheel(m_pre);
    m_pre->addItem(tr("As recognised"), QString());
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
    auto* layout = new QFormLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addRow(tr("Name"), m_name);
    layout->addRow(tr("Cuts text like"), m_pre);
    layout->addRow(m_note);
    nameBox(m_pre, tr("Pre-tokenizer"));
}

void FolderPanel::refresh() {
    const auto conversion = m_plans.conversion();
    const QString name = QString::fromStdString(m_choices.folder().modelName);
    if (!m_name->hasFocus() && m_name->text() != name) m_name->setText(name);
    m_name->setPlaceholderText(writtenText(conversion.get(), "general.name"));
    m_pre->setCurrentIndex(std::max(0, m_pre->findData(QString::fromStdString(m_choices.folder().preTokenizer))));
    const QString pre = writtenText(conversion.get(), "tokenizer.ggml.pre");
    m_note->setText(m_plans.wantsPreTokenizer()
                        ? tr("How this tokenizer cuts text is not known. Choose a model that cuts it the same way; a wrong choice "
                             "makes the model worse.")
                    : m_choices.folder().preTokenizer.empty() && !pre.isEmpty()
                        ? tr("The rule of this tokenizer was recognised: %1.").arg(pre)
                        : QString());
    m_note->setVisible(!m_note->text().isEmpty());
}

} // namespace wb::ui::convert
