// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "app/cli/command.h"
#include "core/infer/perplexity.h"

#include "app/cli/infer/engine_options.h"
#include "app/cli/infer/load_model.h"
#include "app/cli/output_file.h"
#include "app/cli/progress_line.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/io/byte_source.h"
#include "core/text/tokenizer.h"

#include <algorithm>
#include <cstdio>
#include <optional>

namespace wb::cli {
namespace {

// `wb perplexity` as typed.
struct PerplexityOptions {
    std::string model;
    std::string text;          // a file
    std::size_t context = 512; // tokens of a window
    std::string save, base;    // files of saved logits; empty: none
    infer::EngineOptions engine;
};

constexpr std::uint64_t maxText = 1ull << 30;

class PerplexityRun {
public:
    PerplexityRun(const Context& context, const PerplexityOptions& options) : m_context(context), m_options(options) {}

    Result<void> run() {
        infer::EngineOptions engine = m_options.engine;
        WB_TRY_ASSIGN(const infer::Graph graph, openGraph(m_context, m_options.model));
        WB_TRY_ASSIGN(m_tokenizer, text::Tokenizer::open(*graph.model));
        WB_TRY(readTokens());
        m_measure.context = m_options.context;
        m_measure.threads = m_context.threads;
        if (!m_options.base.empty()) WB_TRY(openBase(graph));
        WB_TRY(checkLength());
        engine.context = m_measure.context;
        WB_TRY_ASSIGN(const PlannedModel planned, planModel(m_context, graph, engine));
        WB_TRY_ASSIGN(const auto loaded, loadModel(m_context, planned));
        const std::size_t printed = loaded->remarks().size();
        WB_TRY_ASSIGN(const infer::Perplexity measured, measure(*loaded));
        printRemarks(m_context, *loaded, printed);
        if (m_context.json) printJson(measured);
        else if (!m_context.files->usesStdout()) printTable(measured);
        return {};
    }

private:
    Result<void> readTokens() {
        WB_TRY_ASSIGN(const auto source, io::FileSource::open(std::filesystem::path(m_options.text)));
        if (source->size() > maxText)
            return fail(ErrorCode::TooLarge, Reason("perplexity.text"), About{source->name()},
                        WB_TEXT("{} exceeds the size limit for text here."), source->name());
        std::string text(static_cast<std::size_t>(source->size()), '\0');
        WB_TRY(source->readAt(0, std::as_writable_bytes(std::span(text))));
        if (text.ends_with('\n')) text.pop_back();
        text::EncodeOptions encode;
        encode.parseSpecial = false;
        encode.stop = m_context.stop;
        WB_TRY_ASSIGN(m_tokens, m_tokenizer->encode(toUtf8(text), encode));
        const text::Vocabulary& vocabulary = m_tokenizer->vocabulary();
        if (vocabulary.addBos && vocabulary.special.bos != text::noToken) m_measure.first = vocabulary.special.bos;
        return {};
    }

    // Its windows take the place of the option.
    Result<void> openBase(const infer::Graph& graph) {
        WB_TRY_ASSIGN(m_base, infer::LogitsReader::open(std::filesystem::path(m_options.base)));
        const infer::SavedLogitsHead& head = m_base->head();
        const std::string name = baseName(m_options.base), text = baseName(m_options.text);
        if (head.vocabulary != graph.vocabulary)
            return fail(ErrorCode::Invalid, Reason("perplexity.base"), About{name},
                        WB_TEXT("{} was saved for a vocabulary of {} tokens, but the model has {}."), name, head.vocabulary,
                        graph.vocabulary);
        if (m_tokens.size() / head.context < head.windows() ||
            !std::equal(head.tokens.begin(), head.tokens.end(), m_tokens.begin()))
            return fail(ErrorCode::Invalid, Reason("perplexity.base"), About{name},
                        WB_TEXT("{} was saved for a text other than {}, or for another vocabulary."), name, text);
        m_measure.context = head.context;
        m_measure.base = &*m_base;
        m_tokens.resize(head.tokens.size());
        return {};
    }

    // Before the weights are loaded.
    Result<void> checkLength() const {
        if (m_tokens.size() >= 2 * m_measure.context) return {};
        const std::string text = baseName(m_options.text);
        return fail(ErrorCode::TooLarge, Reason("perplexity.too_short"), About{text},
                    WB_TEXT("{} has {} tokens; at least {} are required (two windows of {})."), text, m_tokens.size(),
                    2 * m_measure.context, m_measure.context);
    }

    Result<infer::Perplexity> measure(infer::Engine& engine) {
        const OutputFile file(m_options.save);
        std::optional<infer::LogitsWriter> writer;
        if (!m_options.save.empty()) {
            infer::SavedLogitsHead head;
            head.context = static_cast<std::uint32_t>(m_measure.context);
            head.vocabulary = static_cast<std::uint32_t>(engine.vocabulary());
            head.tokens.assign(m_tokens.begin(), m_tokens.end());
            WB_TRY_ASSIGN(writer, infer::LogitsWriter::create(file.path(), head));
            m_measure.save = &*writer;
        }
        ProgressLine line("perplexity", !m_context.quiet);
        const Progress progress{m_context.stop, [&line](std::uint64_t done, std::uint64_t total) { line.set(done, total); }};
        WB_TRY_ASSIGN(const infer::Perplexity measured, infer::measurePerplexity(engine, m_tokens, m_measure, progress));
        if (!writer) return measured;
        WB_TRY(writer->commit());
        WB_TRY(file.finish());
        return measured;
    }

    void printJson(const infer::Perplexity& measured) const {
        JsonWriter json([](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); });
        json.beginObject();
        json.key("perplexity");
        json.number(measured.perplexity);
        json.key("error");
        json.number(measured.error);
        json.key("tokens");
        json.integer(m_tokens.size());
        json.key("chunks");
        json.integer(measured.windows);
        json.key("kld");
        writeDivergence(json, measured.divergence);
        json.endObject();
        json.finish();
        std::fputc('\n', stdout);
    }

    static void writeDivergence(JsonWriter& json, const std::optional<infer::Divergence>& divergence) {
        if (!divergence) return json.null();
        json.beginObject();
        json.key("mean");
        json.number(divergence->mean);
        json.key("median");
        json.number(divergence->median);
        json.key("p99");
        json.number(divergence->p99);
        json.key("top1_agreement");
        json.number(divergence->top1Agreement);
        json.endObject();
    }

    void printTable(const infer::Perplexity& measured) const {
        std::printf("perplexity  %.4f ± %.4f over %zu windows of %zu tokens\n", measured.perplexity, measured.error,
                    measured.windows, m_measure.context);
        if (!measured.divergence) return;
        const infer::Divergence& d = *measured.divergence;
        std::printf("KLD         mean %.6f, median %.6f, 99th percentile %.6f; same top token %.2f%%\n", d.mean, d.median, d.p99,
                    100 * d.top1Agreement);
        std::printf("ppl ratio   %.5f ± %.5f (relative to the base)\n", d.quotient, d.quotientError);
    }

    const Context& m_context;
    const PerplexityOptions& m_options;
    std::shared_ptr<const text::Tokenizer> m_tokenizer;
    std::vector<infer::Token> m_tokens;
    std::optional<infer::LogitsReader> m_base;
    infer::PerplexityOptions m_measure;
};

int perplexity(const Context& context, const PerplexityOptions& options) {
    const auto result = PerplexityRun(context, options).run();
    if (result) return done;
    const std::string& subject = result.error().subject;
    return refuse(context, result.error(), subject.empty() ? options.model : subject);
}

} // namespace

Command addPerplexity(CLI::App& program) {
    auto options = std::make_shared<PerplexityOptions>();
    CLI::App* command = program.add_subcommand("perplexity", "Compute the perplexity of a GGUF model on a text");
    command->add_option("MODEL", options->model, "GGUF model: a file, or an ID or name in wb library")->required();
    command->add_option("--file", options->text, "Text")->type_name("TEXT")->required()->check(checkNotEmpty);
    command->add_option("--context", options->context, "Window size in tokens (default: 512, or that of --base-logits)")
        ->type_name("N")
        ->check(CLI::Range(std::size_t{4}, std::size_t{1} << 24));
    command->add_option("--save-logits", options->save, "Save the logits to this file (llama-perplexity format)")
        ->type_name("FILE")
        ->check(checkNotEmpty);
    command->add_option("--base-logits", options->base, "Compute the KL divergence from logits saved with --save-logits")
        ->type_name("FILE")
        ->check(checkNotEmpty);
    addCacheTypes(*command, options->engine);
    addGpuOptions(*command, options->engine);
    return {command,
            [options](const Context& context) { return perplexity(context, *options); },
            {.reads = {"MODEL", "--file", "--base-logits"}, .writes = {"--save-logits"}},
            true,
            {{&options->model}}};
}

} // namespace wb::cli
