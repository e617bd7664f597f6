// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace wb::ui {
class MainWindow;
class QueuedJobRunner;
class SettingsStore;
} // namespace wb::ui

namespace wb {

struct ScreenshotOptions {
    QString folder;
    QString views; // only those whose name begins so
};

// Saves a 1280 x 800 picture of every view, in every language and theme, as FOLDER/<view>-<language>-<theme>.png and prints the
// paths. Models must have been opened before. Returns the exit status of the program.
int takeScreenshots(ui::MainWindow& window, ui::SettingsStore& settings, const ui::QueuedJobRunner& runner,
                    const ScreenshotOptions& options);

} // namespace wb
