// SPDX-License-Identifier: MIT
#include "tests/unit/infer/graph_text.h"
#include "tests/unit/infer/reference.h"

#include <gtest/gtest.h>

// The operations of each family, as docs/reference/inference.md describes it ("Architectures").
namespace wb::infer {
namespace {

struct Family {
    const char *folder, *ends;
    const char* first; // layer
    const char* other; // the last layer that has other operations; empty: none
};

class Lowering : public testing::TestWithParam<Family> {};

TEST_P(Lowering, GivesTheOperationsOfTheFamily) {
    WB_NEED_SHARED("arch");
    const auto& [folder, ends, first, other] = GetParam();
    const auto graph = planGraph(test::ArchModel::open(folder).model);
    ASSERT_TRUE(graph) << graph.error().message();
    EXPECT_EQ(test::textOfEnds(*graph), ends);
    EXPECT_EQ(test::textOfLayer(*graph, 0), first);
    std::string different;
    for (std::size_t layer = 1; layer < graph->layers.size(); ++layer)
        if (const std::string text = test::textOfLayer(*graph, layer); text != first) different = text;
    EXPECT_EQ(different, other);
}

INSTANTIATE_TEST_SUITE_P(
    Families, Lowering,
    testing::Values(
        Family{"cohere", "embed x1; head layer-norm tied x0.25",
               "qkv layer-norm 4/2x16 adjacent:16; gate-up layer-norm silu 160; attend 0.25; +attended; +hidden", ""},
        Family{"cohere2", "embed x1; head layer-norm tied x0.25",
               "qkv layer-norm 4/2x16 adjacent:16; gate-up layer-norm silu 160; attend 0.25 window 16; +attended; +hidden",
               "qkv layer-norm 4/2x16 no rope; gate-up layer-norm silu 160; attend 0.25; +attended; +hidden"},
        Family{"deepseek3", "embed x1; head rms",
               "latent rms 4x40/32 from 24 adjacent:8 yarn/40; attend 0.3825; headwise 4x16; +mixed; gate-up rms silu 160; +hidden",
               "latent rms 4x40/32 from 24 adjacent:8 yarn/40; attend 0.3825; headwise 4x16; +mixed; gate-up rms silu 48; route "
               "sigmoid 2 of 8 normalized x2.5 selection-bias groups 2 of 4; experts silu 48; +hidden"},
        Family{"ernie4_5-moe", "embed x1; head rms tied",
               "qkv rms 4/2x16 adjacent:16; attend 0.25; +attended; gate-up rms silu 128; +hidden",
               "qkv rms 4/2x16 adjacent:16; attend 0.25; +attended; gate-up rms silu 64; route softmax 2 of 6 normalized "
               "selection-bias; experts silu 32; +hidden"},
        Family{"exaone4", "embed x1; head rms",
               "qkv no norm 4/2x16 halves:16 qk-norm; attend 0.25; +attended rms; gate-up no norm silu 160; +hidden rms", ""},
        Family{"gemma", "embed x8; head rms tied",
               "qkv rms 4/1x32 halves:32; attend 0.1768; +attended; gate-up rms gelu 160; +hidden", ""},
        Family{"gemma2", "embed x8; head rms tied softcap 15",
               "qkv rms 4/2x32 halves:32; attend 0.1768 window 16 softcap 20; +attended rms; gate-up rms gelu 160; +hidden rms",
               "qkv rms 4/2x32 halves:32; attend 0.1768 softcap 20; +attended rms; gate-up rms gelu 160; +hidden rms"},
        Family{"gemma3", "embed x8; head rms tied",
               "qkv rms 4/2x32 halves:32 qk-norm; attend 0.1768 window 16; +attended rms; gate-up rms gelu 160; +hidden rms",
               "qkv rms 4/2x32 halves:32 qk-norm; attend 0.1768; +attended rms; gate-up rms gelu 160; +hidden rms"},
        Family{"gemma4", "embed x8; layer-inputs 16; head rms tied softcap 30",
               "qkv rms 4/2x16 halves:16 qk-norm v-norm; attend 1 window 16; +attended rms; gate-up rms gelu 160; +hidden rms; "
               "layer-input gelu 16; +hidden rms; scale",
               "qkv rms 4/2x32 halves:32 divisors shared cache qk-norm v-norm; attend 1; +attended rms; gate-up rms gelu 160; "
               "+hidden rms; layer-input gelu 16; +hidden rms; scale"},
        Family{
            "gemma4moe", "embed x8; head rms tied softcap 30",
            "qkv rms 4/2x16 halves:16 qk-norm v-norm; attend 1 window 16; +attended rms; gate-up rms gelu 64; route softmax 2 of 4 "
            "normalized logits x0.125 expert-scale; experts gelu 32 rms to sum; +hidden rms to sum; +sum rms; scale",
            "qkv rms 4/1x32 halves:32 divisors v=k qk-norm v-norm; attend 1; +attended rms; gate-up rms gelu 64; route softmax 2 "
            "of "
            "4 normalized logits x0.125 expert-scale; experts gelu 32 rms to sum; +hidden rms to sum; +sum rms; scale"},
        Family{
            "glm-dsa", "embed x1; head rms",
            "latent rms 4x40/32 from 32 adjacent:8; index 8x64 top 12 compressed weights; attend 0.2041 selected; headwise 4x24; "
            "+mixed; gate-up rms silu 128; +hidden",
            "latent rms 4x40/32 from 32 adjacent:8; index 8x64 top 12 compressed weights; attend 0.2041 selected; headwise 4x24; "
            "+mixed; gate-up rms silu 32; route sigmoid 2 of 3 normalized x2.5 selection-bias; experts silu 32; +hidden"},
        Family{"glm4", "embed x1; head rms",
               "qkv rms 4/2x32 adjacent:16 bias; attend 0.1768; +attended rms; gate-up rms silu 160; +hidden rms", ""},
        Family{"glm4moe", "embed x1; head rms",
               "qkv rms 4/2x32 halves:16 bias; attend 0.1768; +attended; gate-up rms silu 160; +hidden",
               "qkv rms 4/2x32 halves:16 bias; attend 0.1768; +attended; gate-up rms silu 96; route sigmoid 2 of 8 normalized x1.5 "
               "selection-bias; experts silu 96; +hidden"},
        Family{"glm47flash", "embed x1; head rms",
               "latent rms 4x40/32 from 24 adjacent:8; attend 0.2041; headwise 4x16; +mixed; gate-up rms silu 128; +hidden",
               "latent rms 4x40/32 from 24 adjacent:8; attend 0.2041; headwise 4x16; +mixed; gate-up rms silu 32; route sigmoid 2 "
               "of 6 normalized x1.8 selection-bias; experts silu 32; +hidden"},
        Family{"gpt-oss", "embed x1; head rms",
               "qkv rms 4/2x32 halves:32 yarn/32 bias; attend 0.1768 window 16 sinks; +attended bias; route softmax-of-chosen 2 of "
               "4 bias; experts swiglu-clamped 64 bias",
               "qkv rms 4/2x32 halves:32 yarn/32 bias; attend 0.1768 sinks; +attended bias; route softmax-of-chosen 2 of 4 bias; "
               "experts swiglu-clamped 64 bias"},
        Family{
            "gpt2", "embed x1 positions; head layer-norm+bias tied",
            "qkv layer-norm+bias 4/4x16 no rope bias; attend 0.25; +attended bias; up layer-norm+bias gelu 256 bias; +hidden bias",
            ""},
        Family{"granite", "embed x12; head rms tied x0.25",
               "qkv rms 4/2x16 adjacent:16; attend 0.0625; +attended x0.22; gate-up rms silu 160; +hidden x0.22", ""},
        Family{"granitehybrid", "embed x12; head rms tied x0.25",
               "project rms 296; conv 160x4 bias silu; state-space 8/1x16/16; gate silu rms 1x128; +attended x0.22; gate-up rms "
               "silu 96; route softmax 2 of 4 normalized; experts silu 64 x0.22; +hidden x0.22",
               "qkv rms 4/2x16 no rope; attend 0.0625; +attended x0.22; gate-up rms silu 96; route softmax 2 of 4 normalized; "
               "experts silu 64 x0.22; +hidden x0.22"},
        Family{
            "granitemoe", "embed x12; head rms tied x0.25",
            "qkv rms 4/2x16 adjacent:16; attend 0.0625; +attended x0.22; route softmax 2 of 4 normalized; experts silu 160 x0.22",
            ""},
        Family{"hunyuan-dense", "embed x1; head rms tied",
               "qkv rms 4/2x32 halves:32 qk-norm-after; attend 0.1768; +attended; gate-up rms silu 128; +hidden", ""},
        Family{"kimi-linear", "embed x1; head rms",
               "project rms 64 64 64 4 16 16; project mixed 64; project mixed 64; conv 64x4 silu; conv 64x4 silu; conv 64x4 silu; "
               "delta 4/4x16/16 channel-decays; gate rms sigmoid 4x16; +attended; gate-up rms silu 128; +hidden",
               "latent rms 4x40/32 no rope; attend 0.2041; headwise 4x16; +mixed; gate-up rms silu 32; route sigmoid 2 of 3 "
               "normalized x2.446 selection-bias; experts silu 32; +hidden"},
        Family{"lfm2", "embed x1; head rms tied", "project rms 192; conv 64x3 gated; +mixed; gate-up rms silu 160; +hidden",
               "qkv rms 4/2x16 halves:16 qk-norm; attend 0.25; +attended; gate-up rms silu 160; +hidden"},
        Family{"lfm2moe", "embed x1; head rms tied", "project rms 192; conv 64x3 gated; +mixed; gate-up rms silu 128; +hidden",
               "project rms 192; conv 64x3 gated; +mixed; route sigmoid 2 of 6 normalized selection-bias; experts silu 32"},
        Family{"llama", "embed x1; head rms", "qkv rms 4/2x16 adjacent:16; attend 0.25; +attended; gate-up rms silu 160; +hidden",
               ""},
        Family{"llama31", "embed x1; head rms",
               "qkv rms 4/2x32 adjacent:32 divisors; attend 0.1768; +attended; gate-up rms silu 160; +hidden", ""},
        Family{"llama4", "embed x1; head rms",
               "qkv rms 4/2x16 adjacent:16 divisors plain qk-norm-after; attend 0.25 chunk 8192; +attended; gate-up rms silu 32; "
               "route "
               "sigmoid 1 of 4; experts silu 32 scaled-inputs; +hidden",
               "qkv rms 4/2x16 no rope temperature 0.1@8192+1; attend 0.25; +attended; gate-up rms silu 32; route sigmoid 1 of 4; "
               "experts silu 32 scaled-inputs; +hidden"},
        Family{"minimax-m2", "embed x1; head rms",
               "qkv rms 4/2x32 halves:16 qk-norm-whole; attend 0.1768; +attended; route sigmoid 2 of 6 normalized selection-bias; "
               "experts silu 32",
               ""},
        Family{"ministral3", "embed x1; head rms",
               "qkv rms 4/2x32 adjacent:32 yarn/16 temperature 0.1@32; attend 0.1768; +attended; gate-up rms silu 160; +hidden",
               ""},
        Family{"mixtral", "embed x1; head rms",
               "qkv rms 4/2x16 adjacent:16; attend 0.25; +attended; route softmax 2 of 4 normalized; experts silu 160", ""},
        Family{"nemotron_h", "embed x1; head rms",
               "project rms 328; conv 192x4 bias silu; state-space 8/2x16/16; gate silu rms 2x64; +attended",
               "up rms relu2 160; +hidden"},
        Family{"nemotron_h_moe", "embed x1; head rms",
               "project rms 200; conv 128x4 bias silu; state-space 8/2x8/16; gate silu rms 2x32; +attended",
               "up rms relu2 48; route sigmoid 2 of 6 normalized x2.5 selection-bias; ungated experts relu2 32; +hidden"},
        Family{"olmo2", "embed x1; head rms",
               "qkv no norm 4/2x16 halves:16 qk-norm-whole; attend 0.25; +attended rms; gate-up no norm silu 160; +hidden rms", ""},
        Family{"olmo3", "embed x1; head rms",
               "qkv no norm 4/2x16 halves:16 qk-norm-whole; attend 0.25 window 16; +attended rms; gate-up no norm silu 160; "
               "+hidden rms",
               "qkv no norm 4/2x16 halves:16 qk-norm-whole; attend 0.25; +attended rms; gate-up no norm silu 160; +hidden rms"},
        Family{
            "phi2", "embed x1; head layer-norm+bias bias",
            "qkv layer-norm+bias 4/4x16 halves:8 bias; up layer-norm+bias gelu 256 bias; attend 0.25; +attended bias; +hidden bias",
            ""},
        Family{"phi3", "embed x1; head rms", "qkv rms 4/2x16 halves:16; attend 0.25; +attended; gate-up rms silu 160; +hidden", ""},
        Family{"phi3-longrope", "embed x1; head rms",
               "qkv rms 4/2x16 halves:16 long/short; attend 0.25; +attended; gate-up rms silu 160; +hidden", ""},
        Family{"qwen2", "embed x1; head rms tied",
               "qkv rms 4/2x16 halves:16 bias; attend 0.25; +attended; gate-up rms silu 160; +hidden", ""},
        Family{"qwen2moe", "embed x1; head rms",
               "qkv rms 4/2x16 halves:16 bias; attend 0.25; +attended; gate-up rms silu 128; route softmax 2 of 8 shared-gate; "
               "experts silu 96; +hidden gated",
               ""},
        Family{"qwen3", "embed x1; head rms",
               "qkv rms 4/2x32 halves:32 qk-norm; attend 0.1768; +attended; gate-up rms silu 160; +hidden", ""},
        Family{"qwen3next", "embed x1; head rms",
               "project rms 128 64 8; conv 128x4 silu; delta 4/2x16/16; gate rms silu 4x16; +attended; gate-up rms silu 64; route "
               "softmax 2 of 8 normalized shared-gate; experts silu 96; +hidden gated",
               "qkv rms 4/2x32 halves:8 qk-norm gates; attend 0.1768; gate no norm sigmoid 4x32; +attended; gate-up rms silu 64; "
               "route softmax 2 of 8 normalized shared-gate; experts silu 96; +hidden gated"},
        Family{"qwen35", "embed x1; head rms",
               "project rms 128 64 4 4; conv 128x4 silu; delta 4/2x16/16 tiled; gate rms silu 4x16; +attended; gate-up rms silu "
               "160; +hidden",
               "qkv rms 4/2x32 halves:8 qk-norm gates; attend 0.1768; gate no norm sigmoid 4x32; +attended; gate-up rms silu 160; "
               "+hidden"},
        Family{"qwen35moe", "embed x1; head rms",
               "project rms 128 64 4 4; conv 128x4 silu; delta 4/2x16/16 tiled; gate rms silu 4x16; +attended; gate-up rms silu "
               "32; route softmax 2 of 3 normalized shared-gate; experts silu 32; +hidden gated",
               "qkv rms 4/2x32 halves:8 qk-norm gates; attend 0.1768; gate no norm sigmoid 4x32; +attended; gate-up rms silu 32; "
               "route softmax 2 of 3 normalized shared-gate; experts silu 32; +hidden gated"},
        Family{
            "qwen4exp", "embed x1; streams 3; head mix",
            "ngrams 3 heads 4; conv 192x4/3 silu; +ngrams; mix 3 by 8; project no norm 128 64 4 4; conv 128x4 silu; delta "
            "4/2x16/16 tiled; gate rms sigmoid 4x16; +attended to sum; inject; mix 3 by 8; gate-up no norm silu 32; route softmax "
            "2 "
            "of 3 normalized shared-gate; experts silu 32 to sum; +hidden gated to sum; inject",
            "mix 3 by 8; qkv no norm 4/2x16 halves:4 qk-norm gates; index 2x64 top 64 blocks 4; attend 0.25 selected; gate no norm "
            "sigmoid 4x16; +attended to sum; inject; mix 3 by 8; gate-up no norm silu 32; route softmax 2 of 3 normalized "
            "shared-gate; experts silu 32 to sum; +hidden gated to sum; inject"},
        Family{"qwen3vl", "embed x1; head rms",
               "qkv rms 4/2x32 halves:32 qk-norm; attend 0.1768; +attended; gate-up rms silu 128; +hidden", ""},
        Family{"qwen3moe", "embed x1; head rms",
               "qkv rms 4/2x32 halves:32 qk-norm; attend 0.1768; +attended; route softmax 2 of 8 normalized; experts silu 96", ""},
        Family{"smollm3", "embed x1; head rms tied",
               "qkv rms 4/2x16 adjacent:16; attend 0.25; +attended; gate-up rms silu 160; +hidden",
               "qkv rms 4/2x16 no rope; attend 0.25; +attended; gate-up rms silu 160; +hidden"},
        Family{"stablelm", "embed x1; head layer-norm+bias",
               "qkv layer-norm+bias 4/4x32 halves:8; attend 0.1768; +attended; gate-up layer-norm+bias silu 160; +hidden", ""},
        Family{"starcoder2", "embed x1; head layer-norm+bias",
               "qkv layer-norm+bias 4/2x16 halves:16 bias; attend 0.25; +attended bias; up layer-norm+bias gelu 160 bias; +hidden "
               "bias",
               ""}),
    [](const auto& family) {
        std::string name = family.param.folder;
        std::erase(name, '-');
        return name;
    });

} // namespace
} // namespace wb::infer
