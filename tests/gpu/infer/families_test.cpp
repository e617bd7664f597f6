// SPDX-License-Identifier: MIT
#include "tests/gpu/faults/faults.h"
#include "tests/gpu/infer/infer_test.h"
#include "tests/gpu/support/sample.h"

#include <filesystem>

// Which models a device runs, and models whose layers keep a state.
namespace wb::gpu {
namespace {

using test::allLogits;
using test::ArchModel;
using test::nmse;

std::vector<infer::Token> manyTokens(const ArchModel& arch, std::size_t count) {
    std::vector<infer::Token> tokens;
    while (tokens.size() < count) tokens.insert(tokens.end(), arch.tokens.begin(), arch.tokens.end());
    tokens.resize(count);
    return tokens;
}

// Every folder, with the sentence of each that does not run.
TEST_F(InferTest, EveryFamilyRunsOnTheDevice) {
    WB_NEED_SHARED("arch");
    std::size_t folders = 0;
    for (const auto& folder : std::filesystem::directory_iterator(test::shared() / "arch")) {
        if (!folder.is_directory()) continue;
        ++folders;
        const auto graph = infer::planGraph(ArchModel::open(folder.path().filename()).model);
        ASSERT_TRUE(graph) << graph.error().message();
        for (const infer::CacheType type : {infer::CacheType::F16, infer::CacheType::F32, infer::CacheType::Q8_0}) {
            const auto runs = checkDeviceRuns(*graph, {.context = context, .keys = type, .values = type}, device->info());
            EXPECT_TRUE(runs) << folder.path().filename() << ": " << runs.error().message();
        }
    }
    EXPECT_GE(folders, 52u);
}

// On the device alone, and with the first layers on the CPU.
using Placed = std::pair<std::string, std::optional<std::uint64_t>>;

class DeviceState : public InferTest, public testing::WithParamInterface<Placed> {
protected:
    void SetUp() override {
        InferTest::SetUp();
        if (device && device->lost()) s_kept = device = *test::testDevice();
        if (!device || !std::filesystem::exists(test::shared() / "arch")) return;
        m_arch = ArchModel::open(GetParam().first);
        m_options = {.threads = 2, .context = 128, .gpuLayers = GetParam().second};
    }

    void expectLogitsOfAFreshSession(infer::Session& session) {
        std::unique_ptr<infer::Engine> engine = test::makeEngine(m_arch.model, {.threads = 2, .context = 128});
        infer::Session fresh(std::move(engine));
        ASSERT_TRUE(fresh.append(session.tokens()));
        EXPECT_LE(nmse(session.logits(), fresh.logits()), 1e-5);
    }

    ArchModel m_arch;
    infer::EngineOptions m_options;
};

// Another response to the same prompt, and another last message: both are read from the snapshot before the prompt's end. Then
// from the beginning.
TEST_P(DeviceState, ContinuesFromSnapshots) {
    WB_NEED_SHARED("arch");
    auto engine = onDevice(m_arch.model, m_options);
    ASSERT_TRUE(engine);
    infer::Session session(std::move(engine));
    const std::size_t tail = session.engine().tailTokens();
    ASSERT_GT(tail, 0u);
    std::vector<infer::Token> prompt = manyTokens(m_arch, 90);
    ASSERT_TRUE(session.append(prompt));
    for (const infer::Token token : {5, 6}) ASSERT_TRUE(session.append(std::span(&token, 1)));
    EXPECT_EQ(session.reusable(prompt), prompt.size() - tail);
    ASSERT_TRUE(session.replace(prompt));
    expectLogitsOfAFreshSession(session);
    prompt.resize(20);
    prompt.push_back(9);
    EXPECT_EQ(session.reusable(prompt), 0u);
    ASSERT_TRUE(session.replace(prompt));
    expectLogitsOfAFreshSession(session);
}

// After a stop the engine continues from where it was, or from the batch before it.
TEST_P(DeviceState, SurvivesAStop) {
    WB_NEED_SHARED("arch");
    const auto engine = onDevice(m_arch.model, m_options);
    ASSERT_TRUE(engine);
    const std::vector<infer::Token> tokens = manyTokens(m_arch, 80);
    ASSERT_TRUE(engine->evaluate({std::span(tokens).first(40), 0, {}, {}}, {}));
    std::stop_source stopped;
    stopped.request_stop();
    const auto refused = engine->evaluate({std::span(tokens).subspan(40, 30), 40, {}, {}}, stopped.get_token());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::Canceled);
    EXPECT_EQ(engine->reusable(40), 40u);
    std::vector<float> logits(engine->vocabulary());
    ASSERT_TRUE(engine->evaluate({std::span(tokens).subspan(40), 40, logits, {}}, {}));
    infer::Session fresh(test::makeEngine(m_arch.model, {.threads = 2, .context = 128}));
    ASSERT_TRUE(fresh.append(tokens));
    EXPECT_LE(nmse(logits, fresh.logits()), 1e-5);
}

// The CPU reads the conversation again, with the states of all layers.
TEST_P(DeviceState, MovesToTheProcessorWithTheDeviceLost) {
    WB_NEED_SHARED("arch");
    const auto engine = onDevice(m_arch.model, m_options);
    ASSERT_TRUE(engine);
    const std::vector<infer::Token> tokens = manyTokens(m_arch, 48);
    std::vector<float> logits(engine->vocabulary());
    ASSERT_TRUE(engine->evaluate({std::span(tokens).first(40), 0, {}, {}}, {}));
    ASSERT_TRUE(engine->evaluate({std::span(tokens).subspan(40, 1), 40, logits, {}}, {}));
    test::injectFault(*device, test::Fault::Lost, 0);
    ASSERT_TRUE(engine->evaluate({std::span(tokens).subspan(41), 41, logits, {}}, {}));
    EXPECT_EQ(engine->device(), "cpu");
    ASSERT_EQ(engine->remarks().size(), 1u);
    EXPECT_STREQ(engine->remarks().front().code.id(), "device.lost");
    infer::Session fresh(test::makeEngine(m_arch.model, {.threads = 2, .context = 128}));
    ASSERT_TRUE(fresh.append(tokens));
    EXPECT_EQ(logits, std::vector<float>(fresh.logits().begin(), fresh.logits().end()));
}

INSTANTIATE_TEST_SUITE_P(Placements, DeviceState,
                         testing::ValuesIn(test::sample<Placed>({{"qwen35", 2}}, {{"qwen35", {}},
                                                                                  {"qwen4exp", {}},
                                                                                  {"lfm2", {}},
                                                                                  {"granitehybrid", 2},
                                                                                  {"nemotron_h", {}},
                                                                                  {"kimi-linear", 2},
                                                                                  {"qwen3next", {}}})));

// With float weights sums have another order than the CPU's: every hidden state, all residual streams included.
class DeviceHidden : public InferTest, public testing::WithParamInterface<std::string> {};

TEST_P(DeviceHidden, AreThoseOfTheProcessor) {
    WB_NEED_SHARED("arch");
    const ArchModel arch = ArchModel::open(GetParam());
    const auto processor = onProcessor(arch.model);
    const auto graph = infer::planGraph(arch.model);
    ASSERT_TRUE(processor && graph);
    std::size_t width = 0;
    for (std::size_t layer = 0; layer <= processor->layers(); ++layer) width += processor->hiddenWidth(layer);
    std::vector<float> wanted(arch.tokens.size() * width), hidden(wanted.size());
    ASSERT_TRUE(processor->evaluate({arch.tokens, 0, {}, wanted}, {}));
    for (const auto layers : {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(2)}) {
        if (layers && possibleLayers(*graph, *layers) != *layers) continue;
        const auto engine = onDevice(arch.model, {.gpuLayers = layers});
        ASSERT_TRUE(engine);
        ASSERT_TRUE(engine->evaluate({arch.tokens, 0, {}, hidden}, {}));
        EXPECT_LE(nmse(hidden, wanted), 1e-6);
    }
}

INSTANTIATE_TEST_SUITE_P(Families, DeviceHidden, testing::ValuesIn(test::sample<std::string>({"qwen4exp"}, {"qwen35"})));

} // namespace
} // namespace wb::gpu
