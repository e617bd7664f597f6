// SPDX-License-Identifier: MIT
#include "core/infer/cpu/cpu_engine.h"

#include "core/base/checked.h"
#include "core/infer/cpu/inputs.h"
#include "core/infer/cpu/kv_cache.h"
#include "core/jobs/team.h"
#include "core/infer/cpu/weights.h"
#include "core/infer/rope.h"
#include "core/io/byte_source.h"
#include "core/jobs/thread_pool.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <cmath>

namespace wb::infer::cpu {
namespace {

using jobs::Range;
using jobs::share;
using jobs::Team;

constexpr std::size_t batchTokens = 256;

// Rows of floats for the tokens of a batch.
struct Rows {
    Buffer buffer;
    std::size_t stride = 0;

    static Result<Rows> make(std::size_t columns, std::size_t count) {
        Rows rows;
        rows.stride = columns;
        const auto numbers = checked::mul(columns, count);
        const auto bytes = numbers ? checked::mul(*numbers, sizeof(float)) : std::nullopt;
        if (!bytes) return std::unexpected(outOfMemory());
        WB_TRY_ASSIGN(rows.buffer, Buffer::make(*bytes));
        return rows;
    }

    float* operator[](std::size_t index) const { return buffer.as<float>() + index * stride; }
};

// What one worker has for itself.
struct Scratch {
    Inputs single;             // of a batch of one token, so that nobody has to wait for another's copy
    std::vector<float> row;    // a normalized row
    std::vector<float> scores; // [groupTokens][context], a multiple of keyTile
};

struct Dimensions {
    std::size_t width = 0, layers = 0, vocabulary = 0, context = 0;
    std::size_t maxQueries = 0, maxKeys = 0, maxValues = 0, maxAttended = 0, maxFeedForward = 0, maxColumns = 0, maxPairs = 0;
};

// One evaluation, as all workers see it.
struct Work {
    const Batch* batch = nullptr;
    std::size_t tokens = 0;
    std::size_t outputs = 0; // tokens whose logits are wanted: the last ones
    const std::stop_token* stop = nullptr;
    bool stopped = false; // set by worker 0 before a barrier
};

class CpuEngine final : public Engine {
public:
    static Result<std::unique_ptr<Engine>> make(const Graph& graph, const CpuOptions& options, const Progress& progress);

    std::string device() const override { return "cpu"; }
    std::size_t vocabulary() const override { return m_size.vocabulary; }
    std::size_t width() const override { return m_size.width; }
    std::size_t layers() const override { return m_size.layers; }
    std::size_t context() const override { return m_size.context; }
    std::size_t maxBatch() const override { return batchTokens; }
    Result<void> evaluate(const Batch& batch, const std::stop_token& stop) override;

private:
    CpuEngine(const Graph& graph, const CpuOptions& options);
    Result<void> allocate(const CpuOptions& options);
    Result<void> claimRows();
    Result<void> claimScratch();
    void makeRopeTables();

    Result<void> readEmbeddings(std::span<const Token> tokens);
    void compute(unsigned worker);
    void computeStage(const Stage& stage, unsigned worker);
    void normQkv(std::size_t layer, unsigned worker);
    void ropeAttention(std::size_t layer, unsigned worker);
    void outResidual(std::size_t layer, unsigned worker);
    void normGateUp(std::size_t layer, unsigned worker);
    void downResidual(std::size_t layer, unsigned worker);
    void head(unsigned worker);
    void copyHidden(std::size_t layer, unsigned worker);

    // Prepares the rows row(token) for matrices of these formats and returns where the worker finds them.
    template <class Row>
    const Inputs& prepare(std::initializer_list<const PanelMatrix*> matrices, std::size_t tokens, unsigned worker, Row row);

    // Calls sink(row, rows, token, tokens, tile, stride) for every tile of the panels in the range.
    template <class Sink>
    void multiply(const PanelMatrix& matrix, const Inputs& inputs, std::size_t tokens, Range panels, Sink sink) const;
    void computeTile(const PanelMatrix& matrix, const Inputs& inputs, std::size_t panel, std::size_t panels, std::size_t group,
                     float* out) const;

    void project(const PanelMatrix& matrix, const std::vector<float>& bias, const Inputs& inputs, Range panels,
                 const Rows& out) const;
    void addProjection(const PanelMatrix& matrix, const std::vector<float>& bias, const Inputs& inputs, unsigned worker) const;
    void storeToken(std::size_t layer, std::size_t token, std::size_t head) const;
    void rotateHead(std::size_t layer, std::size_t token, float* head) const;
    void scaleQuery(std::size_t position, std::span<float> query) const;
    void attend(std::size_t layer, std::size_t head, std::size_t firstToken, std::size_t tokens, unsigned worker);

    ModelPtr m_model;
    arch::ModelSpec m_spec;
    std::vector<Stage> m_stages;
    const TensorInfo* m_embedding;
    std::optional<TensorReader> m_embeddingReader;
    Dimensions m_size;
    Kernels m_kernels;
    Weights m_weights;
    KvCache m_cache;
    std::unique_ptr<Team> m_team;

    std::vector<RopeTable> m_ropeTables;
    std::vector<std::size_t> m_ropeOfLayer; // index into m_ropeTables
    std::vector<Rows> m_cosines, m_sines;   // for each table, a row for each token

    Rows m_x, m_queries, m_keys, m_values, m_attended, m_hidden;
    Inputs m_inputs; // of a batch of several tokens
    std::vector<Scratch> m_scratch;
    std::vector<std::byte> m_embeddingBytes;
    Work m_work;
};

template <class Row>
const Inputs& CpuEngine::prepare(std::initializer_list<const PanelMatrix*> matrices, std::size_t tokens, unsigned worker, Row row) {
    const bool integers = std::ranges::any_of(matrices, [](const PanelMatrix* m) { return m->format->integer; });
    const bool floats = std::ranges::any_of(matrices, [](const PanelMatrix* m) { return !m->format->integer; });
    const std::size_t columns = (*matrices.begin())->columns;
    if (tokens == 1) {
        Inputs& own = m_scratch[worker].single;
        own.begin(columns, 1, floats, integers);
        own.set(m_kernels, 0, row(0));
        return own;
    }
    if (worker == 0) m_inputs.begin(columns, tokens, floats, integers);
    m_team->barrier();
    const Range mine = share(tokens, worker, m_team->size());
    for (std::size_t t = mine.begin; t < mine.end; ++t) m_inputs.set(m_kernels, t, row(t));
    m_team->barrier();
    return m_inputs;
}

void CpuEngine::computeTile(const PanelMatrix& matrix, const Inputs& inputs, std::size_t panel, std::size_t panels,
                            std::size_t group, float* out) const {
    const auto type = static_cast<std::size_t>(matrix.format->type);
    const std::byte* const activations = matrix.format->integer ? inputs.integerGroup(group) : inputs.floatGroup(group);
    const Product product{matrix.panel(panel), matrix.panelBytes(), matrix.blocks(), activations, out, panels * panelRows};
    if (inputs.width > 1) m_kernels.multiplyGroup[type](product);
    else (panels == widePanels ? m_kernels.multiplyWide : m_kernels.multiply)[type](product);
}

template <class Sink>
void CpuEngine::multiply(const PanelMatrix& matrix, const Inputs& inputs, std::size_t tokens, Range range, Sink sink) const {
    alignas(64) std::array<float, panelRows * groupTokens> tile;
    const auto emit = [&](std::size_t panel, std::size_t panels, std::size_t group) {
        computeTile(matrix, inputs, panel, panels, group, tile.data());
        const std::size_t row = panel * panelRows, first = group * inputs.width;
        sink(row, std::min<std::size_t>(panels * panelRows, matrix.rows - row), first, std::min(inputs.width, tokens - first),
             tile.data(), panels * panelRows);
    };
    static_assert(widePanels <= groupTokens, "a tile must hold either form");
    if (tokens == 1) {
        for (std::size_t p = range.begin; p < range.end;) {
            const std::size_t panels = p + widePanels <= range.end ? widePanels : 1;
            emit(p, panels, 0);
            p += panels;
        }
        return;
    }
    // A few panels at a time, so that the activations are not read anew for each.
    for (std::size_t p = range.begin; p < range.end; p += widePanels)
        for (std::size_t group = 0; group < groupCount(tokens); ++group)
            for (std::size_t i = p; i < std::min(p + widePanels, range.end); ++i) emit(i, 1, group);
}

void CpuEngine::project(const PanelMatrix& matrix, const std::vector<float>& bias, const Inputs& inputs, Range panels,
                        const Rows& out) const {
    multiply(matrix, inputs, m_work.tokens, panels,
             [&](std::size_t row, std::size_t rows, std::size_t token, std::size_t tokens, const float* tile, std::size_t stride) {
                 for (std::size_t t = 0; t < tokens; ++t) {
                     float* const to = out[token + t] + row;
                     std::copy_n(tile + t * stride, rows, to);
                     if (!bias.empty()) m_kernels.addScaled(to, bias.data() + row, 1, rows);
                 }
             });
}

void CpuEngine::addProjection(const PanelMatrix& matrix, const std::vector<float>& bias, const Inputs& inputs,
                              unsigned worker) const {
    multiply(matrix, inputs, m_work.tokens, share(matrix.panels(), worker, m_team->size()),
             [&](std::size_t row, std::size_t rows, std::size_t token, std::size_t tokens, const float* tile, std::size_t stride) {
                 for (std::size_t t = 0; t < tokens; ++t) {
                     float* const x = m_x[token + t] + row;
                     m_kernels.addScaled(x, tile + t * stride, m_spec.residualScale, rows);
                     if (!bias.empty()) m_kernels.addScaled(x, bias.data() + row, m_spec.residualScale, rows);
                 }
             });
}

// The part of [begin, end) that lies in the run of `count` that begins at `first`, counted from there.
Range within(Range range, std::size_t first, std::size_t count) {
    const auto clip = [&](std::size_t at) { return std::clamp(at, first, first + count) - first; };
    return {clip(range.begin), clip(range.end)};
}

void CpuEngine::normQkv(std::size_t index, unsigned worker) {
    const LayerWeights& layer = m_weights.layers[index];
    std::vector<float>& row = m_scratch[worker].row;
    const Inputs& inputs = prepare({&layer.q, &layer.k, &layer.v}, m_work.tokens, worker, [&](std::size_t t) {
        m_kernels.rmsNorm(m_x[t], layer.attentionNorm.data(), m_spec.normEpsilon, m_size.width, row.data());
        return row.data();
    });
    const std::size_t q = layer.q.panels(), k = layer.k.panels(), v = layer.v.panels();
    const Range mine = share(q + k + v, worker, m_team->size());
    project(layer.q, layer.qBias, inputs, within(mine, 0, q), m_queries);
    project(layer.k, layer.kBias, inputs, within(mine, q, k), m_keys);
    project(layer.v, layer.vBias, inputs, within(mine, q + k, v), m_values);
    m_team->barrier();
}

void CpuEngine::rotateHead(std::size_t index, std::size_t token, float* head) const {
    const arch::LayerSpec& layer = m_spec.layers[index];
    if (layer.ropeDimensions == 0) return;
    const std::size_t table = m_ropeOfLayer[index];
    m_kernels.rotate(head, m_cosines[table][token], m_sines[table][token], layer.ropeDimensions / 2,
                     m_spec.rope.style != arch::RopeStyle::Adjacent);
}

// Attention temperature: far positions look more sharply (specs/inference.md 4.3).
void CpuEngine::scaleQuery(std::size_t position, std::span<float> query) const {
    const auto stretch = static_cast<float>(position / m_spec.rope.originalContext + 1);
    const float factor = std::log(stretch) * m_spec.temperatureScale + 1;
    for (float& value : query) value *= factor;
}

// Heads are counted through: queries, then keys, then values.
void CpuEngine::storeToken(std::size_t index, std::size_t token, std::size_t head) const {
    const arch::LayerSpec& layer = m_spec.layers[index];
    const LayerWeights& weights = m_weights.layers[index];
    const std::size_t position = m_work.batch->position + token;
    if (head >= layer.heads + layer.kvHeads) {
        head -= layer.heads + layer.kvHeads;
        return m_cache.storeValue(index, head, position, m_values[token] + head * layer.valueLength, m_kernels);
    }
    const bool isQuery = head < layer.heads;
    if (!isQuery) head -= layer.heads;
    float* const at = (isQuery ? m_queries : m_keys)[token] + head * layer.keyLength;
    const std::vector<float>& norm = isQuery ? weights.qNorm : weights.kNorm;
    if (!norm.empty()) m_kernels.rmsNorm(at, norm.data(), m_spec.normEpsilon, layer.keyLength, at);
    rotateHead(index, token, at);
    if (isQuery && m_spec.temperatureScale > 0) scaleQuery(position, {at, layer.keyLength});
    if (!isQuery) m_cache.storeKey(index, head, position, at, m_kernels);
}

// One head of up to groupTokens tokens that follow each other.
void CpuEngine::attend(std::size_t index, std::size_t head, std::size_t firstToken, std::size_t tokens, unsigned worker) {
    const arch::LayerSpec& layer = m_spec.layers[index];
    const std::size_t kvHead = head / (layer.heads / layer.kvHeads);
    const std::size_t position = m_work.batch->position + firstToken, end = position + tokens;
    const auto firstFor = [&](std::size_t at) { return layer.window > 0 && at + 1 > layer.window ? at + 1 - layer.window : 0; };
    const std::size_t first = firstFor(position), endTile = (end + keyTile - 1) / keyTile;
    const std::size_t stride = (m_size.context + keyTile - 1) / keyTile * keyTile;
    const float scale = m_spec.attentionScale > 0 ? m_spec.attentionScale : 1.0F / std::sqrt(static_cast<float>(layer.keyLength));
    float* const scores = m_scratch[worker].scores.data();
    const auto type = static_cast<std::size_t>(m_cache.type());
    m_kernels.scores[type]({m_queries[firstToken] + head * layer.keyLength, m_queries.stride, tokens, m_cache.keys(index, kvHead),
                            layer.keyLength, first / keyTile, endTile, scale, scores, stride});
    for (std::size_t t = 0; t < tokens; ++t) {
        float* const row = scores + t * stride;
        const std::size_t own = firstFor(position + t);
        std::fill(row + first / keyTile * keyTile, row + own / keyTile * keyTile, 0.0F);
        m_kernels.softmax(row, own, position + t + 1, endTile * keyTile);
    }
    m_kernels.mix[type]({scores, stride, tokens, m_cache.values(index, kvHead), layer.valueLength, first / keyTile * keyTile, end,
                         m_attended[firstToken] + head * layer.valueLength, m_attended.stride});
}

void CpuEngine::ropeAttention(std::size_t index, unsigned worker) {
    const arch::LayerSpec& layer = m_spec.layers[index];
    const std::size_t heads = layer.heads + 2 * layer.kvHeads;
    const Range stores = share(m_work.tokens * heads, worker, m_team->size());
    for (std::size_t i = stores.begin; i < stores.end; ++i) storeToken(index, i / heads, i % heads);
    m_team->barrier();
    const std::size_t tiles = (m_work.tokens + groupTokens - 1) / groupTokens;
    // Later tiles look back further, so they are dealt out in turn.
    for (std::size_t i = worker; i < tiles * layer.heads; i += m_team->size()) {
        const std::size_t token = i / layer.heads * groupTokens;
        attend(index, i % layer.heads, token, std::min(groupTokens, m_work.tokens - token), worker);
    }
    m_team->barrier();
}

void CpuEngine::outResidual(std::size_t index, unsigned worker) {
    const LayerWeights& layer = m_weights.layers[index];
    const Inputs& inputs = prepare({&layer.out}, m_work.tokens, worker, [&](std::size_t t) { return m_attended[t]; });
    addProjection(layer.out, layer.outBias, inputs, worker);
    m_team->barrier();
}

void CpuEngine::normGateUp(std::size_t index, unsigned worker) {
    const LayerWeights& layer = m_weights.layers[index];
    std::vector<float>& row = m_scratch[worker].row;
    const Inputs& inputs = prepare({&layer.gate, &layer.up}, m_work.tokens, worker, [&](std::size_t t) {
        m_kernels.rmsNorm(m_x[t], layer.feedForwardNorm.data(), m_spec.normEpsilon, m_size.width, row.data());
        return row.data();
    });
    alignas(64) std::array<float, panelRows * groupTokens> up;
    multiply(layer.gate, inputs, m_work.tokens, share(layer.gate.panels(), worker, m_team->size()),
             [&](std::size_t at, std::size_t rows, std::size_t token, std::size_t tokens, const float* tile, std::size_t stride) {
                 computeTile(layer.up, inputs, at / panelRows, stride / panelRows, token / inputs.width, up.data());
                 for (std::size_t t = 0; t < tokens; ++t) {
                     float* const to = m_hidden[token + t] + at;
                     std::copy_n(tile + t * stride, rows, to);
                     m_kernels.siluMultiply(to, up.data() + t * stride, rows);
                 }
             });
    m_team->barrier();
}

void CpuEngine::downResidual(std::size_t index, unsigned worker) {
    const LayerWeights& layer = m_weights.layers[index];
    const Inputs& inputs = prepare({&layer.down}, m_work.tokens, worker, [&](std::size_t t) { return m_hidden[t]; });
    addProjection(layer.down, {}, inputs, worker);
    m_team->barrier();
    copyHidden(index + 1, worker);
}

void CpuEngine::head(unsigned worker) {
    const std::size_t outputs = m_work.outputs, firstOutput = m_work.tokens - outputs;
    if (outputs == 0) return;
    std::vector<float>& row = m_scratch[worker].row;
    const Inputs& inputs = prepare({&m_weights.output}, outputs, worker, [&](std::size_t t) {
        m_kernels.rmsNorm(m_x[firstOutput + t], m_weights.outputNorm.data(), m_spec.normEpsilon, m_size.width, row.data());
        return row.data();
    });
    float* const logits = m_work.batch->logits.data();
    multiply(m_weights.output, inputs, outputs, share(m_weights.output.panels(), worker, m_team->size()),
             [&](std::size_t at, std::size_t rows, std::size_t token, std::size_t tokens, const float* tile, std::size_t stride) {
                 for (std::size_t t = 0; t < tokens; ++t) {
                     float* const to = logits + (token + t) * m_size.vocabulary + at;
                     std::transform(tile + t * stride, tile + t * stride + rows, to,
                                    [&](float v) { return v * m_spec.logitScale; });
                 }
             });
    m_team->barrier();
}

// `layer` counts from 0, the embeddings. The last one is shown behind the final norm.
void CpuEngine::copyHidden(std::size_t layer, unsigned worker) {
    if (m_work.batch->hidden.empty()) return;
    const Range mine = share(m_work.tokens, worker, m_team->size());
    for (std::size_t t = mine.begin; t < mine.end; ++t) {
        float* const to = m_work.batch->hidden.data() + (layer * m_work.tokens + t) * m_size.width;
        if (layer < m_size.layers) std::copy_n(m_x[t], m_size.width, to);
        else m_kernels.rmsNorm(m_x[t], m_weights.outputNorm.data(), m_spec.normEpsilon, m_size.width, to);
    }
}

void CpuEngine::computeStage(const Stage& stage, unsigned worker) {
    switch (stage.kind) {
    case StageKind::NormQkv: return normQkv(stage.layer, worker);
    case StageKind::RopeAttention: return ropeAttention(stage.layer, worker);
    case StageKind::OutResidual: return outResidual(stage.layer, worker);
    case StageKind::NormGateUp: return normGateUp(stage.layer, worker);
    case StageKind::DownResidual: return downResidual(stage.layer, worker);
    case StageKind::Head: return head(worker);
    }
}

void CpuEngine::compute(unsigned worker) {
    const Range mine = share(m_work.tokens, worker, m_team->size());
    for (std::size_t r = 0; r < m_ropeTables.size(); ++r)
        for (std::size_t t = mine.begin; t < mine.end; ++t)
            ropeAngles(m_ropeTables[r], m_work.batch->position + t, {m_cosines[r][t], m_cosines[r].stride},
                       {m_sines[r][t], m_sines[r].stride});
    copyHidden(0, worker);
    for (const Stage& stage : m_stages) {
        if (stage.kind == StageKind::NormQkv) {
            if (worker == 0) m_work.stopped = m_work.stop->stop_requested();
            m_team->barrier();
            if (m_work.stopped) return;
        }
        computeStage(stage, worker);
    }
}

Result<void> CpuEngine::readEmbeddings(std::span<const Token> tokens) {
    for (std::size_t t = 0; t < tokens.size(); ++t) {
        const std::span<float> row(m_x[t], m_size.width);
        WB_TRY(m_embeddingReader->readF32(static_cast<std::uint64_t>(tokens[t]) * m_size.width, row, m_embeddingBytes));
        if (m_spec.embeddingScale != 1)
            for (float& value : row) value *= m_spec.embeddingScale;
    }
    return {};
}

Result<void> CpuEngine::evaluate(const Batch& batch, const std::stop_token& stop) {
    WB_TRY(readEmbeddings(batch.tokens));
    m_work = {&batch, batch.tokens.size(), batch.logits.size() / m_size.vocabulary, &stop, false};
    m_team->run([this](unsigned worker) { compute(worker); });
    if (m_work.stopped) return std::unexpected(cancelled());
    return {};
}

CpuEngine::CpuEngine(const Graph& graph, const CpuOptions& options)
    : m_model(graph.model), m_spec(graph.spec), m_stages(graph.stages), m_embedding(graph.embedding),
      m_kernels(options.scalar ? scalarKernels() : simdKernels()) {
    m_size = {.width = graph.spec.width,
              .layers = graph.layers.size(),
              .vocabulary = graph.vocabulary,
              .context = options.context > 0 ? options.context : graph.spec.context};
    m_size.maxColumns = m_size.width;
    for (std::size_t i = 0; i < m_size.layers; ++i) {
        const arch::LayerSpec& layer = m_spec.layers[i];
        m_size.maxQueries = std::max<std::size_t>(m_size.maxQueries, layer.heads * layer.keyLength);
        m_size.maxKeys = std::max<std::size_t>(m_size.maxKeys, layer.kvHeads * layer.keyLength);
        m_size.maxValues = std::max<std::size_t>(m_size.maxValues, layer.kvHeads * layer.valueLength);
        m_size.maxAttended = std::max<std::size_t>(m_size.maxAttended, layer.heads * layer.valueLength);
        m_size.maxFeedForward = std::max<std::size_t>(m_size.maxFeedForward, layer.feedForward);
    }
    m_size.maxColumns = std::max({m_size.width, m_size.maxAttended, m_size.maxFeedForward});
}

void CpuEngine::makeRopeTables() {
    for (std::size_t i = 0; i < m_size.layers; ++i) {
        RopeTable table = ropeTable(m_spec.rope, m_spec.layers[i], m_weights.ropeFactors);
        m_size.maxPairs = std::max(m_size.maxPairs, table.frequencies.size());
        const auto found = std::ranges::find(m_ropeTables, table);
        m_ropeOfLayer.push_back(static_cast<std::size_t>(found - m_ropeTables.begin()));
        if (found == m_ropeTables.end()) m_ropeTables.push_back(std::move(table));
    }
}

Result<void> CpuEngine::claimRows() {
    WB_TRY_ASSIGN(m_x, Rows::make(m_size.width, batchTokens));
    WB_TRY_ASSIGN(m_queries, Rows::make(m_size.maxQueries, batchTokens));
    WB_TRY_ASSIGN(m_keys, Rows::make(m_size.maxKeys, batchTokens));
    WB_TRY_ASSIGN(m_values, Rows::make(m_size.maxValues, batchTokens));
    WB_TRY_ASSIGN(m_attended, Rows::make(m_size.maxAttended, batchTokens));
    WB_TRY_ASSIGN(m_hidden, Rows::make(m_size.maxFeedForward, batchTokens));
    WB_TRY_ASSIGN(m_inputs, Inputs::make(m_size.maxColumns, batchTokens));
    m_cosines.resize(m_ropeTables.size());
    m_sines.resize(m_ropeTables.size());
    for (std::size_t r = 0; r < m_ropeTables.size(); ++r) {
        WB_TRY_ASSIGN(m_cosines[r], Rows::make(m_ropeTables[r].frequencies.size(), batchTokens));
        WB_TRY_ASSIGN(m_sines[r], Rows::make(m_ropeTables[r].frequencies.size(), batchTokens));
    }
    return {};
}

Result<void> CpuEngine::claimScratch() {
    m_scratch.resize(m_team->size());
    for (Scratch& scratch : m_scratch) {
        WB_TRY_ASSIGN(scratch.single, Inputs::make(m_size.maxColumns, 1));
        scratch.row.resize(m_size.maxColumns);
        scratch.scores.resize(groupTokens * ((m_size.context + keyTile - 1) / keyTile * keyTile));
    }
    return {};
}

Result<void> CpuEngine::allocate(const CpuOptions& options) {
    makeRopeTables();
    WB_TRY_ASSIGN(m_cache, KvCache::make(m_spec, m_size.layers, m_size.context, options.cache));
    WB_TRY_ASSIGN(m_embeddingReader, TensorReader::open(*m_model, *m_embedding));
    WB_TRY(claimRows());
    WB_TRY(claimScratch());
    return {};
}

Result<std::unique_ptr<Engine>> CpuEngine::make(const Graph& graph, const CpuOptions& options, const Progress& progress) {
    const unsigned threads = options.threads > 0 ? options.threads : jobs::machineThreads();
    std::unique_ptr<CpuEngine> engine(new CpuEngine(graph, options));
    WB_TRY_ASSIGN(engine->m_team, Team::make(threads));
    WB_TRY_ASSIGN(engine->m_weights, loadWeights(graph, threads, progress));
    WB_TRY(engine->allocate(options));
    return engine;
}

} // namespace

Result<std::unique_ptr<Engine>> makeCpuEngine(const Graph& graph, const CpuOptions& options, const Progress& progress) {
    const std::string name = io::baseName(graph.model->path);
    if (options.context > graph.spec.context)
        return fail(ErrorCode::TooLarge, Reason("infer.context"), About{name},
                    WB_TEXT("{} has a context of {} tokens, fewer than the {} asked for."), name, graph.spec.context,
                    options.context);
    try {
        return CpuEngine::make(graph, options, progress);
    } catch (const std::bad_alloc&) {
        return std::unexpected(outOfMemory());
    }
}

} // namespace wb::infer::cpu
