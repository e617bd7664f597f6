// SPDX-License-Identifier: MIT
#include "ui/convert/convert_actions.h"

#include "ui/widgets/icons.h"
#include "ui/widgets/translate.h"

#include <QWidget>

namespace wb::ui::convert {

ConvertActions::ConvertActions(QWidget* tab) : QObject(tab) {
    choose = add("choose", "file", QKeySequence(Qt::CTRL | Qt::Key_M));
    search = add("search", "search", QKeySequence::Find);
    undo = add("undo", "undo", QKeySequence(Qt::CTRL | Qt::Key_Z));
    redo = add("redo", "redo", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z));
    loadPlan = add("loadPlan", "folder", QKeySequence(Qt::CTRL | Qt::Key_L));
    savePlan = add("keepPlan", "export", QKeySequence(Qt::CTRL | Qt::Key_S));
    copyOptions = add("copyOptions", "copy", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
    run = add("start", "convert", QKeySequence(Qt::CTRL | Qt::Key_Return));
    tab->addActions(all());
    keepTranslated(tab, [this] { retranslate(); });
}

QList<QAction*> ConvertActions::all() const { return {choose, search, undo, redo, loadPlan, savePlan, copyOptions, run}; }

QAction* ConvertActions::add(const char* objectName, const char* iconName, const QKeySequence& shortcut) {
    auto* action = new QAction(icon(QLatin1String(iconName)), QString(), this);
    action->setObjectName(QLatin1String(objectName));
    action->setShortcut(shortcut);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    return action;
}

void ConvertActions::retranslate() {
    choose->setText(tr("Choose a model to quantize…"));
    search->setText(tr("Search tensors"));
    undo->setText(tr("Undo the last change of the plan"));
    redo->setText(tr("Redo the change of the plan"));
    loadPlan->setText(tr("Open a kept plan…"));
    savePlan->setText(tr("Save the plan…"));
    savePlan->setToolTip(tr("Keeps the plan in a file, which can be run later, or elsewhere by the command-line program"));
    copyOptions->setText(tr("Copy as options"));
    copyOptions->setToolTip(tr("The same types as --tensor-type options, for wb quantize and llama-quantize"));
    run->setText(tr("Quantize"));
}

} // namespace wb::ui::convert
