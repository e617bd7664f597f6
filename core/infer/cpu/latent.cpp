// SPDX-License-Identifier: MIT
#include "core/infer/cpu/runner.h"

// The steps of latent attention, as operations.h defines them, shared among the workers as in transformer.cpp.
namespace wb::infer::cpu {

// out = W row of one token and one head. Every token is multiplied alone, whatever the batch.
void Runner::multiplySingle(const Matrix& matrix, const float* row, float* out, unsigned worker) {
    const Inputs& inputs = prepareSingle({&matrix}, row, worker);
    multiplyAddBias(m_kernels, matrix, inputs, {0, 1}, {0, matrix.panelCount()}, [out](std::size_t) { return out; });
}

// Queries and keys of the compressed space; keys and values go into the cache
void Runner::run(const LatentQkvStep& s, unsigned worker) {
    float* const row = m_scratch[worker].row.data();
    const Matrix& first = s.compress ? s.compress : s.q;
    const Rows& firstRows = s.compress ? m_rows.compressed : m_rows.mixed;
    const Inputs& x =
        prepare({&first, &s.k}, m_work.tokens, worker, [&](std::size_t t) { return normed(s.norm, m_rows.x[t], row); });
    multiplyAddBias(m_kernels, first, x, allTokens(), mine(first.panelCount(), worker),
                    [&](std::size_t t) { return firstRows[t]; });
    multiplyAddBias(m_kernels, s.k, x, allTokens(), mine(s.k.panelCount(), worker), [&](std::size_t t) { return m_rows.keys[t]; });
    m_team->barrier();
    if (s.compress) {
        const Inputs& compressed = prepare({&s.q}, m_work.tokens, worker,
                                           [&](std::size_t t) { return normed(s.compressNorm, m_rows.compressed[t], row); });
        multiplyAddBias(m_kernels, s.q, compressed, allTokens(), mine(s.q.panelCount(), worker),
                        [&](std::size_t t) { return m_rows.mixed[t]; });
        m_team->barrier();
    }
    const std::size_t heads = s.op.shape.heads;
    const jobs::Range own = mine(m_work.tokens * heads, worker);
    for (std::size_t i = own.begin; i < own.end; ++i) absorbQuery(s, i / heads, i % heads, worker);
    const jobs::Range tokens = myTokens(worker);
    for (std::size_t t = tokens.begin; t < tokens.end; ++t) storeLatent(s, t);
    m_team->barrier();
}

void Runner::absorbQuery(const LatentQkvStep& s, std::size_t token, std::size_t head, unsigned worker) {
    const HeadShape& shape = s.op.shape;
    const std::size_t rotated = shape.keyLength - shape.valueLength, each = s.op.plain + rotated;
    const float* const from = m_rows.mixed[token] + head * each;
    float* const query = m_rows.queries[token] + head * shape.keyLength;
    multiplySingle(s.absorb[head], from, query, worker);
    std::copy_n(from + s.op.plain, rotated, query + shape.valueLength);
    rotateHead(s.op.rope, token, query + shape.valueLength);
    const float factor = s.op.temperature.factor(m_work.batch->position + token);
    if (factor == 1) return;
    for (float& value : std::span(query, shape.keyLength)) value *= factor;
}

void Runner::storeLatent(const LatentQkvStep& s, std::size_t token) {
    float* const key = m_rows.keys[token];
    const std::size_t position = m_work.batch->position + token;
    normed(s.keyNorm, key, key);
    rotateHead(s.op.rope, token, key + s.op.shape.valueLength);
    m_cache.storeKey(s.op.cache, 0, position, key, m_kernels);
    m_cache.storeValue(s.op.cache, 0, position, key, m_kernels);
}

// mixed[h] = W_h attended[h]
void Runner::run(const HeadwiseStep& s, unsigned worker) {
    const std::size_t heads = s.op.heads, rows = s.op.rows();
    const jobs::Range own = mine(m_work.tokens * heads, worker);
    for (std::size_t i = own.begin; i < own.end; ++i) {
        const std::size_t token = i / heads, head = i % heads, columns = s.matrices[head].panels->columns;
        multiplySingle(s.matrices[head], m_rows.attended[token] + head * columns, m_rows.mixed[token] + head * rows, worker);
    }
    m_team->barrier();
}

} // namespace wb::infer::cpu
