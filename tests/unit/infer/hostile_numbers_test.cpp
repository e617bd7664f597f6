// SPDX-License-Identifier: MIT
#include "tests/unit/infer/reference.h"

#include <gtest/gtest.h>

// Every number of a file's metadata may be wrong: the model is refused with a sentence, or it runs.
namespace wb::infer {
namespace {

using test::ArchModel;

class HostileNumbers : public testing::TestWithParam<const char*> {};

// What happened with one changed number.
enum class End : std::uint8_t { Refused, TooLarge, Ran };

End planAndRun(const Model& model) {
    const auto graph = planGraph(std::make_shared<const Model>(model));
    if (!graph) {
        EXPECT_FALSE(graph.error().message().empty());
        return End::Refused;
    }
    const EngineOptions options{.threads = 1, .context = std::min<std::size_t>(4, graph->context), .stateSnapshots = 1};
    const auto memory = cpu::planCpuMemory(*graph, options);
    if (!memory || memory->total() > std::uint64_t{256} << 20U) return End::TooLarge;
    const auto engine = cpu::makeCpuEngine(*graph, options, {});
    EXPECT_TRUE(engine);
    if (!engine) return End::Refused;
    const std::vector<Token> tokens = {1, 2, 3};
    std::vector<float> logits((*engine)->vocabulary());
    const std::size_t count = std::min(tokens.size(), (*engine)->context());
    EXPECT_TRUE((*engine)->evaluate({std::span(tokens).first(count), 0, logits, {}}, {}));
    return End::Ran;
}

TEST_P(HostileNumbers, AreRefusedOrRun) {
    WB_NEED_SHARED("arch");
    const ModelPtr model = ArchModel::open(GetParam()).model;
    const std::string prefix = std::string(GetParam()) + ".";
    std::size_t refused = 0, ran = 0;
    for (std::size_t i = 0; i < model->metadata.members.size(); ++i) {
        const Member& member = model->metadata.members[i];
        if (!member.key.starts_with(prefix)) continue;
        for (const std::uint64_t number : {0U, 1U, 2U, 3U, 5U, 17U, 1U << 16U, 1U << 18U, 0xffff'ffffU}) {
            SCOPED_TRACE(member.key + " = " + std::to_string(number));
            Model changed = *model;
            changed.metadata.members[i].value = Value::ofUnsigned(ValueType::U32, number);
            const End end = planAndRun(changed);
            refused += end == End::Refused;
            ran += end == End::Ran;
        }
    }
    EXPECT_GT(refused, 50u);
    EXPECT_GT(ran, 10u);
}

INSTANTIATE_TEST_SUITE_P(Families, HostileNumbers, testing::Values("granitehybrid", "nemotron_h", "nemotron_h_moe", "kimi-linear"),
                         [](const auto& name) {
                             std::string text = name.param;
                             std::erase(text, '-');
                             return text;
                         });

} // namespace
} // namespace wb::infer
