// SPDX-License-Identifier: MIT
#include "tests/unit/infer/naive_graph.h"

#include <algorithm>
#include <cmath>
#include <numeric>

// The operations of stream_operations.h and index_operations.h, and those with `sum`.
namespace wb::test {
namespace {

using namespace infer;
using Row = NaiveGraph::Row;

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

std::span<const double> rowPart(const Row& row, std::size_t index, std::size_t length) {
    return std::span(row).subspan(index * length, length);
}

} // namespace

void NaiveGraph::run(const AddSumOp& op) {
    for (std::size_t t = 0; t < m_x.size(); ++t) {
        const Row addend = normed(op.norm, m_sum[t]);
        for (std::size_t i = 0; i < addend.size(); ++i) m_x[t][i] += static_cast<double>(op.scale) * addend[i];
        m_sum[t].assign(m_graph.width, 0);
    }
}

Row NaiveGraph::normedStreams(const NormOp& norm, const Row& streams) const {
    const Row weights = numbers(norm.weight);
    Row all;
    for (std::size_t at = 0; at < streams.size(); at += m_graph.width) {
        const Row one = normed({norm.kind, norm.epsilon, {}, {}}, std::span(streams).subspan(at, m_graph.width));
        for (std::size_t i = 0; i < one.size(); ++i) all.push_back(one[i] * weights[at + i]);
    }
    return all;
}

void NaiveGraph::run(const MixStreamsOp& op) {
    const auto streams = static_cast<double>(op.streams);
    for (std::size_t t = 0; t < m_x.size(); ++t) {
        const Row all = normedStreams(op.norm, m_streams[t]);
        Row low = multiply(op.down, all);
        for (double& value : low) value = value / streams * logistic(value / streams);
        const Row mixture = multiply(op.up, low);
        m_x[t].assign(m_graph.width, 0);
        for (std::size_t i = 0; i < all.size(); ++i) m_x[t][i % m_graph.width] += logistic(mixture[i]) * all[i] / streams;
        if (!op.inject) continue;
        m_injection[t] = multiply(op.inject, all);
        for (double& value : m_injection[t]) value = 2 * logistic(value / streams);
    }
}

void NaiveGraph::run(const InjectOp& op) {
    for (std::size_t t = 0; t < m_x.size(); ++t) {
        for (std::size_t i = 0; i < op.streams * m_graph.width; ++i)
            m_streams[t][i] += m_injection[t][i / m_graph.width] * m_sum[t][i % m_graph.width];
        m_sum[t].assign(m_graph.width, 0);
    }
}

// The rows of the table, side by side.
Row NaiveGraph::ngramRows(const NgramOp& op, std::size_t token) const {
    Row all;
    for (std::size_t h = 0; h < op.heads(); ++h) {
        std::int64_t mixed = 0;
        bool ended = false;
        for (std::size_t ago = 0; ago < 2 + h / op.headsEach; ++ago) {
            const bool isBefore = ago > token;
            const auto word = isBefore ? 0 : static_cast<std::uint64_t>(m_tokens[token - ago]);
            ended = ended || (ago > 0 && (isBefore || word == op.endToken));
            mixed ^= static_cast<std::int64_t>((ended ? op.endToken : word) * op.multipliers[ago]);
        }
        const auto size = static_cast<std::int64_t>(op.sizes[h]);
        const auto row = static_cast<std::uint64_t>((mixed % size + size) % size) + op.offsets[h];
        const Row one = numbers({op.table.tensor, row, 1});
        all.insert(all.end(), one.begin(), one.end());
    }
    return all;
}

void NaiveGraph::run(const NgramOp& op) {
    const std::size_t width = m_graph.width;
    for (std::size_t t = 0; t < m_x.size(); ++t) {
        const Row e = ngramRows(op, t), keys = normedStreams(op.keyNorm, multiply(op.key, e));
        const Row queries = normedStreams(op.queryNorm, m_streams[t]), value = multiply(op.value, e);
        Row values;
        for (std::size_t s = 0; s < op.streams; ++s) {
            const auto key = rowPart(keys, s, width), query = rowPart(queries, s, width);
            const double gate =
                std::inner_product(key.begin(), key.end(), query.begin(), 0.0) / std::sqrt(static_cast<double>(width));
            const double root = std::copysign(std::sqrt(std::max(std::fabs(gate), static_cast<double>(NgramOp::leastGate))), gate);
            for (const double number : value) values.push_back(logistic(root) * number);
        }
        m_mixed[t] = normedStreams(op.outNorm, values);
        m_mixed[t].insert(m_mixed[t].end(), values.begin(), values.end());
    }
}

void NaiveGraph::run(const AddNgramsOp& op) {
    const std::size_t all = op.streams * m_graph.width;
    for (std::size_t t = 0; t < m_x.size(); ++t)
        for (std::size_t i = 0; i < all; ++i) m_streams[t][i] += m_mixed[t][i] + m_mixed[t][all + i];
}

void NaiveGraph::run(const IndexOp& op) {
    std::vector<Row> keys;
    Row block(op.length, 0);
    for (std::size_t t = 0; t < m_x.size(); ++t) {
        const Row x = normed(op.norm, m_x[t]), own = multiply(op.k, x);
        for (std::size_t i = 0; i < op.length; ++i) block[i] += own[i] / static_cast<double>(op.block);
        if ((t + 1) % op.block == 0) {
            keys.push_back(normed(op.kNorm, block));
            rotate(op.rope, t + 1 - op.block, keys.back());
            block.assign(op.length, 0);
        }
        m_selected[t].clear();
        if (keys.size() <= op.topK / op.block) continue;
        const Row queries = multiply(op.q, op.fromCompressed ? normed(op.queryNorm, m_compressed[t]) : x);
        const Row weights = op.weights ? multiply(op.weights, x) : Row(op.heads, 1);
        Row scores(keys.size(), 0);
        for (std::size_t h = 0; h < op.heads; ++h) {
            Row query = normed(op.qNorm, rowPart(queries, h, op.length));
            rotate(op.rope, t, query);
            for (std::size_t k = 0; k < keys.size(); ++k)
                scores[k] += weights[h] * std::max(0.0, std::inner_product(query.begin(), query.end(), keys[k].begin(), 0.0));
        }
        std::vector<std::size_t> order(keys.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
        m_selected[t].assign(t + 1, false);
        for (const std::size_t key : std::span(order).first(op.topK / op.block))
            for (std::size_t p = key * op.block; p < (key + 1) * op.block; ++p) m_selected[t][p] = true;
        for (std::size_t p = keys.size() * op.block; p <= t; ++p) m_selected[t][p] = true;
    }
}

} // namespace wb::test
