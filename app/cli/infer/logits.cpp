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
    std::string prediction; // file for the logits of the head that predicts the token after the next one; empty: none
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
        WB_TRY(planPrediction(graph.model));
        WB_TRY_ASSIGN(m_writer, io::AtomicWriter::create(m_out.path()));
        infer::EngineOptions engine = m_options.engine;
        engine.context = count;
        WB_TRY_ASSIGN(const PlannedModel planned, planModel(m_context, graph, engine));
        WB_TRY_ASSIGN(m_engine, loadModel(m_context, planned));
        const std::size_t printed = m_engine->remarks().size();
        if (!m_options.hidden.empty() || m_prediction) m_hidden.resize(count * hiddenNumbers());
        for (std::size_t done = 0; done < count;) {
            const std::size_t next = nextPiece(done);
            WB_TRY(evaluate(done, next));
            done += next;
        }
        printRemarks(m_context, *m_engine, printed);
        WB_TRY(m_writer->commit());
        WB_TRY(m_out.finish());
        WB_TRY(writeHidden());
        return m_prediction ? predict() : Result<void>{};
    }

private:
    Result<void> planPrediction(const ModelPtr& model) {
        if (m_options.prediction.empty()) return {};
        if (m_options.tokens.size() < 2)
            return fail(ErrorCode::Invalid, Reason("infer.prediction_tokens"), About{"mtp"},
                        WB_TEXT("--mtp needs at least two tokens."));
        WB_TRY_ASSIGN(m_prediction, infer::planPrediction(model));
        return {};
    }

    // Row i comes from the hidden state of token i and from token i + 1.
    Result<void> predict() {
        const std::size_t width = m_engine->width(), count = m_options.tokens.size() - 1, vocabulary = m_engine->vocabulary();
        const auto preceding = std::span<const float>(m_hidden).last((count + 1) * width);
        infer::EngineOptions options = m_options.engine;
        options.context = count;
        WB_TRY_ASSIGN(const PlannedModel planned, planModel(m_context, *m_prediction, options));
        WB_TRY_ASSIGN(const auto head, loadModel(m_context, planned));
        m_logits.resize(count * vocabulary);
        for (std::size_t done = 0; done < count;) {
            const std::size_t next = std::min(count - done, head->maxBatch());
            WB_TRY(head->evaluate({std::span(m_options.tokens).subspan(done + 1, next),
                                   done,
                                   std::span(m_logits).subspan(done * vocabulary, next * vocabulary),
                                   {},
                                   preceding.subspan(done * width, next * width)},
                                  m_context.stop));
            done += next;
        }
        return writeOutput(m_options.prediction, asText(m_logits));
    }

    static std::string_view asText(const std::vector<float>& numbers) {
        return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float)};
    }

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

    Result<void> writeHidden() const { return writeOutput(m_options.hidden, asText(m_hidden)); }

    const Context& m_context;
    const LogitsOptions& m_options;
    const OutputFile m_out;
    std::optional<io::AtomicWriter> m_writer;
    std::unique_ptr<infer::Engine> m_engine;
    std::optional<infer::Graph> m_prediction;
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
    command->add_option("MODEL", options->model, "GGUF model: a file, or an ID or name in wb library")->required();
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
    command
        ->add_option("--mtp", options->prediction,
                     "Also write the logits of the multi-token prediction (MTP) head: f32 [positions - 1, vocabulary]")
        ->type_name("FILE.f32")
        ->check(checkNotEmpty);
    addGpuOptions(*command, options->engine);
    return {command,
            [options](const Context& context) { return logits(context, *options); },
            {.reads = {"MODEL"}, .writes = {"--out", "--hidden", "--mtp"}},
            true,
            {{&options->model}}};
}

} // namespace wb::cli
