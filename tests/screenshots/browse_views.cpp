// SPDX-License-Identifier: MIT
#include "app/window/program.h"
#include "tests/screenshots/example_hubs.h"
#include "tests/screenshots/steps.h"
#include "tests/screenshots/views.h"
#include "ui/inspect/inspect_actions.h"
#include "ui/browse/browse_tab.h"
#include "ui/browse/downloads.h"
#include "ui/browse/page_view.h"
#include "ui/inspect/inspect_tab.h"
#include "ui/inspect/model_page.h"
#include "ui/shell/jobs/work_source.h"
#include "ui/widgets/paths.h"

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>

#include <algorithm>
#include <memory>

namespace wb::screenshots {
namespace {

using State = hub::QueuedDownload::State;

constexpr const char* slowFile = "Sprig-8M-Q8_0.gguf";

// What a person does in the tab, and when it is done.
class Browsing {
public:
    Browsing(Program& program, ExampleHubs& hubs) : m_program(program), m_hubs(hubs) {}

    ui::BrowseTab& tab() const { return m_program.browseTab(); }

    Step search(const QString& words) const {
        return {[this, words] {
                    auto* line = tab().findChild<QLineEdit*>(QStringLiteral("browseText"));
                    line->setText(words);
                    emit line->returnPressed();
                },
                [this] { return !tab().session().isAsking(); }};
    }

    Step open(const char* id) const {
        return {[this, id] {
                    tab().table().clearSelection();
                    const auto& rows = tab().session().rows();
                    const auto found = std::ranges::find_if(
                        rows, [id](const hub::ModelRow& row) { return row.hub == hub::Hub::HuggingFace && row.id == id; });
                    tab().table().setCurrentIndex({});
                    tab().table().selectRow(static_cast<int>(found - rows.begin()));
                },
                [this] { return !tab().session().isOpeningPage() && tab().page().page(); }};
    }

    Step side(int index) const {
        return {[this, index] { tab().page().findChild<QTabWidget*>()->setCurrentIndex(index); }, isQuiet()};
    }

    Step waitForFit() const {
        return {[] {}, [this] { return !tab().page().fitText().isEmpty(); }};
    }

    Step waitForTwin() const {
        return {[] {}, [this] { return tab().page().page() && tab().page().page()->twin.has_value(); }};
    }

    Step filters(bool isShown) const {
        return {[this, isShown] { tab().findChild<QToolButton*>(QStringLiteral("browseMore"))->setChecked(isShown); }, isQuiet()};
    }

    Step press(const QString& button) const {
        return {[this, button] { tab().findChild<QAbstractButton*>(button)->click(); }, isQuiet()};
    }

    Step askForTokens() const {
        return {[this] { tab().findChild<QAction*>(QStringLiteral("browseTokens"))->trigger(); },
                [] { return QApplication::activeModalWidget() != nullptr; }};
    }

    // The usual page, whatever the view before left behind.
    std::vector<Step> usual(std::vector<Step> more) const {
        std::vector<Step> steps = {{[this] { m_hubs.answer(); }, [] { return true; }},
                                   filters(false),
                                   search({}),
                                   open(ExampleHubs::model),
                                   side(0),
                                   waitForFit(),
                                   waitForTwin()};
        std::ranges::move(more, std::back_inserter(steps));
        return steps;
    }

    // One that is fetched, one that flows slowly, one that waits to be told to go on, one whose terms were not accepted, one that
    // the hub does not have, and one that waits because the hub wants fewer requests. All are small: space on the disk is
    // reserved for the whole of a file.
    Step fillQueue() const {
        return {[this] {
                    ui::browse::Downloads& downloads = tab().downloads();
                    add(ExampleHubs::model, ExampleHubs::wholeFile, 0);
                    add(ExampleHubs::small, slowFile, 50'000);
                    downloads.pause(add(ExampleHubs::small, "Sprig-8M-Q4_K_M.gguf", 0));
                    add(ExampleHubs::gated, "Birch-160M-Coder-Q4_K_M.gguf", 0);
                    add(ExampleHubs::missing, "Maple-13B-Q4_K_M.gguf", 0);
                    m_hubs.slowDown();
                    add(ExampleHubs::busy, "config.json", 0);
                },
                [this] {
                    return isIn(ExampleHubs::wholeFile, State::Done) && isIn(slowFile, State::Running) &&
                           isIn("Birch-160M-Coder-Q4_K_M.gguf", State::Blocked) && isIn("Maple-13B-Q4_K_M.gguf", State::Blocked) &&
                           flows(slowFile) && waits("config.json");
                }};
    }

    Step clearQueue() const {
        return {[this] {
                    ui::browse::Downloads& downloads = tab().downloads();
                    while (!downloads.queue().entries().empty()) downloads.remove(downloads.queue().entries().front().id);
                },
                [this] { return m_program.runner().unfinishedCount() == 0; }}; // what was there of them is gone, too
    }
    Step goOnWithQueue() const {
        return {[this] { tab().downloads().pauseAll(false); }, [] { return true; }};
    }

    Step waitFor(std::function<bool()> isDone) const {
        return {[] {}, std::move(isDone)};
    }

    Program& program() const { return m_program; }
    ExampleHubs& hubs() const { return m_hubs; }

    bool isIn(const std::string& file, State state) const {
        const auto* entry = find(file);
        return entry && entry->state == state;
    }

private:
    std::function<bool()> isQuiet() const {
        return [this] { return !tab().session().isAsking() && !tab().session().isOpeningPage(); };
    }

    const hub::QueuedDownload* find(const std::string& file) const {
        const auto& entries = tab().downloads().queue().entries();
        const auto found =
            std::ranges::find_if(entries, [&file](const auto& each) { return each.request.files == std::vector{file}; });
        return found == entries.end() ? nullptr : &*found;
    }

    bool flows(const std::string& file) const {
        const auto* entry = find(file);
        return entry && entry->doneBytes > 0 && tab().downloads().bytesPerSecond(entry->id) > 0;
    }

    bool waits(const std::string& file) const {
        const auto* entry = find(file);
        return entry && tab().downloads().waiting(*entry);
    }

    quint64 add(const char* name, const char* file, std::uint64_t speed) const {
        hub::QueuedDownload download;
        download.request.repository = {hub::Hub::HuggingFace, name, ""};
        download.request.files = {file};
        download.request.place.root =
            ui::fsPath(m_program.services().settings->cacheFolder() + QStringLiteral("/models/") + QLatin1String(name));
        download.bytesPerSecond = speed;
        return tab().downloads().add(std::move(download));
    }

    Program& m_program;
    ExampleHubs& m_hubs;
};

} // namespace

QList<View> browseViews(Program& program, ExampleHubs& hubs) {
    const auto browsing = std::make_shared<Browsing>(program, hubs);
    const Browsing& b = *browsing;
    const auto view = [browsing](const char* name, std::vector<Step> steps) -> View {
        return {QLatin1String(name), [browsing] {}, inOrder(std::move(steps))};
    };
    const QString words = QStringLiteral("orchard");
    const Step isQuiet = b.waitFor([&program] { return program.runner().unfinishedCount() == 0; });
    const auto opened = std::make_shared<bool>(false);
    const auto inspect = [browsing, opened] {
        ui::InspectTab& tab = browsing->program().inspectTab();
        QObject::connect(&tab, &ui::Tab::opened, &tab, [opened] { *opened = true; }, Qt::SingleShotConnection);
        browsing->tab().findChild<QToolButton*>(QStringLiteral("inspectRemote"))->click();
    };
    const auto closeRemote = [&program] {
        if (auto* actions = program.inspectTab().findChild<ui::inspect::InspectActions*>()) actions->close->trigger();
    };
    // Else it is waited for by the pictures of the next language.
    const auto stop = [browsing] { browsing->tab().downloads().pauseAll(true); };
    const std::vector<Step> filled = {b.clearQueue(), b.goOnWithQueue(), b.fillQueue()};
    View downloads = view("browse-downloads", b.usual(filled));
    downloads.close = stop;
    const Step remove = {[browsing] {
                             ui::WorkSource* const work = browsing->tab().workSource();
                             work->remove(work->items()[1].id); // no finished one
                         },
                         [] { return QApplication::activeModalWidget() != nullptr; }};
    std::vector<Step> removing = filled;
    removing.push_back(remove);
    View removal = view("browse-remove", b.usual(removing));
    removal.close = stop;
    View remote = view("browse-inspect", b.usual({b.clearQueue(), {inspect, [opened] { return *opened; }}, isQuiet}));
    remote.close = closeRemote;
    return {view("browse-files", b.usual({})),
            view("browse-card", b.usual({b.side(1)})),
            view("browse-filters", b.usual({b.filters(true)})),
            view("browse-tokens", b.usual({b.askForTokens()})),
            view("browse-empty", b.usual({b.search(QStringLiteral("a model that nobody has"))})),
            view("browse-error", b.usual({{[browsing] { browsing->hubs().answerHtml(); }, [] { return true; }},
                                          b.search(QStringLiteral("something new"))})),
            view("browse-offline", b.usual({b.search(words),
                                            {[browsing] { browsing->hubs().refuse(); }, [] { return true; }},
                                            b.search(words),
                                            b.open(ExampleHubs::model)})),
            view("browse-gated",
                 b.usual({b.clearQueue(), b.goOnWithQueue(), b.open(ExampleHubs::gated), b.press(QStringLiteral("download")),
                          b.waitFor([browsing] { return browsing->isIn("Birch-160M-Coder-Q8_0.gguf", State::Blocked); })})),
            downloads,
            removal,
            remote};
}

} // namespace wb::screenshots
