// SPDX-License-Identifier: MIT
#include "app/window/options.h"
#include "app/window/program.h"
#include "app/window/startup_trace.h"
#include "core/base/heap.h"
#include "core/io/system/limits.h"
#include "core/scan/worker_tasks.h"
#include "ui/shell/file_open_filter.h"

#include <QApplication>
#include <QTimer>

namespace wb {
namespace {

int run(const QStringList& paths) {
    Program program(userPaths());
    ui::MainWindow& window = program.window();
    window.restoreSession();
    if (!paths.isEmpty()) window.openPaths(paths);
    const ui::FileOpenFilter fromTheSystem([&window](const QString& path) { window.openPaths({path}); });
    traceFirstPaint(&window);
    window.show();
    QTimer::singleShot(0, &window, [&program] {
        program.resumeDownloads();
        program.measureDevice();
    });
    return QApplication::exec();
}

} // namespace
} // namespace wb

int main(int argc, char** argv) {
    if (const auto status = wb::worker::serveIfAsked(argc, argv, wb::scan::allWorkerTasks())) return *status;
    wb::returnLargeBlocks();
    wb::io::ignoreFileSizeSignal();
    const std::unique_ptr<QCoreApplication> application(wb::wantsOnlyText(argc, argv) ? new QCoreApplication(argc, argv)
                                                                                      : new QApplication(argc, argv));
    QCoreApplication::setApplicationName(QStringLiteral("weighbridge"));
    QCoreApplication::setApplicationVersion(QStringLiteral(WEIGHBRIDGE_VERSION));
    QGuiApplication::setDesktopFileName(QStringLiteral("weighbridge"));
    return wb::run(wb::parsePaths());
}
