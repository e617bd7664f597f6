// SPDX-License-Identifier: MIT
#include "ui/inspect/compare/choose_other.h"

#include "ui/widgets/ask.h"
#include "ui/widgets/card.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/plain_text.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QListWidget>
#include <QPushButton>

namespace wb::ui::inspect {

ChooseOther::ChooseOther(const Services& services, OpenSides openSides, QWidget* parent)
    : QWidget(parent), m_services(services), m_openSides(std::move(openSides)), m_list(new QListWidget(this)) {
    auto* card = new Card(this);
    card->setHeading(tr("Compare with"));
    auto* hint = makeMutedLabel(card);
    hint->setText(tr("Choose the second model, or drop a file or folder here. The formats may differ."));
    card->content()->addWidget(hint);
    auto* buttons = new QHBoxLayout;
    auto* file = new QPushButton(icon(QStringLiteral("file")), tr("Choose file…"), card);
    auto* folder = new QPushButton(icon(QStringLiteral("folder")), tr("Choose folder…"), card);
    file->setObjectName(QStringLiteral("compareFile"));
    folder->setObjectName(QStringLiteral("compareFolder"));
    connect(file, &QPushButton::clicked, this, [this] { ask(false); });
    connect(folder, &QPushButton::clicked, this, [this] { ask(true); });
    buttons->addWidget(file);
    buttons->addWidget(folder);
    buttons->addStretch(1);
    card->content()->addLayout(buttons);
    auto* title = makeMutedLabel(card);
    title->setText(tr("Open models"));
    m_listTitle = title;
    card->content()->addWidget(title);
    m_list->setObjectName(QStringLiteral("compareOpenModels"));
    m_list->setAccessibleName(tr("Open models"));
    card->content()->addWidget(m_list);
    connect(m_list, &QListWidget::itemActivated, this,
            [this](const QListWidgetItem* item) { emit chosen(m_sides[m_list->row(item)]); });
    connect(m_list, &QListWidget::itemClicked, this,
            [this](const QListWidgetItem* item) { emit chosen(m_sides[m_list->row(item)]); });
    card->setMinimumWidth(460);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(card, 0, Qt::AlignCenter);
}

void ChooseOther::refresh(const QString& own) {
    m_sides.clear();
    m_list->clear();
    for (const ComparedSide& side : m_openSides ? m_openSides() : QList<ComparedSide>()) {
        if (side.path == own) continue;
        m_sides.append(side);
        auto* item = new QListWidgetItem(icon(QStringLiteral("file")), side.title(), m_list);
        item->setToolTip(plainText(side.path));
    }
    m_list->setVisible(!m_sides.isEmpty());
    m_listTitle->setVisible(!m_sides.isEmpty());
}

void ChooseOther::ask(bool folder) {
    const QString path = askFrom(this, [&](QWidget* window) {
        const QString start = m_services.folderToOpenFrom();
        return folder ? QFileDialog::getExistingDirectory(window, tr("Choose the second model"), start)
                      : QFileDialog::getOpenFileName(window, tr("Choose the second model"), start);
    });
    if (!path.isEmpty()) emit chosen({path, nullptr});
}

} // namespace wb::ui::inspect
