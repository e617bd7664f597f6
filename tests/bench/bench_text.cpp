// SPDX-License-Identifier: MIT
#include "core/formats/open.h"
#include "core/text/encoder.h"
#include "core/text/pretokenizer.h"
#include "core/text/tokenizer.h"
#include "core/text/utf8.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

// How fast English becomes tokens, on one core: for vocabularies of the reference data; for the tokens of llama-bpe cut by the
// expressions of every other family; and for the algorithms that the reference data have no vocabulary of, UGM, RWKV and gemma4's
// BPE, with tokens of the vocabularies there. The text is this project's own documents, one after the other, as often as 4 MiB
// hold.
namespace wb::text {
namespace {

constexpr std::size_t textBytes = std::size_t{4} << 20;

std::string readDocuments() {
    std::string all;
    for (const char* name : {"README.md", "CONTRIBUTING.md", "docs/performance.md", "docs/glossary.md"}) {
        std::ifstream file(std::filesystem::path(BENCH_TEXT_FOLDER) / name, std::ios::binary);
        all.append(std::istreambuf_iterator<char>(file), {});
    }
    return all;
}

const std::string& english() {
    static const std::string text = [] {
        const std::string once = readDocuments();
        std::string all;
        while (!once.empty() && all.size() + once.size() <= textBytes) all += once;
        return all;
    }();
    return text;
}

void encode(benchmark::State& state, const char* vocabulary) {
    const auto model = formats::open(std::filesystem::path(BENCH_SHARED) / "golden/tokenizers" / vocabulary);
    const auto tokenizer = model ? Tokenizer::open(**model) : std::unexpected(model.error());
    if (!tokenizer || english().empty()) {
        state.SkipWithError("the reference data or the documents are not here");
        return;
    }
    std::size_t tokens = 0;
    for (auto _ : state) {
        const auto ids = (*tokenizer)->encode(english());
        if (!ids) {
            state.SkipWithError("the text could not be cut");
            return;
        }
        tokens = ids->size();
        benchmark::DoNotOptimize(tokens);
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * english().size()));
    state.counters["tokens"] = static_cast<double>(tokens);
}

BENCHMARK_CAPTURE(encode, llama_bpe, "ggml-vocab-llama-bpe.gguf")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(encode, qwen2, "ggml-vocab-qwen2.gguf")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(encode, gpt_2, "ggml-vocab-gpt-2.gguf")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(encode, deepseek_llm, "ggml-vocab-deepseek-llm.gguf")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(encode, llama_spm, "ggml-vocab-llama-spm.gguf")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(encode, bert_wpm, "ggml-vocab-bert-bge.gguf")->Unit(benchmark::kMillisecond);

// ---- other families with known tokens

void encodeWith(benchmark::State& state, const Encoder& encoder) {
    std::size_t tokens = 0;
    for (auto _ : state) {
        std::vector<TokenId> ids;
        if (!encoder.encode(english(), true, {}, ids)) return state.SkipWithError("the text could not be cut");
        tokens = ids.size();
        benchmark::DoNotOptimize(tokens);
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * english().size()));
    state.counters["tokens"] = static_cast<double>(tokens);
}

std::shared_ptr<const Vocabulary> vocabularyFromFile(const char* file, const VocabularyOptions& options = {}) {
    const auto model = formats::open(std::filesystem::path(BENCH_SHARED) / "golden/tokenizers" / file);
    const auto vocabulary = model ? readVocabulary(**model, options) : std::unexpected(model.error());
    return vocabulary ? *vocabulary : nullptr;
}

void encodeFamily(benchmark::State& state, std::string_view pre) {
    const auto vocabulary = vocabularyFromFile("ggml-vocab-llama-bpe.gguf", {.pre = std::string(pre), .progress = {}});
    const auto encoder = vocabulary ? makeEncoder(vocabulary) : std::unexpected(Error{});
    if (!encoder || english().empty()) return state.SkipWithError("the reference data or the documents are not here");
    encodeWith(state, **encoder);
}

// The tokens of another vocabulary under an algorithm; `from` in their texts becomes `to`.
std::shared_ptr<const Vocabulary> retold(const char* file, Algorithm algorithm, std::string_view from, std::string_view to) {
    const auto source = vocabularyFromFile(file);
    if (!source) return nullptr;
    const auto told = [&](std::string text) {
        for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
            text.replace(at, from.size(), to);
        return text;
    };
    auto made = std::make_shared<Vocabulary>();
    made->algorithm = algorithm;
    made->tokens = source->tokens;
    for (Token& token : made->tokens) token.text = told(std::move(token.text));
    for (std::size_t i = 0; i < made->tokens.size(); ++i)
        made->ids.insert_or_assign(std::string_view(made->tokens[i].text), static_cast<TokenId>(i));
    for (const std::string& merge : source->merges) made->merges.push_back(told(merge));
    made->special.unknown = 0;
    made->addSpacePrefix = made->removeExtraWhitespaces = true;
    if (algorithm == Algorithm::Bpe) {
        made->pre = "gemma4";
        made->escapeBlanks = true;
    }
    return made;
}

void encodeRetold(benchmark::State& state, const char* file, Algorithm algorithm, std::string_view from, std::string_view to) {
    const auto vocabulary = retold(file, algorithm, from, to);
    const auto encoder = vocabulary ? makeEncoder(vocabulary) : std::unexpected(Error{});
    if (!encoder || english().empty()) return state.SkipWithError("the reference data or the documents are not here");
    encodeWith(state, **encoder);
}

BENCHMARK_CAPTURE(encodeRetold, gemma4, "ggml-vocab-llama-bpe.gguf", Algorithm::Bpe, "\xC4\xA0", blankMark)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(encodeRetold, ugm, "ggml-vocab-llama-spm.gguf", Algorithm::Ugm, blankMark, blankMark)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(encodeRetold, rwkv, "ggml-vocab-llama-spm.gguf", Algorithm::Rwkv, blankMark, " ")->Unit(benchmark::kMillisecond);

// One value of each family of expressions for byte-encoded tokens.
void registerFamilies() {
    std::vector<std::vector<std::string_view>> known;
    for (const std::string_view pre : PreTokenizer::values()) {
        const auto expressions = PreTokenizer::expressions(pre);
        const auto tokenizer = PreTokenizer::find(pre);
        const bool isKnown = !expressions.empty() && std::ranges::find(known, expressions) != known.end();
        if (isKnown || !tokenizer || !tokenizer->encodesBytes()) continue;
        known.push_back(expressions);
        benchmark::RegisterBenchmark(("family/" + std::string(pre)).c_str(), [pre](benchmark::State& state) {
            encodeFamily(state, pre);
        })->Unit(benchmark::kMillisecond);
    }
}

} // namespace
} // namespace wb::text

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    wb::text::registerFamilies();
    benchmark::RunSpecifiedBenchmarks();
}
