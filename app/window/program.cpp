// SPDX-License-Identifier: MIT
#include "app/window/program.h"

#include "gpu/imview/canvas.h"
#include "ui/convert/convert_tab.h"
#include "ui/inspect/inspect_tab.h"
#include "ui/widgets/paths.h"

#include <QDir>

namespace wb {

Program::Program(const WindowPaths& paths)
    : m_paths(paths), m_settings(paths.settingsFile), m_deviceSetting(m_settings.settings().device), m_device(m_deviceSetting),
      m_statistics(m_device.forStatistics()), m_maps(gpu::makeMapBackend([this] { return m_device.open(); })) {
    m_settings.apply();
    m_services.jobs = &m_runner;
    m_services.stateFolder = paths.stateFolder;
    m_services.statistics = &m_statistics;
    m_services.maps = m_maps.get();
    m_services.quantizer = [this] { return m_device.quantizer(); };
    useSettings();
    gpu::imview::Renderer::drawOn(m_device.forPlots());
    gpu::setUp({ui::fsPath(m_services.cacheFolder) / "pipelines"});
    QObject::connect(&m_settings, &ui::SettingsStore::changed, &m_runner, [this] {
        useSettings();
        if (m_deviceSetting != m_settings.settings().device) useDevice();
    });

    m_window = std::make_unique<ui::MainWindow>(m_settings, m_runner, paths.places);
    m_window->setDeviceLister(graphicsDevices);
    m_services.openFolder = [this] { return m_window->folderToOpenFrom(); };
    m_inspectTab = new ui::InspectTab(m_services, m_window.get());
    m_convertTab = new ui::ConvertTab(m_services, m_window.get());
    m_window->addTab(m_inspectTab);
    m_window->addTab(m_convertTab);
}

Program::~Program() = default;

void Program::useSettings() {
    const ui::Settings& settings = m_settings.settings();
    m_services.cacheFolder = settings.cacheFolder.isEmpty() ? m_paths.cacheFolder : settings.cacheFolder;
    m_services.threads = static_cast<unsigned>(settings.threads);
    m_services.device = settings.device;
    m_device.setThreads(m_services.threads);
    QDir().mkpath(m_services.cacheFolder);
}

void Program::useDevice() {
    m_deviceSetting = m_settings.settings().device;
    m_device.set(m_deviceSetting);
    m_statistics.choose(m_device.forStatistics());
    gpu::imview::Renderer::drawOn(m_device.forPlots());
}

} // namespace wb
