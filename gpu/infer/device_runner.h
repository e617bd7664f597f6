// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/rope.h"
#include "core/model/tensor_reader.h"
#include "gpu/infer/device_engine.h"
#include "gpu/infer/kernels.h"
#include "gpu/infer/support.h"

#include <map>
#include <optional>

namespace wb::gpu {

// What a batch is made of, as far as its recording depends on it: the numbers themselves stand in a small buffer.
struct PassKind {
    bool single = false;       // one token; else up to deviceBatch
    std::uint32_t outputs = 0; // rows of logits: 0, 1 or deviceBatch
    bool hidden = false;       // all hidden states are read back

    auto operator<=>(const PassKind&) const = default;
    std::uint32_t tokens() const { return single ? 1 : deviceBatch; }
};

// The engine of a graphics device. Each kind of pass is recorded when it first occurs, then replayed: a token as one recording, a
// batch layer by layer, so that it can be stopped between. The host decodes the embeddings and computes the angles of rotation, or
// the first layers where those lie on the processor, and reads the logits.
class DeviceRunner final : public infer::Engine {
public:
    static Result<std::unique_ptr<infer::Engine>> make(const DevicePtr& device, const infer::Graph& graph,
                                                       const infer::EngineOptions& options, std::size_t first,
                                                       const Progress& progress);
    ~DeviceRunner() override;

    std::string device() const override { return m_device->info().option(); }
    std::size_t vocabulary() const override { return m_graph.vocabulary; }
    std::size_t width() const override { return m_graph.spec.width; }
    std::size_t layers() const override { return m_graph.layers.size(); }
    std::size_t context() const override { return m_context; }
    std::size_t maxBatch() const override { return deviceBatch; }
    infer::EngineLoad load() const override { return m_load; }
    std::uint64_t gpuLayers() const override { return layers() - m_first + 1; }
    Result<void> evaluate(const infer::Batch& batch, const std::stop_token& stop) override;

private:
    struct LayerCache {
        View keys, values;
    };
    using Pieces = std::vector<Recording>;

    DeviceRunner(DevicePtr device, const infer::Graph& graph, const infer::EngineOptions& options, std::size_t first);
    Result<void> allocate();
    Result<void> claimRows();
    Result<void> claimHost();
    Result<View> claim(std::uint64_t numbers);
    void makeRopeTables();
    infer::EngineMemory claimed() const;

    Result<void> writeBatch(const infer::Batch& batch, std::uint32_t outputs, const std::stop_token& stop);
    Result<void> readEmbeddings(std::span<const infer::Token> tokens);
    Result<void> computeFirstLayers(const infer::Batch& batch, const std::stop_token& stop);
    Result<void> claimOutputs(const PassKind& kind);
    Result<void> replay(const Pieces& pieces, const std::stop_token& stop) const;
    void readHidden(const infer::Batch& batch);

    // The recording of a pass, stage by stage.
    Result<const Pieces*> piecesOf(const PassKind& kind);
    Result<Pieces> record(const PassKind& kind);
    void recordUpload(Recorder& recorder, const PassKind& kind);
    Result<void> recordStage(Recorder& recorder, const PassKind& kind, const infer::Stage& stage);
    Result<void> normQkv(Recorder& recorder, const StepSizes& sizes, std::size_t layer);
    Result<void> ropeAttention(Recorder& recorder, const StepSizes& sizes, std::size_t layer);
    Result<void> attendHeads(Recorder& recorder, const StepSizes& sizes, std::size_t layer, std::uint32_t firstHead,
                             std::uint32_t heads);
    Result<void> outResidual(Recorder& recorder, const StepSizes& sizes, std::size_t layer);
    Result<void> normGateUp(Recorder& recorder, const StepSizes& sizes, std::size_t layer);
    Result<void> downResidual(Recorder& recorder, const StepSizes& sizes, std::size_t layer);
    Result<void> head(Recorder& recorder, const PassKind& kind);
    void copyHidden(Recorder& recorder, const PassKind& kind, std::size_t layer, const View& rows);

    Result<void> prepareFor(Recorder& recorder, const StepSizes& sizes, const View& rows, const View* norm, std::size_t columns,
                            std::initializer_list<const DeviceMatrix*> matrices);

    DevicePtr m_device;
    infer::Graph m_graph;
    std::size_t m_context, m_first;
    infer::CacheType m_keyType, m_valueType;
    std::unique_ptr<infer::Engine> m_before; // of the first layers; null: there are none
    std::optional<TensorReader> m_embedding;
    DeviceWeights m_weights;
    std::vector<infer::RopeTable> m_ropeTables;
    std::vector<std::size_t> m_ropeOfLayer; // index into m_ropeTables

    Arena m_arena;
    std::vector<LayerCache> m_caches;
    View m_batch, m_x, m_queries, m_keys, m_values, m_rotated, m_attended, m_hidden, m_scores, m_logits;
    std::vector<View> m_angles; // of each rope table
    Prepared m_prepared;
    BufferPtr m_batchUpload, m_xUpload, m_logitsBack, m_hiddenBack;
    std::vector<BufferPtr> m_anglesUpload;

    std::map<PassKind, Pieces> m_pieces;
    std::vector<float> m_beforeHidden;
    std::vector<std::byte> m_embeddingBytes;
    infer::EngineLoad m_load;
};

} // namespace wb::gpu
