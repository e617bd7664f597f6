// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/infer/device_buffers.h"
#include "gpu/infer/recurrent_kernels.h"
#include "gpu/shaders/infer/batch.h"

#include <algorithm>
#include <optional>
#include <span>

namespace wb::gpu {

inline bool isSame(const View& a, const View& b) { return a.buffer == b.buffer && a.offset == b.offset; }

inline bool isDense(const RowPlace& place) { return place.stride == 0 && place.first == 0 && place.runStride == 0; }

inline std::uint32_t narrow(std::uint64_t count) { return static_cast<std::uint32_t>(count); }

// The table of a device's operations: each of core/infer/graph/operations.h, stream_operations.h and index_operations.h as steps of
// kernels.h, recurrent_kernels.h and stream_kernels.h, recorded for a pass. support.cpp has the limits of each. layer_recorder.cpp
// has the operations of transformers, layer_inputs.cpp the rows that they multiply first, followed_passes.cpp their small steps
// that need no dispatch, recurrent_passes.cpp the operations of recurrent layers, latent_passes.cpp those of latent attention and
// of indexers, stream_passes.cpp those of several residual streams.
class LayerRecorder {
public:
    LayerRecorder(Device& device, Recorder& recorder, const DeviceBuffers& buffers, const infer::Graph& graph,
                  const infer::EngineOptions& options, const FastTypes& fast, const StepSizes& sizes)
        : m_device(device), m_recorder(recorder), m_buffers(buffers), m_graph(graph), m_options(options), m_fast(fast),
          m_sizes(sizes), m_input(buffers.prepared) {}

    // The operations of a layer in their order. `after` is the first one of the next layer, where nothing else reads the rows
    // between; null: none, or something does.
    Result<void> record(std::span<const infer::LayerOp> layer, const infer::LayerOp* after = nullptr);

    Result<void> operator()(const infer::LayerInputsOp& op);
    Result<void> operator()(const infer::QkvOp& op);
    Result<void> operator()(const infer::AttendOp& op);
    Result<void> operator()(const infer::LatentQkvOp& op);
    Result<void> operator()(const infer::HeadwiseOp& op);
    Result<void> operator()(const infer::ProjectOp& op);
    Result<void> operator()(const infer::ConvOp& op);
    Result<void> operator()(const infer::DeltaNetOp& op);
    Result<void> operator()(const infer::StateSpaceOp& op);
    Result<void> operator()(const infer::GateOp& op);
    Result<void> operator()(const infer::ResidualOp& op);
    Result<void> operator()(const infer::GateUpOp& op);
    Result<void> operator()(const infer::RouteOp& op);
    Result<void> operator()(const infer::ExpertsOp& op);
    Result<void> operator()(const infer::AddSumOp& op);
    Result<void> operator()(const infer::LayerInputOp& op);
    Result<void> operator()(const infer::ScaleOp& op);
    Result<void> operator()(const infer::IndexOp& op);
    Result<void> operator()(const infer::MixStreamsOp& op);
    Result<void> operator()(const infer::InjectOp& op);
    Result<void> operator()(const infer::NgramOp& op);
    Result<void> operator()(const infer::AddNgramsOp& op);

    // Of the last rows; the mixture of streams is in x already.
    Result<void> operator()(const infer::HeadOp& op, const View& logits);

    // The hidden states after the last layer, as `prepared.floats`.
    Result<void> normHidden(const infer::HeadOp& op);

private:
    std::uint64_t positions() const { return cachedPositions(m_options.context); }
    std::uint64_t keyBytes(const infer::HeadShape& shape) const { return cachedBytes(m_options.keys, shape.keyLength); }
    std::uint64_t valueBytes(const infer::HeadShape& shape) const { return cachedBytes(m_options.values, shape.valueLength); }
    MixedRows mixedRows() const { return {m_buffers.mixed, m_buffers.mixedStride}; }
    const View& targetRows(infer::RowTarget target) const { return target == infer::RowTarget::X ? m_buffers.x : m_buffers.sum; }
    const View* vector(const infer::Slice& elements) const { return m_buffers.weights.vector(elements); }

    DeviceNorm normOpNorm(const infer::NormOp& op) const { return {op.kind, vector(op.weight), vector(op.bias), op.epsilon}; }

    // The first input of an operation: rows for all of these matrices, of which absent ones are skipped. The step has the rows and
    // the norm.
    PrepareStep inputStep(PrepareStep step, std::initializer_list<const infer::Linear*> linears) const;
    static PrepareStep inputStep(PrepareStep step, std::span<const DeviceMatrix* const> matrices);
    PrepareStep firstInput(const infer::QkvOp& op) const;
    PrepareStep firstInput(const infer::LatentQkvOp& op) const;
    PrepareStep firstInput(const infer::HeadwiseOp& op) const;
    PrepareStep firstInput(const infer::ProjectOp& op) const;
    PrepareStep firstInput(const infer::ResidualOp& op) const;
    PrepareStep firstInput(const infer::GateUpOp& op) const;
    PrepareStep firstInput(const infer::RouteOp& op) const;
    std::optional<PrepareStep> nextInput() const; // of the operation that follows; empty: it begins otherwise

    // Makes m_input, unless the step before did.
    Result<void> prepareInput(const PrepareStep& step);

    MultiplyStep linearProduct(const infer::Linear& linear, std::uint32_t epilogue) const {
        return {.matrix = &m_buffers.weights.matrix(linear), .epilogue = epilogue};
    }
    Result<void> run(MultiplyStep step, const View& to);

    // The same, and the input of the next operation where that is made of the result, or of x, to which the result is added before.
    Result<void> runThenPrepare(MultiplyStep step, const View& to, const NormStep* added = nullptr);

    // q, k and v, whose heads are normed, rotated and stored by follow-ups; false: they cannot be, and nothing is recorded.
    Result<bool> projectHeads(const infer::QkvOp& op);

    // Gates and ups together; false: they are apart, and nothing is recorded.
    Result<bool> multiplyPair(const infer::GateUpOp& op);

    // Where the follow-up of a product that reads m_input may write the next input.
    const Prepared& nextRoom() const;
    Result<void> store(const infer::Linear& linear, const View& to) { return run(linearProduct(linear, WB_STORE), to); }

    // Runs of numbers in place; nothing without a norm.
    Result<void> normRuns(const infer::NormOp& norm, const View& rows, std::uint64_t runs, std::uint64_t count,
                          const RowPlace& place = {}, const View* factors = nullptr);

    // Null: queries keep their size.
    const View* temperatureFactors(const infer::Temperature& temperature) const;

    // Calls of(first, heads) for heads of keys, as many at once as a binding holds.
    template <class Of>
    static Result<void> forHeads(const infer::HeadShape& shape, std::uint64_t atOnce, Of of) {
        atOnce = std::clamp<std::uint64_t>(atOnce, 1, shape.kvHeads);
        for (std::uint64_t head = 0; head < shape.kvHeads; head += atOnce)
            WB_TRY(of(narrow(head), narrow(std::min(atOnce, shape.kvHeads - head))));
        return {};
    }

    // Of all heads of a row.
    RotateStep rotation(const std::optional<std::uint32_t>& rope, const View& rows, std::uint64_t heads,
                        std::uint64_t length) const;
    RotateStep storing(RotateStep step, infer::CacheType type, std::uint64_t cachePositions) const;
    View cachePart(const View& cache, std::uint64_t bytesOfPosition, std::uint32_t firstHead, std::uint32_t heads) const {
        const std::uint64_t headBytes = positions() * bytesOfPosition;
        return viewPart(cache, firstHead * headBytes, heads * headBytes);
    }

    Result<void> normQueries(const infer::QkvOp& op, const View& rows, const RowPlace& place = {}, const View* factors = nullptr);
    Result<void> normStored(const infer::QkvOp& op);
    Result<void> storeNormedAfterRope(const infer::QkvOp& op);
    Result<void> storeAll(const infer::QkvOp& op, const RotateStep& keys);
    Result<void> storeHeads(const infer::QkvOp& op, const RotateStep& keys, std::uint32_t firstHead, std::uint32_t heads);
    Result<void> attendHeads(const infer::AttendOp& op, std::uint32_t firstHead, std::uint32_t heads, const View* codes);
    Result<void> multiplyExperts(const infer::ExpertsOp& op);

    Result<void> prepareQueries(const infer::LatentQkvOp& op);
    Result<void> storeLatent(const infer::LatentQkvOp& op);
    Result<void> multiplyHeads(const ExpertStack& stack, MultiplyStep product, const View& to);
    Result<void> storeIndexKeys(const infer::IndexOp& op);
    Result<void> storeBlockKeys(const infer::IndexOp& op, const DeviceBuffers::Blocks& blocks);

    Result<void> normStreams(const infer::NormOp& norm, std::uint64_t streams, const View& rows, const RowPlace& place,
                             const View& to, std::uint32_t toStride = 0);

    Device& m_device;
    Recorder& m_recorder;
    const DeviceBuffers& m_buffers;
    const infer::Graph& m_graph;
    const infer::EngineOptions& m_options;
    const FastTypes& m_fast;
    const StepSizes m_sizes;
    const infer::LayerOp* m_next = nullptr;  // the operation after the one that is recorded; null: unknown
    Prepared m_input;                        // what the next products read
    bool m_isReady = false;                  // it is the next operation's already
    std::uint64_t m_counterArea = 0;         // of the next follow-up
    std::optional<infer::Activation> m_gate; // `hidden` is still to be multiplied by the activation of `gates`
};

} // namespace wb::gpu
