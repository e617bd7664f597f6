// SPDX-License-Identifier: MIT

#include "app/cli/commands.h"
#include "app/cli/command.h"
#include "app/cli/infer/engine_options.h"
#include "app/cli/infer/load_model.h"
#include "app/cli/output_file.h"
#include "core/infer/session.h"
#include "core/io/atomic_writer.h"

#include <algorithm>
#include <optional>

namespace wb::cli {
namespace {

// What `wb logits` was asked for, as typed.
struct LogitsOptions {
    std::string model;
    std::vector<std::int32_t> tokens;
    bool all = false;
    std::size_t prefill = 0; // tokens evaluated at once at the beginning; 0: all
    std::string out;
    std::string hidden;
    infer::EngineOptions engine;
};

// Evaluates the tokens piece by piece and writes the requested logits.
class LogitsRun {
public:
    LogitsRun(const Context& context, const LogitsOptions& options) : m_context(context), m_options(options), m_out(options.out) {}

    Result<void> run() {
        WB_TRY_ASSIGN(const infer::Graph graph, openGraph(m_context, m_options.model));
        const std::size_t count = m_options.tokens.size();
        WB_TRY(infer::checkTokens(m_options.tokens, 0, graph.vocabulary, graph.context));
        WB_TRY_ASSIGN(m_writer, io::AtomicWriter::create(m_out.path()));
        infer::EngineOptions engine = m_options.engine;
        engine.context = count;
        WB_TRY_ASSIGN(const PlannedModel planned, planModel(m_context, graph, engine));
        WB_TRY_ASSIGN(m_engine, loadModel(m_context, planned));
        const std::size_t printed = m_engine->remarks().size();
        if (!m_options.hidden.empty()) m_hidden.resize(count * hiddenNumbers());
        for (std::size_t done = 0; done < count;) {
            const std::size_t next = nextPiece(done);
            WB_TRY(evaluate(done, next));
            done += next;
        }
        printRemarks(m_context, *m_engine, printed);
        WB_TRY(m_writer->commit());
        WB_TRY(m_out.finish());
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
        std::vector<float> hidden(m_hidden.empty() ? 0 : count * hiddenNumbers());
        WB_TRY(m_engine->evaluate({std::span(m_options.tokens).subspan(first, count), first, m_logits, hidden}, m_context.stop));
        keepHidden(hidden, first, count);
        return m_writer->write(std::as_bytes(std::span(m_logits)));
    }

    // Of one token in all layers; only the last one may have another number than the others.
    std::size_t hiddenNumbers() const {
        return m_engine->layers() * m_engine->hiddenWidth(0) + m_engine->hiddenWidth(m_engine->layers());
    }

    void keepHidden(const std::vector<float>& hidden, std::size_t first, std::size_t count) {
        if (hidden.empty()) return;
        const std::size_t usual = m_engine->hiddenWidth(0);
        for (std::size_t layer = 0; layer <= m_engine->layers(); ++layer) {
            const std::size_t width = m_engine->hiddenWidth(layer);
            std::copy_n(hidden.begin() + static_cast<std::ptrdiff_t>(layer * count * usual), count * width,
                        m_hidden.begin() + static_cast<std::ptrdiff_t>(layer * m_options.tokens.size() * usual + first * width));
        }
    }

    Result<void> writeHidden() const {
        return writeOutput(m_options.hidden, {reinterpret_cast<const char*>(m_hidden.data()), m_hidden.size() * sizeof(float)});
    }

    const Context& m_context;
    const LogitsOptions& m_options;
    const OutputFile m_out;
    std::optional<io::AtomicWriter> m_writer;
    std::unique_ptr<infer::Engine> m_engine;
    std::vector<float> m_logits, m_hidden;
};

int logits(const Context& context, const LogitsOptions& options) {
    const auto result = LogitsRun(context, options).run();
    return result ? done : refuse(context, result.error(), options.model);
}

} // namespace

Command addLogits(CLI::App& program) {
    auto options = std::make_shared<LogitsOptions>();
    CLI::App* command = program.add_subcommand("logits", "Write the logits for given tokens as f32");
    command->add_option("MODEL", options->model, "GGUF model")->required();
    command->add_option("--tokens", options->tokens, "Token IDs, separated by commas; no special tokens are added")
        ->type_name("N,N,…")
        ->delimiter(',')
        ->required()
        ->check(checkNotEmpty);
    command->add_flag("--all", options->all, "Write all positions instead of only the last");
    command->add_option("--prefill", options->prefill, "Tokens to evaluate in one batch, the rest one by one (default: all)")
        ->type_name("N")
        ->check(CLI::Range(std::size_t{1}, std::size_t{0xffff'ffff}));
    command->add_option("--out", options->out, "Output file: f32 [positions, vocabulary], little-endian")
        ->type_name("FILE.f32")
        ->required()
        ->check(checkNotEmpty);
    command->add_option("--hidden", options->hidden, "Also write the hidden states: f32 [layers + 1, positions, width]")
        ->type_name("FILE.f32")
        ->check(checkNotEmpty);
    addGpuOptions(*command, options->engine);
    return {command,
            [options](const Context& context) { return logits(context, *options); },
            {.reads = {"MODEL"}, .writes = {"--out", "--hidden"}},
            true};
}

} // namespace wb::cli
