// SPDX-License-Identifier: MIT
#include "ui/shell/start/drop_card.h"

#include "ui/widgets/card.h"
#include "ui/widgets/icon_label.h"
#include "ui/widgets/translate.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QStyle>

namespace wb::ui {
DropCard::DropCard(QWidget* parent) : QFrame(parent) {
    setProperty("dropTarget", true);
    auto* heading = makeHeading(this);
    auto* text = makeMutedLabel(this);
    text->setWordWrap(false);
    auto* openFile = new QPushButton(this);
    auto* openFolder = new QPushButton(this);
    openFile->setProperty("primary", true);
    connect(openFile, &QPushButton::clicked, this, &DropCard::openFileWanted);
    connect(openFolder, &QPushButton::clicked, this, &DropCard::openFolderWanted);

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(10);
    buttons->addWidget(openFile);
    buttons->addWidget(openFolder);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 26, 24, 26);
    layout->setSpacing(8);
    layout->addWidget(new IconLabel(QStringLiteral("drop"), 40, this), 0, Qt::AlignHCenter);
    layout->addWidget(heading, 0, Qt::AlignHCenter);
    layout->addWidget(text, 0, Qt::AlignHCenter);
    layout->addSpacing(8);
    layout->addLayout(buttons);
    layout->setAlignment(buttons, Qt::AlignHCenter);

    keepTranslated(this, [=] {
        heading->setText(tr("Drop a model file or folder anywhere in this window"));
        text->setText(tr("The format is detected from the content, not from the file name."));
        openFile->setText(tr("Open file…"));
        openFolder->setText(tr("Open folder…"));
        openFile->setToolTip(tr("Open a model file (Ctrl+O)"));
        openFolder->setToolTip(tr("Open a model folder (Ctrl+Shift+O)"));
    });
}

void DropCard::setActive(bool active) {
    if (property("active").toBool() == active) return;
    setProperty("active", active);
    style()->unpolish(this);
    style()->polish(this);
}

} // namespace wb::ui
