// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kernels/exact.h"
#include "core/infer/cpu/runner.h"

#include <cmath>

// The steps of recurrent layers and of gates, as operations.h defines them, shared among the workers as in transformer.cpp.
namespace wb::infer::cpu {
namespace {

constexpr std::size_t channelStep = 16; // channels of a convolution that one worker takes together

} // namespace

// mixed = W norm(x) + b of each matrix, or W y + b of numbers in `mixed`
void Runner::run(const ProjectStep& s, unsigned worker) {
    const auto& [m0, m1, m2, m3, m4, m5] = s.matrices;
    const Inputs& x = prepare({&m0, &m1, &m2, &m3, &m4, &m5}, m_work.tokens, worker, [&](std::size_t t) -> const float* {
        return s.op.from ? m_rows.mixed[t] + *s.op.from : normed(s.norm, m_rows.x[t], m_scratch[worker].row.data());
    });
    std::size_t panels = 0, first = s.op.first, firstPanel = 0;
    for (const Matrix& matrix : s.matrices) panels += matrix.panelCount();
    const jobs::Range own = mine(panels, worker);
    for (const Matrix& matrix : s.matrices) {
        if (!matrix) break;
        const std::size_t count = matrix.panelCount();
        const jobs::Range range = {std::clamp(own.begin, firstPanel, firstPanel + count) - firstPanel,
                                   std::clamp(own.end, firstPanel, firstPanel + count) - firstPanel};
        multiplyAddBias(m_kernels, matrix, x, allTokens(), range, [&](std::size_t t) { return m_rows.mixed[t] + first; });
        firstPanel += count;
        first += matrix.panels->rows;
    }
    m_team->barrier();
}

// mixed = act(Σ kernel * mixed of the last tokens + b)
void Runner::run(const ConvStep& s, unsigned worker) {
    const std::size_t steps = (s.op.channels + channelStep - 1) / channelStep;
    const jobs::Range own = mine(steps, worker);
    const std::size_t begin = own.begin * channelStep, end = std::min<std::size_t>(own.end * channelStep, s.op.channels);
    if (begin < end) {
        const std::size_t count = end - begin;
        const auto multiplyBy = [&](std::optional<std::uint64_t> gates) {
            for (std::size_t t = 0; gates && t < m_work.tokens; ++t) {
                float* const row = m_rows.mixed[t];
                for (std::size_t c = begin; c < end; ++c) row[s.op.first + c] *= row[*gates + c];
            }
        };
        multiplyBy(s.op.inputGates);
        convolve(s, begin, count);
        if (s.op.activation)
            for (std::size_t t = 0; t < m_work.tokens; ++t)
                activation (*s.op.activation)(m_rows.mixed[t] + s.op.first + begin, nullptr, count);
        multiplyBy(s.op.outputGates);
    }
    m_team->barrier();
}

// Positions with the same remainder by the dilation are convolved by themselves.
void Runner::convolve(const ConvStep& s, std::size_t begin, std::size_t count) {
    const std::size_t dilation = s.op.dilation, stride = m_rows.mixed.stride, kept = (s.op.width - 1) * s.op.channels;
    for (std::size_t first = 0; first < std::min(dilation, m_work.tokens); ++first) {
        float* const history = m_state.at(s.op.state) + (m_work.batch->position + first) % dilation * kept;
        m_recurrentKernels.convolve({m_rows.mixed[first] + s.op.first + begin, stride * dilation,
                                     (m_work.tokens - first + dilation - 1) / dilation, count, s.kernel + begin * s.op.width,
                                     s.op.width, s.bias ? s.bias + begin : nullptr, history + begin, s.op.channels});
    }
}

// attended = S q, where S follows the delta rule. Rows of S do not depend on each other, so they are dealt out.
void Runner::run(const DeltaNetStep& s, unsigned worker) {
    if (s.op.channelDecays) computeChannelDecays(s, worker);
    const std::size_t each = s.op.valueLength;
    const jobs::Range own = mine(s.op.valueHeads * each, worker);
    for (std::size_t row = own.begin; row < own.end;) {
        const std::size_t head = row / each, end = std::min(own.end, (head + 1) * each);
        runDeltaRows(s, head, {row - head * each, end - head * each}, worker);
        row = end;
    }
    m_team->barrier();
}

void Runner::runDeltaRows(const DeltaNetStep& s, std::size_t head, jobs::Range rows, unsigned worker) {
    const DeltaNetOp& op = s.op;
    const Scratch& scratch = m_scratch[worker];
    const std::size_t key = op.keyHead(head) * op.keyLength, row = head * op.valueLength + rows.begin;
    const float scale = 1.0F / std::sqrt(static_cast<float>(op.keyLength));
    DeltaTask task{};
    task.state = m_state.at(op.state) + row * op.keyLength;
    task.rows = rows.end - rows.begin;
    task.columns = op.keyLength;
    task.query = scratch.unitQuery.data();
    task.key = scratch.unitKey.data();
    for (std::size_t t = 0; t < m_work.tokens; ++t) {
        const float* const mixed = m_rows.mixed[t];
        m_recurrentKernels.toLength(mixed + op.queries + key, op.keyLength, op.epsilon, scale, scratch.unitQuery.data());
        m_recurrentKernels.toLength(mixed + op.keys + key, op.keyLength, op.epsilon, 1, scratch.unitKey.data());
        const float* const alpha = mixed + op.alpha.of(head);
        if (op.channelDecays) task.decays = alpha; // computeChannelDecays() has replaced them
        else task.decay = decayed(s.decay[head], softplus(*alpha + s.stepBias[head]));
        task.rate = gated(1.0F, mixed[op.beta.of(head)]); // sigmoid
        task.values = mixed + op.values + row;
        task.out = m_rows.attended[t] + row;
        m_recurrentKernels.applyDelta(task);
    }
}

// Each alpha becomes what its channel is multiplied by, before all workers use them.
void Runner::computeChannelDecays(const DeltaNetStep& s, unsigned worker) {
    const DeltaNetOp& op = s.op;
    const jobs::Range own = mine(m_work.tokens * op.valueHeads, worker);
    for (std::size_t i = own.begin; i < own.end; ++i) {
        const std::size_t token = i / op.valueHeads, head = i % op.valueHeads;
        m_recurrentKernels.decayColumns(m_rows.mixed[token] + op.alpha.of(head), s.stepBias + head * op.keyLength, s.decay[head],
                                        op.keyLength);
    }
    m_team->barrier();
}

// attended = S c + skip * v, where S is the state of Mamba-2. Rows of S are dealt out as above.
void Runner::run(const StateSpaceStep& s, unsigned worker) {
    const std::size_t each = s.op.valueLength;
    const jobs::Range own = mine(s.op.heads * each, worker);
    for (std::size_t row = own.begin; row < own.end;) {
        const std::size_t head = row / each, end = std::min(own.end, (head + 1) * each);
        runStateRows(s, head, {row - head * each, end - head * each});
        row = end;
    }
    m_team->barrier();
}

void Runner::runStateRows(const StateSpaceStep& s, std::size_t head, jobs::Range rows) {
    const StateSpaceOp& op = s.op;
    const std::size_t row = head * op.valueLength + rows.begin, group = op.group(head) * op.stateLength;
    StateSpaceTask task{};
    task.state = m_state.at(op.state) + row * op.stateLength;
    task.rows = rows.end - rows.begin;
    task.columns = op.stateLength;
    task.skip = s.skip[head];
    for (std::size_t t = 0; t < m_work.tokens; ++t) {
        const float* const mixed = m_rows.mixed[t];
        task.rate = softplus(mixed[op.steps + head] + s.stepBias[head]);
        task.decay = decayed(s.decay[head], task.rate);
        task.input = mixed + op.inputs + group;
        task.output = mixed + op.outputs + group;
        task.values = mixed + op.values + row;
        task.out = m_rows.attended[t] + row;
        m_recurrentKernels.applyStateSpace(task);
    }
}

// attended = norm(attended) * act(gate) for each head, or norm(attended * act(gate))
void Runner::run(const GateStep& s, unsigned worker) {
    const GateOp& op = s.op;
    const auto gate = op.kind == GateKind::Silu ? m_recurrentKernels.gateSilu : m_recurrentKernels.gateSigmoid;
    const jobs::Range own = mine(m_work.tokens * op.heads, worker);
    for (std::size_t i = own.begin; i < own.end; ++i) {
        const std::size_t token = i / op.heads, head = i % op.heads;
        float* const values = m_rows.attended[token] + head * op.length;
        Norm norm = s.norm;
        if (norm && op.ownWeights) norm.weight += head * op.length;
        if (!op.gatesFirst) normed(norm, values, values);
        gate(values, m_rows.mixed[token] + op.first + head * op.stride, op.length);
        if (op.gatesFirst) normed(norm, values, values);
    }
    m_team->barrier();
}

} // namespace wb::infer::cpu
