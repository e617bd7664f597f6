// SPDX-License-Identifier: MIT
#include "core/infer/cpu/runner.h"

#include <numeric>

// The step of an indexer, as index_operations.h defines it, shared among the workers as in transformer.cpp, and the attention to
// the selected tokens.
namespace wb::infer::cpu {

// The tokens that each token of the batch sees
void Runner::run(const IndexStep& s, unsigned worker) {
    float* const row = m_scratch[worker].row.data();
    const auto rows = [](const Rows& of) { return [&of](std::size_t t) { return of[t]; }; };
    const Matrix none, &queries = s.op.fromCompressed ? none : s.q;
    const Inputs& x = prepare({&s.k, &s.weights, &queries}, m_work.tokens, worker,
                              [&](std::size_t t) { return normed(s.norm, m_rows.x[t], row); });
    multiplyAddBias(m_kernels, s.k, x, allTokens(), mine(s.k.panelCount(), worker), rows(m_rows.indexKeys));
    if (s.weights)
        multiplyAddBias(m_kernels, s.weights, x, allTokens(), mine(s.weights.panelCount(), worker), rows(m_rows.indexWeights));
    if (queries) multiplyAddBias(m_kernels, s.q, x, allTokens(), mine(s.q.panelCount(), worker), rows(m_rows.indexQueries));
    m_team->barrier();
    if (!queries) {
        const Inputs& compressed =
            prepare({&s.q}, m_work.tokens, worker, [&](std::size_t t) { return normed(s.queryNorm, m_rows.compressed[t], row); });
        multiplyAddBias(m_kernels, s.q, compressed, allTokens(), mine(s.q.panelCount(), worker), rows(m_rows.indexQueries));
        m_team->barrier();
    }
    rotateIndexQueries(s, worker);
    if (s.op.block == 1) storeIndexKeys(s, worker);
    else if (worker == 0) storeBlockKeys(s, worker);
    m_team->barrier();
    const jobs::Range tokens = myTokens(worker);
    for (std::size_t t = tokens.begin; t < tokens.end; ++t) selectTokens(s, t, worker);
    m_team->barrier();
}

void Runner::rotateIndexQueries(const IndexStep& s, unsigned worker) {
    const jobs::Range own = mine(m_work.tokens * s.op.heads, worker);
    for (std::size_t i = own.begin; i < own.end; ++i) {
        const std::size_t token = i / s.op.heads;
        float* const query = m_rows.indexQueries[token] + i % s.op.heads * s.op.length;
        normed(s.qNorm, query, query);
        rotateHead(s.op.rope, token, query);
    }
}

void Runner::storeIndexKeys(const IndexStep& s, unsigned worker) {
    const jobs::Range tokens = myTokens(worker);
    for (std::size_t t = tokens.begin; t < tokens.end; ++t) {
        float* const key = m_rows.indexKeys[t];
        normed(s.kNorm, key, key);
        rotateHead(s.op.rope, t, key);
        m_cache.storeKey(s.op.cache, 0, m_work.batch->position + t, key, m_kernels);
    }
}

// The keys of blocks that are complete now; of an incomplete one the sum is kept.
void Runner::storeBlockKeys(const IndexStep& s, unsigned worker) {
    float *const sum = m_state.at(*s.op.state), *const key = m_scratch[worker].row.data();
    std::vector<float> cosines(s.op.rope ? m_graph.ropes[*s.op.rope].dimensions / 2 : 0), sines(cosines.size());
    for (std::size_t t = 0; t < m_work.tokens; ++t) {
        const std::size_t position = m_work.batch->position + t, inBlock = position % s.op.block;
        if (inBlock == 0) std::copy_n(m_rows.indexKeys[t], s.op.length, sum);
        else m_kernels.addScaled(sum, m_rows.indexKeys[t], 1, s.op.length);
        if (inBlock + 1 < s.op.block) continue;
        for (std::size_t i = 0; i < s.op.length; ++i) key[i] = sum[i] / static_cast<float>(s.op.block);
        normed(s.kNorm, key, key);
        if (s.op.rope) {
            const RopeOp& rope = m_graph.ropes[*s.op.rope];
            ropeAngles(m_ropes[*s.op.rope], position - inBlock, cosines, sines);
            m_kernels.rotate(key, cosines.data(), sines.data(), rope.dimensions / 2, rope.halves);
        }
        m_cache.storeKey(s.op.cache, 0, position / s.op.block, key, m_kernels);
    }
}

// indexScores[key] = Σ_h weight_h * max(0, query_h · key)
void Runner::scoreIndex(const IndexStep& s, std::size_t token, std::size_t keys, unsigned worker) {
    const Scratch& scratch = m_scratch[worker];
    const auto scoreKeys = m_kernels.scoreKeys[static_cast<std::size_t>(m_cache.keyType(s.op.cache))];
    for (std::size_t first = 0; first < keys; first += indexedAtOnce) {
        const std::size_t count = std::min(indexedAtOnce, keys - first);
        const auto* const stored = static_cast<const std::byte*>(m_cache.keys(s.op.cache, 0));
        float* const scores = scratch.headScores.data(); // [heads][indexedAtOnce]
        scoreKeys({m_rows.indexQueries[token], s.op.length, s.op.heads,
                   stored + first * positionBytes(m_cache.keyType(s.op.cache), s.op.length), s.op.length, 0,
                   (count + keyTile - 1) / keyTile, 1, scores, indexedAtOnce});
        float* const sums = scratch.indexScores.data() + first;
        std::fill_n(sums, count, 0.0F);
        for (std::size_t h = 0; h < s.op.heads; ++h) {
            const float weight = s.weights ? m_rows.indexWeights[token][h] : 1.0F;
            for (std::size_t i = 0; i < count; ++i) sums[i] += weight * std::max(scores[h * indexedAtOnce + i], 0.0F);
        }
    }
}

void Runner::selectTokens(const IndexStep& s, std::size_t token, unsigned worker) {
    const std::size_t position = m_work.batch->position + token, block = s.op.block;
    m_rows.selectedCount[token] = 0;
    if (!s.op.selectsAt(position)) return;
    const std::size_t keys = (position + 1) / block, count = s.op.topK / block;
    scoreIndex(s, token, keys, worker);
    const std::span<const float> scores = m_scratch[worker].indexScores.all();
    const std::span<std::uint32_t> order = m_scratch[worker].indexOrder.all().first(keys), best = order.first(count);
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::nth_element(order, best.end(), [&](std::uint32_t a, std::uint32_t b) {
        return scores[a] > scores[b] || (scores[a] == scores[b] && a < b);
    });
    std::ranges::sort(best);
    std::uint32_t* selected = m_rows.selected.data() + token * m_rows.selectedStride;
    const auto add = [&selected](std::size_t first, std::size_t end) {
        for (std::size_t p = first; p < end; ++p) *selected++ = static_cast<std::uint32_t>(p);
    };
    for (const std::uint32_t key : best) add(key * block, (key + 1) * block);
    add(keys * block, position + 1); // the last block, which is incomplete
    m_rows.selectedCount[token] = static_cast<std::uint32_t>(count * block + (position + 1) % block);
}

// Tokens that see all are computed together, as without an indexer.
void Runner::attendSelected(const AttendStep& step, const HeadTask& task, std::size_t token) const {
    const std::span<std::uint32_t> counts = m_rows.selectedCount.all().subspan(token, task.tokens);
    if (std::ranges::all_of(counts, [](std::uint32_t count) { return count == 0; }))
        return attendHead(m_kernels, m_cache, step, task);
    HeadTask one = task;
    one.tokens = 1;
    for (std::size_t t = 0; t < task.tokens; ++t) {
        one.position = task.position + t;
        one.queries = task.queries + t * task.queryStride;
        one.attended = task.attended + t * task.attendedStride;
        const std::uint32_t* const selected = m_rows.selected.data() + (token + t) * m_rows.selectedStride;
        if (counts[t] == 0) attendHead(m_kernels, m_cache, step, one);
        else attendPositions(m_kernels, m_cache, step, one, {selected, counts[t]});
    }
}

} // namespace wb::infer::cpu
