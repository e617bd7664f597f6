// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/cpu/cpu_engine.h"
#include "core/infer/cpu/inputs.h"
#include "core/infer/cpu/kv_cache.h"
#include "core/infer/cpu/rows.h"
#include "core/infer/cpu/weights.h"
#include "core/infer/rope.h"
#include "core/jobs/team.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <optional>

namespace wb::infer::cpu {

inline constexpr std::size_t batchTokens = 256;

// What one worker has for itself.
struct Scratch {
    Inputs single;                    // of a batch of one token, so that nobody has to wait for another's copy
    std::vector<float> row;           // a normalized row
    std::vector<float> scores;        // [groupTokens][context], a multiple of keyTile
    std::vector<float> selection;     // what experts are chosen by
    std::vector<std::uint32_t> order; // of the experts
};

struct Dimensions {
    std::size_t width = 0, layers = 0, vocabulary = 0, context = 0;
    std::size_t batch = batchTokens; // tokens at once
    std::size_t maxQueries = 0, maxKeys = 0, maxValues = 0, maxAttended = 0, maxFeedForward = 0, maxColumns = 0;
    std::size_t maxUsed = 0, maxExpertWidth = 0, maxPairs = 0; // of experts; a pair is a token and one of its experts
};

// One evaluation, as all workers see it.
struct Work {
    const Batch* batch = nullptr;
    std::size_t tokens = 0;
    std::size_t outputs = 0; // tokens whose logits are wanted: the last ones
    const std::stop_token* stop = nullptr;
    bool stopped = false; // set by worker 0 before a barrier
};

// Tokens of a batch of activations: `count` of them from the beginning of group `firstGroup`.
struct TokenRun {
    std::size_t firstGroup, count;
};

// What one call of a kernel answers: several panels of one token, or two groups of one panel.
using Tile = std::array<float, panelRows * groupTokens * 2>;
static_assert(widePanels <= groupTokens * 2);

// The pairs of one expert, which lie side by side from the beginning of a group.
struct ExpertRun {
    std::size_t expert, firstPair, count;
};

// The first half of a feed-forward part; `gate` is null where the family has none.
struct GateUp {
    const PanelMatrix *gate, *up;
    const float *gateBias, *upBias;
};

// The engine of the processor: a team of threads goes through the stages in step, each thread with its share of every matrix's
// panels. Members are written between two barriers by one thread each, or by all in disjoint parts.
class Runner final : public Engine {
public:
    static Result<std::unique_ptr<Engine>> make(const Graph& graph, const EngineOptions& options, const Progress& progress);
    static Result<EngineMemory> plan(const Graph& graph, const EngineOptions& options);

    std::string device() const override { return "cpu"; }
    std::size_t vocabulary() const override { return m_size.vocabulary; }
    std::size_t width() const override { return m_size.width; }
    std::size_t layers() const override { return m_size.layers; }
    std::size_t context() const override { return m_size.context; }
    std::size_t maxBatch() const override { return m_size.batch; }
    std::size_t reusable(std::size_t count) const override { return m_cache.canGoOnFrom(count) ? count : 0; }
    EngineLoad load() const override { return m_load; }
    Result<void> evaluate(const Batch& batch, const std::stop_token& stop) override;

private:
    Runner(const Graph& graph, const EngineOptions& options);
    void measureLayers();
    Result<void> allocate(const EngineOptions& options);
    Result<void> claimRows();
    Result<void> claimExperts();
    Result<void> claimScratch();
    Result<void> openEmbeddings(const Graph& graph);
    void makeRopeTables();
    std::uint64_t plannedWork(std::size_t threads) const; // what claimRows, claimExperts and claimScratch claim
    std::uint64_t plannedExperts() const;
    std::uint64_t claimedWork() const;

    Result<void> readEmbeddings(std::span<const Token> tokens, std::size_t position);
    void compute(unsigned worker);
    void computeStage(const Stage& stage, unsigned worker);
    void layerInputs(unsigned worker);
    void normQkv(std::size_t layer, unsigned worker);
    void ropeAttention(std::size_t layer, unsigned worker);
    void outResidual(std::size_t layer, unsigned worker);
    void normGateUp(std::size_t layer, unsigned worker);
    void route(std::size_t layer, unsigned worker);
    void experts(std::size_t layer, unsigned worker);
    void downResidual(std::size_t layer, unsigned worker);
    void addLayerInput(std::size_t layer, unsigned worker);
    void head(unsigned worker);
    void copyHidden(std::size_t layer, unsigned worker);

    jobs::Range mine(std::size_t count, unsigned worker) const { return jobs::share(count, worker, m_team->size()); }
    TokenRun allTokens() const { return {0, m_work.tokens}; }

    // The row after the norm, in `out`, or `x` itself where there is no norm.
    const float* normalize(const Norm& norm, const float* x, float* out) const;

    // Prepares the rows row(token) for matrices of these formats and returns where the worker finds them.
    template <class Row>
    const Inputs& prepare(std::initializer_list<const PanelMatrix*> matrices, std::size_t tokens, unsigned worker, Row row);

    // Calls sink(row, rows, token, tokens, tile, stride) for every tile of the panels in the range.
    template <class Sink>
    void multiply(const PanelMatrix& matrix, const Inputs& inputs, TokenRun run, jobs::Range panels, Sink sink) const;
    // Of several panels, or of several groups.
    void computeTile(const PanelMatrix& matrix, const Inputs& inputs, std::size_t panel, std::size_t panels, std::size_t group,
                     std::size_t groups, float* out) const;

    // out(token) = W · x + bias, which may be null.
    template <class Out>
    void project(const PanelMatrix& matrix, const float* bias, const Inputs& inputs, TokenRun run, jobs::Range panels,
                 Out out) const;

    // out(token) = the inner numbers of a feed-forward part.
    template <class Out>
    void gateAndUp(const GateUp& matrices, const Inputs& inputs, TokenRun run, jobs::Range panels, Out out) const;

    // x += factor · norm(W · inputs + bias), where factors, one a token, may be null. Ends without a barrier.
    void addProjection(const PanelMatrix& matrix, const std::vector<float>& bias, const Norm& norm, const float* factors,
                       const Inputs& inputs, unsigned worker);

    void normWholeRows(std::size_t layer, unsigned worker);
    void storeToken(std::size_t layer, std::size_t token, std::size_t head);
    void storeValue(std::size_t layer, std::size_t token, std::size_t head) const;
    void rotateHead(std::size_t layer, std::size_t token, float* head) const;
    void scaleQuery(std::size_t position, std::span<float> query) const;
    void attend(std::size_t layer, std::size_t head, std::size_t firstToken, std::size_t tokens, unsigned worker);
    // Calls use(first, end, turn) for the runs of positions that lie side by side in a layer's cache; the first of them has the
    // place first - turn.
    template <class Use>
    void forRuns(std::size_t cached, std::size_t first, std::size_t end, Use use) const;
    void weighScores(std::size_t layer, std::size_t head, std::size_t first, std::size_t end, std::size_t paddedEnd,
                     float* row) const;

    void chooseExperts(std::size_t layer, std::size_t token, Scratch& scratch);
    void gateProbabilities(std::span<float> logits) const;
    void weighChosen(std::span<float> weights) const;
    void groupPairs(std::size_t layer);
    void fillExpertInputs(std::initializer_list<const PanelMatrix*> matrices, const Rows& rows, bool byToken, unsigned worker);
    const Inputs& ownInput(std::initializer_list<const PanelMatrix*> matrices, const float* row, unsigned worker);
    void runExperts(std::size_t layer, unsigned worker);
    void combineExperts(std::size_t layer, unsigned worker);

    ModelPtr m_model;
    arch::ModelSpec m_spec;
    std::vector<Stage> m_stages;
    std::optional<TensorReader> m_embedding, m_positions, m_layerEmbedding;
    Dimensions m_size;
    Kernels m_kernels;
    Weights m_weights;
    KvCache m_cache;
    std::unique_ptr<jobs::Team> m_team;

    std::vector<RopeTable> m_ropeTables;
    std::vector<std::size_t> m_ropeOfLayer; // index into m_ropeTables
    std::vector<Rows> m_cosines, m_sines;   // for each table, a row for each token

    Rows m_x, m_queries, m_keys, m_values, m_attended, m_hidden;
    Rows m_branch;      // what a half of a layer adds to x, where a norm stands before it; rows for experts
    Rows m_layerInputs; // [layers][perLayerInput] a token
    Rows m_layerEmbeddings;
    Inputs m_inputs; // of a batch of several tokens

    Rows m_routerLogits, m_expertHidden, m_expertOut; // of tokens, and of pairs
    Inputs m_expertInputs;
    std::vector<std::uint32_t> m_chosen;  // [tokens][used] experts
    std::vector<float> m_chosenWeights;   // [tokens][used]
    std::vector<std::uint32_t> m_pairOf;  // [tokens][used]: where the pair lies
    std::vector<std::uint32_t> m_tokenOf; // of a pair; noPairToken in the gaps between runs
    std::vector<ExpertRun> m_runs;
    std::size_t m_pairs = 0; // with the gaps
    std::vector<float> m_sharedFactors;

    std::vector<float> m_ones;
    std::vector<Scratch> m_scratch;
    std::vector<std::byte> m_embeddingBytes;
    EngineLoad m_load;
    Work m_work;
};

inline constexpr std::uint32_t noPairToken = 0xffff'ffff;

bool anyInteger(std::initializer_list<const PanelMatrix*> matrices);
bool anyFloat(std::initializer_list<const PanelMatrix*> matrices);
inline const float* dataOrNull(const std::vector<float>& numbers) { return numbers.empty() ? nullptr : numbers.data(); }

template <class Row>
const Inputs& Runner::prepare(std::initializer_list<const PanelMatrix*> matrices, std::size_t tokens, unsigned worker, Row row) {
    const std::size_t columns = (*matrices.begin())->columns;
    if (tokens == 1) return ownInput(matrices, row(0), worker);
    if (worker == 0) m_inputs.begin(columns, tokens, anyFloat(matrices), anyInteger(matrices));
    m_team->barrier();
    const jobs::Range range = mine(tokens, worker);
    for (std::size_t t = range.begin; t < range.end; ++t) m_inputs.set(m_kernels, t, row(t));
    m_team->barrier();
    return m_inputs;
}

template <class Sink>
void Runner::multiply(const PanelMatrix& matrix, const Inputs& inputs, TokenRun run, jobs::Range range, Sink sink) const {
    alignas(64) Tile tile;
    const auto emit = [&](std::size_t panel, std::size_t panels, std::size_t group, std::size_t groups) {
        computeTile(matrix, inputs, panel, panels, run.firstGroup + group, groups, tile.data());
        const std::size_t row = panel * panelRows, first = group * inputs.width;
        sink(row, std::min<std::size_t>(panels * panelRows, matrix.rows - row), first,
             std::min(groups * inputs.width, run.count - first), tile.data(), panels * panelRows);
    };
    if (inputs.width == 1) {
        for (std::size_t p = range.begin; p < range.end;) {
            const std::size_t panels = p + widePanels <= range.end ? widePanels : 1;
            emit(p, panels, 0, 1);
            p += panels;
        }
        return;
    }
    // A few panels at a time, so that the activations are not read anew for each.
    const std::size_t count = groupCount(run.count, inputs.width);
    const std::size_t side = m_kernels.multiplyTwoGroups[static_cast<std::size_t>(matrix.format->type)] ? 2 : 1;
    for (std::size_t p = range.begin; p < range.end; p += widePanels)
        for (std::size_t group = 0; group < count; group += side)
            for (std::size_t i = p; i < std::min(p + widePanels, range.end); ++i) emit(i, 1, group, std::min(side, count - group));
}

template <class Out>
void Runner::project(const PanelMatrix& matrix, const float* bias, const Inputs& inputs, TokenRun run, jobs::Range panels,
                     Out out) const {
    multiply(matrix, inputs, run, panels,
             [&](std::size_t row, std::size_t rows, std::size_t token, std::size_t tokens, const float* tile, std::size_t stride) {
                 for (std::size_t t = 0; t < tokens; ++t) {
                     float* const to = out(token + t) + row;
                     std::copy_n(tile + t * stride, rows, to);
                     if (bias) m_kernels.addScaled(to, bias + row, 1, rows);
                 }
             });
}

template <class Out>
void Runner::gateAndUp(const GateUp& m, const Inputs& inputs, TokenRun run, jobs::Range panels, Out out) const {
    const Activate activate = m_kernels.activate[static_cast<std::size_t>(m_spec.activation)];
    alignas(64) Tile up;
    const auto finish = [&](float* to, float* upRow, std::size_t row, std::size_t rows) {
        const float* const bias = m.gate ? m.gateBias : m.upBias;
        if (bias) m_kernels.addScaled(to, bias + row, 1, rows);
        if (m.gate && m.upBias) m_kernels.addScaled(upRow, m.upBias + row, 1, rows);
        activate(to, m.gate ? upRow : nullptr, rows);
    };
    multiply(m.gate ? *m.gate : *m.up, inputs, run, panels,
             [&](std::size_t row, std::size_t rows, std::size_t token, std::size_t tokens, const float* tile, std::size_t stride) {
                 const std::size_t group = run.firstGroup + token / inputs.width;
                 const std::size_t groups = groupCount(tokens, inputs.width);
                 if (m.gate) computeTile(*m.up, inputs, row / panelRows, stride / panelRows, group, groups, up.data());
                 for (std::size_t t = 0; t < tokens; ++t) {
                     float* const to = out(token + t) + row;
                     std::copy_n(tile + t * stride, rows, to);
                     finish(to, up.data() + t * stride, row, rows);
                 }
             });
}

} // namespace wb::infer::cpu
