// SPDX-License-Identifier: MIT
#include "app/window/compute_device.h"
#include "app/window/options.h"
#include "app/window/paths.h"
#include "app/window/screenshots.h"
#include "app/window/startup_trace.h"
#include "core/base/heap.h"
#include "core/io/limits.h"
#include "gpu/heatmap/map_backend.h"
#include "gpu/imview/canvas.h"
#include "ui/convert/convert_tab.h"
#include "ui/inspect/inspect_tab.h"
#include "ui/shell/jobs/job_runner.h"
#include "ui/shell/settings/settings_store.h"

#include <QApplication>
#include <QDir>
#include <QTemporaryDir>

namespace wb {
namespace {

void takeSettings(ui::Services& services, const ui::Settings& settings, const QString& defaultCache) {
    services.cacheFolder = settings.cacheFolder.isEmpty() ? defaultCache : settings.cacheFolder;
    services.threads = static_cast<unsigned>(settings.threads);
    services.device = settings.device;
    QDir().mkpath(services.cacheFolder);
}

int run(const WindowOptions& options, const WindowPaths& paths) {
    ui::SettingsStore settings(paths.settingsFile);
    settings.apply();
    ComputeDevice device(settings.settings().device);                           // outlives the runner, whose jobs use it
    gpu::ChoosingBackend statistics(device.forStatistics());                    // so does this
    const auto maps = gpu::makeMapBackend([&device] { return device.open(); }); // and this
    ui::QueuedJobRunner runner;
    ui::Services services;
    services.jobs = &runner;
    takeSettings(services, settings.settings(), paths.cacheFolder);
    device.setThreads(services.threads);
    services.stateFolder = paths.stateFolder;
    services.statistics = &statistics;
    services.maps = maps.get();
    services.quantizer = [&device] { return device.quantizer(); };
    gpu::imview::Renderer::drawOn(device.forPlots());
    gpu::setUp({std::filesystem::path(services.cacheFolder.toStdU16String()) / "pipelines"});
    QObject::connect(&settings, &ui::SettingsStore::changed, &runner, [&, last = settings.settings().device]() mutable {
        takeSettings(services, settings.settings(), paths.cacheFolder);
        device.setThreads(services.threads);
        if (last == settings.settings().device) return;
        last = settings.settings().device;
        device.set(last);
        statistics.choose(device.forStatistics());
        gpu::imview::Renderer::drawOn(device.forPlots());
    });

    ui::MainWindow window(settings, runner, paths.places);
    window.setDeviceLister(graphicsDevices);
    services.openFolder = [&window] { return window.folderToOpenFrom(); };
    window.addTab(new ui::InspectTab(services, &window));
    auto* convert = new ui::ConvertTab(services, &window);
    window.addTab(convert);
    if (!options.paths.isEmpty()) convert->setExample(options.paths.first());
    window.restoreSession();
    if (!options.paths.isEmpty()) window.openPaths(options.paths);
    if (!options.screenshots.folder.isEmpty()) return takeScreenshots(window, settings, runner, options.screenshots);
    traceFirstPaint(&window);
    window.show();
    return QApplication::exec();
}

} // namespace
} // namespace wb

int main(int argc, char** argv) {
    wb::returnLargeBlocks();
    wb::io::ignoreFileSizeSignal();
    const std::unique_ptr<QCoreApplication> application(wb::wantsOnlyText(argc, argv) ? new QCoreApplication(argc, argv)
                                                                                      : new QApplication(argc, argv));
    QCoreApplication::setApplicationName(QStringLiteral("weighbridge"));
    QCoreApplication::setApplicationVersion(QStringLiteral(WEIGHBRIDGE_VERSION));
    QGuiApplication::setDesktopFileName(QStringLiteral("weighbridge"));
    const wb::WindowOptions options = wb::parseOptions();
    if (options.screenshots.folder.isEmpty()) return wb::run(options, wb::userPaths());
    const QTemporaryDir folder;
    return wb::run(options, wb::pathsBeneath(folder.path()));
}
