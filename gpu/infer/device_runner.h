// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/graph/rope.h"
#include "core/infer/state_snapshots.h"
#include "core/model/tensor_reader.h"
#include "gpu/infer/device_buffers.h"
#include "gpu/infer/device_engine.h"
#include "gpu/infer/ranking.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace wb::gpu {

// The key of a recording of a batch; its numbers are in a small buffer.
struct PassKind {
    bool single = false;       // one token; else up to deviceBatch
    std::uint32_t outputs = 0; // rows of logits: 0, 1 or deviceBatch
    std::uint32_t ranked = 0;  // of the highest logits of one row, which are read back instead of the row; 0: the row is
    bool hidden = false;       // all hidden states are read back
    std::uint32_t ahead = 0;   // the device draws the token itself, with these of DeviceRunner's host buffers; 0: it is given

    auto operator<=>(const PassKind&) const = default;
    std::uint32_t tokens() const { return single ? 1 : deviceBatch; }
};

// The engine of a GPU. Each kind of pass is recorded when it first occurs, then replayed: a token as one recording, a
// batch layer by layer, so that it can be stopped between. The host decodes the embeddings and computes the angles of rotation, or
// the first layers where those are on the CPU, and reads the logits.
//
// Where the caller announces the draw of the next token (Batch::next), and the table of embeddings is the output matrix of the
// device, the device draws it, too, and starts to evaluate it while the host reads the logits and draws: so it does not wait for
// the host between two tokens. If another token or position is evaluated then, the token evaluated ahead is not used, and its place
// in the cache is written again before anything reads it.
class DeviceRunner final : public infer::Engine {
public:
    static Result<std::unique_ptr<infer::Engine>> make(const DevicePtr& device, const infer::Graph& graph,
                                                       const infer::EngineOptions& options, std::size_t first, FastTypes fast,
                                                       const Progress& progress);
    ~DeviceRunner() override;

    std::string device() const override { return m_device->info().option(); }
    std::size_t vocabulary() const override { return m_graph.vocabulary; }
    std::size_t width() const override { return m_graph.width; }
    std::size_t layers() const override { return m_graph.layers.size(); }
    std::size_t hiddenWidth(std::size_t layer) const override {
        return m_graph.streams > 0 && layer < layers() ? inputWidth() : width();
    }
    std::size_t context() const override { return m_options.context; }
    std::size_t maxBatch() const override {
        return m_before ? std::min<std::size_t>(deviceBatch, m_before->maxBatch()) : deviceBatch;
    }
    std::size_t maxRanked() const override { return gpu::maxRanked; }
    std::size_t reusable(std::size_t count) const override;
    std::size_t tailTokens() const override;
    infer::EngineLoad load() const override { return m_load; }
    std::uint64_t gpuLayers() const override { return layers() - m_first + 1; }
    std::string kernels() const override;
    std::uint64_t evaluatedAhead() const { return m_evaluatedAhead; } // tokens ahead that were asked for; for tests
    Result<void> evaluate(const infer::Batch& batch, const std::stop_token& stop) override;
    Result<void> readCache(const infer::CachedRange& range, infer::CachedRows& rows) override;
    Result<void> writeCache(const infer::CachedRange& range, const infer::CachedRows& rows) override;

private:
    using Pieces = std::vector<Recording>;

    // Memory that the host writes for a pass and reads after it. The first are of given tokens; the others of tokens ahead in turn,
    // null before.
    struct HostBuffers {
        BufferPtr batch;
        std::vector<BufferPtr> angles, factors;
        BufferPtr rankedBack;         // the pairs, then the token that the device drew; null: nothing was ranked yet
        std::optional<Ticket> ticket; // of the latest pass ahead; null: none
    };

    DeviceRunner(DevicePtr device, const infer::Graph& graph, const infer::EngineOptions& options, std::size_t first,
                 FastTypes fast);
    // Numbers of a token in the residual streams.
    std::size_t inputWidth() const { return std::max<std::size_t>(m_graph.streams, 1) * width(); }
    bool recurs() const { return m_buffers.state.bytes > 0; }

    Result<void> allocateHost();
    Result<void> openEmbeddings();

    Result<void> writeBatch(const infer::Batch& batch, std::uint32_t outputs, const std::stop_token& stop);
    Result<void> readEmbeddings(const infer::Batch& batch);
    Result<void> readLayerTable(std::span<const infer::Token> tokens);
    Result<void> readNgrams(const infer::Batch& batch);
    void writeBlocks(const infer::Batch& batch);
    Result<void> beginState(const infer::Batch& batch);
    void writeAngles(const HostBuffers& host, std::size_t position, std::size_t tokens);
    Result<HostBuffers> makeHostBuffers() const;
    Result<void> computeFirstLayers(const infer::Batch& batch, const std::stop_token& stop);
    Result<void> allocateOutputs(const PassKind& kind);
    Result<void> replay(const Pieces& pieces, const std::stop_token& stop) const;
    void readHidden(const infer::Batch& batch);
    static void readRanked(const BufferPtr& back, std::span<text::TokenLogit> ranked);
    Result<void> evaluateNow(const infer::Batch& batch, const std::stop_token& stop);

    // Tokens ahead (ahead.cpp).
    bool canBeAhead() const;
    Result<void> allocateAhead();
    Result<void> beginAhead(const infer::Batch& batch); // the token after it
    Result<bool> takeAhead(const infer::Batch& batch);  // false: it was not evaluated, or with another token
    Result<void> recordDrawn(Recorder& recorder);

    struct CachedPart;
    std::vector<CachedPart> cachedParts(const infer::CachedRange& range) const;

    // The recording of a pass, operation by operation (passes.cpp).
    Result<const Pieces*> passPieces(const PassKind& kind);
    Result<Pieces> record(const PassKind& kind);
    void recordUpload(Recorder& recorder, const PassKind& kind);
    Result<void> recordHead(Recorder& recorder, const PassKind& kind);
    void copyHidden(Recorder& recorder, const PassKind& kind, std::size_t layer, const View& rows);

    DevicePtr m_device;
    const infer::Graph m_graph;
    const infer::EngineOptions m_options; // the context is set
    const std::size_t m_first;            // layer on the device
    const FastTypes m_fast;
    std::unique_ptr<infer::Engine> m_before;  // of the layers before; null: none exist
    const infer::NgramOp* m_ngrams = nullptr; // on the device; null: none
    std::optional<TensorReader> m_embedding, m_positions, m_layerTable, m_ngramTable;
    std::vector<infer::RopeTable> m_ropes; // of Graph::ropes
    DeviceBuffers m_buffers;
    View m_logits; // of as many rows as a pass has needed so far
    std::array<HostBuffers, 3> m_hostBuffers;
    BufferPtr m_xUpload, m_logitsBack, m_hiddenBack;
    BufferPtr m_rankingRoom; // null: nothing was ranked yet
    BufferPtr m_candidates;  // the latest pairs
    BufferPtr m_drawn;       // a token
    struct Ahead {
        std::size_t position;
        std::size_t ranked;
        std::uint32_t place; // of its host buffers
    };
    std::optional<Ahead> m_ahead; // may be in flight
    std::uint64_t m_evaluatedAhead = 0;
    std::uint32_t m_aheadRest = 0;               // tokens before the next one ahead: after a wrong one
    BufferPtr m_embeddingsUpload, m_tableUpload; // null without LayerInputOp on the device
    BufferPtr m_ngramsUpload;                    // null without NgramOp
    struct BlocksUpload {
        BufferPtr batch, angles;
    };
    std::vector<BlocksUpload> m_blocksUpload; // of DeviceBuffers::blocks
    infer::StateSnapshots m_snapshots;
    std::vector<infer::Token> m_tokens; // evaluated so far, where n-grams need them

    std::map<PassKind, Pieces> m_pieces;
    std::vector<float> m_beforeHidden;
    std::vector<std::byte> m_embeddingBytes;
    infer::EngineLoad m_load;
};

} // namespace wb::gpu
