// SPDX-License-Identifier: MIT
#include "tests/screenshots/views.h"
#include "ui/memory/memory_tab.h"
#include "ui/memory/memory_view.h"

#include <QComboBox>
#include <QTabWidget>

namespace wb::screenshots {

QList<View> memoryViews(ui::MemoryTab& tab) {
    const auto showTable = [&tab](int index, int use = 0) {
        if (!tab.session().counted()) tab.openPaths({QStringLiteral("7B")});
        tab.findChild<QComboBox*>(QStringLiteral("use"))->setCurrentIndex(use);
        tab.view().findChild<QTabWidget*>()->setCurrentIndex(index);
    };
    return {{QStringLiteral("memory-parts"), [showTable] { showTable(0); }},
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
            {QStringLiteral("memory-training"), [showTable] { showTable(0, 3); }}};
}

} // namespace wb::screenshots
