// SPDX-License-Identifier: MIT
#include "gpu/infer/device_runner.h"

#include "core/infer/cpu/cpu_engine.h"
#include "core/jobs/thread_pool.h"
#include "gpu/shaders/infer/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>

// How the engine comes to be, and what the host does for each batch.
namespace wb::gpu {
namespace {

constexpr std::uint64_t number = sizeof(float);

} // namespace

DeviceRunner::DeviceRunner(DevicePtr device, const infer::Graph& graph, const infer::EngineOptions& options, std::size_t first,
                           FastTypes fast)
    : m_device(std::move(device)), m_graph(graph), m_options(options), m_first(first), m_fast(std::move(fast)),
      m_buffers(m_graph, options, first, m_device->info()), m_snapshots(m_buffers.snapshots.size()) {
    for (std::size_t layer = first; layer < m_graph.layers.size(); ++layer)
        for (const infer::LayerOp& op : m_graph.layers[layer])
            if (const auto* const ngrams = std::get_if<infer::NgramOp>(&op)) m_ngrams = ngrams;
}

// Recordings may still be in flight after a failure; the device keeps what those use.
DeviceRunner::~DeviceRunner() = default;

Result<DeviceRunner::HostBuffers> DeviceRunner::makeHostBuffers() const {
    HostBuffers host;
    WB_TRY_ASSIGN(host.batch, m_device->buffer(m_buffers.batch.bytes, Memory::Upload));
    for (const infer::RopeOp& rope : m_graph.ropes) {
        WB_TRY_ASSIGN(host.angles.emplace_back(), m_device->buffer(angleNumbers(rope) * number, Memory::Upload));
    }
    for (const DeviceBuffers::Factors& each : m_buffers.temperatures) {
        WB_TRY_ASSIGN(host.factors.emplace_back(), m_device->buffer(each.factors.bytes, Memory::Upload));
    }
    return host;
}

Result<void> DeviceRunner::allocateHost() {
    WB_TRY_ASSIGN(m_hostBuffers.front(), makeHostBuffers());
    WB_TRY_ASSIGN(m_xUpload, m_device->buffer(deviceBatch * inputWidth() * number, Memory::Upload));
    if (m_ngrams) {
        WB_TRY_ASSIGN(m_ngramsUpload, m_device->buffer(m_buffers.ngrams.bytes, Memory::Upload));
    }
    for (const DeviceBuffers::Blocks& each : m_buffers.blocks) {
        BlocksUpload& upload = m_blocksUpload.emplace_back();
        WB_TRY_ASSIGN(upload.batch, m_device->buffer(each.batch.bytes, Memory::Upload));
        WB_TRY_ASSIGN(upload.angles, m_device->buffer(each.angles.bytes, Memory::Upload));
    }
    if (m_buffers.layerTable.bytes == 0) return {};
    WB_TRY_ASSIGN(m_embeddingsUpload, m_device->buffer(m_buffers.embeddings.bytes, Memory::Upload));
    WB_TRY_ASSIGN(m_tableUpload, m_device->buffer(m_buffers.layerTable.bytes, Memory::Upload));
    return {};
}

Result<void> DeviceRunner::openEmbeddings() {
    const auto open = [this](const infer::Slice& table, std::optional<TensorReader>& into) -> Result<void> {
        if (!table) return {};
        WB_TRY_ASSIGN(into, TensorReader::open(*m_graph.model, *table.tensor));
        return {};
    };
    WB_TRY(open(m_graph.embed.table, m_embedding));
    WB_TRY(open(m_graph.embed.positions, m_positions));
    if (m_ngrams) WB_TRY(open(m_ngrams->table, m_ngramTable));
    return m_graph.layerInputs ? open(m_graph.layerInputs->table, m_layerTable) : Result<void>{};
}

Result<std::unique_ptr<infer::Engine>> DeviceRunner::make(const DevicePtr& device, const infer::Graph& graph,
                                                          const infer::EngineOptions& options, std::size_t first, FastTypes fast,
                                                          const Progress& progress) {
    const auto begin = std::chrono::steady_clock::now();
    const unsigned threads = options.threads > 0 ? options.threads : jobs::machineThreads();
    std::unique_ptr<DeviceRunner> runner(new DeviceRunner(device, graph, options, first, std::move(fast)));
    DeviceBuffers& buffers = runner->m_buffers;
    WB_TRY(runner->openEmbeddings());
    WB_TRY_ASSIGN(runner->m_ropes, infer::readRopeTables(graph, options.context));
    WB_TRY(buffers.memory.allocate(device));
    WB_TRY(buffers.weights.load(device, *graph.model, threads, progress));
    runner->m_logits = buffers.logits;
    if (first > 0) {
        WB_TRY_ASSIGN(runner->m_before, infer::cpu::makeCpuEngine(infer::firstLayers(graph, first), options, {progress.stop, {}}));
        runner->m_load = runner->m_before->load();
    }
    WB_TRY(runner->allocateHost());
    WB_TRY_ASSIGN(runner->m_load.device, buffers.memory.layout().memory());
    runner->m_load.bytesPerToken += buffers.weights.bytesPerToken();
    runner->m_load.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return runner;
}

Result<std::unique_ptr<infer::Engine>> makeDeviceEngine(const DevicePtr& device, const infer::Graph& graph,
                                                        const infer::Placement& placement, FastTypes fast,
                                                        const Progress& progress) {
    const std::size_t layers = graph.layers.size(), onDevice = std::min<std::uint64_t>(placement.gpuLayers - 1, layers);
    try {
        return DeviceRunner::make(device, graph, placement.options, layers - onDevice, std::move(fast), progress);
    } catch (const std::bad_alloc&) {
        return std::unexpected(outOfMemory());
    }
}

// x = embedding[token] * scale + positions[position], in each residual stream
Result<void> DeviceRunner::readEmbeddings(const infer::Batch& batch) {
    const std::size_t width = m_graph.width, each = inputWidth();
    const auto rows = m_xUpload->map<float>();
    std::vector<float> learned(m_positions ? width : 0);
    for (std::size_t t = 0; t < batch.tokens.size(); ++t) {
        const auto row = rows.subspan(t * each, width);
        WB_TRY(m_embedding->readF32(static_cast<std::uint64_t>(batch.tokens[t]) * width, row, m_embeddingBytes));
        if (m_graph.embed.scale != 1)
            for (float& value : row) value *= m_graph.embed.scale;
        if (m_positions) {
            WB_TRY(m_positions->readF32((batch.position + t) * width, learned, m_embeddingBytes));
            for (std::size_t i = 0; i < width; ++i) row[i] += learned[i];
        }
        for (std::size_t s = 1; s < m_graph.streams; ++s)
            std::ranges::copy(row, rows.begin() + static_cast<std::ptrdiff_t>(t * each + s * width));
    }
    return {};
}

Result<void> DeviceRunner::readLayerTable(std::span<const infer::Token> tokens) {
    const std::size_t inputs = m_graph.layerInputs->projection.count;
    const auto rows = m_tableUpload->map<float>();
    for (std::size_t t = 0; t < tokens.size(); ++t)
        WB_TRY(m_layerTable->readF32(static_cast<std::uint64_t>(tokens[t]) * inputs, rows.subspan(t * inputs, inputs),
                                     m_embeddingBytes));
    return {};
}

// The rows of the table for the n-grams that end at each token.
Result<void> DeviceRunner::readNgrams(const infer::Batch& batch) {
    if (!m_ngrams) return {};
    const std::size_t kept = m_ngrams->size - 1, length = m_ngrams->table.tensor->shape.rowLength();
    const auto embeddings = m_ngramsUpload->map<float>();
    std::vector<std::uint32_t> history(kept);
    std::vector<std::uint64_t> rows(m_ngrams->heads());
    for (std::size_t t = 0; t < batch.tokens.size(); ++t) {
        for (std::size_t i = 0; i < kept; ++i) {
            const std::size_t ago = i + 1;
            const bool exists = ago <= batch.position + t;
            const infer::Token earlier = ago <= t ? batch.tokens[t - ago] : exists ? m_tokens[batch.position + t - ago] : 0;
            history[i] = exists ? static_cast<std::uint32_t>(earlier) + 1 : 0;
        }
        m_ngrams->findRows(static_cast<std::uint32_t>(batch.tokens[t]), history.data(), rows.data());
        for (std::size_t h = 0; h < rows.size(); ++h)
            WB_TRY(m_ngramTable->readF32(rows[h] * length, embeddings.subspan((t * rows.size() + h) * length, length),
                                         m_embeddingBytes));
    }
    return {};
}

// The input of the first layer of the device is the last of the CPU's hidden states.
Result<void> DeviceRunner::computeFirstLayers(const infer::Batch& batch, const std::stop_token& stop) {
    const std::size_t rows = batch.tokens.size() * inputWidth();
    m_beforeHidden.resize((m_first + 1) * rows);
    WB_TRY(m_before->evaluate({batch.tokens, batch.position, {}, m_beforeHidden}, stop));
    std::ranges::copy(std::span(m_beforeHidden).last(rows), m_xUpload->map<float>().begin());
    return {};
}

// Blocks of tokens that become complete, and the angles of their first positions.
void DeviceRunner::writeBlocks(const infer::Batch& batch) {
    for (std::size_t i = 0; i < m_blocksUpload.size(); ++i) {
        const DeviceBuffers::Blocks& blocks = m_buffers.blocks[i];
        const std::size_t first = batch.position / blocks.tokens, end = (batch.position + batch.tokens.size()) / blocks.tokens;
        const auto words = m_blocksUpload[i].batch->map<std::uint32_t>();
        words[WB_BATCH_POSITION] = static_cast<std::uint32_t>(first);
        words[WB_BATCH_TOKENS] = static_cast<std::uint32_t>(end - first);
        words[WB_BATCH_OUTPUTS] = 0;
        if (!blocks.rope) continue;
        const infer::RopeTable& rope = m_ropes[*blocks.rope];
        const std::size_t pairs = rope.frequencies.size();
        const auto angles = m_blocksUpload[i].angles->map<float>();
        for (std::size_t b = first; b < end; ++b)
            infer::ropeAngles(rope, b * blocks.tokens, angles.subspan(2 * (b - first) * pairs, pairs),
                              angles.subspan((2 * (b - first) + 1) * pairs, pairs));
    }
}

// Each device executes what it is given in order.
Result<void> DeviceRunner::beginState(const infer::Batch& batch) {
    WB_TRY_ASSIGN(const infer::StateSnapshots::Start start, m_snapshots.begin(batch.position, batch.tokens.size()));
    if (!start.clears && !start.restores && !start.saves) return {};
    Recorder recorder(m_device);
    if (start.clears) recorder.fill(m_buffers.state, 0);
    if (start.restores) recorder.copy(m_buffers.snapshots[*start.restores], m_buffers.state);
    if (start.saves) recorder.copy(m_buffers.state, m_buffers.snapshots[*start.saves]);
    WB_TRY_ASSIGN(const Ticket ticket, m_device->submit(std::move(recorder)));
    return {};
}

std::size_t DeviceRunner::tailTokens() const {
    return std::max(recurs() ? infer::stateTailTokens : 0, m_before ? m_before->tailTokens() : 0);
}

// A position from which both sides can continue.
std::size_t DeviceRunner::reusable(std::size_t count) const {
    for (;;) {
        const std::size_t own = m_snapshots.reusable(count), both = m_before ? m_before->reusable(own) : own;
        if (both == count) return count;
        count = both;
    }
}

Result<void> DeviceRunner::writeBatch(const infer::Batch& batch, std::uint32_t outputs, const std::stop_token& stop) {
    if (m_before) WB_TRY(computeFirstLayers(batch, stop));
    else WB_TRY(readEmbeddings(batch));
    WB_TRY(readNgrams(batch));
    writeBlocks(batch);
    if (m_tableUpload) {
        const std::size_t numbers = batch.tokens.size() * width();
        const std::span<const float> embeddings = m_before ? std::span<const float>(m_beforeHidden) : m_xUpload->map<float>();
        std::ranges::copy(embeddings.first(numbers), m_embeddingsUpload->map<float>().begin());
        WB_TRY(readLayerTable(batch.tokens));
    }
    const auto words = m_hostBuffers.front().batch->map<std::uint32_t>();
    words[WB_BATCH_POSITION] = static_cast<std::uint32_t>(batch.position);
    words[WB_BATCH_TOKENS] = static_cast<std::uint32_t>(batch.tokens.size());
    words[WB_BATCH_OUTPUTS] = outputs;
    writeAngles(m_hostBuffers.front(), batch.position, batch.tokens.size());
    return {};
}

// Of rotations, and the factors of queries.
void DeviceRunner::writeAngles(const HostBuffers& host, std::size_t position, std::size_t tokens) {
    for (std::size_t r = 0; r < m_ropes.size(); ++r) {
        const std::size_t pairs = m_ropes[r].frequencies.size();
        const auto angles = host.angles[r]->map<float>();
        for (std::size_t t = 0; t < tokens; ++t)
            infer::ropeAngles(m_ropes[r], position + t, angles.subspan(2 * t * pairs, pairs),
                              angles.subspan((2 * t + 1) * pairs, pairs));
    }
    for (std::size_t i = 0; i < host.factors.size(); ++i) {
        const infer::Temperature& temperature = m_buffers.temperatures[i].temperature;
        const auto factors = host.factors[i]->map<float>();
        for (std::size_t t = 0; t < tokens; ++t) factors[t] = temperature.factor(position + t);
    }
}

// Memory that only some passes need is allocated for the first of them.
Result<void> DeviceRunner::allocateOutputs(const PassKind& kind) {
    const std::uint64_t logits = std::uint64_t{kind.outputs} * vocabulary() * number;
    if (m_logits.bytes < logits) {
        m_pieces.clear(); // they refer to the smaller one
        WB_TRY_ASSIGN(const BufferPtr larger, m_device->buffer(logits, Memory::Device));
        m_logits = larger->view(0, logits);
        m_logitsBack.reset();
    }
    if (kind.outputs > 0 && !m_logitsBack) {
        WB_TRY_ASSIGN(m_logitsBack, m_device->buffer(m_logits.bytes, Memory::Readback));
    }
    if (kind.ranked > 0 && !m_rankingRoom) {
        constexpr std::uint64_t pairs = gpu::maxRanked * sizeof(text::TokenLogit);
        WB_TRY_ASSIGN(m_rankingRoom, m_device->buffer(rankingBytes(vocabulary()), Memory::Device));
        WB_TRY_ASSIGN(m_candidates, m_device->buffer(pairs, Memory::Device));
        WB_TRY_ASSIGN(m_hostBuffers.front().rankedBack, m_device->buffer(pairs, Memory::Readback));
    }
    if (!kind.hidden || m_hiddenBack) return {};
    const std::uint64_t states = (layers() - m_first + 1) * deviceBatch * inputWidth();
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
        return std::unexpected(canceled());
    }
    return last->wait();
}

// From the first layer of the device on: its input, then x after each layer, the last after the norm.
void DeviceRunner::readHidden(const infer::Batch& batch) {
    const std::size_t tokens = batch.tokens.size(), rows = tokens * inputWidth(), stride = deviceBatch * inputWidth();
    const auto states = m_hiddenBack->map<float>();
    if (m_before) std::ranges::copy(m_beforeHidden, batch.hidden.begin());
    for (std::size_t layer = m_first; layer <= layers(); ++layer)
        std::ranges::copy(states.subspan((layer - m_first) * stride, tokens * hiddenWidth(layer)),
                          batch.hidden.begin() + static_cast<std::ptrdiff_t>(layer * rows));
}

void DeviceRunner::readRanked(const BufferPtr& back, std::span<text::TokenLogit> ranked) {
    const auto words = back->map<std::uint32_t>();
    static_assert(static_cast<infer::Token>(WB_NO_TOKEN) == text::TokenLogit().token);
    for (std::size_t i = 0; i < ranked.size(); ++i)
        ranked[i] = {static_cast<infer::Token>(words[2 * i + 1]), std::bit_cast<float>(words[2 * i])};
}

std::string DeviceRunner::kernels() const {
    std::string text;
    for (const FastTypes::Type& type : m_fast.types)
        text += fmt::format("{}{}", text.empty() ? "fast for " : " ", name(type.dtype));
    if (m_fast.attention) text += text.empty() ? "fast for attention" : " attention";
    if (text.empty()) text = "exact";
    return m_fast.followUps ? text : text + ", separate steps";
}

Result<void> DeviceRunner::evaluate(const infer::Batch& batch, const std::stop_token& stop) {
    if (stop.stop_requested()) return std::unexpected(canceled());
    WB_TRY_ASSIGN(const bool isEvaluated, takeAhead(batch));
    if (isEvaluated) return {};
    WB_TRY(evaluateNow(batch, stop));
    return beginAhead(batch);
}

Result<void> DeviceRunner::evaluateNow(const infer::Batch& batch, const std::stop_token& stop) {
    const auto ranked = static_cast<std::uint32_t>(batch.ranked.size());
    const auto outputs = ranked > 0 ? 1 : static_cast<std::uint32_t>(batch.logits.size() / vocabulary());
    const PassKind kind{batch.tokens.size() == 1, outputs <= 1 ? outputs : deviceBatch, ranked, !batch.hidden.empty(), 0};
    WB_TRY(allocateOutputs(kind));
    WB_TRY_ASSIGN(const Pieces* const pieces, passPieces(kind));
    WB_TRY(writeBatch(batch, outputs, stop));
    WB_TRY(beginState(batch));
    // A single token is not stopped where the model recurs: no copy of its state is kept, and it is soon finished.
    WB_TRY(replay(*pieces, kind.single && recurs() ? std::stop_token() : stop));
    m_snapshots.finish(batch.position + batch.tokens.size());
    if (m_ngrams) {
        m_tokens.resize(batch.position);
        m_tokens.insert(m_tokens.end(), batch.tokens.begin(), batch.tokens.end());
    }
    if (!batch.hidden.empty()) readHidden(batch);
    if (ranked > 0) readRanked(m_hostBuffers.front().rankedBack, batch.ranked);
    else if (outputs > 0) std::ranges::copy(m_logitsBack->map<float>().first(batch.logits.size()), batch.logits.begin());
    return {};
}

} // namespace wb::gpu
