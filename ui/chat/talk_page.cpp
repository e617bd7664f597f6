// SPDX-License-Identifier: MIT
#include "ui/chat/talk_page.h"

#include "ui/chat/composer.h"
#include "ui/chat/labels.h"
#include "ui/chat/transcript.h"
#include "ui/widgets/card.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/sentence.h"
#include "ui/widgets/translate.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace wb::ui::chat {

using namespace wb::chat;

TalkPage::TalkPage(QAction* settings, QWidget* parent)
    : QWidget(parent), m_progress(new QProgressBar(this)), m_transcript(new Transcript(this)), m_composer(new Composer(this)),
      m_send(new QPushButton(this)) {
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false); // the status shows it
    m_send->setObjectName(QStringLiteral("send"));
    connect(m_composer, &Composer::sendWanted, this, &TalkPage::sendWanted);
    connect(m_send, &QPushButton::clicked, this, &TalkPage::sendOrStopWanted);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(makeTop(settings));
    layout->addWidget(m_progress);
    layout->addWidget(makeTemplateBar());
    layout->addWidget(m_transcript, 1);
    layout->addWidget(makeChoices());
    layout->addWidget(makeStatus());
    layout->addWidget(makeEditBar());
    layout->addWidget(makeComposerRow());
    keepTranslated(this, [this] { retranslate(); });
    setLoading(false);
    setEditing(false);
    setChoice({});
    setOfferedTemplate({});
}

// As wide as the text above it.
QWidget* TalkPage::makeComposerRow() {
    auto* row = new QWidget(this);
    auto* holder = new QWidget(row);
    holder->setMaximumWidth(m_transcript->textWidth());
    auto* inner = new QHBoxLayout(holder);
    inner->setContentsMargins(16, 0, 16, 12);
    inner->addWidget(m_composer, 1);
    inner->addWidget(m_send, 0, Qt::AlignBottom);
    auto* outer = new QHBoxLayout(row);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addStretch(1);
    outer->addWidget(holder, 1000);
    outer->addStretch(1);
    return row;
}

QWidget* TalkPage::makeTemplateBar() {
    m_templateBar = new QWidget(this);
    m_templateBar->setObjectName(QStringLiteral("templateBar"));
    auto* words = makeTextLabel(m_templateBar, "noTemplate");
    m_useTemplate = new QPushButton(m_templateBar);
    m_useTemplate->setObjectName(QStringLiteral("useTemplate"));
    connect(m_useTemplate, &QPushButton::clicked, this, &TalkPage::useTemplateWanted);
    keepTranslated(m_templateBar, [words] {
        words->setText(
            tr("This model has no chat template, so it continues your text instead of answering. It may be a base model."));
    });
    auto* layout = new QHBoxLayout(m_templateBar);
    layout->setContentsMargins(16, 0, 16, 0);
    layout->addWidget(words, 1);
    layout->addWidget(m_useTemplate);
    return m_templateBar;
}

QWidget* TalkPage::makeTop(QAction* settings) {
    auto* top = new QWidget(this);
    m_model = makeTextLabel(top, "model");
    m_planText = makeMutedLabel(top);
    m_planText->setObjectName(QStringLiteral("plan"));
    m_notice = makeTextLabel(top, "notice");
    m_notice->hide();
    m_load = new QPushButton(top);
    m_load->setObjectName(QStringLiteral("loadOffered"));
    auto* choose = new QPushButton(top);
    connect(m_load, &QPushButton::clicked, this, &TalkPage::loadOfferedWanted);
    connect(choose, &QPushButton::clicked, this, &TalkPage::chooseWanted);
    keepTranslated(top, [choose] { choose->setText(tr("Change model…")); });
    auto* answers = new QToolButton(top);
    answers->setDefaultAction(settings);
    answers->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    auto* row = new QHBoxLayout;
    row->addWidget(m_model, 1);
    row->addWidget(m_load);
    row->addWidget(answers);
    row->addWidget(choose);
    auto* layout = new QVBoxLayout(top); // the plan over the whole width, since it is long
    layout->setContentsMargins(16, 8, 16, 8);
    layout->setSpacing(4);
    layout->addLayout(row);
    layout->addWidget(m_planText);
    layout->addWidget(m_notice);
    return top;
}

QWidget* TalkPage::makeChoices() {
    m_choices = new Card(this);
    m_choices->setObjectName(QStringLiteral("contextChoices"));
    auto* words = makeTextLabel(m_choices, "contextFull");
    m_longer = new QPushButton(m_choices);
    m_longer->setObjectName(QStringLiteral("longerContext"));
    m_leaveOut = new QPushButton(m_choices);
    m_leaveOut->setObjectName(QStringLiteral("leaveOut"));
    auto* fresh = new QPushButton(m_choices);
    connect(m_longer, &QPushButton::clicked, this, &TalkPage::longerContextWanted);
    connect(m_leaveOut, &QPushButton::clicked, this, &TalkPage::leaveOutWanted);
    connect(fresh, &QPushButton::clicked, this, &TalkPage::newWanted);
    keepTranslated(m_choices, [words, fresh] {
        words->setText(tr("The context is full. How do you want to continue?"));
        fresh->setText(tr("New chat"));
    });
    // Below each other: side by side a narrow page would cut what they say.
    static_cast<Card*>(m_choices)->content()->addWidget(words);
    for (QPushButton* button : {m_longer, m_leaveOut, fresh})
        static_cast<Card*>(m_choices)->content()->addWidget(button, 0, Qt::AlignLeft);
    auto* holder = new QWidget(this);
    auto* layout = new QVBoxLayout(holder);
    layout->setContentsMargins(16, 0, 16, 0);
    layout->addWidget(m_choices);
    return holder;
}

QWidget* TalkPage::makeStatus() {
    auto* line = new QWidget(this);
    m_status = makeTextLabel(line, "status");
    m_contextText = new QLabel(line);
    m_contextText->setObjectName(QStringLiteral("contextText"));
    m_context = new QProgressBar(line);
    m_context->setObjectName(QStringLiteral("context"));
    m_context->setRange(0, 1000);
    m_context->setTextVisible(false);
    m_context->setFixedWidth(120);
    auto* layout = new QHBoxLayout(line);
    layout->setContentsMargins(16, 0, 16, 0);
    layout->addWidget(m_status, 1);
    layout->addWidget(m_contextText);
    layout->addWidget(m_context);
    return line;
}

QWidget* TalkPage::makeEditBar() {
    m_editBar = new QWidget(this);
    m_editBar->setObjectName(QStringLiteral("editBar"));
    auto* words = makeMutedLabel(m_editBar);
    auto* cancel = new QPushButton(m_editBar);
    connect(cancel, &QPushButton::clicked, this, &TalkPage::cancelEditWanted);
    keepTranslated(m_editBar, [words, cancel] {
        words->setText(tr("Editing an earlier message. The messages after it are kept as another branch."));
        cancel->setText(tr("Cancel editing"));
    });
    auto* layout = new QHBoxLayout(m_editBar);
    layout->setContentsMargins(16, 0, 16, 0);
    layout->addWidget(words, 1);
    layout->addWidget(cancel);
    return m_editBar;
}

void TalkPage::retranslate() {
    m_progress->setAccessibleName(tr("Loading model"));
    m_context->setAccessibleName(tr("Context"));
    m_send->setText(m_isBusy ? tr("Stop") : tr("Send"));
    m_load->setText(tr("Load %1").arg(QFileInfo(m_offered).fileName().replace(u'&', QStringLiteral("&&"))));
    m_longer->setText(tr("Increase context to %1 tokens").arg(shownCount(m_choice.longer)));
    m_leaveOut->setText(tr("Drop the first %n messages from context", nullptr, m_choice.turnsToLeaveOut));
    m_useTemplate->setText(tr("Use the %1 template").arg(m_offeredTemplate));
    m_planText->setText(planLine());
    m_planText->setToolTip(planText());
    m_planText->setAccessibleDescription(planText());
    m_planText->setVisible(m_plan.has_value());
    setContext(m_used, m_size);
}

// Where the model is, in a few words; a reduced context is worth a sentence.
QString TalkPage::planLine() const {
    if (!m_plan) return {};
    const DevicePlan& device = m_plan->device;
    QStringList parts;
    if (device.holdsAll()) parts << tr("%1, all layers: %2").arg(QString::fromStdString(device.name), bytesText(device.bytes));
    else if (device.gpuLayers > 0)
        parts << tr("%1, %2 of %3 layers: %4")
                     .arg(QString::fromStdString(device.name), shownCount(device.gpuLayers - 1), shownCount(device.layers),
                          bytesText(device.bytes));
    parts << tr("CPU: %1").arg(bytesText(m_plan->need())) << tr("context of %1 tokens").arg(shownCount(m_plan->context));
    QString line = parts.join(QStringLiteral(" · "));
    if (m_plan->wantedContext > 0)
        line += QStringLiteral(" · ") + tr("reduced from %1 to fit").arg(shownCount(m_plan->wantedContext));
    return line;
}

// The breakdown of the line.
QString TalkPage::planText() const {
    if (!m_plan) return {};
    QStringList sentences{devicePlanText()};
    sentences << tr("CPU, %1: weights %2, context of %3 tokens %4, buffers %5.")
                     .arg(bytesText(m_plan->need()), bytesText(m_plan->weights), shownCount(m_plan->context),
                          bytesText(m_plan->cache), bytesText(m_plan->compute));
    if (m_plan->free) sentences << tr("%1 of memory was free.").arg(bytesText(*m_plan->free));
    if (m_plan->wantedContext > 0)
        sentences
            << tr("Context length reduced from the default %1 tokens to fit in memory.").arg(shownCount(m_plan->wantedContext));
    return joined(sentences);
}

// What is on a GPU, in front of the rest; empty: nothing.
QString TalkPage::devicePlanText() const {
    const DevicePlan& device = m_plan->device;
    if (device.gpuLayers == 0) return {};
    const QString name = QString::fromStdString(device.name), bytes = bytesText(device.bytes), free = bytesText(device.free);
    if (device.holdsAll()) return tr("%1, all layers: %2 of %3 free.").arg(name, bytes, free);
    if (device.isChosen)
        return tr("%1, last %2 of %3 layers (as selected): %4 of %5 free.")
            .arg(name, shownCount(device.gpuLayers - 1), shownCount(device.layers), bytes, free);
    return tr("%1, last %2 of %3 layers (the rest does not fit): %4 of %5 free.")
        .arg(name, shownCount(device.gpuLayers - 1), shownCount(device.layers), bytes, free);
}

void TalkPage::setNotice(const QString& sentence) {
    m_notice->setText(sentence);
    m_notice->setVisible(!sentence.isEmpty());
}

void TalkPage::setOfferedTemplate(const QString& name) {
    m_offeredTemplate = name;
    m_templateBar->setVisible(!name.isEmpty());
    retranslate();
}

void TalkPage::setPlan(const std::optional<LoadPlan>& plan) {
    m_plan = plan;
    retranslate();
}

void TalkPage::setModel(const QString& path, const QString& offered) {
    m_offered = offered;
    m_model->setText(path.isEmpty() ? tr("No model loaded.") : QFileInfo(path).fileName());
    m_model->setToolTip(plainText(path));
    m_load->setVisible(!offered.isEmpty());
    retranslate();
}

void TalkPage::setLoading(bool isLoading, double done) {
    if (isLoading) setStatus(tr("Loading model: %1%").arg(static_cast<int>(done * 100)));
    else if (!m_progress->isHidden()) setStatus({});
    m_progress->setVisible(isLoading);
    m_progress->setValue(static_cast<int>(done * 1000));
}

void TalkPage::setBusy(bool isBusy, bool canSend) {
    m_isBusy = isBusy;
    m_send->setEnabled(isBusy || canSend);
    m_send->setText(isBusy ? tr("Stop") : tr("Send"));
}

void TalkPage::setStatus(const QString& sentence) { m_status->setText(sentence); }

void TalkPage::setContext(std::size_t used, std::size_t size) {
    m_used = used;
    m_size = size;
    m_context->setVisible(size > 0);
    m_contextText->setVisible(size > 0);
    if (size == 0) return;
    const QString words = tr("%1 of %2 tokens").arg(shownCount(used), shownCount(size));
    m_context->setValue(static_cast<int>(used * 1000 / size));
    m_context->setToolTip(tr("Context used: %1.").arg(words));
    m_context->setAccessibleDescription(words);
    m_contextText->setText(words);
}

void TalkPage::setEditing(bool isEditing) { m_editBar->setVisible(isEditing); }

void TalkPage::setChoice(const ContextChoice& choice) {
    m_choice = choice;
    m_choices->setVisible(choice.isOffered);
    m_longer->setVisible(choice.longer > 0);
    m_leaveOut->setVisible(choice.turnsToLeaveOut > 0);
    retranslate();
}

} // namespace wb::ui::chat
