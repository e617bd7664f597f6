// SPDX-License-Identifier: MIT
#pragma once

#include "app/store/library_index.h"
#include "app/window/graphics_devices.h"
#include "app/window/paths.h"
#include "core/net/transport.h"
#include "core/stats/map/map.h"
#include "core/stats/stats.h"
#include "ui/shell/main_window.h"
#include "ui/shell/jobs/job_runner.h"
#include "ui/shell/services.h"
#include "ui/shell/services/hub_network.h"
#include "ui/shell/services/library_places.h"
#include "ui/shell/services/local_models.h"
#include "ui/shell/settings/settings_store.h"

#include <atomic>
#include <memory>
#include <mutex>

namespace wb::ui {
class BrowseTab;
class ChatTab;
class ConvertTab;
class InspectTab;
class LibraryTab;
class MemoryTab;
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
    void resumeDownloads(); // those that the last start left
    void measureDevice();   // the GPU of an automatic choice, in a job, where its speed has not been measured yet
    ui::LibraryTab& libraryTab() { return *m_libraryTab; }
    ui::BrowseTab& browseTab() { return *m_browseTab; }
    ui::InspectTab& inspectTab() { return *m_inspectTab; }
    ui::MemoryTab& memoryTab() { return *m_memoryTab; }
    ui::ConvertTab& convertTab() { return *m_convertTab; }
    ui::ChatTab& chatTab() { return *m_chatTab; }
    ui::SettingsStore& settings() { return m_settings; }
    ui::QueuedJobRunner& runner() { return m_runner; }
    const ui::Services& services() const { return m_services; }

private:
    ui::WorkChoices workChoices() const;
    ui::HubNetwork hubNetwork();
    ui::Services makeServices();
    void connectTabs();
    void useSettings();

    WindowPaths m_paths;
    ui::SettingsStore m_settings;
    // These outlive the runner, whose jobs use them.
    std::atomic<unsigned> m_threads = 0; // of quantizers, which read it when they start
    gpu::compute::ComputeDevice m_device;
    GraphicsDevices m_devices;
    std::unique_ptr<stats::Backend> m_statistics;
    std::unique_ptr<stats::MapBackend> m_maps;
    LibraryIndex m_libraryIndex;
    ui::LibraryPlaces m_libraryPlaces;
    net::Clock m_clock;
    std::unique_ptr<hub::TokenStore> m_keychain;
    const std::string m_proxy; // of the settings at the start
    std::mutex m_transportMutex;
    std::unique_ptr<net::Transport> m_transport; // made when a hub is asked first
    ui::HubNetwork m_hubs;
    ui::QueuedJobRunner m_runner;
    ui::WorkSettings m_workSettings;
    ui::OpenModels m_openModels;
    ui::LocalModels m_localModels;
    const ui::Services m_services;
    std::unique_ptr<ui::MainWindow> m_window;
    ui::LibraryTab* m_libraryTab;
    ui::BrowseTab* m_browseTab;
    ui::InspectTab* m_inspectTab;
    ui::MemoryTab* m_memoryTab;
    ui::ConvertTab* m_convertTab;
    ui::ChatTab* m_chatTab;
};

} // namespace wb
