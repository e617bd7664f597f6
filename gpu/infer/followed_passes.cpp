// SPDX-License-Identifier: MIT
#include "gpu/infer/layer_recorder.h"

// Small steps of a single token that the product before them does at its end (FollowUp).
namespace wb::gpu {

const Prepared& LayerRecorder::nextRoom() const {
    return isSame(m_input.codes, m_buffers.prepared.codes) ? m_buffers.followed : m_buffers.prepared;
}

namespace {

// Rows whose records a workgroup encodes at once (codes.glsl: eight invocations a record), or fewer.
std::uint32_t encodedRows(std::uint32_t rows) {
    std::uint32_t unit = WB_RECORD_COLUMNS * WB_LANES / 8;
    while (unit > WB_RECORD_COLUMNS && rows % unit != 0) unit /= 2;
    return unit;
}

} // namespace

// All rows are needed for a norm; without one records are encoded as soon as they are complete.
Result<void> LayerRecorder::runThenPrepare(MultiplyStep step, const View& to, const NormStep* added) {
    const View& rows = added ? *added->x : to;
    const std::optional<PrepareStep> next = nextInput();
    const bool hasNorm = next && next->norm.kind != infer::NormKind::None,
               isEncoded = next && next->codes && !next->floats && !added;
    const bool prepares = next && (hasNorm || isEncoded) && isSame(next->rows, rows) && isDense(next->place) &&
                          next->rowsOfToken == 1 && !next->gates && next->columns == step.matrix->rows;
    FollowUp then{.unit = narrow(step.matrix->rows), .added = added};
    if (prepares) {
        if (!hasNorm) then.unit = encodedRows(next->columns);
        then.norm = next->norm;
        then.floats = next->floats;
        then.codes = next->codes;
        then.to = nextRoom();
    }
    then.counters = m_buffers.counterArea(m_counterArea);
    MultiplyStep followed = step;
    followed.fast = &m_fast;
    followed.then = &then;
    if (!m_fast.followUps || (!prepares && !added) || !canFollow(m_device, m_sizes, followed)) {
        WB_TRY(run(step, to));
        return added ? normRows(m_device, m_recorder, m_sizes, *added) : Result<void>();
    }
    ++m_counterArea;
    WB_TRY(run(followed, to));
    if (prepares) m_input = then.to;
    m_isReady = prepares;
    return {};
}

Result<bool> LayerRecorder::multiplyPair(const infer::GateUpOp& op) {
    if (!m_fast.followUps || !op.gate) return false;
    const std::optional<DeviceMatrix> pair = m_buffers.weights.pair(op.gate, op.up);
    if (!pair) return false;
    const MultiplyStep step{.matrix = &*pair, .epilogue = WB_STORE, .activation = op.activation, .fast = &m_fast, .paired = true};
    if (!canFollow(m_device, m_sizes, step)) return false;
    WB_TRY(runThenPrepare(step, m_buffers.hidden));
    return true;
}

Result<bool> LayerRecorder::projectHeads(const infer::QkvOp& op) {
    const infer::HeadShape& shape = op.shape;
    const bool isWhole = op.normsWhole && (op.qNorm || op.kNorm);
    const std::uint64_t cacheBytes = shape.kvHeads * positions() * std::max(keyBytes(shape), valueBytes(shape));
    if (!m_fast.followUps || op.gates || isWhole || op.normsAfterRope || temperatureFactors(op.temperature) ||
        cacheBytes > m_device.info().viewBytes)
        return false;
    struct Heads {
        const infer::Linear* linear;
        const infer::NormOp* norm;
        const View* rows;
        RotateStep rotation;
        View to;
        FollowUp then = {};
        MultiplyStep product = {};
    };
    std::vector<Heads> all{{&op.q, &op.qNorm, &m_buffers.queries,
                            rotation(op.rope, m_buffers.queries, shape.heads, shape.keyLength), m_buffers.rotated}};
    if (op.k) {
        const DeviceBuffers::Cache& cache = m_buffers.caches[op.cache];
        all.push_back({&op.k, &op.kNorm, &m_buffers.keys,
                       storing(rotation(op.rope, m_buffers.keys, shape.kvHeads, shape.keyLength), m_options.keys, positions()),
                       cache.keys});
        all.push_back({&op.v, &op.vNorm, &m_buffers.values,
                       storing(rotation({}, m_buffers.values, shape.kvHeads, shape.valueLength), m_options.values, positions()),
                       cache.values});
    }
    for (Heads& heads : all) {
        heads.then = {.unit = heads.rotation.length,
                      .norm = normOpNorm(*heads.norm),
                      .head = &heads.rotation,
                      .rotated = heads.to,
                      .counters = m_buffers.counterArea(m_counterArea++)};
        heads.product = linearProduct(*heads.linear, WB_STORE);
        heads.product.fast = &m_fast;
        heads.product.then = &heads.then;
        if (!canFollow(m_device, m_sizes, heads.product)) return false;
    }
    for (const Heads& heads : all) WB_TRY(run(heads.product, *heads.rows));
    return true;
}

} // namespace wb::gpu
