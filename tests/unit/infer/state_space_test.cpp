// SPDX-License-Identifier: MIT
#include "core/formats/open.h"
#include "core/infer/cpu/cpu_engine.h"
#include "tests/unit/gguf/gguf_builder.h"
#include "tests/unit/infer/graph_text.h"
#include "tests/unit/infer/naive_graph.h"
#include "tests/unit/infer/reference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

// Families of Mamba-2 of which the reference data have no model: tiny ones are made here.
namespace wb::infer {
namespace {

// A model of two layers with numbers that follow from a seed.
class TinyModel {
public:
    explicit TinyModel(const char* architecture) : m_architecture(architecture) {
        m_file.pair("general.architecture", architecture);
        for (const auto& [key, number] : {std::pair{"block_count", 2U},
                                          {"context_length", 64U},
                                          {"embedding_length", width},
                                          {"vocab_size", vocabulary},
                                          {"ssm.conv_kernel", 4U},
                                          {"ssm.inner_size", inner},
                                          {"ssm.state_size", state},
                                          {"ssm.group_count", groups},
                                          {"ssm.time_step_rank", heads}})
            set(key, number);
        m_file.pair(m_architecture + ".attention.layer_norm_rms_epsilon", test::GgufBuilder::F32, m_file.number(1e-5F));
        m_file.pair("tokenizer.ggml.model", "no_vocab");
        matrix("token_embd.weight", vocabulary, width);
        vector("output_norm.weight", width, 1);
        matrix("output.weight", vocabulary, width);
    }

    void set(const char* key, std::uint32_t number) { m_file.pair(m_architecture + "." + key, number); }

    void addStateSpace(const std::string& prefix, bool withNorm) {
        constexpr std::uint32_t channels = inner + 2 * groups * state;
        vector(prefix + "attn_norm.weight", width, 1);
        matrix(prefix + "ssm_in.weight", inner + channels + heads, width);
        matrix(prefix + "ssm_conv1d.weight", channels, 4);
        vector(prefix + "ssm_conv1d.bias", channels, 0);
        vector(prefix + "ssm_dt.bias", heads, 0);
        add(prefix + "ssm_a", {1, heads}, [this] { return -std::exp(random()); });
        add(prefix + "ssm_d", {1, heads}, [this] { return 1 + random() / 2; });
        if (withNorm) add(prefix + "ssm_norm.weight", {inner / groups, groups}, [this] { return 1 + random() / 2; });
        matrix(prefix + "ssm_out.weight", width, inner);
    }

    void addAttention(const std::string& prefix) {
        matrix(prefix + "attn_q.weight", width, width);
        matrix(prefix + "attn_k.weight", width / 2, width);
        matrix(prefix + "attn_v.weight", width / 2, width);
        matrix(prefix + "attn_output.weight", width, width);
        vector(prefix + "ffn_norm", width, 1); // as the reference converter names it
        matrix(prefix + "ffn_gate.weight", 48, width);
        matrix(prefix + "ffn_up.weight", 48, width);
        matrix(prefix + "ffn_down.weight", width, 48);
    }

    ModelPtr write(const test::TemporaryFolder& folder) const {
        auto model = formats::open(folder.file("tiny.gguf", m_file.build()));
        EXPECT_TRUE(model) << model.error().message();
        return model ? *model : nullptr;
    }

    static constexpr std::uint32_t width = 32, vocabulary = 8, inner = 64, state = 16, groups = 2, heads = 4;

private:
    // From -1 to 1.
    float random() {
        m_seed = m_seed * 1664525U + 1013904223U;
        return static_cast<float>(m_seed >> 8U) / 8388608.0F - 1;
    }

    template <class Number>
    void add(const std::string& name, const std::vector<std::uint64_t>& dimensions, Number next) {
        std::string bytes;
        const std::uint64_t count = std::accumulate(dimensions.begin(), dimensions.end(), std::uint64_t{1}, std::multiplies<>());
        for (std::uint64_t i = 0; i < count; ++i) bytes += m_file.number(static_cast<float>(next()));
        m_file.tensor(name, dimensions, 0, bytes);
    }

    void matrix(const std::string& name, std::uint32_t rows, std::uint32_t columns) {
        const float scale = 1.5F / std::sqrt(static_cast<float>(columns));
        add(name, {columns, rows}, [this, scale] { return random() * scale; });
    }

    void vector(const std::string& name, std::uint32_t count, float about) {
        add(name, {count}, [this, about] { return about + random() / 4; });
    }

    std::string m_architecture;
    test::GgufBuilder m_file;
    std::uint32_t m_seed = 1;
};

ModelPtr mamba2(const test::TemporaryFolder& folder) {
    TinyModel model("mamba2");
    for (const char* const prefix : {"blk.0.", "blk.1."}) model.addStateSpace(prefix, true);
    return model.write(folder);
}

ModelPtr falconH1(const test::TemporaryFolder& folder) {
    TinyModel model("falcon-h1");
    model.set("feed_forward_length", 48);
    model.set("attention.head_count", 4);
    model.set("attention.head_count_kv", 2);
    for (const char* const prefix : {"blk.0.", "blk.1."}) {
        model.addStateSpace(prefix, false);
        model.addAttention(prefix);
    }
    return model.write(folder);
}

const std::vector<Token> tokens = {1, 5, 2, 7, 0, 3, 3, 6, 4, 1, 1, 2};

// The logits of the last token by the definitions in f64, by the engine in any split, and by ggml-org/llama.cpp v0.5.0.
void expectLogits(const ModelPtr& model, std::span<const float> reference) {
    const auto graph = planGraph(model);
    ASSERT_TRUE(graph) << graph.error().message();
    const auto all = test::NaiveGraph(*graph, tokens).logits();
    const std::vector<float> truth(all.back().begin(), all.back().end());
    EXPECT_LE(test::nmse(truth, reference), 1e-9);
    for (const bool scalar : {false, true}) {
        const auto engine =
            test::makeEngine(model, {.threads = 2, .keys = CacheType::F32, .values = CacheType::F32, .scalar = scalar});
        ASSERT_TRUE(engine);
        const auto atOnce = test::allLogits(*engine, tokens, tokens.size());
        EXPECT_LE(test::nmse(std::span(atOnce).last(truth.size()), truth), 1e-10);
        for (const std::size_t piece : {1, 5}) EXPECT_EQ(test::allLogits(*engine, tokens, piece), atOnce) << piece;
    }
}

TEST(StateSpaceFamilies, Mamba2HasNothingButStateSpaces) {
    const test::TemporaryFolder folder;
    const ModelPtr model = mamba2(folder);
    const auto graph = planGraph(model);
    ASSERT_TRUE(graph) << graph.error().message();
    EXPECT_EQ(test::textOfLayer(*graph, 1),
              "project rms 196; conv 128x4 bias silu; state-space 4/2x16/16; gate silu rms 2x32; +attended");
    EXPECT_TRUE(graph->caches.empty());
    expectLogits(model, std::array<float, 8>{-0.29296803F, 0.48289922F, -0.067933351F, 1.6799711F, 0.0442608F, 1.7477536F,
                                             0.16067766F, 0.35126162F});
}

// Attention and state space read the same x.
TEST(StateSpaceFamilies, FalconH1AttendsBesideThem) {
    const test::TemporaryFolder folder;
    const ModelPtr model = falconH1(folder);
    const auto graph = planGraph(model);
    ASSERT_TRUE(graph) << graph.error().message();
    EXPECT_EQ(test::textOfLayer(*graph, 0),
              "qkv rms 4/2x8 halves:8; project rms 196; attend 0.3536; +attended; conv 128x4 bias silu; state-space 4/2x16/16; "
              "gate silu no norm 2x32; +attended; gate-up rms silu 48; +hidden");
    expectLogits(model, std::array<float, 8>{1.4869188F, 1.3677827F, 1.1996239F, -2.237833F, -2.1962924F, -0.63924491F, 0.54199147F,
                                             -0.085960537F});
}

} // namespace
} // namespace wb::infer
