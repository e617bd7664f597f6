// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kernels/exact.h"
#include "core/infer/cpu/runner.h"

#include <bit>
#include <cmath>

// The steps of several residual streams and of n-gram embeddings, as stream_operations.h defines them, shared among the workers as
// in transformer.cpp.
namespace wb::infer::cpu {
namespace {

float innerProduct(const float* a, const float* b, std::size_t count) {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    return static_cast<float>(sum);
}

// The square root of its size, with its sign.
float signedRoot(float gate) {
    if (gate == 0) return 0;
    return std::copysign(std::sqrt(std::max(std::fabs(gate), NgramOp::leastGate)), gate);
}

} // namespace

// x += scale * norm(sum)
void Runner::run(const AddSumStep& s, unsigned worker) {
    const jobs::Range tokens = myTokens(worker);
    for (std::size_t t = tokens.begin; t < tokens.end; ++t) {
        float* const sum = m_rows.sum[t];
        m_kernels.addScaled(m_rows.x[t], normed(s.norm, sum, m_scratch[worker].row.data()), s.op.scale, m_graph.width);
        std::fill_n(sum, m_graph.width, 0.0F);
    }
    m_team->barrier();
}

// Each stream apart.
void Runner::normStreams(const Norm& norm, const float* streams, float* out) const {
    Norm one = norm;
    one.count = m_graph.width;
    for (std::size_t at = 0; at < norm.count; at += one.count) {
        one.weight = norm.weight + at;
        normed(one, streams + at, out + at);
    }
}

// x = mean of sigmoid(W_up silu(W_down normed / streams)) * normed; injection = 2 sigmoid(W_inject normed / streams)
void Runner::run(const MixStreamsStep& s, unsigned worker) {
    const std::size_t width = m_graph.width, streams = s.op.streams, rank = s.op.down.weight.count;
    const float share = 1.0F / static_cast<float>(streams);
    const jobs::Range tokens = myTokens(worker);
    const auto rows = [](const Rows& of) { return [&of](std::size_t t) { return of[t]; }; };
    for (std::size_t t = tokens.begin; t < tokens.end; ++t) normStreams(s.norm, m_rows.streams[t], m_rows.normedStreams[t]);
    m_team->barrier();
    const Inputs& normed = prepare({&s.down, &s.inject}, m_work.tokens, worker, rows(m_rows.normedStreams));
    multiplyAddBias(m_kernels, s.down, normed, allTokens(), mine(s.down.panelCount(), worker), rows(m_rows.streamRank));
    if (s.inject)
        multiplyAddBias(m_kernels, s.inject, normed, allTokens(), mine(s.inject.panelCount(), worker), rows(m_rows.injection));
    m_team->barrier();
    for (std::size_t t = tokens.begin; t < tokens.end; ++t) {
        for (float& value : std::span(m_rows.streamRank[t], rank)) value *= share;
        activation(Activation::Silu)(m_rows.streamRank[t], nullptr, rank);
        if (!s.inject) continue;
        for (float& value : std::span(m_rows.injection[t], streams)) value = gated(2.0F, value * share);
    }
    m_team->barrier();
    const Inputs& mixture = prepare({&s.up}, m_work.tokens, worker, rows(m_rows.streamRank));
    multiplyAddBias(m_kernels, s.up, mixture, allTokens(), mine(s.up.panelCount(), worker), rows(m_rows.mixed));
    m_team->barrier();
    for (std::size_t t = tokens.begin; t < tokens.end; ++t) {
        float *const values = m_rows.normedStreams[t], *const x = m_rows.x[t];
        m_recurrentKernels.gateSigmoid(values, m_rows.mixed[t], streams * width);
        std::fill_n(x, width, 0.0F);
        for (std::size_t i = 0; i < streams; ++i) m_kernels.addScaled(x, values + i * width, share, width);
    }
    m_team->barrier();
}

// streams += injection * sum
void Runner::run(const InjectStep& s, unsigned worker) {
    const std::size_t width = m_graph.width;
    const jobs::Range tokens = myTokens(worker);
    for (std::size_t t = tokens.begin; t < tokens.end; ++t) {
        float* const sum = m_rows.sum[t];
        for (std::size_t i = 0; i < s.op.streams; ++i)
            m_kernels.addScaled(m_rows.streams[t] + i * width, sum, m_rows.injection[t][i], width);
        std::fill_n(sum, width, 0.0F);
    }
    m_team->barrier();
}

// mixed = [outNorm(value); value], where a gate of each stream multiplies W_value e
void Runner::run(const NgramStep& s, unsigned worker) {
    const Inputs& e = prepare({&s.key, &s.value}, m_work.tokens, worker, [&](std::size_t t) { return m_rows.ngrams[t]; });
    multiplyAddBias(m_kernels, s.key, e, allTokens(), mine(s.key.panelCount(), worker),
                    [&](std::size_t t) { return m_rows.normedStreams[t]; });
    multiplyAddBias(m_kernels, s.value, e, allTokens(), mine(s.value.panelCount(), worker),
                    [&](std::size_t t) { return m_rows.branch[t]; });
    m_team->barrier();
    const jobs::Range tokens = myTokens(worker);
    for (std::size_t t = tokens.begin; t < tokens.end; ++t) gateNgrams(s, t);
    if (worker == 0) rememberTokens(s);
    m_team->barrier();
}

void Runner::gateNgrams(const NgramStep& s, std::size_t token) const {
    const std::size_t width = m_graph.width, all = s.op.streams * width;
    float *const keys = m_rows.normedStreams[token], *const queries = m_rows.mixed[token], *const values = queries + all;
    normStreams(s.keyNorm, keys, keys);
    normStreams(s.queryNorm, m_rows.streams[token], queries);
    std::fill_n(values, all, 0.0F);
    for (std::size_t at = 0; at < all; at += width) {
        const float gate = innerProduct(keys + at, queries + at, width) / std::sqrt(static_cast<float>(width));
        m_kernels.addScaled(values + at, m_rows.branch[token], gated(1.0F, signedRoot(gate)), width);
    }
    normStreams(s.outNorm, values, queries);
}

// The last tokens, the latest first: bits of u32, plus 1.
void Runner::rememberTokens(const NgramStep& s) const {
    float* const history = m_state.at(s.op.state);
    const std::span<const Token> tokens = m_work.batch->tokens;
    const std::size_t kept = s.op.size - 1, added = std::min(kept, tokens.size());
    std::copy_backward(history, history + (kept - added), history + kept);
    for (std::size_t i = 0; i < added; ++i)
        history[i] = std::bit_cast<float>(static_cast<std::uint32_t>(tokens[tokens.size() - 1 - i]) + 1);
}

// The rows of the table for the n-grams that end at each token.
Result<void> Runner::readNgrams(std::span<const Token> tokens) {
    if (!m_ngrams) return {};
    const NgramOp& op = m_ngrams->op;
    const std::size_t kept = op.size - 1, length = m_rows.ngrams.stride / op.heads();
    const float* const before = m_state.at(op.state);
    std::vector<std::uint32_t> history(kept);
    std::vector<std::uint64_t> rows(op.heads());
    for (std::size_t t = 0; t < tokens.size(); ++t) {
        for (std::size_t i = 0; i < kept; ++i)
            history[i] = i < t ? static_cast<std::uint32_t>(tokens[t - 1 - i]) + 1 : std::bit_cast<std::uint32_t>(before[i - t]);
        op.findRows(static_cast<std::uint32_t>(tokens[t]), history.data(), rows.data());
        for (std::size_t h = 0; h < rows.size(); ++h)
            WB_TRY(m_ngramTable->readF32(rows[h] * length, {m_rows.ngrams[t] + h * length, length}, m_embeddingBytes));
    }
    return {};
}

// streams += both halves of `mixed`
void Runner::run(const AddNgramsStep& s, unsigned worker) {
    const std::size_t all = s.op.streams * m_graph.width;
    const jobs::Range tokens = myTokens(worker);
    for (std::size_t t = tokens.begin; t < tokens.end; ++t)
        for (const float* const half : {m_rows.mixed[t], m_rows.mixed[t] + all})
            m_kernels.addScaled(m_rows.streams[t], half, 1, all);
    m_team->barrier();
}

} // namespace wb::infer::cpu
