// SPDX-License-Identifier: MIT
#include "ui/inspect/inspect_actions.h"

#include "ui/widgets/icons.h"
#include "ui/widgets/translate.h"

#include <QWidget>

namespace wb::ui::inspect {

InspectActions::InspectActions(QWidget* tab) : QObject(tab) {
    search = add("search", QKeySequence::Find);
    searchMetadata = add("search", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F));
    tree = add("tree", QKeySequence(Qt::CTRL | Qt::Key_T));
    compute = add("sigma", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S));
    exportList = add("export", QKeySequence(Qt::CTRL | Qt::Key_E));
    reload = add("refresh", QKeySequence(Qt::Key_F5));
    trend = add("chart", QKeySequence(Qt::CTRL | Qt::Key_L));
    problems = add("warning", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P));
    quantize = add("convert", QKeySequence(Qt::CTRL | Qt::Key_U));
    close = add("close", QKeySequence(Qt::CTRL | Qt::Key_W));
    tab->addActions(all());
    keepTranslated(tab, [this] { retranslate(); });
}

QList<QAction*> InspectActions::all() const {
    return {search, searchMetadata, tree, compute, exportList, reload, trend, problems, quantize, close};
}

QAction* InspectActions::add(const char* iconName, const QKeySequence& shortcut) {
    auto* action = new QAction(icon(QLatin1String(iconName)), QString(), this);
    action->setShortcut(shortcut);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    return action;
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
    close->setText(tr("Close the model"));
}

} // namespace wb::ui::inspect
