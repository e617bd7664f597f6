// SPDX-License-Identifier: MIT
#include "tests/screenshots/example_stores.h"
#include "tests/screenshots/steps.h"
#include "tests/screenshots/views.h"
#include "ui/library/library_model.h"
#include "ui/library/library_tab.h"
#include "ui/widgets/message_bar.h"

#include <QAbstractItemModel>
#include <QApplication>
#include <QMenu>
#include <QTableView>
#include <QToolButton>

namespace wb::screenshots {

namespace views = ui::library;

namespace {

const QString maple = QStringLiteral("hf:orchard/Maple-8B-Instruct-GGUF:Maple-8B-Instruct-Q4_K_M.gguf");
const QString damaged = QStringLiteral("weighbridge:meadow/Sprig-8M-GGUF/Sprig-8M-Q4_K_M.gguf");
const QString good = QStringLiteral("weighbridge:meadow/Sprig-8M-GGUF/Sprig-8M-Q8_0.gguf");

} // namespace

QList<View> libraryViews(ui::LibraryTab& tab, const QString& home, const QString& folder) {
    const auto isStill = [&tab] {
        return !tab.session().isScanning() && tab.session().wasScanned() && !tab.session().isChecking();
    };
    const Step empty{[&tab, home, folder] {
                         emptyStores(home);
                         if (!folder.isEmpty()) tab.session().removeFolder(folder);
                         tab.session().scan();
                     },
                     [&tab, isStill] { return isStill() && tab.model().rowCount() == 0; }};
    const Step fill{[&tab, home, folder] {
                        fillStores(home);
                        if (!folder.isEmpty()) tab.takeDrop({folder});
                        tab.session().scan();
                    },
                    [&tab, isStill] { return isStill() && tab.model().rowCount() >= 8; }};
    const auto choose = [&tab, isStill](const QString& id) -> Step {
        return {[&tab, id] {
                    tab.choose({});
                    tab.choose(id);
                },
                [&tab, isStill, id] { return isStill() && tab.chosenIds() == QStringList{id}; }};
    };
    const auto verify = [&tab](const QString& id) -> Step {
        return {[&tab, id] { tab.session().verify({id}); }, [] { return true; }};
    };
    const Step isReported{[] {}, [&tab] { return tab.findChild<ui::MessageBar*>()->isVisible(); }};
    const Step dismiss{[&tab] { tab.findChild<ui::MessageBar*>()->hide(); }, [] { return true; }};
    const Step remove{[&tab] { tab.session().planRemoval({maple}); }, [] { return QApplication::activeModalWidget() != nullptr; }};
    const Step openMenu{[&tab] {
                            auto* button = tab.findChild<QToolButton*>(QStringLiteral("libraryFolders"));
                            emit button->menu()->aboutToShow();
                            button->menu()->popup(button->mapToGlobal(QPoint(0, button->height())));
                        },
                        [] { return QApplication::activePopupWidget() != nullptr; }};
    const auto view = [](const char* name, std::vector<Step> steps) -> View {
        return {QLatin1String(name), [] {}, inOrder(std::move(steps))};
    };
    return {view("library-empty", {empty}),
            view("library", {fill, choose(good)}),
            view("library-duplicates", {fill, choose(maple)}),
            view("library-folders", {fill, choose(maple), openMenu}),
            view("library-verified", {fill, dismiss, choose(damaged), verify(damaged), isReported}),
            view("library-remove", {fill, dismiss, choose(maple), remove})};
}

} // namespace wb::screenshots
