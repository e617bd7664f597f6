// SPDX-License-Identifier: MIT
#include "core/infer/cpu/runner.h"

#include "core/io/byte_source.h"
#include "core/jobs/thread_pool.h"

#include <chrono>
#include <new>

// How the engine is made, and what is around the steps of a batch.
namespace wb::infer::cpu {
namespace {

unsigned optionsThreads(const EngineOptions& options) { return options.threads > 0 ? options.threads : jobs::machineThreads(); }

Result<void> checkContext(const Graph& graph, const EngineOptions& options) {
    if (options.context <= graph.context) return {};
    const std::string name = io::baseName(graph.model->path);
    return fail(ErrorCode::TooLarge, Reason("infer.context"), About{name},
                WB_TEXT("{} has a context length of {} tokens, less than the requested {}."), name, graph.context, options.context);
}

bool hasWindow(const Graph& graph) {
    return std::ranges::any_of(graph.caches, [](const CacheShape& cache) { return cache.window > 0; });
}

} // namespace

bool anyInteger(std::initializer_list<const Matrix*> matrices) {
    return std::ranges::any_of(matrices, [](const Matrix* m) { return *m && m->panels->format->integer; });
}

bool anyFloat(std::initializer_list<const Matrix*> matrices) {
    return std::ranges::any_of(matrices, [](const Matrix* m) { return *m && !m->panels->format->integer; });
}

Runner::Runner(const Graph& graph, const EngineOptions& options, unsigned threads)
    : m_graph(graph), m_context(options.context > 0 ? options.context : graph.context),
      m_kernels(options.scalar ? scalarKernels() : simdKernels()),
      m_recurrentKernels(options.scalar ? scalarRecurrentKernels() : simdRecurrentKernels()), m_scratch(threads) {
    if (hasWindow(graph)) m_maxBatch = std::clamp<std::size_t>(options.windowSlack, 1, batchTokens);
    const Widths widths = measureWidths(m_graph);
    m_weights.plan(m_graph, m_memory);
    m_cache.plan(m_memory, m_graph.caches, m_context, options.windowSlack, options.keys, options.values);
    m_state.plan(m_memory, m_graph.states, options.stateSnapshots);
    m_rows.plan(m_memory, m_graph, widths, m_context);
    for (Scratch& scratch : m_scratch) scratch.plan(m_memory, widths, m_context);
}

Result<EngineMemory> Runner::plan(const Graph& graph, const EngineOptions& options) {
    return Runner(graph, options, optionsThreads(options)).m_memory.layout().memory();
}

Result<std::unique_ptr<Engine>> Runner::make(const Graph& graph, const EngineOptions& options, const Progress& progress) {
    const auto begin = std::chrono::steady_clock::now();
    const unsigned threads = optionsThreads(options);
    std::unique_ptr<Runner> runner(new Runner(graph, options, threads));
    WB_TRY_ASSIGN(runner->m_team, jobs::Team::make(threads));
    WB_TRY(runner->m_memory.allocate());
    runner->m_rows.clear();
    for (const Scratch& scratch : runner->m_scratch) scratch.single.clear();
    WB_TRY(runner->m_weights.load(*graph.model, threads, progress));
    WB_TRY_ASSIGN(runner->m_ropes, readRopeTables(graph, runner->m_context));
    runner->m_program = makeProgram(runner->m_graph, runner->m_weights, runner->m_rows.ones.data());
    WB_TRY(runner->openEmbeddings());
    WB_TRY_ASSIGN(const EngineMemory memory, runner->m_memory.layout().memory());
    runner->m_load = {.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
                      .repackSeconds = runner->m_weights.repackSeconds(),
                      .bytesPerToken = runner->m_weights.bytesPerToken(),
                      .memory = memory};
    runner->dropPlan();
    return runner;
}

// Frees names and indexes: batches only use the program.
void Runner::dropPlan() {
    m_memory = CpuMemory();
    m_weights.dropIndex();
    m_graph.layers = {};
}

Result<void> Runner::openEmbeddings() {
    const auto open = [this](const Slice& table, std::optional<TensorReader>& into) -> Result<void> {
        if (!table) return {};
        WB_TRY_ASSIGN(into, TensorReader::open(*m_graph.model, *table.tensor));
        return {};
    };
    WB_TRY(open(m_graph.embed.table, m_embedding));
    WB_TRY(open(m_graph.embed.positions, m_positions));
    for (const std::vector<Step>& layer : m_program.layers)
        for (const Step& step : layer)
            if (const auto* const ngrams = std::get_if<NgramStep>(&step)) m_ngrams = ngrams;
    if (m_ngrams) WB_TRY(open(m_ngrams->op.table, m_ngramTable));
    return m_graph.layerInputs ? open(m_graph.layerInputs->table, m_layerTable) : Result<void>{};
}

// x = embedding[token] * scale + positions[position]
Result<void> Runner::readEmbeddings(std::span<const Token> tokens, std::size_t position) {
    const std::size_t width = m_graph.width, inputs = m_rows.layerTable.stride;
    std::vector<float> learned(m_positions ? width : 0);
    for (std::size_t t = 0; t < tokens.size(); ++t) {
        const std::span<float> x(m_rows.x[t], width);
        const auto token = static_cast<std::uint64_t>(tokens[t]);
        WB_TRY(m_embedding->readF32(token * width, x, m_embeddingBytes));
        if (m_graph.embed.scale != 1)
            for (float& value : x) value *= m_graph.embed.scale;
        if (m_positions) {
            WB_TRY(m_positions->readF32((position + t) * width, learned, m_embeddingBytes));
            m_kernels.addScaled(x.data(), learned.data(), 1, width);
        }
        for (std::size_t s = 0; s < m_graph.streams; ++s) std::ranges::copy(x, m_rows.streams[t] + s * width);
        if (m_layerTable) WB_TRY(m_layerTable->readF32(token * inputs, {m_rows.layerTable[t], inputs}, m_embeddingBytes));
    }
    return {};
}

void Runner::computeAngles(unsigned worker) {
    const jobs::Range tokens = myTokens(worker);
    for (std::size_t r = 0; r < m_ropes.size(); ++r)
        for (std::size_t t = tokens.begin; t < tokens.end; ++t)
            ropeAngles(m_ropes[r], m_work.batch->position + t, {m_rows.cosines[r][t], m_rows.cosines[r].stride},
                       {m_rows.sines[r][t], m_rows.sines[r].stride});
}

// A token alone is not stopped between layers where the model recurs: no copy of its state is taken, and it is soon finished.
bool Runner::isStopped(std::size_t layer, unsigned worker) {
    if (layer > 0 && m_work.tokens == 1 && !m_state.isEmpty()) return false;
    if (worker == 0) m_work.stopped = m_work.stop->stop_requested();
    m_team->barrier();
    return m_work.stopped;
}

// `layer` counts from 0, the embeddings. The last one is shown after the final norm, or mixture.
void Runner::copyHidden(std::size_t layer, unsigned worker) {
    if (m_work.batch->hidden.empty()) return;
    const std::size_t width = hiddenWidth(layer);
    float* const first = m_work.batch->hidden.data() + layer * m_work.tokens * hiddenWidth(0);
    const Rows& rows = m_graph.streams == 0 || width == m_graph.width ? m_rows.x : m_rows.streams;
    const jobs::Range tokens = myTokens(worker);
    for (std::size_t t = tokens.begin; t < tokens.end; ++t) {
        float* const to = first + t * width;
        const bool isLast = layer == layers() && m_program.head;
        const float* const from = isLast ? normed(m_program.head->norm, rows[t], to) : rows[t];
        if (from != to) std::copy_n(from, width, to);
    }
}

void Runner::compute(unsigned worker) {
    computeAngles(worker);
    copyHidden(0, worker);
    if (m_program.join) run(*m_program.join, worker);
    if (m_program.layerInputs) run(*m_program.layerInputs, worker);
    for (std::size_t layer = 0; layer < layers(); ++layer) {
        if (isStopped(layer, worker)) return;
        for (const Step& step : m_program.layers[layer]) std::visit([&](const auto& of) { run(of, worker); }, step);
        if (layer + 1 == layers() && m_program.head && m_program.head->mix) run(*m_program.head->mix, worker);
        copyHidden(layer + 1, worker);
    }
    if (m_program.head) run(*m_program.head, worker);
}

Result<void> Runner::evaluate(const Batch& batch, const std::stop_token& stop) {
    WB_TRY(readEmbeddings(batch.tokens, batch.position));
    WB_TRY(m_state.begin(batch.position, batch.tokens.size()));
    if (auto read = readNgrams(batch.tokens); !read) {
        m_state.finish(batch.position); // nothing has been computed
        return read;
    }
    m_cache.setStored(batch.position, batch.position + batch.tokens.size()); // a batch that is stopped has stored some of it
    m_work = {&batch, batch.tokens.size(), batch.logits.size() / vocabulary(), &stop, false};
    m_team->run([this](unsigned worker) { compute(worker); });
    const bool isUnchanged = m_work.stopped && m_work.tokens == 1;
    if (isUnchanged) m_state.finish(batch.position);
    if (m_work.stopped) return std::unexpected(canceled());
    m_state.finish(batch.position + batch.tokens.size());
    return {};
}

std::size_t Runner::reusable(std::size_t count) const {
    const std::size_t kept = m_state.reusable(count);
    return m_cache.canGoOnFrom(kept) ? kept : 0;
}

Result<void> Runner::readCache(const CachedRange& range, CachedRows& rows) {
    m_cache.read(range, rows);
    return {};
}

Result<void> Runner::writeCache(const CachedRange& range, const CachedRows& rows) {
    m_cache.write(range, rows);
    return {};
}

Result<EngineMemory> planCpuMemory(const Graph& graph, const EngineOptions& options) {
    WB_TRY(checkContext(graph, options));
    return Runner::plan(graph, options);
}

Result<std::unique_ptr<Engine>> makeCpuEngine(const Graph& graph, const EngineOptions& options, const Progress& progress) {
    WB_TRY(checkContext(graph, options));
    try {
        return Runner::make(graph, options, progress);
    } catch (const std::bad_alloc&) {
        return std::unexpected(outOfMemory());
    }
}

} // namespace wb::infer::cpu
