// SPDX-License-Identifier: MIT
#include "gpu/infer/device_runner.h"

#include "core/infer/cpu/cpu_engine.h"
#include "core/jobs/thread_pool.h"
#include "gpu/shaders/infer/batch.h"

#include <algorithm>
#include <chrono>

// How the engine comes to be, and what the host does for each batch.
namespace wb::gpu {
namespace {

constexpr std::uint64_t number = sizeof(float);

} // namespace

DeviceRunner::DeviceRunner(DevicePtr device, const infer::Graph& graph, const infer::EngineOptions& options, std::size_t first)
    : m_device(std::move(device)), m_graph(graph), m_context(options.context), m_first(first), m_keyType(options.keys),
      m_valueType(options.values), m_arena(m_device, Memory::Device) {}

// Recordings may still be in flight after a failure; the device keeps what those use.
DeviceRunner::~DeviceRunner() = default;

Result<View> DeviceRunner::claim(std::uint64_t numbers) { return m_arena.take(numbers * number); }

Result<void> DeviceRunner::claimRows() {
    const auto& [queries, keys, values, attended, hidden] = rowWidths(m_graph.spec);
    const std::uint64_t widest = std::max({m_graph.spec.width, attended, hidden});
    WB_TRY_ASSIGN(m_batch, claim(WB_BATCH_WORDS));
    WB_TRY_ASSIGN(m_x, claim(deviceBatch * m_graph.spec.width));
    WB_TRY_ASSIGN(m_queries, claim(deviceBatch * queries));
    WB_TRY_ASSIGN(m_rotated, claim(deviceBatch * queries));
    WB_TRY_ASSIGN(m_keys, claim(deviceBatch * keys));
    WB_TRY_ASSIGN(m_values, claim(deviceBatch * values));
    WB_TRY_ASSIGN(m_attended, claim(deviceBatch * attended));
    WB_TRY_ASSIGN(m_hidden, claim(deviceBatch * hidden));
    WB_TRY_ASSIGN(m_scores, m_arena.take(std::min(scoreBytes(m_graph, m_context), m_device->info().viewBytes)));
    WB_TRY_ASSIGN(m_prepared.floats, claim(deviceBatch * widest));
    WB_TRY_ASSIGN(m_prepared.codes, claim(deviceBatch * (widest / WB_RECORD_COLUMNS + 1) * WB_RECORD_WORDS));
    return {};
}

Result<void> DeviceRunner::claimHost() {
    WB_TRY_ASSIGN(m_batchUpload, m_device->buffer(WB_BATCH_WORDS * number, Memory::Upload));
    WB_TRY_ASSIGN(m_xUpload, m_device->buffer(deviceBatch * m_graph.spec.width * number, Memory::Upload));
    for (const infer::RopeTable& table : m_ropeTables) {
        const std::uint64_t numbers = deviceBatch * 2 * std::max<std::size_t>(table.frequencies.size(), 1);
        WB_TRY_ASSIGN(m_angles.emplace_back(), claim(numbers));
        WB_TRY_ASSIGN(m_anglesUpload.emplace_back(), m_device->buffer(numbers * number, Memory::Upload));
    }
    return {};
}

void DeviceRunner::makeRopeTables() {
    for (const arch::LayerSpec& layer : m_graph.spec.layers) {
        infer::RopeTable table = infer::ropeTable(m_graph.spec, layer, m_weights.ropeFactors);
        const auto found = std::ranges::find(m_ropeTables, table);
        m_ropeOfLayer.push_back(static_cast<std::size_t>(found - m_ropeTables.begin()));
        if (found == m_ropeTables.end()) m_ropeTables.push_back(std::move(table));
    }
}

Result<void> DeviceRunner::allocate() {
    makeRopeTables();
    m_caches.resize(layers());
    for (std::size_t i = m_first; i < layers(); ++i) {
        const arch::LayerSpec& layer = m_graph.spec.layers[i];
        const std::uint64_t positions = cachedPositions(m_context) * layer.kvHeads;
        WB_TRY_ASSIGN(m_caches[i].keys, m_arena.take(positions * cachedBytes(m_keyType, layer.keyLength)));
        WB_TRY_ASSIGN(m_caches[i].values, m_arena.take(positions * cachedBytes(m_valueType, layer.valueLength)));
    }
    WB_TRY(claimRows());
    return claimHost();
}

infer::EngineMemory DeviceRunner::claimed() const {
    infer::EngineMemory memory;
    memory.weights = m_weights.bytes;
    for (const LayerCache& cache : m_caches) {
        if (cache.keys.bytes == 0) continue; // of the processor
        memory.keys += Arena::roomFor(cache.keys.bytes);
        memory.values += Arena::roomFor(cache.values.bytes);
    }
    memory.compute = m_arena.handed() - memory.keys - memory.values;
    return memory;
}

Result<std::unique_ptr<infer::Engine>> DeviceRunner::make(const DevicePtr& device, const infer::Graph& graph,
                                                          const infer::EngineOptions& options, std::size_t first,
                                                          const Progress& progress) {
    const auto begin = std::chrono::steady_clock::now();
    const unsigned threads = options.threads > 0 ? options.threads : jobs::machineThreads();
    std::unique_ptr<DeviceRunner> runner(new DeviceRunner(device, graph, options, first));
    WB_TRY_ASSIGN(runner->m_embedding, TensorReader::open(*graph.model, *graph.embedding));
    WB_TRY_ASSIGN(runner->m_weights, loadDeviceWeights(device, graph, first, threads, progress));
    if (first > 0) {
        WB_TRY_ASSIGN(runner->m_before, infer::cpu::makeCpuEngine(infer::firstLayers(graph, first), options, {progress.stop, {}}));
        runner->m_load = runner->m_before->load();
    }
    WB_TRY(runner->allocate());
    runner->m_load.device = runner->claimed();
    runner->m_load.bytesPerToken += runner->m_weights.bytesPerToken;
    runner->m_load.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return runner;
}

Result<std::unique_ptr<infer::Engine>> makeDeviceEngine(const DevicePtr& device, const infer::Graph& graph,
                                                        const infer::Placement& placement, const Progress& progress) {
    const std::size_t layers = graph.layers.size(), onDevice = std::min<std::uint64_t>(placement.gpuLayers - 1, layers);
    try {
        return DeviceRunner::make(device, graph, placement.options, layers - onDevice, progress);
    } catch (const std::bad_alloc&) {
        return std::unexpected(outOfMemory());
    }
}

Result<void> DeviceRunner::readEmbeddings(std::span<const infer::Token> tokens) {
    const std::size_t width = m_graph.spec.width;
    const auto rows = m_xUpload->map<float>();
    for (std::size_t t = 0; t < tokens.size(); ++t) {
        const auto row = rows.subspan(t * width, width);
        WB_TRY(m_embedding->readF32(static_cast<std::uint64_t>(tokens[t]) * width, row, m_embeddingBytes));
        if (m_graph.spec.embeddingScale != 1)
            for (float& value : row) value *= m_graph.spec.embeddingScale;
    }
    return {};
}

// What goes into the first layer of the device is the last of the processor's hidden states.
Result<void> DeviceRunner::computeFirstLayers(const infer::Batch& batch, const std::stop_token& stop) {
    const std::size_t rows = batch.tokens.size() * width();
    m_beforeHidden.resize((m_first + 1) * rows);
    WB_TRY(m_before->evaluate({batch.tokens, batch.position, {}, m_beforeHidden}, stop));
    std::ranges::copy(std::span(m_beforeHidden).last(rows), m_xUpload->map<float>().begin());
    return {};
}

Result<void> DeviceRunner::writeBatch(const infer::Batch& batch, std::uint32_t outputs, const std::stop_token& stop) {
    if (m_before) WB_TRY(computeFirstLayers(batch, stop));
    else WB_TRY(readEmbeddings(batch.tokens));
    const auto words = m_batchUpload->map<std::uint32_t>();
    words[WB_BATCH_POSITION] = static_cast<std::uint32_t>(batch.position);
    words[WB_BATCH_TOKENS] = static_cast<std::uint32_t>(batch.tokens.size());
    words[WB_BATCH_OUTPUTS] = outputs;
    for (std::size_t r = 0; r < m_ropeTables.size(); ++r) {
        const std::size_t pairs = m_ropeTables[r].frequencies.size();
        const auto angles = m_anglesUpload[r]->map<float>();
        for (std::size_t t = 0; t < batch.tokens.size(); ++t)
            infer::ropeAngles(m_ropeTables[r], batch.position + t, angles.subspan(2 * t * pairs, pairs),
                              angles.subspan((2 * t + 1) * pairs, pairs));
    }
    return {};
}

// What few passes need is claimed when the first of them comes.
Result<void> DeviceRunner::claimOutputs(const PassKind& kind) {
    const std::uint64_t logits = std::uint64_t{kind.outputs} * vocabulary() * number;
    if (m_logits.bytes < logits) {
        m_pieces.clear(); // they hold the smaller one
        WB_TRY_ASSIGN(const BufferPtr larger, m_device->buffer(logits, Memory::Device));
        WB_TRY_ASSIGN(m_logitsBack, m_device->buffer(logits, Memory::Readback));
        m_logits = larger->view(0, logits);
    }
    if (!kind.hidden || m_hiddenBack) return {};
    const std::uint64_t states = (layers() - m_first + 1) * deviceBatch * width();
    WB_TRY_ASSIGN(m_hiddenBack, m_device->buffer(states * number, Memory::Readback));
    return {};
}

// A piece is handed over while the one before is computed, so the device does not wait for the host.
Result<void> DeviceRunner::replay(const Pieces& pieces, const std::stop_token& stop) const {
    std::optional<Ticket> last;
    for (const Recording& piece : pieces) {
        WB_TRY_ASSIGN(const Ticket next, m_device->submit(piece));
        if (last) WB_TRY(last->wait());
        last = next;
        if (!stop.stop_requested()) continue;
        WB_TRY(last->wait()); // it reads memory of the host
        return std::unexpected(cancelled());
    }
    return last->wait();
}

// From the first layer of the device on: its input, then x behind each layer, the last behind the norm.
void DeviceRunner::readHidden(const infer::Batch& batch) {
    const std::size_t rows = batch.tokens.size() * width(), stride = deviceBatch * width();
    const auto states = m_hiddenBack->map<float>();
    if (m_before) std::ranges::copy(m_beforeHidden, batch.hidden.begin());
    for (std::size_t layer = m_first; layer <= layers(); ++layer)
        std::ranges::copy(states.subspan((layer - m_first) * stride, rows),
                          batch.hidden.begin() + static_cast<std::ptrdiff_t>(layer * rows));
}

Result<void> DeviceRunner::evaluate(const infer::Batch& batch, const std::stop_token& stop) {
    if (stop.stop_requested()) return std::unexpected(cancelled());
    const auto outputs = static_cast<std::uint32_t>(batch.logits.size() / vocabulary());
    const PassKind kind{batch.tokens.size() == 1, outputs <= 1 ? outputs : deviceBatch, !batch.hidden.empty()};
    WB_TRY(claimOutputs(kind));
    WB_TRY_ASSIGN(const Pieces* const pieces, piecesOf(kind));
    WB_TRY(writeBatch(batch, outputs, stop));
    WB_TRY(replay(*pieces, stop));
    if (!batch.hidden.empty()) readHidden(batch);
    if (outputs > 0) std::ranges::copy(m_logitsBack->map<float>().first(batch.logits.size()), batch.logits.begin());
    return {};
}

} // namespace wb::gpu
