// SPDX-License-Identifier: MIT
#include "core/infer/cpu/cpu_engine.h"

#include "core/infer/cpu/runner.h"
#include "core/io/byte_source.h"
#include "core/jobs/thread_pool.h"

#include <chrono>

namespace wb::infer::cpu {
namespace {

std::size_t tiled(std::size_t positions) { return (positions + keyTile - 1) / keyTile * keyTile; }

} // namespace

Runner::Runner(const Graph& graph, const EngineOptions& options)
    : m_model(graph.model), m_spec(graph.spec), m_stages(graph.stages),
      m_kernels(options.scalar ? scalarKernels() : simdKernels()) {
    m_size = {.width = graph.spec.width,
              .layers = graph.layers.size(),
              .vocabulary = graph.vocabulary,
              .context = options.context > 0 ? options.context : graph.spec.context};
    if (m_spec.window > 0) m_size.batch = std::clamp<std::size_t>(options.windowSlack, 1, batchTokens);
    measureLayers();
}

void Runner::measureLayers() {
    Dimensions& size = m_size;
    for (std::size_t i = 0; i < size.layers; ++i) {
        const arch::LayerSpec& layer = m_spec.layers[i];
        size.maxQueries = std::max<std::size_t>(size.maxQueries, layer.heads * layer.keyLength);
        size.maxKeys = std::max<std::size_t>(size.maxKeys, layer.kvHeads * layer.keyLength);
        size.maxValues = std::max<std::size_t>(size.maxValues, layer.kvHeads * layer.valueLength);
        size.maxAttended = std::max<std::size_t>(size.maxAttended, layer.heads * layer.valueLength);
        size.maxFeedForward = std::max<std::size_t>({size.maxFeedForward, layer.feedForward, layer.sharedExpertWidth});
        size.maxUsed = std::max<std::size_t>(size.maxUsed, layer.expertsUsed);
        size.maxExpertWidth = std::max<std::size_t>(size.maxExpertWidth, layer.expertWidth);
    }
    size.maxFeedForward = std::max<std::size_t>(size.maxFeedForward, m_spec.perLayerInput);
    size.maxColumns = std::max({size.width, size.maxAttended, size.maxFeedForward, size.maxExpertWidth});
    const std::size_t pairs = batchTokens * size.maxUsed;
    size.maxPairs = pairs + (groupTokens - 1) * std::min<std::size_t>(m_spec.experts.count, pairs);
}

void Runner::makeRopeTables() {
    const bool isLong = m_spec.rope.originalContext > 0 && m_size.context > m_spec.rope.originalContext;
    const std::vector<float>& longRope = isLong ? m_weights.longFactors : m_weights.shortFactors;
    const std::vector<float>& factors = longRope.empty() ? m_weights.ropeFactors : longRope;
    for (std::size_t i = 0; i < m_size.layers; ++i) {
        RopeTable table = ropeTable(m_spec, m_spec.layers[i], factors);
        const auto found = std::ranges::find(m_ropeTables, table);
        m_ropeOfLayer.push_back(static_cast<std::size_t>(found - m_ropeTables.begin()));
        if (found == m_ropeTables.end()) m_ropeTables.push_back(std::move(table));
    }
}

Result<void> Runner::claimRows() {
    WB_TRY_ASSIGN(m_x, Rows::make(m_size.width, batchTokens));
    WB_TRY_ASSIGN(m_branch, Rows::make(m_size.width, batchTokens));
    WB_TRY_ASSIGN(m_queries, Rows::make(m_size.maxQueries, batchTokens));
    WB_TRY_ASSIGN(m_keys, Rows::make(m_size.maxKeys, batchTokens));
    WB_TRY_ASSIGN(m_values, Rows::make(m_size.maxValues, batchTokens));
    WB_TRY_ASSIGN(m_attended, Rows::make(m_size.maxAttended, batchTokens));
    WB_TRY_ASSIGN(m_hidden, Rows::make(m_size.maxFeedForward, batchTokens));
    WB_TRY_ASSIGN(m_inputs, Inputs::make(m_size.maxColumns, batchTokens));
    WB_TRY_ASSIGN(m_layerInputs, Rows::make(m_size.layers * m_spec.perLayerInput, batchTokens));
    WB_TRY_ASSIGN(m_layerEmbeddings, Rows::make(m_size.layers * m_spec.perLayerInput, batchTokens));
    m_cosines.resize(m_ropeTables.size());
    m_sines.resize(m_ropeTables.size());
    for (std::size_t r = 0; r < m_ropeTables.size(); ++r) {
        WB_TRY_ASSIGN(m_cosines[r], Rows::make(m_ropeTables[r].frequencies.size(), batchTokens));
        WB_TRY_ASSIGN(m_sines[r], Rows::make(m_ropeTables[r].frequencies.size(), batchTokens));
    }
    return {};
}

Result<void> Runner::claimExperts() {
    if (m_size.maxUsed == 0) return {};
    const std::size_t pairs = batchTokens * m_size.maxUsed;
    m_chosen.resize(pairs);
    m_chosenWeights.resize(pairs);
    m_pairOf.resize(pairs);
    m_tokenOf.resize(m_size.maxPairs);
    m_sharedFactors.resize(batchTokens);
    WB_TRY_ASSIGN(m_routerLogits, Rows::make(m_spec.experts.count, batchTokens));
    WB_TRY_ASSIGN(m_expertHidden, Rows::make(m_size.maxExpertWidth, m_size.maxPairs));
    WB_TRY_ASSIGN(m_expertOut, Rows::make(m_size.width, m_size.maxPairs));
    WB_TRY_ASSIGN(m_expertInputs, Inputs::make(std::max(m_size.width, m_size.maxExpertWidth), m_size.maxPairs));
    return {};
}

Result<void> Runner::claimScratch() {
    m_ones.assign(m_size.maxValues, 1.0F);
    m_scratch.resize(m_team->size());
    for (Scratch& scratch : m_scratch) {
        WB_TRY_ASSIGN(scratch.single, Inputs::make(m_size.maxColumns, 1));
        scratch.row.resize(m_size.maxColumns);
        scratch.scores.resize(groupTokens * tiled(m_size.context));
        scratch.selection.resize(m_spec.experts.count);
        scratch.order.resize(m_spec.experts.count);
    }
    return {};
}

Result<void> Runner::openEmbeddings(const Graph& graph) {
    WB_TRY_ASSIGN(m_embedding, TensorReader::open(*m_model, *graph.embedding));
    if (graph.positions) {
        WB_TRY_ASSIGN(m_positions, TensorReader::open(*m_model, *graph.positions));
    }
    if (graph.layerInputs.embedding) {
        WB_TRY_ASSIGN(m_layerEmbedding, TensorReader::open(*m_model, *graph.layerInputs.embedding));
    }
    return {};
}

Result<void> Runner::allocate(const EngineOptions& options) {
    makeRopeTables();
    WB_TRY_ASSIGN(m_cache, KvCache::make(m_spec, m_size.layers, m_size.context, options.windowSlack, options.keys, options.values));
    WB_TRY(claimRows());
    WB_TRY(claimExperts());
    return claimScratch();
}

// The order is that of claimRows, claimExperts and claimScratch; each buffer is rounded as it is when it is claimed.
std::uint64_t Runner::plannedWork(std::size_t threads) const {
    const Dimensions& size = m_size;
    const std::size_t inputs = size.layers * m_spec.perLayerInput;
    std::uint64_t bytes = Inputs::bytesFor(size.maxColumns, batchTokens) + size.maxValues * sizeof(float);
    for (const std::size_t columns : {size.width, size.width, size.maxQueries, size.maxKeys, size.maxValues, size.maxAttended,
                                      size.maxFeedForward, inputs, inputs})
        bytes += Rows::bytesFor(columns, batchTokens);
    for (const RopeTable& table : m_ropeTables) bytes += 2 * Rows::bytesFor(table.frequencies.size(), batchTokens);
    const std::uint64_t own = size.maxColumns + groupTokens * tiled(size.context) + 2 * m_spec.experts.count;
    return bytes + plannedExperts() + threads * (Inputs::bytesFor(size.maxColumns, 1) + own * sizeof(float));
}

std::uint64_t Runner::plannedExperts() const {
    const Dimensions& size = m_size;
    if (size.maxUsed == 0) return 0;
    const std::uint64_t numbers = 3 * batchTokens * size.maxUsed + size.maxPairs + batchTokens;
    return numbers * sizeof(float) + Rows::bytesFor(m_spec.experts.count, batchTokens) +
           Rows::bytesFor(size.maxExpertWidth, size.maxPairs) + Rows::bytesFor(size.width, size.maxPairs) +
           Inputs::bytesFor(std::max(size.width, size.maxExpertWidth), size.maxPairs);
}

std::uint64_t Runner::claimedWork() const {
    std::uint64_t bytes = m_inputs.bytes() + m_expertInputs.bytes();
    for (const Rows* rows : {&m_x, &m_branch, &m_queries, &m_keys, &m_values, &m_attended, &m_hidden, &m_layerInputs,
                             &m_layerEmbeddings, &m_routerLogits, &m_expertHidden, &m_expertOut})
        bytes += rows->buffer.claim();
    for (const std::vector<Rows>* tables : {&m_cosines, &m_sines})
        for (const Rows& rows : *tables) bytes += rows.buffer.claim();
    const auto sizeOf = [](const auto& numbers) { return numbers.size() * sizeof(numbers[0]); };
    bytes += sizeOf(m_chosen) + sizeOf(m_chosenWeights) + sizeOf(m_pairOf) + sizeOf(m_tokenOf) + sizeOf(m_sharedFactors) +
             sizeOf(m_ones);
    for (const Scratch& scratch : m_scratch)
        bytes += scratch.single.bytes() + sizeOf(scratch.row) + sizeOf(scratch.scores) + sizeOf(scratch.selection) +
                 sizeOf(scratch.order);
    return bytes;
}

Result<EngineMemory> Runner::plan(const Graph& graph, const EngineOptions& options) {
    Runner runner(graph, options);
    runner.makeRopeTables();
    const unsigned threads = options.threads > 0 ? options.threads : jobs::machineThreads();
    EngineMemory memory;
    const Dimensions& size = runner.m_size;
    WB_TRY_ASSIGN(memory.weights, plannedWeightBytes(graph));
    WB_TRY_ASSIGN(memory.keys, KvCache::planned(graph.spec, size.layers, size.context, options.windowSlack, options.keys,
                                                &arch::LayerSpec::keyLength));
    WB_TRY_ASSIGN(memory.values, KvCache::planned(graph.spec, size.layers, size.context, options.windowSlack, options.values,
                                                  &arch::LayerSpec::valueLength));
    memory.compute = runner.plannedWork(threads);
    return memory;
}

Result<std::unique_ptr<Engine>> Runner::make(const Graph& graph, const EngineOptions& options, const Progress& progress) {
    const auto begin = std::chrono::steady_clock::now();
    const unsigned threads = options.threads > 0 ? options.threads : jobs::machineThreads();
    std::unique_ptr<Runner> runner(new Runner(graph, options));
    WB_TRY_ASSIGN(runner->m_team, jobs::Team::make(threads));
    WB_TRY_ASSIGN(runner->m_weights, loadWeights(graph, threads, progress));
    WB_TRY(runner->openEmbeddings(graph));
    WB_TRY(runner->allocate(options));
    runner->m_load = {std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
                      runner->m_weights.repackSeconds,
                      runner->m_weights.bytesPerToken,
                      {.weights = runner->m_weights.bytes,
                       .keys = runner->m_cache.keyBytes(),
                       .values = runner->m_cache.valueBytes(),
                       .compute = runner->claimedWork()}};
    return runner;
}

namespace {

Result<void> checkContext(const Graph& graph, const EngineOptions& options) {
    if (options.context <= graph.spec.context) return {};
    const std::string name = io::baseName(graph.model->path);
    return fail(ErrorCode::TooLarge, Reason("infer.context"), About{name},
                WB_TEXT("{} has a context of {} tokens, fewer than the {} asked for."), name, graph.spec.context, options.context);
}

} // namespace

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
