// SPDX-License-Identifier: MIT
#include "app/window/paths.h"
#include "ui/shell/job_runner.h"
#include "ui/shell/main_window.h"
#include "ui/shell/settings_store.h"

#ifdef WEIGHBRIDGE_INSPECT
#include "ui/inspect/inspect_tab.h"
#endif

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("weighbridge"));
    QApplication::setApplicationVersion(QStringLiteral(WEIGHBRIDGE_VERSION));
    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("paths"), QStringLiteral("Model files or folders to open."), QStringLiteral("[paths...]"));
    parser.process(application);

    const wb::WindowPaths paths = wb::windowPaths();
    wb::ui::SettingsStore settings(paths.settingsFile);
    settings.apply();
    wb::ui::QueuedJobRunner runner;
    wb::ui::Services services{&runner, nullptr, paths.cacheFolder, static_cast<unsigned>(settings.settings().threads)};
    QDir().mkpath(paths.cacheFolder);
    wb::ui::MainWindow window(settings, runner, {paths.sessionFile, paths.geometryFile, paths.cacheFolder, paths.starterModel});
#ifdef WEIGHBRIDGE_INSPECT
    window.addTab(new wb::ui::InspectTab(services, &window));
#endif
    window.restoreSession();
    window.show();
    if (!parser.positionalArguments().isEmpty()) window.openPaths(parser.positionalArguments());
    return QApplication::exec();
}
