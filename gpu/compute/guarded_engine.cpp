// SPDX-License-Identifier: MIT
#include "gpu/compute/guarded_engine.h"

#include "core/infer/cpu/cpu_engine.h"
#include "gpu/compute/choice.h"
#include "gpu/infer/device_buffers.h"

#include <algorithm>
#include <utility>

namespace wb::gpu::compute {
namespace {

class GuardedEngine final : public infer::Engine {
public:
    GuardedEngine(std::unique_ptr<infer::Engine> engine, const infer::Graph& graph, infer::EngineOptions options, DeviceRef choice,
                  std::vector<Problem> remarks)
        : m_engine(std::move(engine)), m_graph(graph), m_options(options), m_choice(std::move(choice)),
          m_remarks(std::move(remarks)), m_vocabulary(graph.vocabulary), m_context(m_engine->context()) {}

    std::string device() const override { return m_engine ? m_engine->device() : "cpu"; }
    std::size_t vocabulary() const override { return m_vocabulary; }
    std::size_t width() const override { return m_graph.width; }
    std::size_t layers() const override { return m_graph.layers.size(); }
    std::size_t hiddenWidth(std::size_t layer) const override { return m_engine ? m_engine->hiddenWidth(layer) : width(); }
    std::size_t context() const override { return m_context; }
    std::size_t maxBatch() const override { return m_engine ? m_engine->maxBatch() : deviceBatch; }
    infer::EngineLoad load() const override { return m_engine ? m_engine->load() : infer::EngineLoad{}; }
    std::uint64_t gpuLayers() const override { return m_engine ? m_engine->gpuLayers() : 0; }
    std::string kernels() const override { return m_engine ? m_engine->kernels() : std::string(); }
    std::vector<Problem> remarks() const override { return m_remarks; }
    std::size_t maxRanked() const override { return m_engine ? m_engine->maxRanked() : 0; }
    std::size_t reusable(std::size_t count) const override { return m_engine ? m_engine->reusable(count) : count; }
    std::size_t tailTokens() const override { return m_engine ? m_engine->tailTokens() : 0; }

    Result<void> evaluate(const infer::Batch& batch, const std::stop_token& stop) override {
        auto done = m_engine ? m_engine->evaluate(batch, stop) : Result<void>(std::unexpected(outOfMemory()));
        if (!done && (!m_engine || (m_engine->gpuLayers() > 0 && isOfDevice(done.error())))) {
            WB_TRY(moveToProcessor(done.error(), batch.position, stop));
            done = evaluateOnProcessor(batch, stop);
        }
        if (!done) return done;
        m_tokens.resize(std::min(m_tokens.size(), batch.position));
        m_tokens.insert(m_tokens.end(), batch.tokens.begin(), batch.tokens.end());
        return {};
    }

private:
    // The CPU's engine gives all logits.
    Result<void> evaluateOnProcessor(infer::Batch batch, const std::stop_token& stop) {
        if (batch.ranked.empty()) return m_engine->evaluate(batch, stop);
        std::vector<float> logits(m_vocabulary);
        const std::span<text::TokenLogit> ranked = std::exchange(batch.ranked, {});
        batch.logits = logits;
        WB_TRY(m_engine->evaluate(batch, stop));
        std::ranges::fill(ranked, text::TokenLogit{});
        std::ranges::copy(text::highestLogits(logits, ranked.size()), ranked.begin());
        return {};
    }

    Result<void> moveToProcessor(const Error& error, std::size_t position, const std::stop_token& stop) {
        if (m_engine) m_remarks.push_back(fallbackRemark(m_choice, error));
        m_engine.reset(); // its memory is needed
        WB_TRY_ASSIGN(auto engine, infer::cpu::makeCpuEngine(m_graph, m_options, {stop, {}}));
        const std::span<const infer::Token> before = std::span(m_tokens).first(std::min(position, m_tokens.size()));
        for (std::size_t done = 0; done < before.size();) {
            const auto piece = before.subspan(done, std::min(engine->maxBatch(), before.size() - done));
            WB_TRY(engine->evaluate({piece, done, {}, {}}, stop));
            done += piece.size();
        }
        m_engine = std::move(engine);
        return {};
    }

    std::unique_ptr<infer::Engine> m_engine; // null: the device failed, and the CPU could not take over yet
    const infer::Graph m_graph;
    const infer::EngineOptions m_options;
    const DeviceRef m_choice;
    std::vector<Problem> m_remarks;
    const std::size_t m_vocabulary, m_context;
    std::vector<infer::Token> m_tokens; // in the cache
};

} // namespace

std::unique_ptr<infer::Engine> makeGuardedEngine(std::unique_ptr<infer::Engine> engine, const infer::Graph& graph,
                                                 const infer::EngineOptions& options, const DeviceRef& choice,
                                                 std::vector<Problem> remarks) {
    return std::make_unique<GuardedEngine>(std::move(engine), graph, options, choice, std::move(remarks));
}

} // namespace wb::gpu::compute
