// SPDX-License-Identifier: MIT
#include "tests/unit/infer/naive_graph.h"

#include "core/infer/graph/rope.h"
#include "core/model/tensor_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <numeric>

namespace wb::test {
namespace {

using namespace infer;
using Row = NaiveGraph::Row;

void addTo(Row& sum, const Row& addend, double scale = 1) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += scale * addend[i];
}

double act(Activation type, double x) {
    using enum Activation;
    switch (type) {
    case Silu: return x / (1 + std::exp(-x));
    case GeluTanh: return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
    case GeluErf: return 0.5 * x * (1 + std::erf(x / std::numbers::sqrt2));
    case Relu: return std::max(x, 0.0);
    case ReluSquared: return std::max(x, 0.0) * std::max(x, 0.0);
    case ClampedSwiglu: break; // takes both numbers
    }
    return 0;
}

double gated(Activation type, double gate, double up) {
    if (type != Activation::ClampedSwiglu) return act(type, gate) * up;
    const double g = std::min(gate, 7.0), u = std::clamp(up, -7.0, 7.0);
    return g / (1 + std::exp(-1.702 * g)) * (u + 1);
}

void softmax(std::span<double> numbers, double sink = -INFINITY) {
    const double highest = std::max(*std::ranges::max_element(numbers), sink);
    double sum = std::exp(sink - highest);
    for (double& number : numbers) sum += number = std::exp(number - highest);
    for (double& number : numbers) number /= sum;
}

// The best groups by the sum of their two best scores; the others are out.
void keepBestGroups(const RouteOp& op, Row& scores) {
    const std::size_t each = scores.size() / op.groups;
    std::vector<std::pair<double, std::size_t>> sums;
    for (std::size_t group = 0; group < op.groups; ++group) {
        Row members(scores.begin() + static_cast<std::ptrdiff_t>(group * each),
                    scores.begin() + static_cast<std::ptrdiff_t>((group + 1) * each));
        std::ranges::sort(members, std::greater());
        sums.emplace_back(-(members[0] + (each > 1 ? members[1] : 0)), group);
    }
    std::ranges::sort(sums);
    for (std::size_t i = op.groupsUsed; i < sums.size(); ++i)
        for (std::size_t e = 0; e < each; ++e) scores[sums[i].second * each + e] = -INFINITY;
}

double queryFactor(const Temperature& temperature, std::size_t position) {
    if (temperature.scale == 0) return 1;
    const std::size_t steps = (position + temperature.offset) / temperature.context;
    return 1 + static_cast<double>(temperature.scale) * std::log(static_cast<double>(steps + 1));
}

std::span<double> rowHead(Row& row, std::size_t head, std::size_t length) { return std::span(row).subspan(head * length, length); }

} // namespace

NaiveGraph::NaiveGraph(const Graph& graph, std::span<const Token> tokens, std::span<const float> preceding)
    : m_graph(graph), m_tokens(tokens.begin(), tokens.end()), m_caches(graph.caches.size()), m_choices(tokens.size()) {
    for (std::size_t t = 0; t < tokens.size(); ++t) {
        Row x = numbers({graph.embed.table.tensor, static_cast<std::uint64_t>(tokens[t]), 1});
        for (double& value : x) value *= static_cast<double>(graph.embed.scale);
        if (graph.embed.positions) addTo(x, numbers({graph.embed.positions.tensor, t, 1}));
        m_x.push_back(std::move(x));
    }
    m_queries.resize(tokens.size());
    m_mixed = m_attended = m_hidden = m_inputs = m_compressed = m_injection = m_streams = m_queries;
    if (graph.join) join(*graph.join, preceding);
    m_sum.assign(tokens.size(), Row(graph.width, 0));
    m_selected.resize(tokens.size());
    for (std::size_t t = 0; t < tokens.size(); ++t)
        for (std::size_t s = 0; s < graph.streams; ++s) m_streams[t].insert(m_streams[t].end(), m_x[t].begin(), m_x[t].end());
    if (graph.layerInputs) run(*graph.layerInputs);
    for (const std::vector<LayerOp>& layer : graph.layers)
        for (const LayerOp& op : layer) std::visit([this](const auto& of) { run(of); }, op);
    if (graph.head && graph.head->mix) run(*graph.head->mix);
}

// Rows of a matrix one after the other, or elements of a vector.
Row NaiveGraph::numbers(const Slice& rows) const {
    const std::uint64_t length = rows.tensor->shape.rank() > 1 ? rows.tensor->shape.rowLength() : 1;
    const auto reader = TensorReader::open(*m_graph.model, *rows.tensor);
    std::vector<float> read(rows.count * length);
    std::vector<std::byte> scratch;
    EXPECT_TRUE(reader && reader->readF32(rows.first * length, read, scratch));
    return {read.begin(), read.end()};
}

// Elements of a tensor of any rank.
Row NaiveGraph::elements(const Slice& of) const {
    const std::uint64_t length = of.tensor->shape.rank() > 1 ? of.tensor->shape.rowLength() : 1;
    return numbers({of.tensor, of.first / length, of.count / length});
}

Row NaiveGraph::multiply(const Linear& linear, std::span<const double> x) const {
    const Row weights = numbers(linear.weight);
    Row y(linear.weight.count);
    for (std::size_t r = 0; r < y.size(); ++r)
        y[r] = std::inner_product(x.begin(), x.end(), weights.begin() + static_cast<std::ptrdiff_t>(r * x.size()), 0.0);
    if (linear.bias) addTo(y, elements(linear.bias)); // those of experts are rows of a matrix
    return y;
}

Row NaiveGraph::normed(const NormOp& norm, std::span<const double> x) const {
    Row y(x.begin(), x.end());
    if (!norm) return y;
    const auto count = static_cast<double>(x.size());
    const double mean = norm.kind == NormKind::Layer ? std::accumulate(x.begin(), x.end(), 0.0) / count : 0;
    double squares = 0;
    for (double& value : y) {
        value -= mean;
        squares += value * value;
    }
    const Row weight = norm.weight ? numbers(norm.weight) : Row(x.size(), 1);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] *= weight[i] / std::sqrt(squares / count + static_cast<double>(norm.epsilon));
    if (norm.bias) addTo(y, numbers(norm.bias));
    return y;
}

void NaiveGraph::join(const JoinOp& op, std::span<const float> preceding) {
    const std::size_t width = m_graph.width;
    for (std::size_t t = 0; t < m_x.size(); ++t) {
        const auto of = preceding.subspan(t * width, width);
        Row both = normed(op.tokenNorm, m_x[t]);
        std::ranges::copy(normed(op.precedingNorm, Row(of.begin(), of.end())), std::back_inserter(both));
        m_x[t] = multiply(op.linear, both);
    }
}

void NaiveGraph::run(const LayerInputsOp& op) {
    for (std::size_t t = 0; t < m_x.size(); ++t) {
        Row all = multiply({op.projection, {}}, m_x[t]);
        const Row table = numbers({op.table.tensor, static_cast<std::uint64_t>(m_tokens[t]), 1});
        for (double& value : all) value *= static_cast<double>(op.projectionScale);
        for (std::size_t at = 0; at < all.size(); at += op.each)
            std::ranges::copy(normed(op.norm, std::span(all).subspan(at, op.each)), all.begin() + static_cast<std::ptrdiff_t>(at));
        addTo(all, table, static_cast<double>(op.tableScale));
        for (double& value : all) value *= static_cast<double>(op.sumScale);
        m_inputs[t] = all;
    }
}

void NaiveGraph::rotate(std::optional<std::uint32_t> index, std::size_t position, std::span<double> head) const {
    if (!index) return;
    const RopeOp& rope = m_graph.ropes[*index];
    const auto tables = readRopeTables(m_graph, m_graph.context);
    ASSERT_TRUE(tables);
    const RopeTable& table = (*tables)[*index];
    for (std::size_t j = 0; j < rope.dimensions / 2; ++j) {
        const double angle = static_cast<double>(position) * static_cast<double>(table.frequencies[j]);
        const double c = std::cos(angle) * static_cast<double>(table.magnitude),
                     s = std::sin(angle) * static_cast<double>(table.magnitude);
        double& a = head[rope.halves ? j : 2 * j];
        double& b = head[rope.halves ? j + rope.dimensions / 2 : 2 * j + 1];
        std::tie(a, b) = std::pair(a * c - b * s, a * s + b * c);
    }
}

void NaiveGraph::run(const QkvOp& op) {
    const auto finish = [&](Row& row, const NormOp& norm, std::size_t heads, std::size_t position) {
        if (op.normsWhole) row = normed(norm, row);
        for (std::size_t h = 0; h < heads; ++h) {
            const auto head = rowHead(row, h, op.shape.keyLength);
            if (!op.normsWhole && !op.normsAfterRope) std::ranges::copy(normed(norm, head), head.begin());
            rotate(op.rope, position, head);
            if (op.normsAfterRope) std::ranges::copy(normed(norm, head), head.begin());
        }
    };
    for (std::size_t t = 0; t < m_x.size(); ++t) {
        const Row x = normed(op.norm, m_x[t]);
        Row q = multiply(op.q, x);
        if (op.gates) {
            m_mixed[t] = q;
            q.resize(op.shape.heads * op.shape.keyLength);
            for (std::size_t h = 0; h < op.shape.heads; ++h)
                std::ranges::copy(rowHead(m_mixed[t], 2 * h, op.shape.keyLength), rowHead(q, h, op.shape.keyLength).begin());
        }
        finish(q, op.qNorm, op.shape.heads, t);
        for (double& value : q) value *= queryFactor(op.temperature, t);
        m_queries[t] = q;
        if (!op.k) continue;
        Row k = multiply(op.k, x), v = multiply(op.v, x);
        finish(k, op.kNorm, op.shape.kvHeads, t);
        for (std::size_t h = 0; h < op.shape.kvHeads; ++h) {
            const auto head = rowHead(v, h, op.shape.valueLength);
            std::ranges::copy(normed(op.vNorm, head), head.begin());
        }
        m_caches[op.cache].keys.push_back(k);
        m_caches[op.cache].values.push_back(v);
    }
}

void NaiveGraph::run(const AttendOp& op) {
    const HeadShape& shape = op.shape;
    Cache& cache = m_caches[op.cache];
    const Row sinks = op.sinks ? numbers(op.sinks) : Row(shape.heads, -INFINITY);
    for (std::size_t t = 0; t < m_x.size(); ++t) {
        m_attended[t].assign(shape.heads * shape.valueLength, 0);
        for (std::size_t h = 0; h < shape.heads; ++h) {
            const std::size_t kv = h / (shape.heads / shape.kvHeads);
            const auto query = rowHead(m_queries[t], h, shape.keyLength);
            Row scores;
            for (std::size_t p = 0; p <= t; ++p) {
                const auto key = rowHead(cache.keys[p], kv, shape.keyLength);
                double score = static_cast<double>(op.scale) * std::inner_product(query.begin(), query.end(), key.begin(), 0.0);
                if (op.softcap > 0) score = static_cast<double>(op.softcap) * std::tanh(score / static_cast<double>(op.softcap));
                scores.push_back(sees(op, t, p) ? score : -INFINITY);
            }
            softmax(scores, sinks[h]);
            const auto out = rowHead(m_attended[t], h, shape.valueLength);
            for (std::size_t p = 0; p <= t; ++p)
                for (std::size_t d = 0; d < out.size(); ++d)
                    out[d] += scores[p] * rowHead(cache.values[p], kv, shape.valueLength)[d];
        }
    }
}

bool NaiveGraph::sees(const AttendOp& op, std::size_t token, std::size_t position) const {
    if (op.selects && !m_selected[token].empty() && !m_selected[token][position]) return false;
    if (op.window == 0) return true;
    return op.chunked ? token / op.window == position / op.window : token - position < op.window;
}

void NaiveGraph::run(const LatentQkvOp& op) {
    const HeadShape& shape = op.shape;
    const std::size_t rank = shape.valueLength, each = op.plain + shape.keyLength - rank;
    for (std::size_t t = 0; t < m_x.size(); ++t) {
        const Row x = normed(op.norm, m_x[t]);
        if (op.compress) m_compressed[t] = multiply(op.compress, x);
        Row q = multiply(op.q, op.compress ? normed(op.compressNorm, m_compressed[t]) : x), k = multiply(op.k, x);
        m_queries[t].clear();
        for (std::size_t h = 0; h < shape.heads; ++h) {
            const auto head = rowHead(q, h, each);
            const Row absorbed = multiply({absorbSlice(op, h), {}}, head.first(op.plain));
            rotate(op.rope, t, head.subspan(op.plain));
            m_queries[t].insert(m_queries[t].end(), absorbed.begin(), absorbed.end());
            m_queries[t].insert(m_queries[t].end(), head.begin() + static_cast<std::ptrdiff_t>(op.plain), head.end());
        }
        for (double& value : m_queries[t]) value *= queryFactor(op.temperature, t);
        std::ranges::copy(normed(op.keyNorm, std::span(k).first(rank)), k.begin());
        rotate(op.rope, t, std::span(k).subspan(rank));
        m_caches[op.cache].keys.push_back(k);
        m_caches[op.cache].values.emplace_back(k.begin(), k.begin() + static_cast<std::ptrdiff_t>(rank));
    }
}

void NaiveGraph::run(const HeadwiseOp& op) {
    for (std::size_t t = 0; t < m_x.size(); ++t) {
        const std::size_t columns = m_attended[t].size() / op.heads;
        m_mixed[t].clear();
        for (std::size_t h = 0; h < op.heads; ++h)
            std::ranges::copy(multiply({op.ofHead(h), {}}, rowHead(m_attended[t], h, columns)), std::back_inserter(m_mixed[t]));
    }
}

void NaiveGraph::run(const ProjectOp& op) {
    for (std::size_t t = 0; t < m_x.size(); ++t) {
        Row x = normed(op.norm, m_x[t]);
        if (op.from) {
            const auto from = m_mixed[t].begin() + static_cast<std::ptrdiff_t>(*op.from);
            x.assign(from, from + static_cast<std::ptrdiff_t>(op.matrices[0].weight.tensor->shape.rowLength()));
        }
        m_mixed[t].resize(op.first);
        for (const Linear& matrix : op.matrices)
            if (matrix) std::ranges::copy(multiply(matrix, x), std::back_inserter(m_mixed[t]));
    }
}

void NaiveGraph::run(const ConvOp& op) {
    const Row kernel = elements(op.kernel), bias = op.bias ? numbers(op.bias) : Row(op.channels, 0);
    for (Row& row : m_mixed)
        for (std::size_t c = 0; op.inputGates && c < op.channels; ++c) row[op.first + c] *= row[*op.inputGates + c];
    const std::vector<Row> inputs = m_mixed;
    for (std::size_t t = 0; t < m_x.size(); ++t)
        for (std::size_t c = 0; c < op.channels; ++c) {
            double sum = bias[c];
            for (std::size_t ago = 0; ago < op.width && ago * op.dilation <= t; ++ago)
                sum += kernel[c * op.width + op.width - 1 - ago] * inputs[t - ago * op.dilation][op.first + c];
            m_mixed[t][op.first + c] =
                (op.activation ? act(*op.activation, sum) : sum) * (op.outputGates ? m_mixed[t][*op.outputGates + c] : 1);
        }
}

void NaiveGraph::run(const DeltaNetOp& op) {
    const Row decays = elements(op.decay), biases = elements(op.stepBias);
    const auto decayed = [&](double x, std::size_t head, double bias) {
        return std::exp(decays[head] * std::log1p(std::exp(x + bias)));
    };
    const auto unit = [&op](std::span<const double> x, double scale) {
        Row y(x.begin(), x.end());
        const double squares = std::inner_product(y.begin(), y.end(), y.begin(), static_cast<double>(op.epsilon));
        for (double& value : y) value *= scale / std::sqrt(squares);
        return y;
    };
    for (std::size_t h = 0; h < op.valueHeads; ++h) {
        std::vector<Row> state(op.valueLength, Row(op.keyLength, 0));
        for (std::size_t t = 0; t < m_x.size(); ++t) {
            const std::span<const double> mixed = m_mixed[t];
            const std::size_t key = op.keyHead(h) * op.keyLength;
            const Row q = unit(mixed.subspan(op.queries + key, op.keyLength), 1 / std::sqrt(static_cast<double>(op.keyLength)));
            const Row k = unit(mixed.subspan(op.keys + key, op.keyLength), 1);
            Row decay(op.keyLength);
            for (std::size_t i = 0; i < op.keyLength; ++i)
                decay[i] = op.channelDecays ? decayed(mixed[op.alpha.of(h) + i], h, biases[h * op.keyLength + i])
                                            : decayed(mixed[op.alpha.of(h)], h, biases[h]);
            const double rate = 1 / (1 + std::exp(-mixed[op.beta.of(h)]));
            m_attended[t].resize(op.valueHeads * op.valueLength);
            for (std::size_t r = 0; r < op.valueLength; ++r) {
                Row& row = state[r];
                for (std::size_t i = 0; i < op.keyLength; ++i) row[i] *= decay[i];
                const double error =
                    mixed[op.values + h * op.valueLength + r] - std::inner_product(row.begin(), row.end(), k.begin(), 0.0);
                addTo(row, k, rate * error);
                m_attended[t][h * op.valueLength + r] = std::inner_product(row.begin(), row.end(), q.begin(), 0.0);
            }
        }
    }
}

void NaiveGraph::run(const StateSpaceOp& op) {
    const Row decays = elements(op.decay), biases = elements(op.stepBias), skips = elements(op.skip);
    for (std::size_t h = 0; h < op.heads; ++h) {
        std::vector<Row> state(op.valueLength, Row(op.stateLength, 0));
        for (std::size_t t = 0; t < m_x.size(); ++t) {
            const std::span<const double> mixed = m_mixed[t];
            const auto b = mixed.subspan(op.inputs + op.group(h) * op.stateLength, op.stateLength);
            const auto c = mixed.subspan(op.outputs + op.group(h) * op.stateLength, op.stateLength);
            const double step = std::log1p(std::exp(mixed[op.steps + h] + biases[h]));
            m_attended[t].resize(op.heads * op.valueLength);
            for (std::size_t r = 0; r < op.valueLength; ++r) {
                Row& row = state[r];
                const double value = mixed[op.values + h * op.valueLength + r];
                for (std::size_t i = 0; i < row.size(); ++i) row[i] = row[i] * std::exp(decays[h] * step) + step * value * b[i];
                m_attended[t][h * op.valueLength + r] =
                    std::inner_product(row.begin(), row.end(), c.begin(), 0.0) + skips[h] * value;
            }
        }
    }
}

void NaiveGraph::run(const GateOp& op) {
    for (std::size_t t = 0; t < m_x.size(); ++t)
        for (std::size_t h = 0; h < op.heads; ++h) {
            const auto head = rowHead(m_attended[t], h, op.length);
            Row weights = op.norm.weight ? elements(op.norm.weight) : Row(op.length, 1);
            if (op.ownWeights && op.norm)
                weights.erase(weights.begin(), weights.begin() + static_cast<std::ptrdiff_t>(h * op.length));
            const auto norm = [&] {
                if (!op.norm) return;
                const double squares = std::inner_product(head.begin(), head.end(), head.begin(), 0.0);
                const double mean = squares / static_cast<double>(op.length) + static_cast<double>(op.norm.epsilon);
                for (std::size_t i = 0; i < op.length; ++i) head[i] *= weights[i] / std::sqrt(mean);
            };
            if (!op.gatesFirst) norm();
            for (std::size_t i = 0; i < op.length; ++i) {
                const double gate = m_mixed[t][op.first + h * op.stride + i];
                head[i] *= (op.kind == GateKind::Silu ? gate : 1) / (1 + std::exp(-gate));
            }
            if (op.gatesFirst) norm();
        }
}

void NaiveGraph::run(const ResidualOp& op) {
    for (std::size_t t = 0; t < m_x.size(); ++t) {
        const Row& row = op.input == RowInput::Attended ? m_attended[t] : op.input == RowInput::Hidden ? m_hidden[t] : m_mixed[t];
        const auto input = std::span(row).subspan(op.first);
        const double gate = op.sharedGate ? m_choices[t].sharedGate : 1;
        addTo(target(op.target)[t], normed(op.norm, multiply(op.linear, input)), gate * static_cast<double>(op.scale));
    }
}

void NaiveGraph::run(const GateUpOp& op) {
    for (std::size_t t = 0; t < m_x.size(); ++t) {
        const Row x = normed(op.norm, m_x[t]), up = multiply(op.up, x);
        const Row gate = op.gate ? multiply(op.gate, x) : up;
        m_hidden[t] = gate;
        for (std::size_t i = 0; i < gate.size(); ++i)
            m_hidden[t][i] = op.gate ? gated(op.activation, gate[i], up[i]) : act(op.activation, up[i]);
    }
}

void NaiveGraph::run(const RouteOp& op) {
    for (std::size_t t = 0; t < m_x.size(); ++t) {
        const Row x = normed(op.norm, m_x[t]);
        Row p = multiply(op.router, x);
        for (double& value : p) value *= static_cast<double>(op.logitScale);
        if (op.gating == arch::Gating::Softmax) softmax(p);
        if (op.gating == arch::Gating::Sigmoid)
            for (double& value : p) value = 1 / (1 + std::exp(-value));
        Row scores = p;
        if (op.selectionBias) addTo(scores, numbers(op.selectionBias));
        if (op.groupsUsed < op.groups) keepBestGroups(op, scores);
        std::vector<std::size_t> order(p.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
        Choice& choice = m_choices[t];
        choice.experts.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(op.used));
        choice.weights.clear();
        for (const std::size_t e : choice.experts) choice.weights.push_back(p[e]);
        if (op.gating == arch::Gating::SoftmaxOfChosen) softmax(choice.weights);
        const double sum = op.normalizes ? std::accumulate(choice.weights.begin(), choice.weights.end(), 0.0) : 1;
        for (double& weight : choice.weights) weight *= static_cast<double>(op.scale) / sum;
        for (std::size_t i = 0; op.expertScale && i < op.used; ++i) choice.weights[i] *= numbers(op.expertScale)[choice.experts[i]];
        if (!op.sharedGate) continue;
        const Row gate = numbers({op.sharedGate.tensor, 0, op.sharedGate.tensor->shape.rank() > 1 ? 1 : op.sharedGate.count});
        choice.sharedGate = 1 / (1 + std::exp(-std::inner_product(x.begin(), x.end(), gate.begin(), 0.0)));
    }
}

Row NaiveGraph::expert(const ExpertsOp& op, std::size_t index, const Row& x) const {
    const ExpertMatrices matrices = expertMatrices(op, index);
    const Row up = multiply(matrices.up, x);
    Row hidden = matrices.gate ? multiply(matrices.gate, x) : up;
    for (std::size_t i = 0; i < hidden.size(); ++i)
        hidden[i] = matrices.gate ? gated(op.activation, hidden[i], up[i]) : act(op.activation, up[i]);
    return multiply(matrices.down, hidden);
}

void NaiveGraph::run(const ExpertsOp& op) {
    for (std::size_t t = 0; t < m_x.size(); ++t) {
        Row sum(m_graph.width, 0);
        for (std::size_t i = 0; i < op.used; ++i) {
            const double weight = m_choices[t].weights[i];
            Row x = normed(op.norm, m_x[t]);
            for (double& value : x) value *= op.scalesInputs ? weight : 1;
            addTo(sum, expert(op, m_choices[t].experts[i], x), op.scalesInputs ? 1 : weight);
        }
        addTo(target(op.target)[t], normed(op.outNorm, sum), static_cast<double>(op.scale));
    }
}

void NaiveGraph::run(const LayerInputOp& op) {
    for (std::size_t t = 0; t < m_x.size(); ++t) {
        m_hidden[t] = multiply({op.gate, {}}, m_x[t]);
        for (std::size_t i = 0; i < m_hidden[t].size(); ++i)
            m_hidden[t][i] = act(op.activation, m_hidden[t][i]) * m_inputs[t][op.layer * op.gate.count + i];
    }
}

void NaiveGraph::run(const ScaleOp& op) {
    const double factor = numbers(op.factor)[0];
    for (Row& row : m_x)
        for (double& value : row) value *= factor;
}

std::vector<Row> NaiveGraph::logits() const {
    const HeadOp& op = *m_graph.head;
    std::vector<Row> all;
    for (const Row& x : m_x) {
        Row row = multiply(op.output, normed(op.norm, x));
        for (double& value : row) {
            value *= static_cast<double>(op.scale);
            if (op.softcap > 0) value = static_cast<double>(op.softcap) * std::tanh(value / static_cast<double>(op.softcap));
        }
        all.push_back(std::move(row));
    }
    return all;
}

} // namespace wb::test
