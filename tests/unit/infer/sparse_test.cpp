// SPDX-License-Identifier: MIT
#include "tests/unit/infer/naive_graph.h"
#include "tests/unit/infer/reference.h"

#include <gtest/gtest.h>

#include <algorithm>

// Sparse attention, residual streams and n-gram embeddings: compared with their definitions on texts that are longer than the
// reference's, and with hostile numbers.
namespace wb::infer {
namespace {

using test::ArchModel;
using test::NaiveGraph;

Value u32(std::uint64_t number) { return Value::ofUnsigned(ValueType::U32, number); }

Value numbers(ValueType type, const std::vector<std::uint64_t>& list) {
    ValueArray array;
    array.elementType = type;
    array.count = list.size();
    for (const std::uint64_t number : list)
        array.first.push_back(type == ValueType::Bool ? Value::of(number != 0) : Value::ofUnsigned(type, number));
    return Value::of(std::move(array));
}

// A model of the reference data with one key set.
ModelPtr modelWith(const char* folder, const std::string& key, Value value) {
    Model model = *ArchModel::open(folder).model;
    const std::string name = *model.architecture + "." + key;
    std::erase_if(model.metadata.members, [&](const Member& member) { return member.key == name; });
    model.metadata.members.push_back({name, std::move(value)});
    return std::make_shared<const Model>(std::move(model));
}

std::vector<Token> repeatedTokens(const ArchModel& arch, std::size_t count) {
    std::vector<Token> tokens;
    while (tokens.size() < count) tokens.insert(tokens.end(), arch.tokens.begin(), arch.tokens.end());
    tokens.resize(count);
    return tokens;
}

// Compares the logits of all tokens with the definitions, in one batch and in several.
void expectDefinition(const ModelPtr& model, const std::vector<Token>& tokens) {
    const auto graph = planGraph(model);
    ASSERT_TRUE(graph) << graph.error().message();
    std::vector<float> truth;
    for (const NaiveGraph::Row& row : NaiveGraph(*graph, tokens).logits()) truth.insert(truth.end(), row.begin(), row.end());
    for (const bool scalar : {true, false}) {
        const EngineOptions options{
            .threads = 2, .context = 256, .keys = CacheType::F32, .values = CacheType::F32, .scalar = scalar};
        const auto engine = test::makeEngine(model, options);
        ASSERT_TRUE(engine);
        const auto atOnce = test::allLogits(*engine, tokens, tokens.size());
        EXPECT_LE(test::nmse(atOnce, truth), 1e-9) << scalar;
        if (scalar) continue;
        for (const std::size_t piece : {1, 7, 30}) EXPECT_EQ(test::allLogits(*engine, tokens, piece), atOnce) << piece;
    }
}

TEST(SparseAttention, SelectsBlocksOfTokens) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open("qwen4exp");
    const auto tokens = repeatedTokens(arch, 90);
    for (const std::uint64_t topK : {4, 8, 11, 40})
        ASSERT_NO_FATAL_FAILURE(expectDefinition(modelWith("qwen4exp", "attention.indexer.top_k", u32(topK)), tokens)) << topK;
    expectDefinition(modelWith("qwen4exp", "attention.compress_ratios", numbers(ValueType::U32, {0, 7})), tokens);
    expectDefinition(modelWith("qwen4exp", "attention.compress_ratios", numbers(ValueType::U32, {0, 0})), tokens); // sees all
}

TEST(SparseAttention, SelectsTokensForSeveralLayers) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open("glm-dsa");
    const auto tokens = repeatedTokens(arch, 70);
    for (const std::uint64_t topK : {1, 17, 500})
        ASSERT_NO_FATAL_FAILURE(expectDefinition(modelWith("glm-dsa", "attention.indexer.top_k", u32(topK)), tokens)) << topK;
    expectDefinition(modelWith("glm-dsa", "attention.indexer.types", numbers(ValueType::Bool, {1, 0, 0})), tokens);
}

TEST(SparseAttention, OfLargeContextsSharesIndexers) {
    WB_NEED_SHARED("arch");
    Model model = *modelWith("glm-dsa", "context_length", u32(1'048'576));
    std::erase_if(model.metadata.members, [](const Member& member) { return member.key == "glm-dsa.attention.indexer.types"; });
    const auto spec = arch::readSpec(model);
    ASSERT_TRUE(spec) << spec.error().message();
    EXPECT_EQ(spec->layers[2].indexBlock, 1u);
    Model longer = model;
    for (Member& member : longer.metadata.members)
        if (member.key == "glm-dsa.block_count") member.value = u32(8);
    const auto more = arch::readSpec(longer);
    ASSERT_TRUE(more) << more.error().message();
    std::vector<std::uint64_t> blocks;
    for (const arch::LayerSpec& layer : more->layers) blocks.push_back(layer.indexBlock);
    EXPECT_EQ(blocks, (std::vector<std::uint64_t>{1, 1, 1, 0, 0, 0, 1, 0}));
    EXPECT_TRUE(more->layers[3].selects);
}

// Chunks shorter than the text, and the temperature of layers that do not rotate.
TEST(ChunkedAttention, SeesTheTokensOfItsChunk) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open("llama4");
    auto graph = planGraph(arch.model);
    ASSERT_TRUE(graph) << graph.error().message();
    for (std::vector<LayerOp>& layer : graph->layers)
        for (LayerOp& op : layer) {
            if (auto* const attend = std::get_if<AttendOp>(&op); attend && attend->chunked) attend->window = 13;
            if (auto* const qkv = std::get_if<QkvOp>(&op); qkv && qkv->temperature.scale > 0) qkv->temperature.context = 10;
        }
    for (CacheShape& cache : graph->caches)
        if (cache.window > 0) cache.window = 13;
    const auto tokens = repeatedTokens(arch, 90);
    std::vector<float> truth;
    for (const NaiveGraph::Row& row : NaiveGraph(*graph, tokens).logits()) truth.insert(truth.end(), row.begin(), row.end());
    for (const std::size_t slack : {std::size_t{16}, EngineOptions().windowSlack}) {
        auto engine = cpu::makeCpuEngine(
            *graph, {.threads = 2, .context = 128, .keys = CacheType::F32, .values = CacheType::F32, .windowSlack = slack}, {});
        ASSERT_TRUE(engine) << engine.error().message();
        const auto logits = test::allLogits(**engine, tokens, 16);
        EXPECT_LE(test::nmse(logits, truth), 1e-9);
        EXPECT_EQ(test::allLogits(**engine, tokens, 5), logits);
    }
}

TEST(ChunkedAttention, IsAbsentWhereTheWindowIsZero) {
    WB_NEED_SHARED("arch");
    const auto graph = planGraph(modelWith("llama4", "attention.sliding_window", u32(0)));
    ASSERT_TRUE(graph) << graph.error().message();
    for (const std::vector<LayerOp>& layer : graph->layers) {
        const auto& qkv = std::get<QkvOp>(layer[0]);
        EXPECT_TRUE(qkv.rope);
        EXPECT_EQ(qkv.temperature.scale, 0);
        EXPECT_EQ(std::get<AttendOp>(layer[1]).window, 0u);
    }
}

// n-grams across batches, and those that an end of text cuts.
TEST(Ngrams, DoNotReachBeyondTheEndOfAText) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open("qwen4exp");
    std::vector<Token> tokens = repeatedTokens(arch, 60);
    for (const std::size_t at : {3, 20, 21, 40, 42}) tokens[at] = 317; // ple.eos_token_id
    expectDefinition(arch.model, tokens);
}

TEST(Ngrams, HashTheLastTokens) {
    NgramOp op;
    op.size = 3;
    op.headsEach = 1;
    op.endToken = 9;
    op.multipliers = {1, 10, 100};
    op.offsets = {0, 1000};
    op.sizes = {1000, 1000};
    std::uint64_t rows[2];
    const std::uint32_t history[] = {2 + 1, 3 + 1}, cut[] = {9 + 1, 3 + 1}, none[] = {0, 0};
    op.findRows(5, history, rows);
    EXPECT_EQ(rows[0], 5u ^ 20u);
    EXPECT_EQ(rows[1], 1000 + (5u ^ 20u ^ 300u));
    for (const std::uint32_t* const before : {cut, none}) {
        op.findRows(5, before, rows);
        EXPECT_EQ(rows[0], 5u ^ 90u);
        EXPECT_EQ(rows[1], 1000 + (5u ^ 90u ^ 900u));
    }
    op.multipliers[0] = 1ull << 63; // negative
    op.findRows(1, none, rows);
    EXPECT_LT(rows[0], 1000u);
}

struct Hostile {
    const char *folder, *key;
    Value value;
    Reason reason;
    const char* word;
};

TEST(SparseFamilies, RefuseHostileNumbers) {
    WB_NEED_SHARED("arch");
    const Reason key("infer.key"), range("arch.out_of_range"), part("infer.part"), shape("infer.wrong_shape"),
        missing("infer.missing_tensor"), table("infer.ngram_table");
    const auto u64s = [](const std::vector<std::uint64_t>& list) { return numbers(ValueType::U64, list); };
    const Hostile all[] = {
        {"gemma4moe", "expert_count", u32(0), key, "expert_count"},
        {"gemma4moe", "expert_used_count", u32(0), key, "expert_used_count"},
        {"gemma4moe", "expert_used_count", u32(5), range, "expert_used_count"},
        {"gemma4moe", "expert_feed_forward_length", u32(31), shape, "blk.0.ffn_gate_up_exps.weight"},
        {"gemma4moe", "attention.sliding_window", u32(0), shape, "blk.0.attn_q"},
        {"llama4", "expert_count", u32(0), missing, "blk.0.ffn_up.weight"},
        {"llama4", "expert_used_count", u32(5), range, "expert_used_count"},
        {"glm-dsa", "expert_count", u32(0), missing, "blk.1.ffn_up.weight"},
        {"glm-dsa", "expert_used_count", u32(4), range, "expert_used_count"},
        {"glm-dsa", "attention.indexer.head_count", u32(0), key, "attention.indexer.head_count"},
        {"glm-dsa", "attention.indexer.key_length", u32(0), key, "attention.indexer.key_length"},
        {"glm-dsa", "attention.indexer.key_length", u32(4), key, "attention.indexer.key_length"}, // less than is rotated
        {"glm-dsa", "attention.indexer.key_length", u32(32), shape, "blk.0.indexer.attn_q_b.weight"},
        {"glm-dsa", "attention.indexer.top_k", u32(0), key, "attention.indexer.top_k"},
        {"glm-dsa", "attention.indexer.types", numbers(ValueType::Bool, {0, 1, 1}), key, "attention.indexer.types"},
        {"glm-dsa", "attention.indexer.types", numbers(ValueType::Bool, {1, 1}), Reason("arch.list_length"), "indexer.types"},
        {"qwen4exp", "attention.indexer.top_k", u32(0), key, "attention.indexer.top_k"},
        {"qwen4exp", "attention.compress_ratios", numbers(ValueType::U32, {0, 65}), key, "attention.compress_ratios"},
        {"qwen4exp", "hyper_connection.count", u32(0), key, "hyper_connection.count"},
        {"qwen4exp", "hyper_connection.count", u32(1), key, "hyper_connection.count"},
        {"qwen4exp", "hyper_connection.count", u32(4), shape, "output_hc_norm.weight"},
        {"qwen4exp", "hyper_connection.count", u32(17), range, "hyper_connection.count"},
        {"qwen4exp", "hyper_connection.low_rank", u32(0), key, "hyper_connection.low_rank"},
        {"qwen4exp", "ple.layers", numbers(ValueType::U32, {2}), key, "ple.layers"},
        {"qwen4exp", "ple.layers", numbers(ValueType::U32, {0, 1}), part, "n-gram"},
        {"qwen4exp", "ple.ngram_size", u32(1), key, "ple.ngram_size"},
        {"qwen4exp", "ple.ngram_size", u32(9), range, "ple.ngram_size"},
        {"qwen4exp", "ple.heads_per_ngram", u32(0), key, "ple.heads_per_ngram"},
        {"qwen4exp", "ple.heads_per_ngram", u32(3), key, "ple.head_offsets"},
        {"qwen4exp", "ple.conv_kernel", u32(0), key, "ple.conv_kernel"},
        {"qwen4exp", "ple.conv_kernel", u32(17), key, "ple.conv_kernel"},
        {"qwen4exp", "ple.layer_multipliers", u64s({1, 2}), key, "ple.layer_multipliers"},
        {"qwen4exp", "ple.head_vocab_sizes", u64s({53, 59, 61}), key, "ple.head_vocab_sizes"},
        {"qwen4exp", "ple.head_vocab_sizes", u64s({53, 59, 61, 0}), key, "ple.head_vocab_sizes"},
        {"qwen4exp", "ple.head_vocab_sizes", u64s({53, 59, 61, 68}), table, "per_layer_token_embd.weight"},
        {"qwen4exp", "ple.head_offsets", u64s({0, 53, 112, ~0ull}), table, "per_layer_token_embd.weight"},
        {"qwen4exp", "embedding_length_per_layer_input", u32(0), key, "embedding_length_per_layer_input"},
        {"qwen4exp", "embedding_length_per_layer_input", u32(8), shape, "per_layer_token_embd.weight"},
    };
    for (const auto& [folder, name, value, reason, word] : all) {
        const auto graph = planGraph(modelWith(folder, name, value));
        ASSERT_FALSE(graph) << folder << " " << name;
        EXPECT_EQ(graph.error().reason, reason) << folder << " " << name << ": " << graph.error().message();
        EXPECT_NE(graph.error().message().find(word), std::string::npos) << graph.error().message();
    }
}

} // namespace
} // namespace wb::infer
