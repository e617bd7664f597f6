// SPDX-License-Identifier: MIT
#include "app/window/program.h"

#include "app/net/qt_transport.h"
#include "app/store/chat/conversations.h"
#include "app/store/keychain/keychain.h"
#include "app/store/trash.h"
#include "app/window/graphics_devices.h"
#include "core/quant/mix/file_type.h"
#include "gpu/compute/inference.h"
#include "gpu/compute/maps.h"
#include "gpu/compute/quantizer.h"
#include "gpu/compute/statistics.h"
#include "gpu/imview/canvas.h"
#include "ui/browse/browse_tab.h"
#include "ui/browse/remote_models.h"
#include "ui/chat/chat_tab.h"
#include "ui/convert/convert_tab.h"
#include "ui/inspect/inspect_tab.h"
#include "ui/library/library_tab.h"
#include "ui/memory/memory_tab.h"
#include "ui/widgets/paths.h"

#include <QDir>

namespace wb {
namespace {

DeviceRef choiceOf(const QString& setting) { return deviceFromText(setting.toStdString()); }

// Plots are drawn by the chosen device, and by the best where computing is left to the CPU, which cannot draw them.
void drawOnDeviceOf(const QString& setting) { gpu::imview::Renderer::useDevice(choiceOf(setting).id); }

} // namespace

Program::Program(const WindowPaths& paths)
    : m_paths(paths), m_settings(paths.settingsFile), m_deviceSetting(m_settings.settings().device),
      m_device(choiceOf(m_deviceSetting)), m_statistics(gpu::compute::makeStatistics(m_device)),
      m_maps(gpu::compute::makeMaps(m_device)), m_libraryIndex(ui::fsPath(paths.cacheFolder) / "library.sqlite"),
      m_keychain(store::makeKeychain()) {
    m_settings.apply();
    m_services.jobs = &m_runner;
    m_services.stateFolder = paths.stateFolder;
    m_services.statistics = m_statistics.get();
    m_services.maps = m_maps.get();
    m_services.quantizer = [this] { return gpu::compute::makeQuantizer(m_device, m_threads); };
    useSettings();
    drawOnDeviceOf(m_deviceSetting);
    gpu::setUp({ui::fsPath(m_services.cacheFolder) / "pipelines"});
    QObject::connect(&m_settings, &ui::SettingsStore::changed, &m_runner, [this] {
        useSettings();
        if (m_deviceSetting != m_settings.settings().device) useDevice();
    });

    m_window = std::make_unique<ui::MainWindow>(m_settings, m_runner, paths.places);
    m_window->setDeviceLister(graphicsDevices);
    m_services.openFolder = [this] { return m_window->folderToOpenFrom(); };
    m_libraryTab = new ui::LibraryTab(
        m_services, {paths.libraryEnvironment, ui::fsPath(paths.stateFolder), &m_libraryIndex, moveToTrash, graphicsMemories},
        m_window.get());
    m_browseTab = new ui::BrowseTab(m_services, browseNetwork(), m_window.get());
    QObject::connect(m_browseTab, &ui::BrowseTab::downloaded, &m_libraryTab->session(), &ui::library::LibrarySession::scan);
    m_inspectTab = new ui::InspectTab(m_services, m_window.get());
    m_inspectTab->setRemoteOpener([network = browseNetwork()](const std::string& id, const Progress& progress) {
        return ui::browse::openRemote(network, id, progress);
    });
    m_inspectTab->setDevices(graphicsMemories);
    m_memoryTab = new ui::MemoryTab(m_services, graphicsMemories, remoteOpener(), m_window.get());
    m_convertTab = new ui::ConvertTab(m_services, m_window.get());
    m_window->addTab(m_libraryTab);
    m_window->addTab(m_browseTab);
    m_convertTab->setOpenModels([this] { return m_inspectTab->openModels(); });
    m_window->addTab(m_inspectTab);
    m_window->addTab(m_memoryTab);
    m_window->addTab(m_convertTab);
    const auto openConversations = [file = paths.stateFolder + QStringLiteral("/conversations.sqlite")] {
        return store::openConversations(file);
    };
    m_chatTab = new ui::ChatTab(m_services, openConversations, m_window.get());
    m_chatTab->setRunners({[this](const QString& device) -> std::shared_ptr<infer::Backend> {
                               if (device == m_deviceSetting) return gpu::compute::makeInference(m_device);
                               return gpu::compute::makeInference(gpu::compute::ComputeDevice(choiceOf(device)));
                           },
                           graphicsDevices});
    m_window->addTab(m_chatTab);
    connectMemory();
}

// What is chosen in Memory is used elsewhere.
void Program::connectMemory() {
    QObject::connect(m_memoryTab, &ui::MemoryTab::quantizeWanted, m_convertTab, [this](const QString& path, const QString& type) {
        emit m_memoryTab->handOverWanted(m_convertTab->id(), {path});
        if (const auto file = quant::fileTypeFromName(type.toStdString())) m_convertTab->openFor(path, *file);
    });
    QObject::connect(m_memoryTab, &ui::MemoryTab::chatWanted, m_chatTab, [this](const QString& path, quint64 context) {
        emit m_memoryTab->handOverWanted(m_chatTab->id(), {});
        m_chatTab->openWith(path, static_cast<std::size_t>(context));
    });
}

ui::memory::RemoteOpener Program::remoteOpener() {
    return [network = browseNetwork()]() -> Result<ui::memory::OpenRemote> {
        return [network](const std::string& id, const Progress& progress) { return ui::browse::openRemote(network, id, progress); };
    };
}

Program::~Program() = default;

void Program::resumeDownloads() { m_browseTab->resumeDownloads(); }

ui::browse::BrowseNetwork Program::browseNetwork() {
    ui::browse::BrowseNetwork network;
    network.settings = [] { return hub::settingsFrom(hub::environmentOfProcess); };
    network.transport = [this]() -> Result<net::Transport*> {
        const std::lock_guard lock(m_transportMutex);
        if (!m_transport) {
            WB_TRY_ASSIGN(m_transport, makeQtTransport({}));
        }
        return m_transport.get();
    };
    network.clock = &m_clock;
    network.tokens = m_keychain.get();
    network.devices = graphicsMemories;
    network.modelsFolder = m_paths.libraryEnvironment.ours;
    network.stateFolder = ui::fsPath(m_paths.stateFolder);
    network.cacheFolder = ui::fsPath(m_paths.cacheFolder) / "hubs";
    return network;
}

void Program::useSettings() {
    const ui::Settings& settings = m_settings.settings();
    m_services.cacheFolder = settings.cacheFolder.isEmpty() ? m_paths.cacheFolder : settings.cacheFolder;
    m_services.threads = static_cast<unsigned>(settings.threads);
    m_services.device = settings.device;
    m_threads = m_services.threads;
    QDir().mkpath(m_services.cacheFolder);
}

void Program::useDevice() {
    m_deviceSetting = m_settings.settings().device;
    m_device.choose(choiceOf(m_deviceSetting));
    drawOnDeviceOf(m_deviceSetting);
}

} // namespace wb
