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
    quantize = tabAction(this, "convert", QKeySequence(Qt::CTRL | Qt::Key_G)); // Ctrl+U empties a line edit under X11
    talk = tabAction(this, "chat", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_G));
    memory = tabAction(this, "memory", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Y));
    close = tabAction(this, "close", QKeySequence(Qt::CTRL | Qt::Key_W));
    tab->addActions(all());
    keepTranslated(tab, [this] { retranslate(); });
}

QList<QAction*> InspectActions::all() const {
    return {search, searchMetadata, tree, compute, exportList, reload, trend, problems, quantize, talk, memory, close};
}

void InspectActions::retranslate() {
    search->setText(tr("Search tensors"));
    searchMetadata->setText(tr("Search the metadata"));
    tree->setText(tr("Switch between table and tree"));
    compute->setText(tr("Compute the statistics of the whole model, or stop"));
    exportList->setText(tr("Export the listed tensors…"));
    reload->setText(tr("Reload the model"));
    trend->setText(tr("Show the layer trend"));
    problems->setText(tr("Show the problems"));
    quantize->setText(tr("Quantize…"));
    talk->setText(tr("Talk to the Model"));
    memory->setText(tr("Count Its Memory"));
    close->setText(tr("Close the model"));
}

} // namespace wb::ui::inspect
