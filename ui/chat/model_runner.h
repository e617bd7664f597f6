// SPDX-License-Identifier: MIT
#pragma once

#include "core/chat/local_completer.h"
#include "ui/chat/model_settings.h"
#include "ui/shell/services.h"

#include <QTimer>

namespace wb::ui::chat {

enum class ModelState : std::uint8_t { None, Loading, Ready, Answering, Failed };

// The model of the Chat tab on the GUI thread: starts loads and responses on a LocalCompleter and reads their events 30 times a
// second. A new request stops the one before it.
class ModelRunner : public QObject {
    Q_OBJECT

public:
    // The services must outlive this.
    explicit ModelRunner(const Services& services, QObject* parent = nullptr);
    ~ModelRunner() override; // stops and waits

    // For the next load.
    void setSettings(const ModelSettings& settings) { m_settings = settings; }
    const ModelSettings& settings() const { return m_settings; }

    ModelState state() const { return m_state; }
    bool isWorking() const { return m_state == ModelState::Loading || m_state == ModelState::Answering; }
    bool hasModel() const { return m_state == ModelState::Ready || isWorking(); }
    const QString& path() const { return m_path; } // of the model that is loaded or being loaded
    const wb::chat::ModelFacts& facts() const { return m_facts; }
    const std::optional<wb::chat::LoadPlan>& plan() const { return m_plan; }
    std::size_t contextUsed() const { return m_contextUsed; }

    // A context of 0 tokens: that of the settings.
    void load(const QString& path, std::size_t context = 0);
    std::size_t ownContext() const { return m_ownContext; } // that the last load was started with; 0: that of the settings
    void answer(std::vector<wb::chat::Message> messages, wb::chat::CompletionSettings settings);
    void stop();

    // For tests: from now on each response pauses after this many bytes until it is stopped. 0: none does.
    void holdAfter(std::size_t bytes);

signals:
    void stateChanged();
    void becameReady(); // to respond: a load or a response has ended
    void loadProgressed(quint64 done, quint64 total);
    void planned();
    void loaded();
    void remarked(const wb::Problem& remark);
    void promptRead(quint64 read, quint64 total); // tokens
    void grew(const std::string& text);           // the response, by this text
    void answered(const wb::chat::Completed& completed);
    void failed(const wb::Error& error); // a load or a response; not for a stop

private:
    bool makeCompleter();
    void begin(ModelState state);
    void readEvents();
    void take(const wb::chat::LoadPlanned& planned);
    void take(const wb::chat::ModelLoaded& loaded);
    void take(const wb::chat::TextDelta& delta);
    void take(const wb::chat::Completed& completed);
    void take(const wb::chat::Failed& failure);
    void end(ModelState state);

    const Services& m_services;
    ModelSettings m_settings;
    std::size_t m_ownContext = 0;
    ModelState m_state = ModelState::None;
    QString m_path;
    QString m_loadedPath; // differs from m_path while another model is loaded
    wb::chat::ModelFacts m_facts;
    std::optional<wb::chat::LoadPlan> m_plan;
    std::size_t m_contextUsed = 0;
    std::size_t m_holdAfter = 0;
    wb::chat::EventSink m_events; // of the newest request
    std::stop_source m_stop;      // of it
    QTimer m_poll;
    std::unique_ptr<wb::chat::LocalCompleter> m_completer;
};

} // namespace wb::ui::chat
