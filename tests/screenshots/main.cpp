// SPDX-License-Identifier: MIT
// weighbridge_screenshots FOLDER [MODEL] [--views NAMES] [--looks PREFIX] [--size WxH]: saves a picture (of 1280 x 800) of every
// view of the window (with --views, of those named, separated by commas; a name that no view has stands for all that begin so), in
// every language and theme (with --looks, in those that begin so, such as zh_CN-dark), as FOLDER/<view>-<language>-<theme>.png, and
// prints the paths. The settings and the session are its own.
#include "app/window/program.h"
#include "core/io/system/limits.h"
#include "tests/screenshots/example_hubs.h"
#include "tests/screenshots/views.h"
#include "ui/browse/browse_tab.h"
#include "ui/browse/downloads.h"
#include "ui/chat/chat_tab.h"
#include "ui/convert/convert_tab.h"
#include "ui/convert/run/unfinished_list.h"
#include "ui/convert/wizard.h"
#include "ui/inspect/inspect_tab.h"
#include "ui/library/library_tab.h"
#include "ui/memory/memory_tab.h"
#include "ui/shell/jobs/jobs_model.h"
#include "ui/shell/message_line.h"
#include "ui/widgets/message_bar.h"
#include "ui/shell/palette/command_palette.h"
#include "ui/widgets/imgui/imgui_widget.h"
#include "ui/widgets/paths.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDialog>
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QPainter>
#include <QTemporaryDir>
#include <QTimer>

#include <cstdio>

namespace wb::screenshots {
namespace {

constexpr int timeoutMs = 120'000;

void turn() {
    for (int i = 0; i < 5; ++i) QApplication::processEvents(QEventLoop::AllEvents, 20);
}

// Layouts need a few turns of the loop. False where it never is.
bool turnUntil(const std::function<bool()>& isReady) {
    QElapsedTimer waited;
    waited.start();
    do turn();
    while (!isReady() && waited.elapsed() < timeoutMs);
    turn(); // what the last change shows is laid out
    return waited.elapsed() < timeoutMs;
}

// Lets jobs end and their results be shown.
void settle(const ui::QueuedJobRunner& runner) {
    turnUntil([&runner] { return runner.unfinishedCount() == 0; });
}

// Pictures of plots are drawn elsewhere and come later.
void waitForPlots(ui::MainWindow& window) {
    for (auto* plot : window.findChildren<ui::ImGuiWidget*>())
        if (plot->isVisible()) plot->waitForFrame();
}

// The window with its open menu or dialog where they would stand on a screen.
QPixmap grabWithDialog(ui::MainWindow& window) {
    QPixmap picture = window.grab();
    if (QWidget* const menu = QApplication::activePopupWidget()) {
        QPainter(&picture).drawPixmap(window.mapFromGlobal(menu->pos()), menu->grab());
        return picture;
    }
    const auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
    if (!dialog) return picture;
    QPainter painter(&picture);
    painter.fillRect(picture.rect(), QColor(0, 0, 0, 110));
    painter.drawPixmap((window.width() - dialog->width()) / 2, (window.height() - dialog->height()) / 2,
                       const_cast<QDialog*>(dialog)->grab());
    return picture;
}

void closeOverlays(ui::MainWindow& window) {
    window.commandPalette()->hide();
    if (QWidget* dialog = QApplication::activeModalWidget()) dialog->close();
    // Not close(): Qt 6.4 on Windows may destroy the menu's window and leave the menu visible, and the next dialog waits for it.
    if (QWidget* menu = QApplication::activePopupWidget()) menu->hide();
}

struct Options {
    QString folder;
    QString model;     // empty: none
    QStringList views; // only these, or those whose name begins so; empty: all
    QString looks;     // only languages and themes that begin so
    QString home;      // of the user that the pictures show
    QString files;     // the reference data; empty: not available
    QSize size;        // of the window
};

// The Jobs page as the view `after` leaves it, if there is one.
void addJobsView(ui::MainWindow& window, QList<View>& views, const QString& name, const QString& after) {
    const auto found = std::ranges::find(views, after, &View::name);
    const auto show = [&window] { window.showPlace(static_cast<int>(window.tabs().size())); };
    if (found != views.end()) views.insert(found - views.begin() + 1, {name, show, [] { return true; }, {}, false, after});
}

QList<View> allViews(Program& program, ExampleHubs& hubs, const Options& options) {
    ui::MainWindow& window = program.window();
    QList<View> views = {
        {QStringLiteral("start"), [&window] { window.showPlace(0); }},
        {QStringLiteral("settings"), [&window] { window.showSettings(); }},
        {QStringLiteral("palette"), [&window] { window.commandPalette()->open(); }},
        {QStringLiteral("jobs-empty"), [&window] { window.showPlace(static_cast<int>(window.tabs().size())); }},
    };
    const auto append = [&](ui::Tab& tab, const QList<View>& ofTab) {
        const int place = static_cast<int>(window.tabs().indexOf(&tab)) + 1;
        for (const View& view : ofTab)
            views.append({view.name,
                          [&window, place, show = view.show] {
                              window.showPlace(place);
                              show();
                          },
                          view.isReady, view.close, view.asks, view.after});
    };
    const QString folder = options.model.isEmpty() ? QString() : QFileInfo(options.model).absolutePath();
    append(program.libraryTab(), libraryViews(program.libraryTab(), options.home, folder));
    append(program.browseTab(), browseViews(program, hubs));
    append(program.inspectTab(), inspectViews(program.inspectTab()));
    const auto isIdle = [&program] { return program.runner().unfinishedCount() == 0; };
    append(program.inspectTab(), fileViews(program.inspectTab(), isIdle, options.files, options.home));
    append(program.inspectTab(), compareViews(program.inspectTab(), isIdle, options.model, options.files));
    append(program.convertTab(), questionViews(program.convertTab(), program.chatTab(), false, options.files));
    append(program.chatTab(), questionViews(program.convertTab(), program.chatTab(), true, options.files));
    append(program.memoryTab(), memoryViews(program.memoryTab()));
    append(program.convertTab(), convertViews(program.convertTab(), options.model, program.services().settings->cacheFolder()));
    append(program.chatTab(), chatViews(program.chatTab(), options.model));
    addJobsView(window, views, QStringLiteral("jobs-convert"), QStringLiteral("convert-queue-cancelled"));
    addJobsView(window, views, QStringLiteral("jobs"), QStringLiteral("browse-downloads"));
    return views;
}

// No view shows jobs and messages of those before it, unless it continues one of them.
void beginClean(Program& program) {
    // Those of a view do not end by themselves.
    ui::browse::Downloads& downloads = program.browseTab().downloads();
    while (!downloads.queue().entries().empty()) downloads.remove(downloads.queue().entries().front().id);
    ui::convert::Wizard& wizard = program.convertTab().wizard();
    if (wizard.runs().isRunning()) wizard.runs().cancel();
    settle(program.runner());
    const auto runs = wizard.queue().runs();
    for (const ui::convert::QueuedRun& run : runs) wizard.queue().remove(run.id);
    ui::convert::UnfinishedList& unfinished = program.convertTab().unfinished();
    unfinished.refresh();
    settle(program.runner());
    const auto left = unfinished.runs();
    for (const ui::convert::UnfinishedRun& run : left) {
        unfinished.discard(ui::convert::targetPath(run));
        settle(program.runner());
    }
    program.window().jobs().clearFinished();
    program.window().findChild<ui::MessageLine*>()->showMessage({}, false);
    const auto bars = program.window().findChildren<ui::MessageBar*>();
    for (ui::MessageBar* const bar : bars) bar->hide();
}

// Of a question: the timer goes on while the dialog waits for its answer. False where none came or the picture was not saved.
bool saveQuestion(ui::MainWindow& window, const View& view, const QString& path) {
    bool isAsked = false, isSaved = false;
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, &timer, [&] {
        auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
        if (!dialog || isAsked) return;
        isAsked = true;
        isSaved = grabWithDialog(window).save(path);
        dialog->reject();
    });
    timer.start(100);
    view.show();
    return turnUntil([&isAsked] { return isAsked; }) && isSaved;
}

// A view, and whether its picture is wanted or only what it leaves to the views after it.
struct PlannedView {
    View view;
    bool isSaved = true;
};

QList<PlannedView> chooseViews(const QList<View>& all, const QStringList& names) {
    const auto isNamed = [&](const QString& name) {
        return std::ranges::any_of(all, [&](const View& v) { return v.name == name; });
    };
    const auto isWanted = [&](const View& view) {
        return names.isEmpty() || std::ranges::any_of(names, [&](const QString& name) {
                   return view.name == name || (!isNamed(name) && view.name.startsWith(name));
               });
    };
    QList<PlannedView> chosen;
    for (const View& view : all) chosen.append({view, isWanted(view)});
    QStringList needed;
    for (auto it = chosen.crbegin(); it != chosen.crend(); ++it)
        if (it->isSaved || needed.contains(it->view.name)) needed.append(it->view.after);
    erase_if(chosen, [&](const PlannedView& each) { return !each.isSaved && !needed.contains(each.view.name); });
    return chosen;
}

bool saveViews(Program& program, ExampleHubs& hubs, const Options& options, const QString& suffix) {
    bool isGood = true;
    ui::MainWindow& window = program.window();
    const QList<PlannedView> views = chooseViews(allViews(program, hubs, options), options.views);
    for (const auto& [view, isWanted] : views) {
        const QString path = QDir(options.folder).absoluteFilePath(QStringLiteral("%1-%2.png").arg(view.name, suffix));
        if (view.after.isEmpty()) beginClean(program);
        if (view.asks) {
            const bool isSaved = saveQuestion(window, view, path);
            if (isSaved) std::printf("%s\n", qPrintable(QDir::toNativeSeparators(path)));
            else std::fprintf(stderr, "The view %s asked nothing.\n", qPrintable(view.name));
            isGood = isGood && isSaved;
            continue;
        }
        view.show();
        if (view.isReady) {
            if (!turnUntil(view.isReady)) {
                std::fprintf(stderr, "The view %s was never ready.\n", qPrintable(view.name));
                isGood = false;
            }
            waitForPlots(window);
        } else {
            settle(program.runner());
            waitForPlots(window);
            settle(program.runner()); // a plot may have asked for more
            waitForPlots(window);
        }
        if (isWanted && !grabWithDialog(window).save(path)) {
            std::fprintf(stderr, "The pictures could not be saved to %s.\n", qPrintable(options.folder));
            return false;
        }
        if (isWanted) std::printf("%s\n", qPrintable(QDir::toNativeSeparators(path)));
        std::fflush(stdout);
        closeOverlays(window);
        if (view.close) view.close();
    }
    return isGood;
}

int savePictures(Program& program, ExampleHubs& hubs, const Options& options) {
    int status = 0;
    QDir().mkpath(options.folder);
    if (!options.model.isEmpty()) program.window().openPaths({options.model});
    program.window().resize(options.size);
    program.window().show();
    settle(program.runner());
    for (const char* language : {"en", "zh_CN"}) {
        for (const ui::Theme theme : {ui::Theme::Light, ui::Theme::Dark}) {
            const QString suffix = QStringLiteral("%1-%2").arg(
                QLatin1String(language), theme == ui::Theme::Dark ? QStringLiteral("dark") : QStringLiteral("light"));
            if (!suffix.startsWith(options.looks)) continue;
            ui::Settings shown;
            shown.language = QLatin1String(language);
            shown.theme = theme;
            program.settings().set(shown);
            settle(program.runner()); // pages are made anew in another language
            status = saveViews(program, hubs, options, suffix) ? status : 1;
        }
    }
    return status;
}

Options parseOptions() {
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("Saves pictures of every view of the window to a folder."));
    parser.addHelpOption();
    parser.addPositionalArgument(QStringLiteral("folder"), QStringLiteral("Where the pictures go."));
    parser.addPositionalArgument(QStringLiteral("model"), QStringLiteral("The model to show."), QStringLiteral("[model]"));
    const QCommandLineOption views(QStringLiteral("views"), QStringLiteral("Only these views, separated by commas."),
                                   QStringLiteral("names"));
    const QCommandLineOption looks(QStringLiteral("looks"), QStringLiteral("Only languages and themes that begin so: zh_CN-dark."),
                                   QStringLiteral("prefix"));
    const QCommandLineOption size(QStringLiteral("size"), QStringLiteral("Of the window."), QStringLiteral("WxH"),
                                  QStringLiteral("1280x800"));
    parser.addOptions({views, looks, size});
    parser.process(*QCoreApplication::instance());
    const QStringList arguments = parser.positionalArguments();
    if (arguments.isEmpty()) parser.showHelp(2);
    const QStringList sides = parser.value(size).split(QLatin1Char('x'));
    const QSize window(sides.value(0).toInt(), sides.value(1).toInt());
    if (window.isEmpty()) parser.showHelp(2);
    return {arguments[0],
            arguments.value(1),
            parser.value(views).split(QLatin1Char(','), Qt::SkipEmptyParts),
            parser.value(looks),
            {},
            {},
            window};
}

// All in one folder, so that the pictures neither show nor change what the user has.
WindowPaths pathsBeneath(const QString& folder, const QString& starterModel) {
    const QDir home(folder);
    const QString cache = home.filePath(QStringLiteral(".cache/weighbridge"));
    library::Environment environment;
    environment.home = ui::fsPath(folder);
    const QString models = home.filePath(QStringLiteral(".local/share/weighbridge/models"));
    environment.ours = ui::fsPath(models);
    return {
        home.filePath(QStringLiteral("settings.json")),
        cache,
        folder,
        environment,
        {home.filePath(QStringLiteral("session.json")), home.filePath(QStringLiteral("window.ini")), cache, starterModel, models}};
}

// The reference data beneath a folder that names no user; empty: they are not here.
QString neutralFiles(const QString& folder) {
    const QString shared = qEnvironmentVariable("WEIGHBRIDGE_SHARED", QStringLiteral(SCREENSHOTS_SHARED));
    const QString files = QDir(folder).filePath(QStringLiteral("examples"));
    return QFileInfo(shared).isDir() && QFile::link(QFileInfo(shared).absoluteFilePath(), files) ? files : QString();
}

// The model beneath a folder that names no user, where the system has links: pictures show where things lie.
QString neutralPath(const QString& model, const QString& folder) {
    const QString models = QDir(folder).filePath(QStringLiteral("models"));
    const QFileInfo file(model);
    if (model.isEmpty() || !QFile::link(file.absolutePath(), models)) return model;
    const QString linked = QDir(models).filePath(file.fileName());
    return QFileInfo::exists(linked) ? linked : model;
}

// From now on the user's home is this folder, for paths that are shown short and for what the hubs' programs keep there.
void useHome(const QString& folder) {
    qputenv("HOME", QFile::encodeName(folder));
    for (const char* variable : {"HF_HOME", "HF_HUB_CACHE", "HF_TOKEN_PATH", "MODELSCOPE_CACHE", "XDG_CACHE_HOME"})
        qunsetenv(variable);
}

} // namespace
} // namespace wb::screenshots

int main(int argc, char** argv) {
    using namespace wb::screenshots;
    wb::io::ignoreFileSizeSignal();
    const QApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("weighbridge"));
    Options options = parseOptions();
    const QTemporaryDir folder;
    options.home = folder.path();
    options.model = neutralPath(options.model, folder.path());
    options.files = neutralFiles(folder.path());
    const QString starterModel = wb::userPaths().places.starterModel;
    useHome(folder.path());
    ExampleHubs hubs; // outlive the program, which asks them
    wb::Program program(pathsBeneath(folder.path(), starterModel));
    return savePictures(program, hubs, options);
}
