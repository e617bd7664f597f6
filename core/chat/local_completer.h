// SPDX-License-Identifier: MIT
#pragma once

#include "core/chat/completer.h"
#include "core/chat/model_load.h"
#include "core/infer/session.h"

#include <atomic>
#include <deque>
#include <filesystem>
#include <functional>
#include <optional>
#include <thread>

namespace wb::chat {

// A model to load, as ModelLoad takes it.
struct LoadRequest {
    std::filesystem::path path;
    std::optional<infer::Graph> graph = {}; // of the path, if the caller has opened it
    infer::EngineOptions options = {};
    bool limitsContext = false;                   // a context beyond the model's becomes the model's instead of an error
    std::shared_ptr<infer::Backend> backend = {}; // null: the CPU
    infer::LoadStore store = {};                  // for what the load has claimed
};

// Runs one model on this computer. Its one thread loads it, reads prompts and draws tokens; what the model has read is not computed
// again for the next message.
class LocalCompleter final : public Completer {
public:
    // NoRoom if the system gives no thread.
    static Result<std::unique_ptr<LocalCompleter>> make();
    ~LocalCompleter() override;

    // Loads a model in place of the present one, which stays if the new one cannot be opened or does not fit. The last event is
    // ModelLoaded or Failed, with Canceled for a stop.
    void load(LoadRequest request, EventSink sink, std::stop_source stop);

    void start(std::vector<Message> messages, CompletionSettings settings, EventSink sink, std::stop_source stop) override;

    // For tests: from now on each response pauses after this many bytes until it is stopped. 0: none does.
    void holdAfter(std::size_t bytes) { m_holdAfter = bytes; }

private:
    struct Order {
        std::function<void(const std::stop_token&)> work;
        std::stop_source stop;
    };
    struct Loaded {
        ModelPtr model;
        std::shared_ptr<const text::Tokenizer> tokenizer;
        std::shared_ptr<infer::Backend> backend; // outlives what it made
        infer::Session session;
        text::ModelSampling sampling;
        std::size_t reportedRemarks = 0;                       // of the session's engine
        bool isOnDevice = false;                               // a part of the model
        std::string schema;                                    // of the last request that had one
        std::shared_ptr<const text::TokenGrammar> schemaRules; // of that schema
        std::uint64_t bytes = 0;                               // of RAM that it takes, as planned
    };

    LocalCompleter() = default;
    void enqueue(std::stop_source stop, std::function<void(const std::stop_token&)> work);
    void run(const std::stop_token& ends);
    std::optional<Order> nextOrder(const std::stop_token& ends);

    // On the thread.
    Result<ModelFacts> loadNow(LoadRequest request, EventQueue& sink, const std::stop_token& stop);
    Result<infer::Generated> complete(std::span<const Message> messages, const CompletionSettings& settings, EventQueue& sink,
                                      const std::stop_token& stop);
    Result<std::shared_ptr<const text::TokenGrammar>> rulesFor(const std::string& schema);
    void pause(const std::stop_token& stop);
    void reportRemarks(EventQueue& sink, const std::stop_token& stop);
    std::size_t contextUsed() const { return m_loaded ? m_loaded->session.tokens().size() : 0; }
    Failed failure(const Error& error) const { return {error, contextUsed(), m_loaded.has_value()}; }

    std::atomic<std::size_t> m_holdAfter = 0;
    std::mutex m_mutex;
    std::condition_variable m_changed; // an order, a stop
    std::deque<Order> m_orders;
    std::stop_source m_running{std::nostopstate}; // of the order that runs
    std::optional<Loaded> m_loaded;               // of the thread alone
    std::vector<std::jthread> m_threads;          // one; last: it uses all the rest
};

} // namespace wb::chat
