// SPDX-License-Identifier: MIT
#include "core/infer/perplexity.h"

#include "core/infer/benchmark.h"
#include "core/io/byte_source.h"
#include "core/tensor/bytes.h"
#include "tests/unit/infer/reference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

namespace wb::infer {
namespace {

using test::ArchModel;
using test::makeEngine;

constexpr std::size_t window = 16;

PerplexityOptions windowOnly() {
    PerplexityOptions options;
    options.context = window;
    return options;
}

std::vector<Token> someText(std::size_t count) {
    std::vector<Token> tokens(count);
    for (std::size_t i = 0; i < count; ++i) tokens[i] = static_cast<Token>(3 + i * 37 % 500);
    return tokens;
}

// The measure as its formula is written down, from logits of the same windows.
double expectedPerplexity(Engine& engine, std::span<const Token> tokens, Token first) {
    double sum = 0, count = 0;
    for (std::size_t w = 0; w + window <= tokens.size(); w += window) {
        std::vector<Token> own(tokens.begin() + static_cast<std::ptrdiff_t>(w),
                               tokens.begin() + static_cast<std::ptrdiff_t>(w + window));
        own[0] = first;
        const auto logits = test::allLogits(engine, own, window);
        for (std::size_t p = window / 2; p + 1 < window; ++p, ++count) {
            const auto row = std::span(logits).subspan(p * engine.vocabulary(), engine.vocabulary());
            double below = 0;
            for (const float logit : row) below += std::exp(static_cast<double>(logit));
            sum += std::log(below) - static_cast<double>(row[static_cast<std::size_t>(own[p + 1])]);
        }
    }
    return std::exp(sum / count);
}

TEST(Perplexity, IsThatOfTheSecondHalvesOfWindows) {
    WB_NEED_SHARED("arch");
    const auto engine = makeEngine(ArchModel::open("llama").model, {.threads = 2, .context = window});
    const auto tokens = someText(5 * window + 3);
    PerplexityOptions options = windowOnly();
    options.first = 1;
    const auto measured = measurePerplexity(*engine, tokens, options, {});
    ASSERT_TRUE(measured) << measured.error().message();
    EXPECT_EQ(measured->windows, 5u);
    EXPECT_NEAR(measured->perplexity / expectedPerplexity(*engine, tokens, 1), 1, 1e-5);
    EXPECT_GT(measured->error, 0);
    EXPECT_FALSE(measured->divergence);
}

TEST(Perplexity, NeedsTwoWindows) {
    WB_NEED_SHARED("arch");
    const auto engine = makeEngine(ArchModel::open("llama").model, {.threads = 1, .context = window});
    const auto measured = measurePerplexity(*engine, someText(2 * window - 1), windowOnly(), {});
    ASSERT_FALSE(measured);
    EXPECT_EQ(measured.error().reason, Reason("infer.text_too_short"));
    EXPECT_NE(measured.error().message().find("32"), std::string::npos);
}

TEST(Perplexity, CanBeStopped) {
    WB_NEED_SHARED("arch");
    const auto engine = makeEngine(ArchModel::open("llama").model, {.threads = 1, .context = window});
    std::stop_source source;
    source.request_stop();
    const auto measured = measurePerplexity(*engine, someText(64), windowOnly(), {source.get_token(), {}});
    ASSERT_FALSE(measured);
    EXPECT_EQ(measured.error().code, ErrorCode::Canceled);
}

class SavedLogits : public testing::Test {
protected:
    // Saves the logits of `model` and answers the file's bytes.
    std::vector<std::byte> save(const char* model) const {
        const auto engine = makeEngine(ArchModel::open(model).model, {.threads = 1, .context = window});
        SavedLogitsHead head{window, static_cast<std::uint32_t>(engine->vocabulary()), m_tokens};
        auto writer = LogitsWriter::create(m_path, head);
        EXPECT_TRUE(writer);
        PerplexityOptions options = windowOnly();
        options.save = &*writer;
        EXPECT_TRUE(measurePerplexity(*engine, m_tokens, options, {}));
        EXPECT_TRUE(writer->commit());
        return test::readFile(m_path);
    }

    static Result<LogitsReader> open(std::vector<std::byte> bytes) {
        return LogitsReader::open(std::make_shared<io::MemorySource>("logits", std::move(bytes)));
    }

    Divergence compare(const char* model, const LogitsReader& base) const {
        const auto engine = makeEngine(ArchModel::open(model).model, {.threads = 2, .context = window});
        PerplexityOptions options = windowOnly();
        options.base = &base;
        const auto measured = measurePerplexity(*engine, m_tokens, options, {});
        EXPECT_TRUE(measured);
        return measured->divergence.value_or(Divergence{});
    }

    test::TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder.path() / "logits";
    std::vector<Token> m_tokens = someText(4 * window);
};

TEST_F(SavedLogits, GiveNoDivergenceFromThemselves) {
    WB_NEED_SHARED("arch");
    const auto reader = open(save("llama"));
    ASSERT_TRUE(reader) << reader.error().message();
    EXPECT_EQ(reader->head().tokens, m_tokens);
    EXPECT_EQ(reader->head().windows(), 4u);
    const Divergence same = compare("llama", *reader);
    EXPECT_NEAR(same.mean, 0, 1e-4); // 16 bits a word are what is kept
    EXPECT_EQ(same.top1Agreement, 1);
    EXPECT_NEAR(same.quotient, 1, 1e-3);
    EXPECT_LT(same.quotientError, 1e-4);
    const Divergence other = compare("qwen2", *reader);
    EXPECT_GT(other.mean, 0.01);
    EXPECT_GE(other.p99, other.median);
    EXPECT_LT(other.top1Agreement, 1);
    EXPECT_GT(std::abs(other.quotient - 1), 1e-3);
    EXPECT_GT(other.quotientError, 1e-4);
}

TEST_F(SavedLogits, AreRefusedWhereTheyAreDamaged) {
    WB_NEED_SHARED("arch");
    const auto whole = save("llama");
    const auto refused = [&](auto change) {
        auto bytes = whole;
        change(bytes);
        const auto reader = open(std::move(bytes));
        EXPECT_FALSE(reader);
        return !reader && reader.error().reason == Reason("infer.saved_logits");
    };
    EXPECT_TRUE(refused([](auto& bytes) { bytes.resize(10); }));
    EXPECT_TRUE(refused([](auto& bytes) { bytes.pop_back(); }));
    EXPECT_TRUE(refused([](auto& bytes) { bytes[0] = std::byte{0}; }));
    for (const std::uint32_t context : {0u, 3u, 0x7fff'ffffu})
        EXPECT_TRUE(refused([&](auto& bytes) { store(bytes.data() + 8, context); }));
    for (const std::uint32_t vocabulary : {0u, 0xffff'ffffu})
        EXPECT_TRUE(refused([&](auto& bytes) { store(bytes.data() + 12, vocabulary); }));
    for (const std::uint32_t windows : {0u, 5u, 0xffff'ffffu})
        EXPECT_TRUE(refused([&](auto& bytes) { store(bytes.data() + 16, windows); }));
}

TEST(Benchmark, TimesEachRepetitionFromTheSameDepth) {
    WB_NEED_SHARED("arch");
    Session session(makeEngine(ArchModel::open("llama").model, {.threads = 1, .context = 64}));
    const BenchmarkOptions options{.prompt = 20, .generate = 5, .repeat = 4, .depth = 10};
    EXPECT_EQ(options.context(), 30u);
    const auto rates = benchmark(session, options, {});
    ASSERT_TRUE(rates) << rates.error().message();
    EXPECT_GT(rates->prompt.min, 0);
    EXPECT_LE(rates->prompt.min, rates->prompt.median);
    EXPECT_LE(rates->prompt.median, rates->prompt.max);
    EXPECT_GT(rates->generate.min, 0);
    EXPECT_EQ(session.tokens().size(), 15u);
}

TEST(EngineLoad, CountsOnlyTheExpertsThatAreUsed) {
    WB_NEED_SHARED("arch");
    const auto dense = makeEngine(ArchModel::open("llama").model, {.threads = 1});
    EXPECT_GT(dense->load().seconds, 0);
    const auto experts = makeEngine(ArchModel::open("qwen3moe").model, {.threads = 1});
    // BF16 experts: 2 of 8, three matrices of 96 x 64 each in three layers, beside attention, output and an F32 router.
    const std::uint64_t routed = 3 * 2 * 3 * 96 * 64 * 2, attention = 3 * (2 * 128 + 2 * 64) * 64 * 2, output = 512 * 64 * 2,
                        router = 3 * 16 * 64 * 4;
    EXPECT_EQ(experts->load().bytesPerToken, routed + attention + output + router);
}

} // namespace
} // namespace wb::infer
