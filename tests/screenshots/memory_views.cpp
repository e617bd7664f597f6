// SPDX-License-Identifier: MIT
#include "tests/screenshots/views.h"
#include "ui/memory/memory_tab.h"
#include "ui/memory/memory_view.h"

#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QMenu>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QToolButton>

namespace wb::screenshots {
namespace {

// What llama.cpp says when it loads, for the view of measured loads.
QString logOfALoad() {
    static const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("load.log"));
    QFile file(path);
    if (file.open(QIODevice::WriteOnly))
        file.write("load_tensors: CPU model buffer size = 13500.00 MiB\n"
                   "llama_context: n_ctx = 4096\nllama_context: n_ubatch = 512\n"
                   "llama_kv_cache: CPU KV buffer size = 512.00 MiB\n"
                   "llama_context: CPU compute buffer size = 110.00 MiB\n");
    return path;
}

} // namespace

QList<View> memoryViews(ui::MemoryTab& tab) {
    const auto showTable = [&tab](int index, int use = 0) {
        if (!tab.session().counted()) tab.openPaths({QStringLiteral("7B")});
        tab.findChild<QComboBox*>(QStringLiteral("use"))->setCurrentIndex(use);
        tab.view().findChild<QTabWidget*>()->setCurrentIndex(index);
    };
    const auto showRunnable = [&tab] {
        for (QAction* action : tab.actions())
            if (action->shortcut() == QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R)) action->trigger();
    };
    return {{QStringLiteral("memory-runnable"), showRunnable},
            {QStringLiteral("memory-parts"),
             [showTable, &tab] {
                 tab.session().setSettings({});
                 emit tab.session().settingsReplaced();
                 tab.openPaths({QStringLiteral("7B")});
                 showTable(0);
             }},
            {QStringLiteral("memory-types"), [showTable] { showTable(1); }},
            {QStringLiteral("memory-devices"), [showTable] { showTable(2); }},
            {QStringLiteral("memory-advice"), [showTable] { showTable(3); }},
            {QStringLiteral("memory-comparison"),
             [showTable, &tab] {
                 showTable(4);
                 if (tab.session().kept().size() < 2) {
                     tab.session().keep();
                     tab.session().setType(wb::memory::weightTypeFromName("Q4_K_M"));
                     tab.session().keep();
                     emit tab.session().settingsReplaced();
                 }
             }},
            {QStringLiteral("memory-cards"),
             [showTable, &tab] {
                 showTable(2);
                 std::vector<const wb::memory::Card*> cards;
                 for (const char* name : {"RTX 3060", "RTX 4090"}) cards.push_back(wb::memory::cardsNamed(name).front());
                 tab.session().setCards(cards);
                 tab.session().usePlacement();
             }},
            {QStringLiteral("memory-calibration"),
             [showTable, &tab] {
                 showTable(0);
                 tab.session().setCards({});
                 tab.session().setType(nullptr);
                 tab.session().setSettings({.context = 4096});
                 tab.session().addLog(logOfALoad());
             }},
            {QStringLiteral("memory-exports"),
             [showTable, &tab] {
                 showTable(0);
                 auto* button = tab.findChild<QToolButton*>(QStringLiteral("export"));
                 button->menu()->popup(button->mapToGlobal(QPoint(0, button->height())));
             }},
            {QStringLiteral("memory-training"), [showTable] { showTable(0, 3); }},
            {QStringLiteral("memory-training-full"), [showTable] { showTable(0, 1); }},
            {QStringLiteral("memory-training-cards"), [showTable] { showTable(2, 3); }},
            {QStringLiteral("memory-training-advice"), [showTable] { showTable(3, 1); }},
            {QStringLiteral("memory-export-refused"),
             [showTable, &tab] {
                 showTable(0, 4);
                 auto* menu = tab.findChild<QToolButton*>(QStringLiteral("export"))->menu();
                 emit menu->aboutToShow(); // fills it
                 menu->actions().front()->trigger();
             }},
            {QStringLiteral("memory-refused"), [&tab] { tab.openPaths({QStringLiteral("seven billion")}); }}};
}

} // namespace wb::screenshots
