// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/cpu/attention.h"
#include "core/infer/cpu/batch_rows.h"
#include "core/infer/cpu/cpu_engine.h"
#include "core/infer/cpu/kv_cache.h"
#include "core/infer/cpu/kernels/products.h"
#include "core/infer/cpu/kernels/recurrent_kernels.h"
#include "core/infer/cpu/recurrent_state.h"
#include "core/infer/graph/rope.h"
#include "core/model/tensor_reader.h"

namespace wb::infer::cpu {

// One evaluation, as all workers see it.
struct Work {
    const Batch* batch = nullptr;
    std::size_t tokens = 0;
    std::size_t outputs = 0; // tokens whose logits are wanted: the last ones
    const std::stop_token* stop = nullptr;
    bool stopped = false; // set by worker 0 before a barrier
};

// The engine of the CPU: a team of threads runs the steps of a graph side by side, each thread with its share of every
// matrix's panels. transformer.cpp, latent.cpp, recurrent.cpp, streams.cpp and indexer.cpp have the steps, runner.cpp what is
// around them.
class Runner final : public Engine {
public:
    static Result<std::unique_ptr<Engine>> make(const Graph& graph, const EngineOptions& options, const Progress& progress);
    static Result<EngineMemory> plan(const Graph& graph, const EngineOptions& options);

    std::string device() const override { return "cpu"; }
    std::size_t vocabulary() const override { return m_graph.vocabulary; }
    std::size_t width() const override { return m_graph.width; }
    std::size_t layers() const override { return m_program.layers.size(); }
    std::size_t hiddenWidth(std::size_t layer) const override {
        const bool isMixed = m_graph.streams == 0 || (layer == layers() && m_program.head);
        return isMixed ? width() : m_rows.streams.stride;
    }
    std::size_t context() const override { return m_context; }
    std::size_t maxBatch() const override { return m_maxBatch; }
    std::size_t tailTokens() const override { return m_state.isEmpty() ? 0 : stateTailTokens; }
    std::size_t reusable(std::size_t count) const override;
    EngineLoad load() const override { return m_load; }
    Result<void> evaluate(const Batch& batch, const std::stop_token& stop) override;
    Result<void> readCache(const CachedRange& range, CachedRows& rows) override;
    Result<void> writeCache(const CachedRange& range, const CachedRows& rows) override;

private:
    // Adds all buffers to m_memory, and claims none.
    Runner(const Graph& graph, const EngineOptions& options, unsigned threads);
    void dropPlan();
    Result<void> openEmbeddings();
    Result<void> readEmbeddings(std::span<const Token> tokens, std::size_t position);
    Result<void> readNgrams(std::span<const Token> tokens);

    // What every worker does for a batch.
    void compute(unsigned worker);
    void computeAngles(unsigned worker);
    bool isStopped(std::size_t layer, unsigned worker);
    void copyHidden(std::size_t layer, unsigned worker);

    // The steps. Each ends with a barrier.
    void run(const JoinStep& step, unsigned worker);
    void run(const LayerInputsStep& step, unsigned worker);
    void run(const QkvStep& step, unsigned worker);
    void run(const AttendStep& step, unsigned worker);
    void run(const LatentQkvStep& step, unsigned worker);
    void run(const HeadwiseStep& step, unsigned worker);
    void run(const ProjectStep& step, unsigned worker);
    void run(const ConvStep& step, unsigned worker);
    void run(const DeltaNetStep& step, unsigned worker);
    void run(const StateSpaceStep& step, unsigned worker);
    void run(const GateStep& step, unsigned worker);
    void run(const ResidualStep& step, unsigned worker);
    void run(const GateUpStep& step, unsigned worker);
    void run(const RouteStep& step, unsigned worker);
    void run(const ExpertsStep& step, unsigned worker);
    void run(const LayerInputStep& step, unsigned worker);
    void run(const ScaleStep& step, unsigned worker);
    void run(const AddSumStep& step, unsigned worker);
    void run(const IndexStep& step, unsigned worker);
    void run(const MixStreamsStep& step, unsigned worker);
    void run(const InjectStep& step, unsigned worker);
    void run(const NgramStep& step, unsigned worker);
    void run(const AddNgramsStep& step, unsigned worker);
    void run(const HeadStep& step, unsigned worker);

    void computeChannelDecays(const DeltaNetStep& step, unsigned worker);
    void runStateRows(const StateSpaceStep& step, std::size_t head, jobs::Range rows);
    void convolve(const ConvStep& step, std::size_t begin, std::size_t count);
    void runDeltaRows(const DeltaNetStep& step, std::size_t head, jobs::Range rows, unsigned worker);
    void normWholeRows(const QkvStep& step, unsigned worker);
    void storeHead(const QkvStep& step, std::size_t token, std::size_t head);
    void storeValue(const QkvStep& step, std::size_t token, std::size_t head);
    void rotateHead(std::optional<std::uint32_t> rope, std::size_t token, float* head) const;
    void multiplySingle(const Matrix& matrix, const float* row, float* out, unsigned worker);
    void absorbQuery(const LatentQkvStep& step, std::size_t token, std::size_t head, unsigned worker);
    void storeLatent(const LatentQkvStep& step, std::size_t token);
    void addResidual(const ResidualStep& step, const Inputs& inputs, unsigned worker);
    void multiplyExperts(const ExpertsStep& step, unsigned worker);
    void addExperts(const ExpertsStep& step, unsigned worker);
    const Rows& targetRows(RowTarget target) const { return target == RowTarget::X ? m_rows.x : m_rows.sum; }

    void normStreams(const Norm& norm, const float* streams, float* out) const;
    void gateNgrams(const NgramStep& step, std::size_t token) const;
    void rememberTokens(const NgramStep& step) const;

    void rotateIndexQueries(const IndexStep& step, unsigned worker);
    void storeIndexKeys(const IndexStep& step, unsigned worker);
    void storeBlockKeys(const IndexStep& step, unsigned worker);
    void selectTokens(const IndexStep& step, std::size_t token, unsigned worker);
    void scoreIndex(const IndexStep& step, std::size_t token, std::size_t keys, unsigned worker);
    void attendSelected(const AttendStep& step, const HeadTask& task, std::size_t token) const;

    // The worker's share of so many things.
    jobs::Range mine(std::size_t count, unsigned worker) const { return jobs::share(count, worker, m_team->size()); }
    jobs::Range myTokens(unsigned worker) const { return mine(m_work.tokens, worker); }
    TokenRun allTokens() const { return {0, m_work.tokens}; }
    Activate activation(Activation type) const { return m_kernels.activate[static_cast<std::size_t>(type)]; }

    // The row after the norm, in `out`, or `x` itself where there is no norm.
    const float* normed(const Norm& norm, const float* x, float* out) const;

    // Prepares the rows row(token) for these matrices and returns where the worker finds them. A single token every worker prepares
    // for itself, without a barrier.
    template <class Row>
    const Inputs& prepare(std::initializer_list<const Matrix*> matrices, std::size_t tokens, unsigned worker, Row row);
    const Inputs& prepareSingle(std::initializer_list<const Matrix*> matrices, const float* row, unsigned worker);
    // The same for pairs of a token and an expert: rows of tokens, or of pairs.
    void prepareExperts(const Matrix& matrix, const Matrix& other, const Rows& rows, bool byToken, unsigned worker);

    Graph m_graph; // without its layers once the program is made
    const std::size_t m_context;
    std::size_t m_maxBatch = batchTokens;
    const Kernels m_kernels;
    const RecurrentKernels m_recurrentKernels;
    std::optional<TensorReader> m_embedding, m_positions, m_layerTable, m_ngramTable;
    std::vector<std::byte> m_embeddingBytes;

    CpuMemory m_memory;
    Weights m_weights;
    KvCache m_cache;
    RecurrentState m_state;
    BatchRows m_rows;
    std::vector<Scratch> m_scratch; // of each worker

    std::vector<RopeTable> m_ropes; // of Graph::ropes
    Program m_program;
    const NgramStep* m_ngrams = nullptr; // of the program; null: none
    std::unique_ptr<jobs::Team> m_team;
    EngineLoad m_load;
    Work m_work;
};

bool anyInteger(std::initializer_list<const Matrix*> matrices);
bool anyFloat(std::initializer_list<const Matrix*> matrices);

template <class Row>
const Inputs& Runner::prepare(std::initializer_list<const Matrix*> matrices, std::size_t tokens, unsigned worker, Row row) {
    if (tokens == 1) return prepareSingle(matrices, row(0), worker);
    Inputs& inputs = m_rows.inputs;
    if (worker == 0) inputs.begin((*matrices.begin())->panels->columns, tokens, anyFloat(matrices), anyInteger(matrices));
    m_team->barrier();
    const jobs::Range range = mine(tokens, worker);
    for (std::size_t t = range.begin; t < range.end; ++t) inputs.set(m_kernels, t, row(t));
    m_team->barrier();
    return inputs;
}

} // namespace wb::infer::cpu
