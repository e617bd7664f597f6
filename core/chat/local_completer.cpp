// SPDX-License-Identifier: MIT
#include "core/chat/local_completer.h"

#include "core/chat/known_templates.h"
#include "core/chat/prompt.h"
#include "core/infer/graph/run_check.h"
#include "core/jobs/add_thread.h"
#include "core/jobs/stop_wait.h"
#include "core/text/grammar/json_schema.h"
#include "core/text/grammar/matcher.h"

#include <algorithm>
#include <new>
#include <utility>

namespace wb::chat {
namespace {

// The result of work that may not get the memory it asks for.
template <class Work>
auto orOutOfMemory(Work work) -> decltype(work()) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return std::unexpected(outOfMemory());
    }
}

} // namespace

Result<std::unique_ptr<LocalCompleter>> LocalCompleter::make() {
    std::unique_ptr<LocalCompleter> completer(new LocalCompleter);
    LocalCompleter* const self = completer.get();
    if (jobs::addThread(self->m_threads, [self](const std::stop_token& ends) { self->run(ends); })) return completer;
    return fail(ErrorCode::NoSpace, Reason("chat.thread"),
                WB_TEXT("No further thread is available; close other programs and try again."));
}

LocalCompleter::~LocalCompleter() {
    for (std::jthread& thread : m_threads) thread.request_stop(); // no order begins from here on
    jobs::requestStop(m_mutex, m_running);
    m_threads.clear(); // waits
}

void LocalCompleter::enqueue(std::stop_source stop, std::function<void(const std::stop_token&)> work) {
    {
        const std::scoped_lock lock(m_mutex);
        m_orders.push_back({std::move(work), std::move(stop)});
    }
    m_changed.notify_all();
}

void LocalCompleter::load(LoadRequest request, EventSink sink, std::stop_source stop) {
    enqueue(std::move(stop), [this, request = std::move(request), sink = std::move(sink)](const std::stop_token& token) {
        auto loaded = orOutOfMemory([&] { return loadNow(request, *sink, token); });
        if (loaded) sink->push(ModelLoaded{std::move(*loaded)}, token);
        else sink->push(failure(loaded.error()), token);
    });
}

void LocalCompleter::start(std::vector<Message> messages, CompletionSettings settings, EventSink sink, std::stop_source stop) {
    enqueue(std::move(stop), [this, messages = std::move(messages), settings = std::move(settings),
                              sink = std::move(sink)](const std::stop_token& token) {
        auto response = orOutOfMemory([&] { return complete(messages, settings, *sink, token); });
        reportRemarks(*sink, token);
        const bool isStopped = !response && m_loaded && response.error().code == ErrorCode::Canceled; // before the first token
        if (isStopped) response.emplace().cause = infer::FinishReason::Stopped;
        if (response) sink->push(Completed{std::move(*response), contextUsed(), m_loaded->session.engine().device()}, token);
        else sink->push(failure(response.error()), token);
    });
}

void LocalCompleter::run(const std::stop_token& ends) {
    while (const std::optional<Order> order = nextOrder(ends)) order->work(order->stop.get_token());
    m_loaded.reset();
}

std::optional<LocalCompleter::Order> LocalCompleter::nextOrder(const std::stop_token& ends) {
    std::unique_lock lock(m_mutex);
    m_running = std::stop_source(std::nostopstate);
    const auto hasOrder = [this] { return !m_orders.empty(); };
    if (!jobs::waitUnlessStopped(m_changed, lock, ends, hasOrder) || ends.stop_requested()) return std::nullopt;
    Order order = std::move(m_orders.front());
    m_orders.pop_front();
    m_running = order.stop;
    return order;
}

Result<ModelFacts> LocalCompleter::loadNow(LoadRequest request, EventQueue& sink, const std::stop_token& stop) {
    if (!request.graph) {
        formats::OpenOptions options;
        options.progress.stop = stop;
        WB_TRY_ASSIGN(request.graph, infer::openToRun(request.path, options));
    }
    text::VocabularyOptions vocabulary;
    vocabulary.progress.stop = stop;
    WB_TRY_ASSIGN(auto tokenizer, text::Tokenizer::open(*request.graph->model, vocabulary));
    const std::size_t contextMax = request.graph->context;
    if (request.limitsContext) request.options.context = std::min(request.options.context, contextMax);
    ModelLoad load(*std::move(request.graph), request.options, request.backend);
    // A model that cannot fit leaves the present one alone. The memory that a device would then have free is not known yet.
    if (m_loaded && !m_loaded->isOnDevice) WB_TRY(load.plan(m_loaded->bytes));
    m_loaded.reset(); // its memory is needed for the next one
    WB_TRY_ASSIGN(LoadPlan plan, load.plan());
    const std::uint64_t bytes = plan.need();
    const bool isOnDevice = plan.device.gpuLayers > 0;
    sink.push(LoadPlanned{std::move(plan)}, stop);
    const std::vector<Problem>& planned = load.placement().remarks; // why a GPU that was asked for has none of it
    for (const Problem& remark : planned) sink.push(Remarked{remark}, stop);
    const auto report = [&](std::uint64_t done, std::uint64_t total) { sink.push(LoadProgress{done, total}, stop); };
    WB_TRY_ASSIGN(auto engine, load.load({stop, report}));
    const auto recorded = load.remember(request.store, *engine);
    const ModelPtr model = load.graph().model;
    m_loaded.emplace(Loaded{model,
                            std::move(tokenizer),
                            request.backend,
                            infer::Session(std::move(engine)),
                            text::modelSampling(*model),
                            planned.size(),
                            isOnDevice,
                            {},
                            nullptr,
                            bytes});
    reportRemarks(sink, stop);
    if (m_loaded->sampling.problem) sink.push(Remarked{*m_loaded->sampling.problem}, stop);
    if (!recorded) sink.push(Remarked{asProblem(Severity::Note, Reason("chat.load_not_remembered"), "", recorded.error())}, stop);
    const bool hasTemplate = text::modelTemplate(*model, false).has_value();
    std::string suitable = hasTemplate ? std::string() : std::string(suitableTemplate(m_loaded->tokenizer->vocabulary()).source);
    return ModelFacts{
        m_loaded->session.engine().context(), contextMax, m_loaded->sampling, hasTemplate, std::move(suitable), model};
}

// Those since the last time; and if a device was abandoned, the plan of the model on the CPU.
void LocalCompleter::reportRemarks(EventQueue& sink, const std::stop_token& stop) {
    if (!m_loaded) return;
    const infer::Engine& engine = m_loaded->session.engine();
    if (std::exchange(m_loaded->isOnDevice, engine.gpuLayers() > 0) && !m_loaded->isOnDevice)
        if (auto graph = infer::planGraph(m_loaded->model))
            if (const auto placed = infer::makeCpuBackend()->place(*graph, {.context = engine.context()}))
                sink.push(LoadPlanned{planLoad(*graph, *placed, std::nullopt)}, stop);
    for (const std::vector<Problem> remarks = engine.remarks(); m_loaded->reportedRemarks < remarks.size();)
        sink.push(Remarked{remarks[m_loaded->reportedRemarks++]}, stop);
}

Result<infer::Generated> LocalCompleter::complete(std::span<const Message> messages, const CompletionSettings& settings,
                                                  EventQueue& sink, const std::stop_token& stop) {
    if (!m_loaded) return fail(ErrorCode::Invalid, Reason("chat.no_model"), WB_TEXT("No model is loaded; choose one first."));
    const Model& model = *m_loaded->model;
    const text::Tokenizer& tokenizer = *m_loaded->tokenizer;
    WB_TRY_ASSIGN(infer::GenerateOptions options, generateOptions(settings, m_loaded->sampling.options, tokenizer));
    if (!options.sampling.grammar && !settings.responseSchema.empty()) {
        WB_TRY_ASSIGN(options.sampling.grammar, rulesFor(settings.responseSchema));
    }
    WB_TRY_ASSIGN(const std::vector<infer::Token> prompt, chatPrompt(model, tokenizer, messages, stop, settings.chatTemplate));
    std::size_t bytes = 0;
    const infer::TextSink text = [&](std::string_view part) {
        sink.push(TextDelta{std::string(part), contextUsed()}, stop);
        bytes += part.size();
        if (m_holdAfter > 0 && bytes >= m_holdAfter) pause(stop);
    };
    const auto read = [&](std::uint64_t done, std::uint64_t total) { sink.push(PromptProgress{done, total}, stop); };
    return infer::generate(m_loaded->session, tokenizer, prompt, options, text, Progress{stop, read});
}

// The same schema is used for every message of a conversation.
Result<std::shared_ptr<const text::TokenGrammar>> LocalCompleter::rulesFor(const std::string& schema) {
    if (m_loaded->schemaRules && m_loaded->schema == schema) return m_loaded->schemaRules;
    const std::string name = "JSON schema"; // errors name it
    WB_TRY_ASSIGN(const std::string words, text::grammarOfSchema(schema, name));
    WB_TRY_ASSIGN(text::Grammar grammar, text::Grammar::parse(words, name, m_loaded->tokenizer.get()));
    WB_TRY_ASSIGN(m_loaded->schemaRules, text::TokenGrammar::make(std::move(grammar), *m_loaded->tokenizer));
    m_loaded->schema = schema;
    return m_loaded->schemaRules;
}

void LocalCompleter::pause(const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    jobs::waitUnlessStopped(m_changed, lock, stop, [] { return false; });
}

} // namespace wb::chat
