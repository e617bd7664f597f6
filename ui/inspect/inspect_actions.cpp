// SPDX-License-Identifier: MIT
#include "ui/inspect/inspect_actions.h"

#include "ui/widgets/tab_action.h"
#include "ui/widgets/translate.h"

#include <QWidget>

namespace wb::ui::inspect {

InspectActions::InspectActions(QWidget* tab) : QObject(tab) {
    search = tabAction(this, "search", QKeySequence::Find);
    searchMetadata = tabAction(this, "search", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F));
    tree = tabAction(this, "tree", QKeySequence(Qt::CTRL | Qt::Key_T));
    compute = tabAction(this, "sigma", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S));
    exportList = tabAction(this, "export", QKeySequence(Qt::CTRL | Qt::Key_E));
    reload = tabAction(this, "refresh", QKeySequence(Qt::Key_F5));
    trend = tabAction(this, "chart", QKeySequence(Qt::CTRL | Qt::Key_L));
    problems = tabAction(this, "warning", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P));
    compare = tabAction(this, "copy", QKeySequence(Qt::CTRL | Qt::Key_D));
    quantize = tabAction(this, "convert", QKeySequence(Qt::CTRL | Qt::Key_G)); // Ctrl+U empties a line edit under X11
    talk = tabAction(this, "chat", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_G));
    memory = tabAction(this, "memory", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Y));
    guide = tabAction(this, "info", {});
    close = tabAction(this, "close", QKeySequence(Qt::CTRL | Qt::Key_W));
    tab->addActions(all());
    keepTranslated(tab, [this] { retranslate(); });
}

QList<QAction*> InspectActions::all() const {
    return {search,   searchMetadata, tree,     compute, exportList, reload, trend,
            problems, compare,        quantize, talk,    memory,     close,  guide};
}

void InspectActions::retranslate() {
    search->setText(tr("Search tensors"));
    searchMetadata->setText(tr("Search metadata"));
    tree->setText(tr("Switch between table and tree view"));
    compute->setText(tr("Compute statistics for the whole model, or stop"));
    exportList->setText(tr("Export listed tensors…"));
    reload->setText(tr("Reload model"));
    trend->setText(tr("Show layer trend"));
    problems->setText(tr("Show problems"));
    compare->setText(tr("Compare with…"));
    quantize->setText(tr("Quantize…"));
    talk->setText(tr("Chat with model"));
    memory->setText(tr("Show memory requirements"));
    guide->setText(tr("Which format do I need?"));
    close->setText(tr("Close model"));
}

} // namespace wb::ui::inspect
