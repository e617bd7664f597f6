// SPDX-License-Identifier: MIT
#include "tests/screenshots/views.h"
#include "ui/browse/browse_tab.h"
#include "ui/browse/page_view.h"

#include <QTabWidget>
#include <QTableView>

namespace wb::screenshots {

QList<View> browseViews(ui::BrowseTab& tab) {
    const auto showSide = [&tab](int index) { tab.page().findChild<QTabWidget*>()->setCurrentIndex(index); };
    const auto isReady = [&tab] {
        if (tab.session().isAsking() || tab.session().isOpeningPage()) return false;
        if (tab.session().rows().empty() || tab.page().page()) return true;
        tab.table().selectRow(0);
        return false;
    };
    return {{QStringLiteral("browse-files"), [showSide] { showSide(0); }, isReady},
            {QStringLiteral("browse-card"), [showSide] { showSide(1); }, isReady}};
}

} // namespace wb::screenshots
