// SPDX-License-Identifier: MIT
#include "core/chat/model_thread.h"

#include "core/chat/prompt.h"
#include "core/formats/open.h"
#include "core/io/byte_source.h"
#include "core/io/main_memory.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

namespace wb::chat {
namespace {

constexpr std::size_t queuedBytes = 512; // at 30 looks a second some 15 KB/s, beyond any model here
constexpr std::size_t defaultContext = 8192;

} // namespace

ModelThread::ModelThread(unsigned threads, infer::LoadStore loads)
    : m_threads(threads), m_loads(std::move(loads)), m_thread([this] { run(); }) {}

ModelThread::~ModelThread() {
    {
        const std::scoped_lock lock(m_mutex);
        m_ends = true;
        m_waiting.reset();
        m_current.request_stop();
    }
    m_changed.notify_all();
    m_thread.join();
}

void ModelThread::load(std::filesystem::path path, std::size_t context, std::shared_ptr<infer::Backend> backend,
                       std::optional<std::uint64_t> gpuLayers) {
    if (!backend) backend = infer::makeCpuBackend();
    give(ModelState::Loading,
         [this, path = std::move(path), context, backend = std::move(backend), gpuLayers](const std::stop_token& stop) {
             m_session.reset(); // before what made it
             m_backend = backend;
             m_gpuLayers = gpuLayers;
             loadNow(path, context, stop);
         });
}

void ModelThread::ask(Question question) {
    give(ModelState::Answering, [this, question = std::move(question)](const std::stop_token& stop) { answerNow(question, stop); });
}

void ModelThread::give(ModelState state, std::function<void(const std::stop_token&)> work) {
    {
        const std::scoped_lock lock(m_mutex);
        m_current.request_stop();
        m_waiting = Order{std::move(work), state, {}};
        m_update.text.clear();
        m_update.answer.reset();
        m_update.error.reset();
        m_update.plan.reset();
        m_update.own.reset();
        m_update.remarks.clear();
        m_update.loaded = 0;
        m_update.state = state;
    }
    m_changed.notify_all();
}

void ModelThread::stop() {
    {
        const std::scoped_lock lock(m_mutex);
        m_current.request_stop();
        if (m_waiting) m_waiting->stop.request_stop();
    }
    m_changed.notify_all();
}

Update ModelThread::take() {
    Update taken;
    {
        const std::scoped_lock lock(m_mutex);
        taken.state = m_update.state;
        taken.loaded = m_update.loaded;
        taken.contextUsed = m_update.contextUsed;
        taken.context = m_update.context;
        taken.contextMax = m_update.contextMax;
        taken.text.swap(m_update.text);
        taken.answer.swap(m_update.answer);
        taken.error.swap(m_update.error);
        taken.plan.swap(m_update.plan);
        taken.own.swap(m_update.own);
        taken.remarks.swap(m_update.remarks);
    }
    m_changed.notify_all();
    return taken;
}

void ModelThread::run() {
    while (true) {
        Order order;
        {
            std::unique_lock lock(m_mutex);
            m_changed.wait(lock, [this] { return m_ends || m_waiting; });
            if (m_ends) return;
            order = std::move(*m_waiting);
            m_waiting.reset();
            m_current = order.stop;
        }
        order.work(order.stop.get_token());
    }
}

// What belongs to an order that was replaced meanwhile is dropped.
void ModelThread::finish(ModelState state, std::optional<infer::Generated> answer, std::optional<Error> error) {
    const std::scoped_lock lock(m_mutex);
    if (m_waiting) return;
    m_update.state = state;
    m_update.answer = std::move(answer);
    m_update.error = std::move(error);
}

void ModelThread::noteContext() {
    const std::scoped_lock lock(m_mutex);
    m_update.contextUsed = m_session ? m_session->tokens().size() : 0;
    m_update.context = m_session ? m_session->engine().context() : 0;
    m_update.contextMax = m_session ? m_contextMax : 0;
}

void ModelThread::loadNow(const std::filesystem::path& path, std::size_t context, const std::stop_token& stop) {
    m_session.reset(); // its memory is needed for the next
    m_tokenizer.reset();
    m_model.reset();
    noteContext();
    Result<void> opened;
    try {
        opened = open(path, context, stop);
    } catch (const std::bad_alloc&) {
        opened = std::unexpected(outOfMemory());
    }
    noteContext();
    if (opened) return finish(ModelState::Ready, {}, {});
    const bool stopped = opened.error().code == ErrorCode::Cancelled;
    finish(stopped ? ModelState::None : ModelState::Failed, {}, stopped ? std::nullopt : std::optional(opened.error()));
}

Result<void> ModelThread::open(const std::filesystem::path& path, std::size_t context, const std::stop_token& stop) {
    formats::OpenOptions options;
    options.strictness = formats::Strictness::Strict;
    options.progress.stop = stop;
    WB_TRY_ASSIGN(ModelPtr model, formats::open(path, options));
    WB_TRY_ASSIGN(const infer::Graph graph, infer::planGraph(model));
    WB_TRY_ASSIGN(m_placement, place(graph, context));
    text::VocabularyOptions vocabulary;
    vocabulary.progress.stop = stop;
    WB_TRY_ASSIGN(auto tokenizer, text::Tokenizer::open(*model, vocabulary));
    m_contextMax = graph.spec.context;
    const Progress progress{stop, [this](std::uint64_t done, std::uint64_t total) {
                                const std::scoped_lock lock(m_mutex);
                                m_update.loaded = total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 0;
                            }};
    WB_TRY_ASSIGN(auto loaded, m_backend->load(graph, m_placement, progress));
    m_model = std::move(model);
    m_tokenizer = std::move(tokenizer);
    m_session.emplace(std::move(loaded));
    m_toldRemarks = 0;
    m_onDevice = m_placement.gpuLayers > 0;
    noteRemarks();
    rememberLoad();
    const std::scoped_lock lock(m_mutex);
    if (!m_waiting) m_update.own = text::modelSampling(*m_model);
    return {};
}

// What it took, for later estimates. That it could not be written is a remark: the model runs all the same.
void ModelThread::rememberLoad() {
    const auto written = infer::rememberLoad(m_loads, *m_model, m_placement, m_session->engine());
    if (written) return;
    const std::scoped_lock lock(m_mutex);
    if (!m_waiting) m_update.remarks.push_back(asProblem(Severity::Note, Reason("chat.load_not_remembered"), "", written.error()));
}

// What the engine has remarked since the last time; and where a device was given up, what lies where now.
void ModelThread::noteRemarks() {
    if (!m_session) return;
    const infer::Engine& engine = m_session->engine();
    const std::vector<Problem> remarks = engine.remarks();
    std::optional<LoadPlan> moved;
    if (std::exchange(m_onDevice, engine.gpuLayers() > 0) && !m_onDevice)
        if (const auto graph = infer::planGraph(m_model))
            if (const auto placed = infer::makeCpuBackend()->place(*graph, m_placement.options))
                moved = planLoad(*graph, *placed, std::nullopt);
    const std::scoped_lock lock(m_mutex);
    if (moved && !m_waiting) m_update.plan = std::move(moved);
    for (; m_toldRemarks < remarks.size(); ++m_toldRemarks)
        if (!m_waiting) m_update.remarks.push_back(remarks[m_toldRemarks]);
}

// Before a weight is read: where the model will run, and whether there is memory for it. A context that the user did not choose is
// shortened to what fits.
Result<infer::Placement> ModelThread::place(const infer::Graph& graph, std::size_t context) {
    const std::size_t wanted = std::min<std::size_t>(context > 0 ? context : defaultContext, graph.spec.context);
    const auto freeMemory = io::mainMemory().free;
    infer::EngineOptions options{.threads = m_threads, .context = wanted, .gpuLayers = m_gpuLayers};
    WB_TRY_ASSIGN(infer::Placement placement, m_backend->place(graph, options));
    LoadPlan planned = planLoad(graph, placement, freeMemory);
    if (context == 0 && !planned.fits() && planned.fittingContext > 0) {
        options.context = planned.fittingContext;
        if (placement.gpuLayers > 0) options.gpuLayers = placement.gpuLayers; // it fits with so many on the device
        WB_TRY_ASSIGN(placement, m_backend->place(graph, options));
        planned = planLoad(graph, placement, freeMemory);
        planned.wantedContext = wanted;
    }
    WB_TRY(checkFits(planned, io::baseName(graph.model->path)));
    planned.device.isChosen = m_gpuLayers.has_value();
    const std::scoped_lock lock(m_mutex);
    if (!m_waiting) m_update.plan = planned;
    return placement;
}

void ModelThread::answerNow(const Question& question, const std::stop_token& stop) {
    if (!m_session) return finish(ModelState::None, {}, {});
    Result<infer::Generated> answered = std::unexpected(outOfMemory());
    try {
        answered = answer(question, stop);
    } catch (const std::bad_alloc&) {
        answered = std::unexpected(outOfMemory());
    }
    noteContext();
    noteRemarks();
    if (answered) finish(ModelState::Ready, std::move(*answered), {});
    else finish(ModelState::Ready, {}, answered.error());
}

Result<infer::Generated> ModelThread::answer(const Question& question, const std::stop_token& stop) {
    infer::GenerateOptions options;
    options.sampling = text::modelSampling(*m_model);
    options.sampling.seed = static_cast<std::uint32_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    question.settings.applyTo(options.sampling);
    if (options.sampling.dryMultiplier > 0) options.sampling.dryBreakers = text::dryBreakers(*m_tokenizer);
    options.maxTokens = question.settings.maxTokens.value_or(0);
    options.reasoningBudget = question.settings.reasoningBudget;
    WB_TRY_ASSIGN(std::vector<infer::Token> prompt, chatPrompt(*m_model, *m_tokenizer, question.messages, stop));
    if (!question.begun.empty()) {
        text::EncodeOptions plain{.addSpecial = false, .parseSpecial = false, .stop = stop};
        WB_TRY_ASSIGN(const std::vector<infer::Token> begun, m_tokenizer->encode(question.begun, plain));
        prompt.insert(prompt.end(), begun.begin(), begun.end());
    }
    std::size_t given = 0;
    const infer::TextSink sink = [&](std::string_view text) {
        push(text, stop);
        given += text.size();
        if (question.holdAfter > 0 && given >= question.holdAfter) standStill(stop);
    };
    return infer::generate(*m_session, *m_tokenizer, prompt, options, sink, Progress{stop, {}});
}

void ModelThread::push(std::string_view text, const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return m_update.text.size() < queuedBytes || stop.stop_requested(); });
    if (m_waiting) return;
    m_update.text += text;
    m_update.contextUsed = m_session->tokens().size();
}

void ModelThread::standStill(const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return stop.stop_requested(); });
}

} // namespace wb::chat
