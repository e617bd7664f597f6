// SPDX-License-Identifier: MIT

#include "app/cli/commands.h"
#include "app/cli/command.h"
#include "app/cli/open_model.h"
#include "core/base/json_writer.h"
#include "core/io/byte_source.h"
#include "core/model/model_json.h"
#include "core/text/jinja/json_values.h"
#include "core/text/tokenizer.h"
#include "core/text/utf8.h"

#include <cstdio>
#include <iostream>
#include <iterator>

namespace wb::cli {
namespace {

// `wb tokenize` as typed; exactly one of text, file, fromStdin and detokenize is given.
struct TokenizeOptions {
    std::string model;
    std::optional<std::string> text;
    std::optional<std::string> file;
    bool fromStdin = false; // a JSON array of texts
    std::optional<std::vector<long long>> detokenize;
    std::optional<std::string> pre; // instead of the file's pre-tokenizer
    bool noSpecial = false;
    bool showSpecial = false;
};

constexpr std::uint64_t maxTokenizedText = 4ull << 30; // bytes of --file

void writeTokens(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

class TokenizeRun {
public:
    TokenizeRun(const Context& context, const TokenizeOptions& options) : m_context(context), m_options(options) {}

    Result<void> run() {
        WB_TRY_ASSIGN(const ModelPtr model, openModel(m_context, m_options.model, formats::Strictness::Lenient));
        WB_TRY(openLog(m_context));
        WB_TRY_ASSIGN(m_tokenizer, text::Tokenizer::open(*model, {m_options.pre, Progress{m_context.stop, {}}}));
        logProblems(m_context, m_tokenizer->vocabulary().problems);
        if (m_options.detokenize) return detokenize();
        if (m_options.fromStdin) return encodeStdin();
        WB_TRY_ASSIGN(const std::string given, givenText());
        WB_TRY_ASSIGN(const auto ids, encode(given, !m_options.noSpecial));
        m_context.json ? printJson(ids) : printIds(ids);
        return {};
    }

private:
    Result<std::string> givenText() const {
        if (m_options.text) return text::utf8OfBytes(*m_options.text);
        WB_TRY_ASSIGN(const auto source, io::FileSource::open(std::filesystem::path(*m_options.file)));
        if (source->size() > maxTokenizedText)
            return fail(ErrorCode::TooLarge, Reason("tokenize.file"), About{*m_options.file},
                        WB_TEXT("{} is too large to read as text."), *m_options.file);
        std::string bytes(static_cast<std::size_t>(source->size()), '\0');
        WB_TRY(source->readAt(0, std::as_writable_bytes(std::span(bytes))));
        return text::utf8OfBytes(bytes);
    }

    Result<std::vector<text::TokenId>> encode(std::string_view text, bool special) const {
        return m_tokenizer->encode(text, {.addSpecial = special, .parseSpecial = special, .stop = m_context.stop});
    }

    static void printIds(const std::vector<text::TokenId>& ids) {
        std::string line;
        for (const text::TokenId id : ids) line += (line.empty() ? "" : " ") + std::to_string(id);
        writeTokens(line + '\n');
    }

    static void writeIds(JsonWriter& json, const std::vector<text::TokenId>& ids) {
        json.beginArray();
        for (const text::TokenId id : ids) json.integer(id);
        json.endArray();
    }

    void printJson(const std::vector<text::TokenId>& ids) const {
        JsonWriter json(writeTokens);
        json.beginObject();
        json.key("tokens");
        writeIds(json, ids);
        json.key("pieces");
        json.beginArray();
        for (const text::TokenId id : ids) json.string(text::utf8OfBytes(m_tokenizer->piece(id, true)));
        json.endArray();
        json.key("problems");
        json.beginArray();
        for (const Problem& problem : m_tokenizer->vocabulary().problems) writeJson(json, problem);
        json.endArray();
        json.endObject();
        json.finish();
        writeTokens("\n");
    }

    // A JSON array of texts becomes an array of their ids, without and with special tokens.
    Result<void> encodeStdin() const {
        const std::string input{std::istreambuf_iterator<char>(std::cin), {}};
        const auto texts = text::jinja::valueOfJson(input);
        if (!texts || !texts->list())
            return fail(ErrorCode::Malformed, Reason("tokenize.stdin"), WB_TEXT("Standard input is not a JSON array of strings."));
        JsonWriter json(writeTokens);
        json.beginArray();
        for (const auto& element : *texts->list()) {
            if (!element.text())
                return fail(ErrorCode::Malformed, Reason("tokenize.stdin"),
                            WB_TEXT("Standard input is not a JSON array of strings."));
            json.newline();
            json.beginObject();
            for (const bool special : {false, true}) {
                WB_TRY_ASSIGN(const auto ids, encode(element.text()->bytes, special));
                json.key(special ? "special" : "plain");
                writeIds(json, ids);
            }
            json.endObject();
        }
        json.endArray();
        json.finish();
        writeTokens("\n");
        return {};
    }

    Result<void> detokenize() const {
        std::vector<text::TokenId> ids;
        for (const long long id : *m_options.detokenize) {
            if (id < 0 || static_cast<unsigned long long>(id) >= m_tokenizer->vocabulary().tokens.size())
                return fail(ErrorCode::Invalid, Reason("tokenize.id"), About{io::baseName(m_options.model)},
                            WB_TEXT("{} has no token {}; the highest ID is {}."), io::baseName(m_options.model), id,
                            m_tokenizer->vocabulary().tokens.size() - 1);
            ids.push_back(static_cast<text::TokenId>(id));
        }
        text::Utf8Stream stream;
        std::string shown = stream.add(m_tokenizer->decode(ids, m_options.showSpecial));
        shown += stream.finish();
        if (!m_context.json) {
            writeTokens(shown);
            return {};
        }
        JsonWriter json(writeTokens);
        json.beginObject();
        json.key("text");
        json.string(shown);
        json.endObject();
        json.finish();
        writeTokens("\n");
        return {};
    }

    const Context& m_context;
    const TokenizeOptions& m_options;
    std::shared_ptr<const text::Tokenizer> m_tokenizer;
};

int tokenize(const Context& context, const TokenizeOptions& options) {
    if (!options.text + !options.file + !options.fromStdin + !options.detokenize != 3)
        return refuseUsage("Specify one of --text TEXT, --file FILE, --stdin-json and --detokenize N,N,….");
    const auto outcome = TokenizeRun(context, options).run();
    return outcome ? done : refuse(context, outcome.error(), options.model);
}

} // namespace

Command addTokenize(CLI::App& program) {
    auto options = std::make_shared<TokenizeOptions>();
    CLI::App* command = program.add_subcommand("tokenize", "Tokenize a text, or detokenize token IDs");
    command->add_option("MODEL", options->model, "GGUF model, with or without tensors: a file, or an ID or name in wb library")
        ->required();
    command->add_option("--text", options->text, "Text")->type_name("TEXT");
    command->add_option("--file", options->file, "Read the text from this file")->type_name("FILE")->check(checkNotEmpty);
    command->add_flag("--stdin-json", options->fromStdin,
                      "Read a JSON array of strings from stdin; print the token IDs of each, without and with special tokens");
    command->add_option("--detokenize", options->detokenize, "Token IDs to convert to text, separated by commas")
        ->type_name("N,N,…")
        ->delimiter(',');
    command->add_option("--pre", options->pre, "Use this pre-tokenizer instead of the model's")->type_name("NAME");
    command->add_flag("--no-special", options->noSpecial, "Do not add BOS or EOS, and treat control tokens as plain text");
    command->add_flag("--special", options->showSpecial, "With --detokenize: include control tokens");
    return {command,
            [options](const Context& context) { return tokenize(context, *options); },
            {.reads = {"MODEL", "--file"}},
            false,
            {{&options->model}}};
}

} // namespace wb::cli
