// SPDX-License-Identifier: MIT
#pragma once

#include "app/window/compute_device.h"
#include "app/window/paths.h"
#include "gpu/heatmap/map_backend.h"
#include "gpu/stats/choosing_backend.h"
#include "ui/shell/main_window.h"
#include "ui/shell/jobs/job_runner.h"
#include "ui/shell/services.h"
#include "ui/shell/settings/settings_store.h"

#include <memory>

namespace wb::ui {
class ConvertTab;
class InspectTab;
} // namespace wb::ui

namespace wb {

// The window and all that it works with, wired together. Needs a QApplication; the window is not shown yet.
class Program {
public:
    explicit Program(const WindowPaths& paths);
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    ui::MainWindow& window() { return *m_window; }
    ui::InspectTab& inspectTab() { return *m_inspectTab; }
    ui::ConvertTab& convertTab() { return *m_convertTab; }
    ui::SettingsStore& settings() { return m_settings; }
    ui::QueuedJobRunner& runner() { return m_runner; }
    const ui::Services& services() const { return m_services; }

private:
    void useSettings();
    void useDevice();

    WindowPaths m_paths;
    ui::SettingsStore m_settings;
    QString m_deviceSetting;
    ComputeDevice m_device;                    // outlives the runner, whose jobs use it
    gpu::ChoosingBackend m_statistics;         // likewise
    std::unique_ptr<stats::MapBackend> m_maps; // likewise
    ui::QueuedJobRunner m_runner;
    ui::Services m_services;
    std::unique_ptr<ui::MainWindow> m_window;
    ui::InspectTab* m_inspectTab;
    ui::ConvertTab* m_convertTab;
};

} // namespace wb
