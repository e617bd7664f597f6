// SPDX-License-Identifier: MIT
#include "core/infer/cpu/attention.h"
#include "core/infer/cpu/runner.h"

// The steps of a transformer, as operations.h defines them. T tokens of a batch; every worker calls each step and does its share:
// panels of a matrix (rows of its result), tokens, or heads.
namespace wb::infer::cpu {
namespace {

// The part of `range` in the run of `count` things that starts at `first`, counted from there.
jobs::Range within(jobs::Range range, std::size_t first, std::size_t count) {
    const auto clip = [&](std::size_t at) { return std::clamp(at, first, first + count) - first; };
    return {clip(range.begin), clip(range.end)};
}

} // namespace

const float* Runner::normed(const Norm& norm, const float* x, float* out) const {
    if (!norm) return x;
    if (norm.kind == NormKind::Rms) m_kernels.rmsNorm(x, norm.weight, norm.epsilon, norm.count, out);
    else m_kernels.layerNorm(x, norm.weight, norm.bias, norm.epsilon, norm.count, out);
    return out;
}

const Inputs& Runner::prepareSingle(std::initializer_list<const Matrix*> matrices, const float* row, unsigned worker) {
    Inputs& own = m_scratch[worker].single;
    own.begin((*matrices.begin())->panels->columns, 1, anyFloat(matrices), anyInteger(matrices));
    own.set(m_kernels, 0, row);
    return own;
}

// x = W [tokenNorm(x); precedingNorm(p)] + b
void Runner::run(const JoinStep& s, unsigned worker) {
    const std::size_t width = m_graph.width;
    float* const row = m_scratch[worker].row.data(); // [2 * width]
    const Inputs& joined = prepare({&s.matrix}, m_work.tokens, worker, [&](std::size_t t) {
        normed(s.tokenNorm, m_rows.x[t], row);
        normed(s.precedingNorm, m_work.batch->preceding.data() + t * width, row + width);
        return row;
    });
    multiplyAddBias(m_kernels, s.matrix, joined, allTokens(), mine(s.matrix.panelCount(), worker),
                    [&](std::size_t t) { return m_rows.branch[t]; });
    m_team->barrier();
    const jobs::Range tokens = myTokens(worker);
    for (std::size_t t = tokens.begin; t < tokens.end; ++t) std::copy_n(m_rows.branch[t], width, m_rows.x[t]);
    m_team->barrier();
}

// inputs[layer] = (norm(projectionScale * (W x)[layer]) + tableScale * table[token][layer]) * sumScale
void Runner::run(const LayerInputsStep& s, unsigned worker) {
    const Inputs& x = prepare({&s.projection}, m_work.tokens, worker, [&](std::size_t t) { return m_rows.x[t]; });
    multiplyAddBias(m_kernels, s.projection, x, allTokens(), mine(s.projection.panelCount(), worker),
                    [&](std::size_t t) { return m_rows.layerInputs[t]; });
    m_team->barrier();
    const std::size_t each = s.op.each, all = m_rows.layerInputs.stride;
    const jobs::Range tokens = myTokens(worker);
    for (std::size_t t = tokens.begin; t < tokens.end; ++t) {
        float* const row = m_rows.layerInputs[t]; // [layers][each]
        for (std::size_t i = 0; i < all; ++i) row[i] *= s.op.projectionScale;
        for (std::size_t at = 0; at < all; at += each) normed(s.norm, row + at, row + at);
        m_kernels.addScaled(row, m_rows.layerTable[t], s.op.tableScale, all);
        for (std::size_t i = 0; i < all; ++i) row[i] *= s.op.sumScale;
    }
    m_team->barrier();
}

// q, k, v = W norm(x) + b; q and k are normed and rotated, v is normed; k and v go into the cache
void Runner::run(const QkvStep& s, unsigned worker) {
    float* const row = m_scratch[worker].row.data();
    const Inputs& x =
        prepare({&s.q, &s.k, &s.v}, m_work.tokens, worker, [&](std::size_t t) { return normed(s.norm, m_rows.x[t], row); });
    const std::size_t q = s.q.panelCount(), k = s.k.panelCount(), v = s.v.panelCount();
    const jobs::Range panels = mine(q + k + v, worker);
    const auto rows = [](const Rows& to) { return [&to](std::size_t t) { return to[t]; }; };
    multiplyAddBias(m_kernels, s.q, x, allTokens(), within(panels, 0, q), rows(s.op.gates ? m_rows.mixed : m_rows.queries));
    if (s.k) {
        multiplyAddBias(m_kernels, s.k, x, allTokens(), within(panels, q, k), rows(m_rows.keys));
        multiplyAddBias(m_kernels, s.v, x, allTokens(), within(panels, q + k, v), rows(m_rows.values));
    }
    m_team->barrier();
    if (s.op.normsWhole && s.qNorm) normWholeRows(s, worker);
    const std::size_t heads = s.op.shape.heads + (s.k ? 2 * s.op.shape.kvHeads : 0);
    const jobs::Range stores = mine(m_work.tokens * heads, worker);
    for (std::size_t i = stores.begin; i < stores.end; ++i) storeHead(s, i / heads, i % heads);
    m_team->barrier();
}

void Runner::normWholeRows(const QkvStep& s, unsigned worker) {
    const jobs::Range tokens = myTokens(worker);
    for (std::size_t t = tokens.begin; t < tokens.end; ++t) {
        normed(s.qNorm, m_rows.queries[t], m_rows.queries[t]);
        normed(s.kNorm, m_rows.keys[t], m_rows.keys[t]);
    }
    m_team->barrier();
}

// Heads are counted through: queries, then keys, then values.
void Runner::storeHead(const QkvStep& s, std::size_t token, std::size_t head) {
    const HeadShape& shape = s.op.shape;
    const std::size_t position = m_work.batch->position + token;
    if (head >= shape.heads + shape.kvHeads) return storeValue(s, token, head - shape.heads - shape.kvHeads);
    const bool isQuery = head < shape.heads;
    if (!isQuery) head -= shape.heads;
    float* const at = (isQuery ? m_rows.queries : m_rows.keys)[token] + head * shape.keyLength;
    if (isQuery && s.op.gates) std::copy_n(m_rows.mixed[token] + 2 * head * shape.keyLength, shape.keyLength, at);
    const Norm& norm = isQuery ? s.qNorm : s.kNorm;
    if (!s.op.normsWhole && !s.op.normsAfterRope) normed(norm, at, at);
    rotateHead(s.op.rope, token, at);
    if (s.op.normsAfterRope) normed(norm, at, at);
    if (!isQuery) return m_cache.storeKey(s.op.cache, head, position, at, m_kernels);
    const float factor = s.op.temperature.factor(position);
    if (factor == 1) return;
    for (float& value : std::span(at, shape.keyLength)) value *= factor;
}

void Runner::storeValue(const QkvStep& s, std::size_t token, std::size_t head) {
    float* const value = m_rows.values[token] + head * s.op.shape.valueLength;
    normed(s.vNorm, value, value);
    m_cache.storeValue(s.op.cache, head, m_work.batch->position + token, value, m_kernels);
}

void Runner::rotateHead(std::optional<std::uint32_t> index, std::size_t token, float* head) const {
    if (!index) return;
    const RopeOp& rope = m_graph.ropes[*index];
    m_kernels.rotate(head, m_rows.cosines[*index][token], m_rows.sines[*index][token], rope.dimensions / 2, rope.halves);
}

// attended = Σ softmax(scale * q · k) * v
void Runner::run(const AttendStep& s, unsigned worker) {
    const std::size_t heads = s.op.shape.heads, groups = (m_work.tokens + groupTokens - 1) / groupTokens;
    HeadTask task;
    task.queryStride = m_rows.queries.stride;
    task.attendedStride = m_rows.attended.stride;
    task.scores = m_scratch[worker].scores.data();
    task.scoreStride = scoreStride(m_context);
    // Later groups see more positions, so they are dealt out in turn.
    for (std::size_t i = worker; i < groups * heads; i += m_team->size()) {
        const std::size_t token = i / heads * groupTokens;
        task.head = i % heads;
        task.position = m_work.batch->position + token;
        task.tokens = std::min(groupTokens, m_work.tokens - token);
        task.queries = m_rows.queries[token];
        task.attended = m_rows.attended[token];
        if (s.op.selects) attendSelected(s, task, token);
        else attendHead(m_kernels, m_cache, s, task);
    }
    m_team->barrier();
}

// x, or sum, += scale * norm(W input + b)
void Runner::run(const ResidualStep& s, unsigned worker) {
    const Rows& from = s.op.input == RowInput::Attended ? m_rows.attended
                       : s.op.input == RowInput::Hidden ? m_rows.hidden
                                                        : m_rows.mixed;
    const Inputs& inputs = prepare({&s.matrix}, m_work.tokens, worker, [&](std::size_t t) { return from[t] + s.op.first; });
    addResidual(s, inputs, worker);
    m_team->barrier();
}

void Runner::addResidual(const ResidualStep& s, const Inputs& inputs, unsigned worker) {
    const auto factor = [&](std::size_t token) {
        return s.op.scale * (s.op.sharedGate ? m_rows.routing.sharedGates[token] : 1.0F);
    };
    const jobs::Range panels = mine(s.matrix.panelCount(), worker);
    if (!s.norm)
        return multiply(m_kernels, *s.matrix.panels, inputs, allTokens(), panels, [&](const ProductTile& tile) {
            for (std::size_t t = 0; t < tile.tokens; ++t) {
                float* const x = targetRows(s.op.target)[tile.token + t] + tile.row;
                m_kernels.addScaled(x, tile.of(t), factor(tile.token + t), tile.rows);
                if (s.matrix.bias) m_kernels.addScaled(x, s.matrix.bias + tile.row, factor(tile.token + t), tile.rows);
            }
        });
    // The norm needs the whole row.
    multiplyAddBias(m_kernels, s.matrix, inputs, allTokens(), panels, [&](std::size_t t) { return m_rows.branch[t]; });
    m_team->barrier();
    const jobs::Range tokens = myTokens(worker);
    for (std::size_t t = tokens.begin; t < tokens.end; ++t)
        m_kernels.addScaled(targetRows(s.op.target)[t], normed(s.norm, m_rows.branch[t], m_scratch[worker].row.data()), factor(t),
                            m_graph.width);
}

// hidden = act(W_gate norm(x) + b) * (W_up norm(x) + b)
void Runner::run(const GateUpStep& s, unsigned worker) {
    float* const row = m_scratch[worker].row.data();
    const Inputs& x =
        prepare({&s.up, &s.gate}, m_work.tokens, worker, [&](std::size_t t) { return normed(s.norm, m_rows.x[t], row); });
    multiplyGateUp(
        m_kernels, activation(s.op.activation), s.gate, s.up, x, allTokens(), mine(s.up.panelCount(), worker),
        [&](std::size_t t) { return m_rows.hidden[t]; }, [](std::size_t) { return 1.0F; });
    m_team->barrier();
}

// The experts of each token, their weights and the gate of the shared expert
void Runner::run(const RouteStep& s, unsigned worker) {
    Scratch& scratch = m_scratch[worker];
    Routing& routing = m_rows.routing;
    const std::size_t used = s.op.used;
    const auto normedX = [&](std::size_t t) { return normed(s.norm, m_rows.x[t], scratch.row.data()); };
    const Inputs& x = prepare({&s.router}, m_work.tokens, worker, normedX);
    multiplyAddBias(m_kernels, s.router, x, allTokens(), mine(s.router.panelCount(), worker),
                    [&](std::size_t t) { return m_rows.routerLogits[t]; });
    m_team->barrier();
    const jobs::Range tokens = myTokens(worker);
    for (std::size_t t = tokens.begin; t < tokens.end; ++t) {
        chooseExperts(s.op, s.selectionBias, {m_rows.routerLogits[t], s.op.experts}, scratch.selection.all().first(s.op.experts),
                      scratch.order.all().first(s.op.experts), routing.chosen.all().subspan(t * used, used),
                      routing.weights.all().subspan(t * used, used));
        for (std::size_t i = t * used; s.expertScale && i < (t + 1) * used; ++i)
            routing.weights[i] *= s.expertScale[routing.chosen[i]];
        if (s.sharedGate) routing.sharedGates[t] = sharedExpertGate({s.sharedGate, m_graph.width}, normedX(t));
    }
    m_team->barrier();
    if (worker == 0) routing.group(m_work.tokens, used, s.op.experts);
    m_team->barrier();
}

// x, or sum, += scale * norm(Σ weight * (W_down (act(W_gate norm(x) + b) * (W_up norm(x) + b)) + b))
void Runner::run(const ExpertsStep& s, unsigned worker) {
    const jobs::Range tokens = myTokens(worker);
    for (std::size_t t = tokens.begin; t < tokens.end; ++t) {
        const float* const row = normed(s.norm, m_rows.x[t], m_rows.branch[t]);
        if (row != m_rows.branch[t]) std::copy_n(row, m_graph.width, m_rows.branch[t]);
    }
    m_team->barrier();
    multiplyExperts(s, worker);
    addExperts(s, worker);
}

void Runner::prepareExperts(const Matrix& matrix, const Matrix& other, const Rows& rows, bool byToken, unsigned worker) {
    const Routing& routing = m_rows.routing;
    Inputs& inputs = m_rows.expertInputs;
    if (worker == 0)
        inputs.begin(matrix.panels->columns, routing.pairs, anyFloat({&matrix, &other}), anyInteger({&matrix, &other}));
    m_team->barrier();
    const jobs::Range pairs = mine(routing.pairs, worker);
    for (std::size_t p = pairs.begin; p < pairs.end; ++p)
        if (routing.tokenOf[p] != noToken) inputs.set(m_kernels, p, rows[byToken ? routing.tokenOf[p] : p]);
    m_team->barrier();
}

// expertOut[pair] = W_down (act(W_gate x + b) * (W_up x + b)) + b, where x is in `branch`
void Runner::multiplyExperts(const ExpertsStep& s, unsigned worker) {
    const bool single = m_work.tokens == 1;
    const std::size_t group = groupWidth(m_work.tokens);
    if (single) prepareSingle({&s.up[0], &s.gate[0]}, m_rows.branch[0], worker);
    else prepareExperts(s.up[0], s.gate[0], m_rows.branch, true, worker);
    const Inputs& inputs = single ? m_scratch[worker].single : m_rows.expertInputs;
    const auto tokens = [&](const ExpertRun& run) { return TokenRun{single ? 0 : run.firstPair / group, run.count}; };
    for (const ExpertRun& run : m_rows.routing.runs) {
        const Matrix &gate = s.gate[run.expert], &up = s.up[run.expert];
        multiplyGateUp(
            m_kernels, activation(s.op.activation), gate, up, inputs, tokens(run), mine(up.panelCount(), worker),
            [&](std::size_t t) { return m_rows.expertHidden[run.firstPair + t]; },
            [&](std::size_t t) { return s.op.scalesInputs ? m_rows.routing.weightOf[run.firstPair + t] : 1.0F; });
    }
    m_team->barrier();
    if (!single) prepareExperts(s.down[0], s.down[0], m_rows.expertHidden, false, worker);
    for (const ExpertRun& run : m_rows.routing.runs) {
        const Matrix& down = s.down[run.expert];
        if (single) prepareSingle({&down}, m_rows.expertHidden[run.firstPair], worker);
        multiplyAddBias(m_kernels, down, inputs, tokens(run), mine(down.panelCount(), worker),
                        [&](std::size_t t) { return m_rows.expertOut[run.firstPair + t]; });
    }
    m_team->barrier();
}

void Runner::addExperts(const ExpertsStep& s, unsigned worker) {
    const std::size_t used = s.op.used, width = m_graph.width;
    const Routing& routing = m_rows.routing;
    const jobs::Range tokens = myTokens(worker);
    for (std::size_t t = tokens.begin; t < tokens.end; ++t) {
        float* const sum = m_rows.branch[t];
        std::fill_n(sum, width, 0.0F);
        for (std::size_t i = t * used; i < (t + 1) * used; ++i)
            m_kernels.addScaled(sum, m_rows.expertOut[routing.pairOf[i]], s.op.scalesInputs ? 1.0F : routing.weights[i], width);
        m_kernels.addScaled(targetRows(s.op.target)[t], normed(s.outNorm, sum, m_scratch[worker].row.data()), s.op.scale, width);
    }
    m_team->barrier();
}

// hidden = act(W x) * inputs[layer]
void Runner::run(const LayerInputStep& s, unsigned worker) {
    const Inputs& x = prepare({&s.gate}, m_work.tokens, worker, [&](std::size_t t) { return m_rows.x[t]; });
    const std::size_t each = s.op.gate.count;
    multiply(m_kernels, *s.gate.panels, x, allTokens(), mine(s.gate.panelCount(), worker), [&](const ProductTile& tile) {
        for (std::size_t t = 0; t < tile.tokens; ++t) {
            float* const to = m_rows.hidden[tile.token + t] + tile.row;
            std::copy_n(tile.of(t), tile.rows, to);
            activation(s.op.activation)(to, m_rows.layerInputs[tile.token + t] + s.op.layer * each + tile.row, tile.rows);
        }
    });
    m_team->barrier();
}

// x *= factor
void Runner::run(const ScaleStep& s, unsigned worker) {
    const jobs::Range tokens = myTokens(worker);
    for (std::size_t t = tokens.begin; t < tokens.end; ++t)
        for (float& value : std::span(m_rows.x[t], m_graph.width)) value *= s.factor;
    m_team->barrier();
}

// logits = softcap(scale * (W norm(x) + b)) of the last tokens
void Runner::run(const HeadStep& s, unsigned worker) {
    const std::size_t outputs = m_work.outputs, first = m_work.tokens - outputs;
    if (outputs == 0) return;
    float* const row = m_scratch[worker].row.data();
    const Inputs& x =
        prepare({&s.output}, outputs, worker, [&](std::size_t t) { return normed(s.norm, m_rows.x[first + t], row); });
    float* const logits = m_work.batch->logits.data(); // [outputs][vocabulary]
    multiply(m_kernels, *s.output.panels, x, {0, outputs}, mine(s.output.panelCount(), worker), [&](const ProductTile& tile) {
        for (std::size_t t = 0; t < tile.tokens; ++t) {
            float* const to = logits + (tile.token + t) * m_graph.vocabulary + tile.row;
            std::copy_n(tile.of(t), tile.rows, to);
            if (s.output.bias) m_kernels.addScaled(to, s.output.bias + tile.row, 1, tile.rows);
            for (std::size_t i = 0; i < tile.rows; ++i) to[i] *= s.op.scale;
            if (s.op.softcap > 0) m_kernels.softcap(to, tile.rows, s.op.softcap);
        }
    });
    m_team->barrier();
}

} // namespace wb::infer::cpu
