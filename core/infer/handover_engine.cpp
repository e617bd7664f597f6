// SPDX-License-Identifier: MIT
#include "core/infer/handover_engine.h"

#include "core/base/progress.h"
#include "core/infer/cached_rows.h"

#include <algorithm>
#include <variant>

namespace wb::infer {

namespace {

Error notHandedOver() {
    return makeError(ErrorCode::Internal, Reason("infer.handover"), {},
                     WB_TEXT("This engine does not contain the positions that are to be copied from its cache."));
}

} // namespace

bool canHandOver(const Graph& graph, const EngineOptions& options) {
    if (options.keys == CacheType::Q8_0 || options.values == CacheType::Q8_0 || !graph.states.empty()) return false;
    for (const std::vector<LayerOp>& layer : graph.layers)
        if (std::ranges::any_of(layer, [](const LayerOp& op) { return std::holds_alternative<NgramOp>(op); })) return false;
    const std::size_t context = options.context > 0 ? options.context : graph.context;
    return std::ranges::all_of(graph.caches, [context](const CacheShape& cache) {
        const bool holdsAll = cache.window == 0 || cache.window >= context;
        return holdsAll && cache.block == 1 && cache.heads.valueLength > 0 && cache.heads.keyLength % 2 == 0 &&
               cache.heads.valueLength % 2 == 0;
    });
}

Result<void> Engine::readCache(const CachedRange&, CachedRows&) { return std::unexpected(notHandedOver()); }
Result<void> Engine::writeCache(const CachedRange&, const CachedRows&) { return std::unexpected(notHandedOver()); }

namespace {

constexpr std::size_t copiedAtOnce = 4096; // positions of a cache

class HandoverEngine final : public Engine {
public:
    HandoverEngine(std::size_t caches, std::unique_ptr<Engine> prompt, std::unique_ptr<Engine> response)
        : m_caches(caches), m_prompt{std::move(prompt)}, m_response{std::move(response)} {}

    std::string device() const override { return m_prompt.engine->device() + " + " + m_response.engine->device(); }
    std::size_t vocabulary() const override { return m_prompt.engine->vocabulary(); }
    std::size_t width() const override { return m_prompt.engine->width(); }
    std::size_t layers() const override { return m_prompt.engine->layers(); }
    std::size_t hiddenWidth(std::size_t layer) const override { return m_prompt.engine->hiddenWidth(layer); }
    std::size_t context() const override { return m_prompt.engine->context(); }
    std::size_t maxBatch() const override { return std::min(m_prompt.engine->maxBatch(), m_response.engine->maxBatch()); }
    std::size_t maxRanked() const override { return std::min(m_prompt.engine->maxRanked(), m_response.engine->maxRanked()); }
    std::uint64_t gpuLayers() const override { return std::max(m_prompt.engine->gpuLayers(), m_response.engine->gpuLayers()); }
    std::string kernels() const override { return m_prompt.engine->kernels() + m_response.engine->kernels(); }

    EngineLoad load() const override {
        const EngineLoad prompt = m_prompt.engine->load(), response = m_response.engine->load();
        return {prompt.seconds + response.seconds, prompt.repackSeconds + response.repackSeconds, response.bytesPerToken,
                prompt.memory + response.memory, prompt.device + response.device};
    }

    Result<void> evaluate(const Batch& batch, const std::stop_token& stop) override {
        const bool isPrompt = batch.tokens.size() >= leastPromptTokens;
        Side &side = isPrompt ? m_prompt : m_response, &other = isPrompt ? m_response : m_prompt;
        if (side.cached < batch.position) WB_TRY(handOver(other, side, batch.position, stop));
        side.cached = batch.position; // the tokens after it are replaced
        other.cached = std::min(other.cached, batch.position);
        WB_TRY(side.engine->evaluate(batch, stop));
        side.cached += batch.tokens.size();
        return {};
    }

private:
    struct Side {
        std::unique_ptr<Engine> engine;
        std::size_t cached = 0; // positions
    };

    Result<void> handOver(Side& from, Side& to, std::size_t end, const std::stop_token& stop) {
        if (from.cached < end) return std::unexpected(notHandedOver());
        for (std::size_t cache = 0; cache < m_caches; ++cache)
            for (std::size_t first = to.cached; first < end; first += copiedAtOnce) {
                if (stop.stop_requested()) return std::unexpected(canceled());
                const CachedRange range{cache, first, std::min(copiedAtOnce, end - first)};
                WB_TRY(from.engine->readCache(range, m_rows));
                WB_TRY(to.engine->writeCache(range, m_rows));
            }
        to.cached = end;
        return {};
    }

    const std::size_t m_caches;
    Side m_prompt, m_response;
    CachedRows m_rows;
};

} // namespace

std::unique_ptr<Engine> makeHandoverEngine(const Graph& graph, std::unique_ptr<Engine> prompt, std::unique_ptr<Engine> response) {
    return std::make_unique<HandoverEngine>(graph.caches.size(), std::move(prompt), std::move(response));
}

} // namespace wb::infer
