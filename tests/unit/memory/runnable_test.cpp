// SPDX-License-Identifier: MIT
#include "core/memory/cards/runnable.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace wb::memory {
namespace {

Memory card(std::uint64_t gib) {
    Memory memory;
    memory.name = "card";
    memory.bytes = gib << 30;
    memory.margin = usualMargin;
    return memory;
}

std::vector<RunnableModel> runnable(std::vector<Memory> memories, std::uint64_t context = 8192) {
    auto models = runnableModels(memories, context, {});
    EXPECT_TRUE(models) << models.error().message();
    return models ? *models : std::vector<RunnableModel>();
}

std::string bestType(const std::vector<RunnableModel>& models, std::string_view name) {
    const auto found = std::ranges::find_if(models, [&](const RunnableModel& model) { return model.shape->name == name; });
    const auto best = found == models.end() ? std::nullopt : found->best();
    return best ? found->types[*best].type->name : "none";
}

TEST(RunnableModels, AnswerForACard) {
    const auto models = runnable({card(8)});
    EXPECT_EQ(models.size(), knownShapes().size());
    EXPECT_TRUE(
        std::ranges::is_sorted(models, std::ranges::greater(), [](const auto& model) { return model.shape->parameters(); }));
    // 8.03 B weights of 4.9 bits and 1 GiB of cache; 14.8 B do not fit, 1.24 B do in 16 bits.
    EXPECT_EQ(bestType(models, "Llama-3.1-8B"), "Q5_K_M");
    EXPECT_EQ(bestType(models, "Llama-3.1-70B"), "none");
    EXPECT_EQ(bestType(models, "Llama-3.2-1B"), "FP16");
}

TEST(RunnableModels, MoreMemoryNeverHoldsLess) {
    const auto small = runnable({card(8)}), large = runnable({card(24)});
    for (std::size_t i = 0; i < small.size(); ++i)
        for (std::size_t type = 0; type < small[i].types.size(); ++type)
            EXPECT_LE(large[i].types[type].verdict, small[i].types[type].verdict) << small[i].shape->name;
    EXPECT_EQ(bestType(runnable({card(8), card(24)}), "Qwen2.5-14B"), bestType(large, "Qwen2.5-14B")); // the better one counts
}

TEST(RunnableModels, ALongerContextNeedsMore) {
    const auto shortOne = runnable({card(24)}, 4096), longOne = runnable({card(24)}, 131072);
    for (std::size_t i = 0; i < shortOne.size(); ++i) {
        EXPECT_LE(longOne[i].context, longOne[i].shape->context);
        EXPECT_LE(shortOne[i].types[0].need, longOne[i].types[0].need) << shortOne[i].shape->name;
    }
}

TEST(RunnableModels, CanBeStopped) {
    std::stop_source stop;
    stop.request_stop();
    const std::vector<Memory> memories{card(8)};
    const auto models = runnableModels(memories, 8192, Progress{stop.get_token(), {}});
    ASSERT_FALSE(models);
    EXPECT_EQ(models.error().code, ErrorCode::Canceled);
}

} // namespace
} // namespace wb::memory
