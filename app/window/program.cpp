// SPDX-License-Identifier: MIT
#include "app/window/program.h"

#include "app/net/qt_transport.h"
#include "app/store/chat/conversations.h"
#include "app/store/keychain/keychain.h"
#include "app/store/trash.h"
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
#include "ui/shell/jobs/jobs_tab.h"
#include "ui/shell/jobs/start_job.h"
#include "ui/widgets/paths.h"

#include <QCoreApplication>
#include <QDir>

namespace wb {
namespace {

// Plots are drawn by the chosen device, and by the best where computing is left to the CPU, which cannot draw them.
void drawOn(const DeviceRef& device) { gpu::imview::Renderer::useDevice(device.id); }

#ifdef __MINGW32__
// Qt keeps the stacks of compiled expressions in variables of threads, which GCC destroys too late (core/base/thread_object.h).
[[maybe_unused]] const bool isInterpreted = qputenv("QT_ENABLE_REGEXP_JIT", "0");
#endif

} // namespace

Program::Program(const WindowPaths& paths)
    : m_paths(paths), m_settings(paths.settingsFile), m_device(m_settings.settings().device), m_devices(m_device),
      m_statistics(gpu::compute::makeStatistics(m_device)), m_maps(gpu::compute::makeMaps(m_device)),
      m_libraryIndex(ui::fsPath(paths.cacheFolder) / "library.sqlite"),
      m_libraryPlaces{paths.libraryEnvironment, &m_libraryIndex, moveToTrash}, m_keychain(store::makeKeychain()),
      m_proxy(m_settings.settings().proxy.toStdString()), m_hubs(hubNetwork()), m_services(makeServices()) {
    m_settings.apply();
    useSettings();
    drawOn(m_workSettings.device());
    gpu::setUp({ui::fsPath(m_workSettings.cacheFolder()) / "pipelines"});
    QObject::connect(&m_settings, &ui::SettingsStore::changed, &m_workSettings, [this] { useSettings(); });

    m_window = std::make_unique<ui::MainWindow>(m_settings, m_runner, paths.places, &m_devices);
    m_libraryTab = new ui::LibraryTab(m_services, m_window.get());
    m_browseTab = new ui::BrowseTab(m_services, m_window.get());
    m_inspectTab = new ui::InspectTab(m_services, m_window.get());
    m_memoryTab = new ui::MemoryTab(m_services, m_window.get());
    m_convertTab = new ui::ConvertTab(m_services, m_window.get());
    m_chatTab = new ui::ChatTab(m_services, m_window.get());
    auto* const jobs = new ui::JobsTab(m_window->jobs(), m_window.get());
    for (ui::Tab* tab :
         std::initializer_list<ui::Tab*>{m_libraryTab, m_browseTab, m_inspectTab, m_memoryTab, m_convertTab, m_chatTab, jobs})
        m_window->addTab(tab);
    connectTabs();
}

Program::~Program() = default;

// What one tab leads to in another, beyond handing over a path.
void Program::connectTabs() {
    QObject::connect(m_browseTab, &ui::BrowseTab::downloaded, &m_libraryTab->session(), &ui::library::LibrarySession::scan);
    QObject::connect(m_memoryTab, &ui::MemoryTab::quantizeWanted, m_convertTab, [this](const QString& path, const QString& type) {
        emit m_memoryTab->handOverWanted(m_convertTab->id(), {path});
        if (const auto file = quant::fileTypeFromName(type.toStdString())) m_convertTab->openFor(path, *file);
    });
    QObject::connect(m_memoryTab, &ui::MemoryTab::chatWanted, m_chatTab, [this](const QString& path, quint64 context) {
        emit m_memoryTab->handOverWanted(m_chatTab->id(), {});
        m_chatTab->openWith(path, static_cast<std::size_t>(context));
    });
}

void Program::resumeDownloads() { m_browseTab->resumeDownloads(); }

void Program::measureDevice() {
    if (!m_settings.settings().device.isAutomatic()) return;
    const auto measure = [this](const Result<ui::DeviceSpeed>& found) {
        if (!found || found->isMeasured()) return;
        ui::startJob<ui::DeviceSpeed>(
            m_runner, [] { return QCoreApplication::translate("wb::ui::DeviceSpeedRow", "Measuring GPU speed"); }, m_window.get(),
            [this, threads = m_threads.load()](const Progress& progress) { return m_devices.measureSpeed({}, threads, progress); },
            [](const Result<ui::DeviceSpeed>&) {});
    };
    ui::startJob<ui::DeviceSpeed>(
        m_runner, QString(), m_window.get(), [this](const Progress&) { return m_devices.measuredSpeed({}); }, measure, false);
}

ui::Services Program::makeServices() {
    ui::Services services;
    services.jobs = &m_runner;
    services.settings = &m_workSettings;
    services.openModels = &m_openModels;
    services.stateFolder = m_paths.stateFolder;
    services.openFolder = [this] { return m_window->folderToOpenFrom(); };
    services.statistics = m_statistics.get();
    services.maps = m_maps.get();
    services.quantizer = [this] { return gpu::compute::makeQuantizer(m_device, m_threads); };
    services.devices = &m_devices;
    services.hubs = &m_hubs;
    services.library = &m_libraryPlaces;
    services.localModels = &m_localModels;
    services.openRemote = [this](const std::string& id, const Progress& progress) {
        return ui::browse::openRemote(m_hubs, id, progress);
    };
    services.openConversations = [file = m_paths.stateFolder + QStringLiteral("/conversations.sqlite")] {
        return store::openConversations(file);
    };
    return services;
}

ui::HubNetwork Program::hubNetwork() {
    ui::HubNetwork network;
    network.settings = [] { return hub::settingsFrom(hub::environmentOfProcess); };
    network.transport = [this]() -> Result<net::Transport*> {
        const std::lock_guard lock(m_transportMutex);
        if (!m_transport) {
            WB_TRY_ASSIGN(m_transport, makeQtTransport({.proxy = m_proxy}));
        }
        return m_transport.get();
    };
    network.clock = &m_clock;
    network.tokens = m_keychain.get();
    network.modelsFolder = m_paths.libraryEnvironment.ours;
    network.cacheFolder = ui::fsPath(m_paths.cacheFolder) / "hubs";
    return network;
}

ui::WorkChoices Program::workChoices() const {
    const ui::Settings& settings = m_settings.settings();
    return {static_cast<unsigned>(settings.threads), settings.device,
            settings.cacheFolder.isEmpty() ? m_paths.cacheFolder : settings.cacheFolder,
            static_cast<std::size_t>(settings.context)};
}

// Tabs get the signal last, when everything that they use follows the settings.
void Program::useSettings() {
    const ui::WorkChoices choices = workChoices();
    QDir().mkpath(choices.cacheFolder);
    m_threads = choices.threads;
    const QString& models = m_settings.settings().modelsFolder;
    m_hubs.modelsFolder = models.isEmpty() ? m_paths.libraryEnvironment.ours : ui::fsPath(models);
    m_libraryPlaces.environment.ours = m_hubs.modelsFolder;
    if (choices.device != m_device.chosen()->choice()) {
        m_device.choose(choices.device);
        drawOn(choices.device);
    }
    m_workSettings.set(choices);
}

} // namespace wb
