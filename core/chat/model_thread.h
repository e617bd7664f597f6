// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/backend.h"
#include "core/infer/generate.h"
#include "core/infer/memory_plan.h"
#include "core/chat/conversation_settings.h"
#include "core/chat/load_plan.h"
#include "core/chat/message.h"

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace wb::chat {

enum class ModelState { None, Loading, Ready, Answering, Failed };

// What happened since the last look.
struct Update {
    ModelState state = ModelState::None;
    double loaded = 0;                        // 0 to 1 while loading
    std::string text;                         // that the answer grew by
    std::size_t contextUsed = 0;              // tokens that the model holds
    std::size_t context = 0;                  // tokens that it can hold; 0: nothing is loaded
    std::size_t contextMax = 0;               // what the model was trained for
    std::optional<infer::Generated> answer;   // has ended
    std::optional<LoadPlan> plan;             // of a model that is about to be loaded
    std::optional<text::SamplingOptions> own; // sampling of a model that has been loaded
    std::optional<Error> error;               // of loading or answering
    std::vector<Problem> remarks;             // on where the model runs
};

// What a model is asked.
struct Question {
    std::vector<Message> messages;
    std::string begun; // of the answer, which goes on behind it
    ConversationSettings settings;
    std::size_t holdAfter = 0; // for tests: with so many bytes of text the answer stands still until it is stopped; 0: never
};

// The one thread that owns a loaded model: it loads, reads prompts and draws tokens. The tab asks it for things and looks 30 times
// a second at what became of them; text waits in a bounded queue, so that a model never runs ahead of its reader by much.
class ModelThread {
public:
    explicit ModelThread(unsigned threads, infer::LoadStore loads = {});
    ~ModelThread(); // stops and waits
    ModelThread(const ModelThread&) = delete;
    ModelThread& operator=(const ModelThread&) = delete;

    // Each takes effect as soon as what runs now has stopped; a later order replaces one that still waits.
    // A context of 0 tokens is the usual one, or what memory is free for. The model runs where the backend has it run; null: on the
    // processor. gpuLayers as in infer::EngineOptions.
    void load(std::filesystem::path path, std::size_t context = 0, std::shared_ptr<infer::Backend> backend = {},
              std::optional<std::uint64_t> gpuLayers = {});
    void ask(Question question);

    // Ends loading or the answer, which then arrives with the cause Stopped.
    void stop();

    Update take();

private:
    struct Order {
        std::function<void(const std::stop_token&)> work;
        ModelState state;
        std::stop_source stop;
    };

    void give(ModelState state, std::function<void(const std::stop_token&)> work);
    void run();
    void loadNow(const std::filesystem::path& path, std::size_t context, const std::stop_token& stop);
    Result<void> open(const std::filesystem::path& path, std::size_t context, const std::stop_token& stop);
    void noteRemarks();
    void rememberLoad();
    void answerNow(const Question& question, const std::stop_token& stop);
    Result<infer::Generated> answer(const Question& question, const std::stop_token& stop);
    Result<infer::Placement> place(const infer::Graph& graph, std::size_t context);
    void noteContext();
    void push(std::string_view text, const std::stop_token& stop);
    void standStill(const std::stop_token& stop);
    void finish(ModelState state, std::optional<infer::Generated> answer, std::optional<Error> error);

    const unsigned m_threads;
    const infer::LoadStore m_loads;
    std::mutex m_mutex;
    std::condition_variable m_changed; // an order, room in the queue, the end
    std::optional<Order> m_waiting;
    std::stop_source m_current;
    Update m_update;
    bool m_ends = false;

    // Of the thread alone.
    ModelPtr m_model;
    std::shared_ptr<const text::Tokenizer> m_tokenizer;
    std::shared_ptr<infer::Backend> m_backend;
    std::optional<std::uint64_t> m_gpuLayers; // as the user wants them
    std::optional<infer::Session> m_session;
    std::size_t m_toldRemarks = 0; // of the session's engine
    bool m_onDevice = false;       // a part of the model
    std::size_t m_contextMax = 0;
    infer::Placement m_placement; // of the session's model

    std::thread m_thread; // last: starts when all else is there
};

} // namespace wb::chat
