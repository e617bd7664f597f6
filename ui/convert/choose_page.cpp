// SPDX-License-Identifier: MIT
#include "ui/convert/choose_page.h"

#include "ui/widgets/card.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/paths.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>

namespace wb::ui::convert {
namespace {

constexpr int cardWidth = 600; // fits the smallest window
constexpr int pathWidth = 320; // beside the two buttons of a row

} // namespace

ChoosePage::ChoosePage(QWidget* parent) : QWidget(parent), m_unfinished(new Card(this)) {
    auto* card = new Card(this);
    card->setHeading(tr("Make a model smaller"));
    auto* text = makeMutedLabel(card);
    text->setText(
        tr("Quantizing stores the weights of a GGUF model in fewer bits. You see the whole plan, tensor by tensor, before anything "
           "is read, and the result equals the one of llama.cpp's llama-quantize byte for byte."));
    auto* choose = new QPushButton(tr("Choose a model…"), card);
    choose->setObjectName(QStringLiteral("chooseModel"));
    choose->setDefault(true);
    connect(choose, &QPushButton::clicked, this, &ChoosePage::modelWanted);
    auto* hint = makeMutedLabel(card);
    hint->setText(tr("Or open a model in Inspect and choose Quantize… there."));
    card->content()->addWidget(text);
    card->content()->addWidget(choose, 0, Qt::AlignLeft);
    card->content()->addWidget(hint);
    m_unfinished->setHeading(tr("Unfinished runs"));
    m_unfinished->setObjectName(QStringLiteral("unfinished"));
    for (Card* each : {card, m_unfinished}) each->setFixedWidth(cardWidth);
    for (QLabel* label : {text, hint})
        label->setMinimumHeight(label->heightForWidth(cardWidth - 36)); // centred cards do not ask for it

    auto* cards = new QWidget(this);
    auto* layout = new QVBoxLayout(cards);
    layout->setContentsMargins(24, 24, 24, 24);
    layout->setSpacing(16);
    layout->addStretch(1);
    layout->addWidget(card, 0, Qt::AlignHCenter);
    layout->addWidget(m_unfinished, 0, Qt::AlignHCenter);
    layout->addStretch(2);
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(cards);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(scroll);
    m_unfinished->hide();
}

void ChoosePage::setUnfinished(const QList<UnfinishedRun>& runs) {
    if (runs == m_runs) return;
    m_runs = runs;
    delete std::exchange(m_rows, nullptr);
    m_unfinished->setVisible(!runs.isEmpty());
    m_rows = new QWidget(m_unfinished);
    auto* layout = new QVBoxLayout(m_rows);
    layout->setContentsMargins(0, 0, 0, 0);
    for (const UnfinishedRun& run : runs) layout->addWidget(makeRow(run));
    m_unfinished->content()->addWidget(m_rows);
}

QWidget* ChoosePage::makeRow(const UnfinishedRun& run) {
    auto* row = new QWidget(m_rows);
    auto* text = new QLabel(row);
    text->setTextFormat(Qt::PlainText);
    text->setText(text->fontMetrics().elidedText(shortPath(run.target), Qt::ElideMiddle, pathWidth));
    const QString source = tr("From %1").arg(shortPath(run.model).toHtmlEscaped());
    text->setToolTip(shortPath(run.target).toHtmlEscaped() + QStringLiteral("<br>") + source);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(text, 1);
    using State = UnfinishedRun::State;
    auto* state = makeMutedLabel(row);
    state->setObjectName(QStringLiteral("state"));
    state->setText(run.state == State::Held ? tr("Running elsewhere") : tr("Its folder is not there"));
    state->setVisible(run.state != State::Waiting);
    layout->addWidget(state);
    if (run.state == State::Waiting) layout->addWidget(makeResume(run));
    if (run.state != State::Held) layout->addWidget(makeDiscard(run));
    return row;
}

QWidget* ChoosePage::makeResume(const UnfinishedRun& run) {
    auto* resume = new QPushButton(icon(QStringLiteral("resume")), tr("Continue"), m_rows);
    resume->setObjectName(QStringLiteral("resume"));
    resume->setAccessibleName(tr("Continue %1").arg(shortPath(run.target)));
    connect(resume, &QPushButton::clicked, this, [this, run] { emit resumeWanted(run); });
    return resume;
}

QWidget* ChoosePage::makeDiscard(const UnfinishedRun& run) {
    auto* discard = new QPushButton(icon(QStringLiteral("remove")), tr("Discard…"), m_rows);
    discard->setObjectName(QStringLiteral("discard"));
    discard->setAccessibleName(tr("Discard %1").arg(shortPath(run.target)));
    discard->setToolTip(tr("Deletes what was written so far"));
    connect(discard, &QPushButton::clicked, this, [this, run] { emit discardWanted(run); });
    return discard;
}

} // namespace wb::ui::convert
