// SPDX-License-Identifier: MIT
#include "app/window/screenshots.h"

#include "ui/shell/palette/command_palette.h"
#include "ui/shell/jobs/job_runner.h"
#include "ui/shell/main_window.h"
#include "ui/shell/screenshots.h"
#include "ui/shell/settings/settings_store.h"
#include "ui/shell/tab.h"
#include "ui/shell/window_actions.h"
#include "ui/widgets/imgui_widget.h"

#include <QApplication>
#include <QDialog>
#include <QDir>
#include <QElapsedTimer>
#include <QPainter>

#include <cstdio>
#include <functional>

namespace wb {
namespace {

constexpr int patienceMs = 120'000;

// Layouts need a few turns of the loop.
void turnUntil(const std::function<bool()>& isReady) {
    QElapsedTimer waited;
    waited.start();
    do {
        for (int turn = 0; turn < 5; ++turn) QApplication::processEvents(QEventLoop::AllEvents, 20);
    } while (!isReady() && waited.elapsed() < patienceMs);
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

// The window with its open dialog where it would stand on a screen.
QPixmap grabWithDialog(ui::MainWindow& window) {
    QPixmap picture = window.grab();
    const auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
    if (!dialog) return picture;
    QPainter painter(&picture);
    painter.fillRect(picture.rect(), QColor(0, 0, 0, 110));
    painter.drawPixmap((window.width() - dialog->width()) / 2, (window.height() - dialog->height()) / 2,
                       const_cast<QDialog*>(dialog)->grab());
    return picture;
}

// The tray belongs into the picture of the view that started a job only: titles of jobs keep the language they were started in.
void closeOverlays(ui::MainWindow& window) {
    window.windowActions()->jobs->setChecked(false);
    window.commandPalette()->hide();
    if (QWidget* dialog = QApplication::activeModalWidget()) dialog->close();
}

QList<ui::ScreenshotView> allViews(ui::MainWindow& window) {
    QList<ui::ScreenshotView> views = {
        {QStringLiteral("start"), [&window] { window.showPlace(0); }},
        {QStringLiteral("settings"), [&window] { window.showSettings(); }},
        {QStringLiteral("palette"), [&window] { window.commandPalette()->open(); }},
    };
    const QList<ui::Tab*> tabs = window.tabs();
    for (int i = 0; i < tabs.size(); ++i) {
        auto* source = dynamic_cast<ui::ScreenshotSource*>(tabs[i]);
        if (!source) continue;
        const auto ofTab = source->screenshotViews();
        for (const ui::ScreenshotView& view : ofTab) {
            views.append({view.name, [&window, i, show = view.show] {
                              window.showPlace(i + 1);
                              show();
                          },
                          view.isReady});
        }
    }
    return views;
}

bool saveViews(ui::MainWindow& window, const ui::QueuedJobRunner& runner, const ScreenshotOptions& options, const QString& suffix) {
    for (const ui::ScreenshotView& view : allViews(window)) {
        if (!view.name.startsWith(options.views)) continue;
        view.show();
        if (view.isReady) {
            turnUntil(view.isReady);
        } else {
            settle(runner);
            waitForPlots(window);
            settle(runner); // a plot may have asked for more
            waitForPlots(window);
        }
        const QString path = QDir(options.folder).absoluteFilePath(QStringLiteral("%1-%2.png").arg(view.name, suffix));
        if (!grabWithDialog(window).save(path)) return false;
        std::printf("%s\n", qPrintable(QDir::toNativeSeparators(path)));
        closeOverlays(window);
    }
    return true;
}

} // namespace

int takeScreenshots(ui::MainWindow& window, ui::SettingsStore& settings, const ui::QueuedJobRunner& runner,
                    const ScreenshotOptions& options) {
    QDir().mkpath(options.folder);
    window.resize(1280, 800);
    window.show();
    settle(runner);
    for (const char* language : {"en", "zh_CN"}) {
        for (const ui::Theme theme : {ui::Theme::Light, ui::Theme::Dark}) {
            ui::Settings shown;
            shown.language = QLatin1String(language);
            shown.theme = theme;
            settings.set(shown);
            settle(runner); // pages are made anew in another language
            const QString suffix = QStringLiteral("%1-%2").arg(shown.language, theme == ui::Theme::Dark ? QStringLiteral("dark")
                                                                                                        : QStringLiteral("light"));
            if (saveViews(window, runner, options, suffix)) continue;
            std::fprintf(stderr, "The pictures could not be saved to %s.\n", qPrintable(options.folder));
            return 1;
        }
    }
    return 0;
}

} // namespace wb
