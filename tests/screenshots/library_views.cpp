// SPDX-License-Identifier: MIT
#include "tests/screenshots/views.h"
#include "ui/library/library_tab.h"

#include <QAbstractItemModel>
#include <QTableView>

namespace wb::screenshots {

QList<View> libraryViews(ui::LibraryTab& tab, const QString& folder) {
    const auto show = [&tab, folder] {
        if (!folder.isEmpty() && !tab.session().wasScanned()) tab.takeDrop({folder});
    };
    const auto isReady = [&tab] {
        if (tab.session().isScanning() || !tab.session().wasScanned()) return false;
        if (!tab.chosenIds().isEmpty() || tab.table().model()->rowCount() == 0) return true;
        tab.table().selectRow(0);
        return false; // until what it shows is laid out
    };
    return {{QStringLiteral("library"), show, isReady}};
}

} // namespace wb::screenshots
