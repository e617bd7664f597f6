// SPDX-License-Identifier: MIT
#include "core/formats/open.h"
#include "core/text/tokenizer.h"

#include <benchmark/benchmark.h>

#include <filesystem>
#include <fstream>
#include <iterator>

// How fast English becomes tokens, on one core, for a vocabulary of every algorithm of the reference data. The text is this
// project's own documents, one after the other, as often as 4 MiB hold.
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

} // namespace
} // namespace wb::text

BENCHMARK_MAIN();
