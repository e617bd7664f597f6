// SPDX-License-Identifier: MIT
#include "core/arch/family.h"
#include "core/infer/cpu/runner.h"

#include <cmath>
#include <limits>

// The attention half of a layer.
namespace wb::infer::cpu {
namespace {

// The part of [begin, end) that lies in the run of `count` that begins at `first`, counted from there.
jobs::Range within(jobs::Range range, std::size_t first, std::size_t count) {
    const auto clip = [&](std::size_t at) { return std::clamp(at, first, first + count) - first; };
    return {clip(range.begin), clip(range.end)};
}

} // namespace

void Runner::normQkv(std::size_t index, unsigned worker) {
    const LayerWeights& layer = m_weights.layers[index];
    std::vector<float>& row = m_scratch[worker].row;
    const Inputs& inputs = prepare({&layer.q, &layer.k, &layer.v}, m_work.tokens, worker,
                                   [&](std::size_t t) { return normalize(layer.attentionNorm, m_x[t], row.data()); });
    const bool hasKeys = layer.k.rows > 0; // else the layer uses another one's cache
    const std::size_t q = layer.q.panels(), k = hasKeys ? layer.k.panels() : 0, v = hasKeys ? layer.v.panels() : 0;
    const jobs::Range range = mine(q + k + v, worker);
    const auto rowsOf = [](const Rows& rows) { return [&rows](std::size_t t) { return rows[t]; }; };
    project(layer.q, dataOrNull(layer.qBias), inputs, allTokens(), within(range, 0, q), rowsOf(m_queries));
    if (hasKeys) {
        project(layer.k, dataOrNull(layer.kBias), inputs, allTokens(), within(range, q, k), rowsOf(m_keys));
        project(layer.v, dataOrNull(layer.vBias), inputs, allTokens(), within(range, q + k, v), rowsOf(m_values));
    }
    m_team->barrier();
    normWholeRows(index, worker);
}

// Some families norm queries and keys over all heads together.
void Runner::normWholeRows(std::size_t index, unsigned worker) {
    const LayerWeights& layer = m_weights.layers[index];
    const bool whole = m_spec.family && m_spec.family->queryKeyNorm == arch::QueryKeyNorm::Whole;
    if (!whole || layer.qNorm.empty()) return;
    const jobs::Range tokens = mine(m_work.tokens, worker);
    for (std::size_t t = tokens.begin; t < tokens.end; ++t) {
        m_kernels.rmsNorm(m_queries[t], layer.qNorm.data(), m_spec.normEpsilon, layer.qNorm.size(), m_queries[t]);
        if (!layer.kNorm.empty())
            m_kernels.rmsNorm(m_keys[t], layer.kNorm.data(), m_spec.normEpsilon, layer.kNorm.size(), m_keys[t]);
    }
    m_team->barrier();
}

void Runner::rotateHead(std::size_t index, std::size_t token, float* head) const {
    const arch::LayerSpec& layer = m_spec.layers[index];
    if (layer.ropeDimensions == 0) return;
    const std::size_t table = m_ropeOfLayer[index];
    m_kernels.rotate(head, m_cosines[table][token], m_sines[table][token], layer.ropeDimensions / 2,
                     m_spec.rope.style != arch::RopeStyle::Adjacent);
}

// Attention temperature: far positions look more sharply (docs/reference/docs/reference/inference.md, "Attention").
void Runner::scaleQuery(std::size_t position, std::span<float> query) const {
    const auto stretch = static_cast<float>(position / m_spec.rope.originalContext + 1);
    const float factor = std::log(stretch) * m_spec.temperatureScale + 1;
    for (float& value : query) value *= factor;
}

void Runner::storeValue(std::size_t index, std::size_t token, std::size_t head) const {
    const std::size_t length = m_spec.layers[index].valueLength;
    float* const value = m_values[token] + head * length;
    if (m_spec.family && m_spec.family->valueNorm) m_kernels.rmsNorm(value, m_ones.data(), m_spec.normEpsilon, length, value);
    m_cache.storeValue(index, head, m_work.batch->position + token, value, m_kernels);
}

// Heads are counted through: queries, then keys, then values.
void Runner::storeToken(std::size_t index, std::size_t token, std::size_t head) {
    const arch::LayerSpec& layer = m_spec.layers[index];
    const LayerWeights& weights = m_weights.layers[index];
    const std::size_t position = m_work.batch->position + token;
    if (head >= layer.heads + layer.kvHeads) return storeValue(index, token, head - layer.heads - layer.kvHeads);
    const bool isQuery = head < layer.heads;
    if (!isQuery) head -= layer.heads;
    float* const at = (isQuery ? m_queries : m_keys)[token] + head * layer.keyLength;
    const std::vector<float>& norm = isQuery ? weights.qNorm : weights.kNorm;
    const bool perHead = norm.size() == layer.keyLength && m_spec.family->queryKeyNorm != arch::QueryKeyNorm::Whole;
    if (perHead) m_kernels.rmsNorm(at, norm.data(), m_spec.normEpsilon, layer.keyLength, at);
    rotateHead(index, token, at);
    if (isQuery && m_spec.temperatureScale > 0) scaleQuery(position, {at, layer.keyLength});
    if (!isQuery) m_cache.storeKey(index, head, position, at, m_kernels);
}

// Scores of positions [first, end) become weights.
void Runner::weighScores(std::size_t index, std::size_t head, std::size_t first, std::size_t end, std::size_t paddedEnd,
                         float* row) const {
    const std::vector<float>& sinks = m_weights.layers[index].sinks;
    if (m_spec.attentionSoftcap > 0) m_kernels.softcap(row + first, end - first, m_spec.attentionSoftcap);
    m_kernels.softmax(row, first, end, paddedEnd, sinks.empty() ? -std::numeric_limits<float>::infinity() : sinks[head]);
}

template <class Use>
void Runner::forRuns(std::size_t cached, std::size_t first, std::size_t end, Use use) const {
    const std::size_t positions = m_cache.positions(cached);
    for (std::size_t turn = first / positions * positions; turn < end; turn += positions)
        use(std::max(first, turn), std::min(end, turn + positions), turn);
}

// One head of up to groupTokens tokens that follow each other.
void Runner::attend(std::size_t index, std::size_t head, std::size_t firstToken, std::size_t tokens, unsigned worker) {
    const arch::LayerSpec& layer = m_spec.layers[index];
    const std::size_t kvHead = head / (layer.heads / layer.kvHeads), cached = layer.cacheLayer;
    const std::size_t position = m_work.batch->position + firstToken, end = position + tokens;
    const auto firstFor = [&](std::size_t at) { return layer.window > 0 && at + 1 > layer.window ? at + 1 - layer.window : 0; };
    const std::size_t first = firstFor(position), endTile = (end + keyTile - 1) / keyTile;
    const std::size_t stride = (m_size.context + keyTile - 1) / keyTile * keyTile;
    const float scale = m_spec.attentionScale > 0 ? m_spec.attentionScale : 1.0F / std::sqrt(static_cast<float>(layer.keyLength));
    float* const scores = m_scratch[worker].scores.data();
    const auto score = m_kernels.scores[static_cast<std::size_t>(m_cache.keyType())];
    const auto mix = m_kernels.mix[static_cast<std::size_t>(m_cache.valueType())];
    const std::size_t firstTiled = first / keyTile * keyTile;
    forRuns(cached, firstTiled, endTile * keyTile, [&](std::size_t from, std::size_t to, std::size_t turn) {
        score({m_queries[firstToken] + head * layer.keyLength, m_queries.stride, tokens, m_cache.keys(cached, kvHead),
               layer.keyLength, (from - turn) / keyTile, (to - turn) / keyTile, scale, scores + turn, stride});
    });
    for (std::size_t t = 0; t < tokens; ++t) {
        float* const row = scores + t * stride;
        const std::size_t own = firstFor(position + t);
        std::fill(row + first / keyTile * keyTile, row + own / keyTile * keyTile, 0.0F);
        weighScores(index, head, own, position + t + 1, endTile * keyTile, row);
    }
    forRuns(cached, firstTiled, end, [&](std::size_t from, std::size_t to, std::size_t turn) {
        mix({scores + turn, stride, tokens, m_cache.values(cached, kvHead), layer.valueLength, from - turn, to - turn,
             m_attended[firstToken] + head * layer.valueLength, m_attended.stride, from > firstTiled});
    });
}

void Runner::ropeAttention(std::size_t index, unsigned worker) {
    const arch::LayerSpec& layer = m_spec.layers[index];
    const std::size_t stored = layer.ownsCache(index) ? 2 * layer.kvHeads : 0;
    const std::size_t heads = layer.heads + stored;
    const jobs::Range stores = mine(m_work.tokens * heads, worker);
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

void Runner::outResidual(std::size_t index, unsigned worker) {
    const LayerWeights& layer = m_weights.layers[index];
    const Inputs& inputs = prepare({&layer.out}, m_work.tokens, worker, [&](std::size_t t) { return m_attended[t]; });
    addProjection(layer.out, layer.outBias, layer.attentionPostNorm, nullptr, inputs, worker);
    m_team->barrier();
}

} // namespace wb::infer::cpu
