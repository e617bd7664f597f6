// SPDX-License-Identifier: MIT
#include "ui/convert/convert_actions.h"

#include "ui/widgets/tab_action.h"
#include "ui/widgets/translate.h"

#include <QWidget>

namespace wb::ui::convert {

ConvertActions::ConvertActions(QWidget* tab) : QObject(tab) {
    choose = tabAction(this, "file", QKeySequence(Qt::CTRL | Qt::Key_M));
    search = tabAction(this, "search", QKeySequence::Find);
    undo = tabAction(this, "undo", QKeySequence(Qt::CTRL | Qt::Key_Z));
    redo = tabAction(this, "redo", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z));
    loadPlan = tabAction(this, "folder", QKeySequence(Qt::CTRL | Qt::Key_L));
    savePlan = tabAction(this, "export", QKeySequence(Qt::CTRL | Qt::Key_S));
    copyOptions = tabAction(this, "copy", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
    memory = tabAction(this, "memory", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Y));
    run = tabAction(this, "convert", QKeySequence(Qt::CTRL | Qt::Key_Return));
    undo->setObjectName("undo");
    redo->setObjectName("redo");
    copyOptions->setObjectName("copyOptions");
    tab->addActions(all());
    keepTranslated(tab, [this] { retranslate(); });
}

QList<QAction*> ConvertActions::all() const { return {choose, search, undo, redo, loadPlan, savePlan, copyOptions, memory, run}; }

void ConvertActions::retranslate() {
    choose->setText(tr("Choose a model to quantize…"));
    search->setText(tr("Search tensors"));
    undo->setText(tr("Undo last plan change"));
    redo->setText(tr("Redo plan change"));
    loadPlan->setText(tr("Open plan…"));
    savePlan->setText(tr("Save plan…"));
    savePlan->setToolTip(tr("Saves the plan to a file, to run it later or with wb on another machine"));
    copyOptions->setText(tr("Copy as command-line options"));
    copyOptions->setToolTip(tr("The same tensor types as --tensor-type options for wb quantize and llama-quantize"));
    memory->setText(tr("Show memory requirements of this model"));
    memory->setToolTip(tr("Opens the model in Memory: required memory by component, and the devices it fits on"));
    run->setText(tr("Quantize"));
}

} // namespace wb::ui::convert
