// SPDX-License-Identifier: MIT
#include "ui/shell/start/start_page.h"

#include "ui/shell/start/drop_card.h"
#include "ui/shell/start/recent_card.h"
#include "ui/shell/start/starter_card.h"
#include "ui/widgets/card.h"
#include "ui/widgets/icon_label.h"
#include "ui/widgets/translate.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace wb::ui {
namespace {

constexpr int pageWidth = 1040;

QWidget* makeTitle(QWidget* parent) {
    auto* area = new QWidget(parent);
    auto* title = new QLabel(QStringLiteral("Weighbridge"), area);
    title->setProperty("heading", "page");
    auto* subtitle = makeMutedLabel(area);
    auto* layout = new QVBoxLayout(area);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(title);
    layout->addWidget(subtitle);
    keepTranslated(area, [subtitle] {
        subtitle->setText(StartPage::tr("Open any model and see what is inside. Nothing leaves this computer."));
    });
    return area;
}

struct Ability {
    const char* icon;
    const char* text; // English, marked for translation
};

constexpr Ability abilities[] = {
    {"file", QT_TRANSLATE_NOOP("wb::ui::StartPage", "Open models of any size: GGUF, safetensors, PyTorch, ONNX, Keras and more, or "
                                                    "whole Hugging Face folders. Code in a model is reported, never run.")},
    {"table", QT_TRANSLATE_NOOP("wb::ui::StartPage", "Search and sort all tensors, and browse all metadata.")},
    {"chart", QT_TRANSLATE_NOOP("wb::ui::StartPage", "Compute statistics over every element, including quantized types.")},
    {"memory", QT_TRANSLATE_NOOP("wb::ui::StartPage", "Estimate the memory needed to run or train a model.")},
    {"convert", QT_TRANSLATE_NOOP("wb::ui::StartPage", "Convert between Hugging Face folders and GGUF, export to safetensors, "
                                                       "merge adapters, and quantize to a type, a file size or your memory.")},
    {"chat", QT_TRANSLATE_NOOP("wb::ui::StartPage", "Chat with a model on this computer.")},
    {"browse", QT_TRANSLATE_NOOP("wb::ui::StartPage", "Find models on Hugging Face and ModelScope, and manage the ones you have.")},
    {"search", QT_TRANSLATE_NOOP("wb::ui::StartPage", "Find any action with Ctrl+K.")},
};

QWidget* makeAbilities(QWidget* parent) {
    auto* card = new Card(parent);
    auto* rows = new QGridLayout;
    rows->setHorizontalSpacing(12);
    rows->setVerticalSpacing(10);
    rows->setColumnStretch(1, 1);
    card->content()->addLayout(rows);
    for (const Ability& ability : abilities) {
        auto* text = new QLabel(card);
        text->setWordWrap(true);
        const int row = rows->rowCount();
        rows->addWidget(new IconLabel(QLatin1String(ability.icon), 20, card), row, 0, Qt::AlignTop);
        rows->addWidget(text, row, 1);
        keepTranslated(text, [text, ability] { text->setText(StartPage::tr(ability.text)); });
    }
    keepTranslated(card, [card] { card->setHeading(StartPage::tr("What you can do here")); });
    return card;
}

} // namespace

StartPage::StartPage(const QString& starterModel, QWidget* parent)
    : QScrollArea(parent), m_drop(new DropCard(this)), m_recent(new RecentCard(this)),
      m_starter(new StarterCard(starterModel, this)) {
    auto* right = new QVBoxLayout;
    right->setSpacing(16);
    right->addWidget(m_starter); // the first step of someone without models, so within the first screen
    right->addWidget(makeAbilities(this));
    right->addStretch();
    auto* lower = new QHBoxLayout;
    lower->setSpacing(16);
    lower->addWidget(m_recent, 3);
    lower->addLayout(right, 2);

    auto* page = m_page = new QWidget(this);
    page->setMaximumWidth(pageWidth);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(32, 28, 32, 28);
    layout->setSpacing(18);
    layout->addWidget(makeTitle(page));
    layout->addWidget(m_drop);
    layout->addLayout(lower, 1);

    auto* centred = new QWidget(this);
    auto* around = new QHBoxLayout(centred);
    around->setContentsMargins(0, 0, 0, 0);
    around->addStretch(1);
    around->addWidget(page, 100);
    around->addStretch(1);
    setWidget(centred);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);

    connect(m_drop, &DropCard::openFileWanted, this, &StartPage::openFileWanted);
    connect(m_drop, &DropCard::openFolderWanted, this, &StartPage::openFolderWanted);
    connect(m_recent, &RecentCard::openWanted, this, &StartPage::openWanted);
    connect(m_recent, &RecentCard::forgetWanted, this, &StartPage::forgetWanted);
    connect(m_starter, &StarterCard::openWanted, this, &StartPage::openWanted);
    connect(m_starter, &StarterCard::browseWanted, this, [this] { emit placeWanted(QStringLiteral("browse")); });
}

void StartPage::setRecentFiles(const QList<RecentFile>& files) {
    m_recent->setFiles(files);
    m_starter->refresh();
}

void StartPage::setReminder(const QString& tabId, const QString& tabTitle, const QString& reminder) {
    if (QWidget* before = m_reminders.take(tabId)) {
        before->hide();
        before->deleteLater(); // its button may be on the stack
    }
    if (reminder.isEmpty()) return;
    auto* card = new Card(m_page);
    card->setHeading(tabTitle);
    auto* text = new QLabel(reminder, card);
    text->setObjectName(QStringLiteral("reminder"));
    text->setTextFormat(Qt::PlainText);
    text->setWordWrap(true);
    auto* show = new QPushButton(tr("Show"), card);
    show->setObjectName(QStringLiteral("showReminder"));
    show->setAccessibleName(tr("Show %1").arg(tabTitle));
    connect(show, &QPushButton::clicked, this, [this, tabId] { emit placeWanted(tabId); });
    auto* row = new QHBoxLayout;
    row->addWidget(text, 1);
    row->addWidget(show);
    card->content()->addLayout(row);
    static_cast<QVBoxLayout*>(m_page->layout())->insertWidget(1, card); // below the title
    m_reminders.insert(tabId, card);
}

void StartPage::setDropActive(bool active) { m_drop->setActive(active); }

} // namespace wb::ui
