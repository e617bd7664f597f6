// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/engine.h"
#include "core/infer/graph/graph.h"

#include <span>
#include <vector>

namespace wb::test {

// The operations of a graph as their definitions say (core/infer/graph/operations.h), in f64 and without a thought of speed: all
// tokens from position 0 on, one operation after the other.
class NaiveGraph {
public:
    using Row = std::vector<double>;

    // `preceding`: of graphs with a JoinOp, as in Batch.
    NaiveGraph(const infer::Graph& graph, std::span<const infer::Token> tokens, std::span<const float> preceding = {});

    // Of each token after the last layer: x, or all residual streams side by side.
    const std::vector<Row>& x() const { return m_graph.streams > 0 ? m_streams : m_x; }

    std::vector<Row> logits() const;

private:
    void join(const infer::JoinOp& op, std::span<const float> preceding);
    void run(const infer::LayerInputsOp& op);
    void run(const infer::QkvOp& op);
    void run(const infer::AttendOp& op);
    void run(const infer::LatentQkvOp& op);
    void run(const infer::HeadwiseOp& op);
    void run(const infer::ProjectOp& op);
    void run(const infer::ConvOp& op);
    void run(const infer::DeltaNetOp& op);
    void run(const infer::StateSpaceOp& op);
    void run(const infer::GateOp& op);
    void run(const infer::ResidualOp& op);
    void run(const infer::GateUpOp& op);
    void run(const infer::RouteOp& op);
    void run(const infer::ExpertsOp& op);
    void run(const infer::LayerInputOp& op);
    void run(const infer::ScaleOp& op);
    void run(const infer::AddSumOp& op);
    void run(const infer::IndexOp& op);
    void run(const infer::MixStreamsOp& op);
    void run(const infer::InjectOp& op);
    void run(const infer::NgramOp& op);
    void run(const infer::AddNgramsOp& op);

    Row numbers(const infer::Slice& rows) const;
    Row elements(const infer::Slice& numbers) const;
    Row multiply(const infer::Linear& linear, std::span<const double> x) const;
    Row normed(const infer::NormOp& norm, std::span<const double> x) const;
    Row normedStreams(const infer::NormOp& norm, const Row& streams) const;
    Row ngramRows(const infer::NgramOp& op, std::size_t token) const;
    bool sees(const infer::AttendOp& op, std::size_t token, std::size_t position) const;
    std::vector<Row>& target(infer::RowTarget target) { return target == infer::RowTarget::X ? m_x : m_sum; }
    void rotate(std::optional<std::uint32_t> index, std::size_t position, std::span<double> head) const;
    Row expert(const infer::ExpertsOp& op, std::size_t index, const Row& x) const;

    struct Cache {
        std::vector<Row> keys, values; // of each position
    };
    struct Choice {
        std::vector<std::size_t> experts;
        Row weights;
        double sharedGate = 1;
    };

    const infer::Graph& m_graph;
    std::vector<infer::Token> m_tokens;
    std::vector<Row> m_x, m_queries, m_mixed, m_attended, m_hidden, m_inputs, m_compressed;
    std::vector<Row> m_sum, m_streams, m_injection;
    std::vector<std::vector<bool>> m_selected; // of each token, by positions; empty: all
    std::vector<Cache> m_caches;
    std::vector<Choice> m_choices;
};

} // namespace wb::test
