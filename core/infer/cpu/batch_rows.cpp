// SPDX-License-Identifier: MIT
#include "core/infer/cpu/batch_rows.h"

#include "core/infer/cpu/attention.h"

#include <algorithm>

namespace wb::infer::cpu {
namespace {

void widen(std::size_t& width, std::uint64_t to) { width = std::max<std::size_t>(width, to); }

class WidthMeter {
public:
    WidthMeter(Widths& widths, std::size_t width) : m_widths(widths), m_width(width) {}

    void operator()(const QkvOp& op) const {
        widen(m_widths.queries, op.shape.heads * op.shape.keyLength);
        widen(m_widths.keys, op.shape.kvHeads * op.shape.keyLength);
        widen(m_widths.values, op.shape.kvHeads * op.shape.valueLength);
        widen(m_widths.valueLength, op.shape.valueLength);
        if (op.gates) widen(m_widths.mixed, op.q.weight.count);
        if (op.qNorm && !op.qNorm.weight) widen(m_widths.valueLength, op.shape.keyLength);
    }

    void operator()(const AttendOp& op) const { widen(m_widths.attended, op.shape.heads * op.shape.valueLength); }

    void operator()(const LatentQkvOp& op) const {
        widen(m_widths.queries, op.shape.heads * op.shape.keyLength);
        widen(m_widths.keys, op.shape.keyLength);
        widen(m_widths.mixed, op.q.weight.count);
        widen(m_widths.compressed, op.compress.weight.count);
    }

    void operator()(const HeadwiseOp& op) const { widen(m_widths.mixed, op.weight.count); }
    void operator()(const ProjectOp& op) const { widen(m_widths.mixed, op.first + op.numbers()); }
    void operator()(const ConvOp&) const {}

    void operator()(const DeltaNetOp& op) const {
        widen(m_widths.attended, op.valueHeads * op.valueLength);
        widen(m_widths.deltaKeys, op.keyLength);
    }

    void operator()(const StateSpaceOp& op) const { widen(m_widths.attended, op.heads * op.valueLength); }
    void operator()(const GateOp&) const {}
    void operator()(const ResidualOp&) const {}
    void operator()(const GateUpOp& op) const { widen(m_widths.hidden, op.up.weight.count); }

    void operator()(const RouteOp& op) const {
        widen(m_widths.experts, op.experts);
        widen(m_widths.used, op.used);
    }

    void operator()(const ExpertsOp& op) const { widen(m_widths.expertHidden, op.inner); }
    void operator()(const LayerInputOp& op) const { widen(m_widths.hidden, op.gate.count); }
    void operator()(const ScaleOp&) const {}
    void operator()(const AddSumOp&) const { widen(m_widths.sum, m_width); }

    void operator()(const IndexOp& op) const {
        widen(m_widths.indexQueries, op.heads * op.length);
        widen(m_widths.indexKeys, op.length);
        widen(m_widths.indexHeads, op.heads);
        widen(m_widths.selected, op.selected());
    }

    void operator()(const MixStreamsOp& op) const {
        widen(m_widths.streams, op.streams * m_width);
        widen(m_widths.streamCount, op.streams);
        widen(m_widths.streamRank, op.down.weight.count);
        widen(m_widths.mixed, op.streams * m_width);
        widen(m_widths.sum, m_width);
    }

    void operator()(const InjectOp&) const {}

    void operator()(const NgramOp& op) const {
        widen(m_widths.mixed, 2 * op.streams * m_width);
        widen(m_widths.ngrams, op.heads() * op.table.tensor->shape.rowLength());
    }

    void operator()(const AddNgramsOp&) const {}

private:
    Widths& m_widths;
    std::size_t m_width; // of x
};

} // namespace

Widths measureWidths(const Graph& graph) {
    Widths widths;
    const WidthMeter meter(widths, graph.width);
    for (const std::vector<LayerOp>& layer : graph.layers)
        for (const LayerOp& op : layer) std::visit(meter, op);
    if (graph.head && graph.head->mix) meter(*graph.head->mix);
    widen(widths.streams, graph.streams * graph.width);
    if (graph.layerInputs) widths.layerInputs = graph.layerInputs->projection.count;
    widths.columns = std::max<std::size_t>({graph.width, widths.attended, widths.hidden, widths.expertHidden, widths.mixed,
                                            widths.compressed, widths.streams, widths.streamRank, widths.ngrams, widths.indexKeys});
    if (graph.join) widths.columns = std::max<std::size_t>(widths.columns, 2 * graph.width);
    return widths;
}

void BatchRows::plan(CpuMemory& memory, const Graph& graph, const Widths& widths, std::size_t context) {
    const std::size_t width = graph.width;
    x.plan(memory, "x", width, batchTokens);
    queries.plan(memory, "queries", widths.queries, batchTokens);
    keys.plan(memory, "keys", widths.keys, batchTokens);
    values.plan(memory, "values", widths.values, batchTokens);
    mixed.plan(memory, "mixed", widths.mixed, batchTokens);
    compressed.plan(memory, "compressed queries", widths.compressed, batchTokens);
    attended.plan(memory, "attended", widths.attended, batchTokens);
    hidden.plan(memory, "hidden", widths.hidden, batchTokens);
    branch.plan(memory, "branch", width, batchTokens);
    inputs.plan(memory, "inputs", widths.columns, batchTokens);
    sum.plan(memory, "sum", widths.sum, batchTokens);
    planStreams(memory, widths);
    planIndex(memory, widths, context);
    layerInputs.plan(memory, "inputs of the layers", widths.layerInputs, batchTokens);
    layerTable.plan(memory, "embeddings of the layers", widths.layerInputs, batchTokens);
    ones.plan(memory, "ones", widths.valueLength);
    cosines.resize(graph.ropes.size());
    sines.resize(graph.ropes.size());
    for (std::size_t r = 0; r < graph.ropes.size(); ++r) {
        cosines[r].plan(memory, "cosines", graph.ropes[r].dimensions / 2, batchTokens);
        sines[r].plan(memory, "sines", graph.ropes[r].dimensions / 2, batchTokens);
    }
    if (widths.used == 0) return;
    const std::size_t pairs = batchTokens * widths.used;
    const std::size_t maxPairs = pairs + (groupTokens - 1) * std::min(widths.experts, pairs);
    routerLogits.plan(memory, "logits of the router", widths.experts, batchTokens);
    routing.plan(memory, batchTokens, widths.used, maxPairs);
    expertHidden.plan(memory, "hidden of experts", widths.expertHidden, maxPairs);
    expertOut.plan(memory, "results of experts", width, maxPairs);
    expertInputs.plan(memory, "inputs of experts", std::max(width, widths.expertHidden), maxPairs);
}

void BatchRows::planStreams(CpuMemory& memory, const Widths& widths) {
    streams.plan(memory, "streams", widths.streams, batchTokens);
    normedStreams.plan(memory, "streams after their norms", widths.streams, batchTokens);
    streamRank.plan(memory, "mixture of streams", widths.streamRank, batchTokens);
    injection.plan(memory, "injection into streams", widths.streamCount, batchTokens);
    ngrams.plan(memory, "embeddings of n-grams", widths.ngrams, batchTokens);
}

void BatchRows::planIndex(CpuMemory& memory, const Widths& widths, std::size_t context) {
    selectedStride = std::min(widths.selected, context);
    indexQueries.plan(memory, "queries of the indexer", widths.indexQueries, batchTokens);
    indexKeys.plan(memory, "keys of the indexer", widths.indexKeys, batchTokens);
    indexWeights.plan(memory, "weights of the indexer", widths.indexHeads, batchTokens);
    selected.plan(memory, "selected tokens", selectedStride * batchTokens);
    selectedCount.plan(memory, "numbers of selected tokens", widths.indexHeads > 0 ? batchTokens : 0);
}

void BatchRows::clear() const {
    std::ranges::fill(std::span(sum[0], sum.stride * batchTokens), 0.0F);
    inputs.clear();
    if (expertInputs.floats.size() > 0) expertInputs.clear();
    std::ranges::fill(ones.all(), 1.0F);
}

void Scratch::plan(CpuMemory& memory, const Widths& widths, std::size_t context) {
    single.plan(memory, "inputs of a worker", widths.columns, 1);
    row.plan(memory, "row of a worker", widths.columns);
    scores.plan(memory, "scores of a worker", groupTokens * scoreStride(context));
    selection.plan(memory, "selection of a worker", widths.experts);
    order.plan(memory, "order of a worker", widths.experts);
    unitQuery.plan(memory, "query of a worker", widths.deltaKeys);
    unitKey.plan(memory, "key of a worker", widths.deltaKeys);
    const std::size_t indexed = widths.indexHeads > 0 ? scoreStride(context) : 0;
    headScores.plan(memory, "scores of a worker's indexer, by heads", widths.indexHeads * indexedAtOnce);
    indexScores.plan(memory, "scores of a worker's indexer", indexed);
    indexOrder.plan(memory, "order of a worker's indexer", indexed);
}

} // namespace wb::infer::cpu
