// SPDX-License-Identifier: MIT
#include "ui/chat/model_runner.h"

#include "core/memory/serving/calibration.h"
#include "ui/shell/services/devices.h"
#include "ui/widgets/paths.h"

#include <QCoreApplication>

namespace wb::ui::chat {

using namespace wb::chat;

namespace {

constexpr int pollsPerSecond = 30;

// Next to the loads of other programs, for the Memory tab.
infer::LoadStore loadStore(const Services& services) {
    if (services.stateFolder.isEmpty()) return {};
    return {memory::loadsFile(fsPath(services.stateFolder)), QCoreApplication::applicationVersion().toStdString()};
}

} // namespace

ModelRunner::ModelRunner(const Services& services, QObject* parent) : QObject(parent), m_services(services) {
    m_poll.setInterval(1000 / pollsPerSecond);
    connect(&m_poll, &QTimer::timeout, this, &ModelRunner::readEvents);
}

ModelRunner::~ModelRunner() { m_stop.request_stop(); }

void ModelRunner::holdAfter(std::size_t bytes) {
    m_holdAfter = bytes;
    if (m_completer) m_completer->holdAfter(bytes);
}

bool ModelRunner::makeCompleter() {
    if (m_completer) return true;
    auto made = LocalCompleter::make();
    if (made) m_completer = std::move(*made);
    else take(Failed{made.error()});
    if (made) m_completer->holdAfter(m_holdAfter);
    return made.has_value();
}

// Later reports of the previous request are ignored.
void ModelRunner::begin(ModelState state) {
    m_stop.request_stop();
    m_stop = {};
    m_events = std::make_shared<EventQueue>();
    m_state = state;
    m_poll.start();
}

void ModelRunner::load(const QString& path, std::size_t context) {
    m_path = path;
    m_ownContext = context;
    if (!makeCompleter()) return;
    begin(ModelState::Loading);
    LoadRequest request{.path = fsPath(path), .limitsContext = true, .store = loadStore(m_services)};
    request.options.threads = m_settings.threads > 0 ? m_settings.threads : m_services.settings->threads();
    request.options.context = context > 0 ? context : m_settings.context > 0 ? m_settings.context : m_services.settings->context();
    request.options.keys = m_settings.keys;
    request.options.values = m_settings.values;
    request.options.gpuLayers = m_settings.gpuLayers;
    if (m_services.devices)
        request.backend = m_services.devices->inference(m_settings.device.value_or(m_services.settings->device()));
    m_completer->load(std::move(request), m_events, m_stop);
    emit stateChanged();
}

void ModelRunner::answer(std::vector<Message> messages, CompletionSettings settings) {
    if (!m_completer) return;
    begin(ModelState::Answering);
    m_completer->start(std::move(messages), std::move(settings), m_events, m_stop);
    emit stateChanged();
}

void ModelRunner::stop() { m_stop.request_stop(); }

void ModelRunner::readEvents() {
    const EventSink events = m_events; // a receiver of a signal may start another request
    const EventHandlers handlers{
        [this](const LoadProgress& progress) { emit loadProgressed(progress.done, progress.total); },
        [this](const PromptProgress& progress) { emit promptRead(progress.read, progress.total); },
        [this](const Remarked& remarked) { emit this->remarked(remarked.remark); },
        [this](const auto& event) { take(event); },
    };
    for (const Event& event : events->take()) {
        if (events != m_events) return;
        std::visit(handlers, event);
    }
}

void ModelRunner::take(const LoadPlanned& planned) {
    m_plan = planned.plan;
    emit this->planned();
}

void ModelRunner::take(const ModelLoaded& loaded) {
    m_loadedPath = m_path;
    m_facts = loaded.model;
    m_contextUsed = 0;
    end(ModelState::Ready);
    emit this->loaded();
}

void ModelRunner::take(const TextDelta& delta) {
    m_contextUsed = delta.contextUsed;
    emit grew(delta.text);
}

void ModelRunner::take(const Completed& completed) {
    m_contextUsed = completed.contextUsed;
    end(ModelState::Ready);
    emit answered(completed);
}

void ModelRunner::take(const Failed& failure) {
    const bool isStopped = failure.error.code == ErrorCode::Canceled;
    m_contextUsed = failure.contextUsed;
    if (failure.hasModel) m_path = m_loadedPath;
    else m_facts = {};
    if (!failure.hasModel) m_plan.reset();
    end(failure.hasModel ? ModelState::Ready : isStopped ? ModelState::None : ModelState::Failed);
    if (!isStopped) emit failed(failure.error);
}

void ModelRunner::end(ModelState state) {
    m_poll.stop();
    m_state = state;
    emit stateChanged();
    if (state == ModelState::Ready) emit becameReady();
}

} // namespace wb::ui::chat
