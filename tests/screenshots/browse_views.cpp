// SPDX-License-Identifier: MIT
#include "tests/screenshots/views.h"
#include "ui/browse/browse_tab.h"
#include "ui/browse/downloads.h"
#include "ui/browse/page_view.h"

#include <QAction>
#include <QApplication>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>

#include <algorithm>

namespace wb::screenshots {
namespace {

using State = wb::hub::QueuedDownload::State;

// One that flows slowly, one that waits to be told to go on, and one that the hub does not have.
void addDownloads(ui::browse::Downloads& downloads) {
    const auto add = [&downloads](const char* name, const char* file, std::uint64_t bytes) {
        wb::hub::QueuedDownload download;
        download.request.repository = {wb::hub::Hub::HuggingFace, name, ""};
        download.request.files = {file};
        download.request.place.root = std::filesystem::temp_directory_path() / "weighbridge-pictures" / name;
        download.bytes = bytes;
        download.bytesPerSecond = 1'000'000;
        return downloads.add(std::move(download));
    };
    add("acme/large", "file-1.bin", 2'000'000'000);
    downloads.pause(add("acme/tiny-gguf", "model-Q4_K_M.gguf", 1'000'003));
    add("acme/of-the-past", "old-Q8_0.gguf", 734'003'200);
}

} // namespace

QList<View> browseViews(ui::BrowseTab& tab) {
    const auto showSide = [&tab](int index) { tab.page().findChild<QTabWidget*>()->setCurrentIndex(index); };
    const auto isReady = [&tab] {
        if (tab.session().isAsking() || tab.session().isOpeningPage()) return false;
        if (tab.session().rows().empty() || tab.page().page()) return true;
        tab.table().selectRow(0);
        return false;
    };
    const auto showFilters = [&tab](bool isShown) {
        tab.findChild<QToolButton*>(QStringLiteral("browseMore"))->setChecked(isShown);
    };
    return {{QStringLiteral("browse-files"), [showSide] { showSide(0); }, isReady},
            {QStringLiteral("browse-card"), [showSide] { showSide(1); }, isReady},
            {QStringLiteral("browse-filters"),
             [showSide, showFilters] {
                 showSide(0);
                 showFilters(true);
             },
             isReady},
            {QStringLiteral("browse-tokens"),
             [&tab, showFilters] {
                 showFilters(false);
                 tab.findChild<QAction*>(QStringLiteral("browseTokens"))->trigger();
             },
             [] { return QApplication::activeModalWidget() != nullptr; }},
            {QStringLiteral("browse-downloads"),
             [&tab, showFilters] {
                 showFilters(false);
                 addDownloads(tab.downloads());
                 tab.showDownloads();
             },
             [&tab] {
                 const auto& entries = tab.downloads().queue().entries();
                 return std::ranges::all_of(entries, [&tab](const wb::hub::QueuedDownload& each) {
                     return each.state != State::Queued || tab.downloads().waiting(each);
                 });
             }}};
}

} // namespace wb::screenshots
