// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/chat_prompt.h"
#include "core/infer/generate.h"

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace wb::ui::chat {

enum class ModelState { None, Loading, Ready, Answering, Failed };

// What happened since the last look.
struct Update {
    ModelState state = ModelState::None;
    double loaded = 0;                      // 0 to 1 while loading
    std::string text;                       // that the answer grew by
    std::optional<infer::Generated> answer; // has ended
    std::optional<Error> error;             // of loading or answering
};

// The one thread that owns a loaded model: it loads, reads prompts and draws tokens. The tab asks it for things and looks 30 times
// a second at what became of them; text waits in a bounded queue, so that a model never runs ahead of its reader by much.
class ModelThread {
public:
    explicit ModelThread(unsigned threads);
    ~ModelThread(); // stops and waits
    ModelThread(const ModelThread&) = delete;
    ModelThread& operator=(const ModelThread&) = delete;

    // Each takes effect as soon as what runs now has stopped; a later order replaces one that still waits.
    void load(std::filesystem::path path);
    void ask(std::vector<infer::ChatMessage> messages, infer::GenerateOptions options);

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
    void loadNow(const std::filesystem::path& path, const std::stop_token& stop);
    Result<void> open(const std::filesystem::path& path, const std::stop_token& stop);
    void answerNow(const std::vector<infer::ChatMessage>& messages, const infer::GenerateOptions& options,
                   const std::stop_token& stop);
    Result<infer::Generated> answer(const std::vector<infer::ChatMessage>& messages, infer::GenerateOptions options,
                                    const std::stop_token& stop);
    void push(std::string_view text, const std::stop_token& stop);
    void finish(ModelState state, std::optional<infer::Generated> answer, std::optional<Error> error);

    const unsigned m_threads;
    std::mutex m_mutex;
    std::condition_variable m_changed; // an order, room in the queue, the end
    std::optional<Order> m_waiting;
    std::stop_source m_current;
    Update m_update;
    bool m_ends = false;

    // Of the thread alone.
    ModelPtr m_model;
    std::shared_ptr<const text::Tokenizer> m_tokenizer;
    std::optional<infer::Session> m_session;

    std::thread m_thread; // last: starts when all else is there
};

} // namespace wb::ui::chat
