// SPDX-License-Identifier: MIT
#include "app/cli/infer/logits.h"

#include "app/cli/infer/load_model.h"
#include "core/infer/session.h"
#include "core/io/atomic_writer.h"

#include <algorithm>
#include <optional>

namespace wb::cli {
namespace {

// Evaluates the tokens piece by piece and writes what was asked for.
class LogitsRun {
public:
    LogitsRun(const Context& context, const LogitsOptions& options) : m_context(context), m_options(options) {}

    Result<void> run() {
        WB_TRY_ASSIGN(const infer::Graph graph, chat::openGraph(std::filesystem::path(m_options.model), m_context.openOptions()));
        const std::size_t count = m_options.tokens.size();
        WB_TRY(infer::checkTokens(m_options.tokens, 0, graph.vocabulary, graph.spec.context));
        WB_TRY_ASSIGN(m_out, io::AtomicWriter::create(std::filesystem::path(m_options.out)));
        infer::EngineOptions engine = chosenEngine(m_context);
        engine.context = count;
        WB_TRY_ASSIGN(engine.gpuLayers, gpuLayersOf(m_options.gpuLayers));
        WB_TRY_ASSIGN(const PlannedModel planned, planModel(m_context, graph, engine));
        WB_TRY_ASSIGN(m_engine, loadModel(m_context, planned));
        const std::size_t printed = m_engine->remarks().size();
        if (!m_options.hidden.empty()) m_hidden.resize((m_engine->layers() + 1) * count * m_engine->width());
        for (std::size_t done = 0; done < count;) {
            const std::size_t next = nextPiece(done);
            WB_TRY(evaluate(done, next));
            done += next;
        }
        printRemarks(m_context, *m_engine, printed);
        WB_TRY(m_out->commit());
        return writeHidden();
    }

private:
    std::size_t nextPiece(std::size_t done) const {
        const std::size_t left = m_options.tokens.size() - done;
        if (m_options.prefill == 0) return std::min(left, m_engine->maxBatch());
        if (done >= m_options.prefill) return 1;
        return std::min({left, m_engine->maxBatch(), m_options.prefill - done});
    }

    Result<void> evaluate(std::size_t first, std::size_t count) {
        const bool last = first + count == m_options.tokens.size();
        m_logits.resize(m_options.all ? count * m_engine->vocabulary() : last ? m_engine->vocabulary() : 0);
        std::vector<float> hidden(m_hidden.empty() ? 0 : (m_engine->layers() + 1) * count * m_engine->width());
        WB_TRY(m_engine->evaluate({std::span(m_options.tokens).subspan(first, count), first, m_logits, hidden}, m_context.stop));
        keepHidden(hidden, first, count);
        return m_out->write(std::as_bytes(std::span(m_logits)));
    }

    void keepHidden(const std::vector<float>& hidden, std::size_t first, std::size_t count) {
        if (hidden.empty()) return;
        const std::size_t width = m_engine->width();
        for (std::size_t layer = 0; layer <= m_engine->layers(); ++layer)
            std::copy_n(hidden.begin() + static_cast<std::ptrdiff_t>(layer * count * width), count * width,
                        m_hidden.begin() + static_cast<std::ptrdiff_t>((layer * m_options.tokens.size() + first) * width));
    }

    Result<void> writeHidden() const {
        if (m_options.hidden.empty()) return {};
        WB_TRY_ASSIGN(auto writer, io::AtomicWriter::create(std::filesystem::path(m_options.hidden)));
        WB_TRY(writer.write(std::as_bytes(std::span(m_hidden))));
        return writer.commit();
    }

    const Context& m_context;
    const LogitsOptions& m_options;
    std::optional<io::AtomicWriter> m_out;
    std::unique_ptr<infer::Engine> m_engine;
    std::vector<float> m_logits, m_hidden;
};

} // namespace

int logits(const Context& context, const LogitsOptions& options) {
    if (auto log = context.log->open(); !log) return refuse(context, log.error(), context.log->path);
    const auto result = LogitsRun(context, options).run();
    if (!result && isUsage(result.error())) return refuseUsage(result.error().message());
    return result ? done : refuse(context, result.error(), options.model);
}

} // namespace wb::cli
