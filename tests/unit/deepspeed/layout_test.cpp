// SPDX-License-Identifier: MIT
#include "core/formats/deepspeed/layout.h"
#include "core/formats/deepspeed/names.h"

#include <gtest/gtest.h>

namespace wb::deepspeed {
namespace {

constexpr std::uint64_t unlimited = 1'000'000;
constexpr std::uint64_t huge = ~std::uint64_t{0};

std::uint64_t slicesSum(const std::vector<Slice>& slices) {
    std::uint64_t sum = 0;
    for (const Slice& slice : slices) sum += slice.count;
    return sum;
}

TEST(Partitions, GivesEachRankItsShareAtTheSamePlace) {
    const auto partitions = Partitions::make(4, {112, 17});
    ASSERT_TRUE(partitions);
    // 7 elements over 4 ranks: 2, 2, 2 and the rest.
    const std::vector<Slice> expected = {{0, 0, 5, 2}, {1, 0, 5, 2}, {2, 0, 5, 2}, {3, 0, 5, 1}};
    EXPECT_EQ(*partitions->acrossRanks(5, 7, unlimited), expected);
    // One element reaches only the first rank.
    EXPECT_EQ(partitions->acrossRanks(128, 1, unlimited)->size(), 1u);
    EXPECT_TRUE(partitions->acrossRanks(129, 0, unlimited)->empty());
}

TEST(Partitions, DividesAParameterBetweenTwoGroups) {
    const auto partitions = Partitions::make(2, {4, 0, 6});
    ASSERT_TRUE(partitions);
    const std::vector<Slice> expected = {{0, 0, 3, 1}, {0, 2, 0, 4}, {1, 0, 3, 1}, {1, 2, 0, 3}};
    EXPECT_EQ(*partitions->acrossRanks(3, 9, unlimited), expected);
}

TEST(Partitions, FollowsAGroupOverTheRanks) {
    const auto partitions = Partitions::make(3, {5, 4});
    ASSERT_TRUE(partitions);
    const std::vector<Slice> expected = {{0, 1, 2, 2}, {1, 1, 0, 4}, {2, 1, 0, 1}};
    EXPECT_EQ(*partitions->alongRanks(1, 2, 7, unlimited), expected);
    EXPECT_EQ(slicesSum(*partitions->alongRanks(0, 0, 15, unlimited)), 15u);
}

TEST(Partitions, RefusesWhatLeavesThem) {
    EXPECT_FALSE(Partitions::make(0, {4}));
    EXPECT_FALSE(Partitions::make(2, {huge, 1}));
    const auto partitions = Partitions::make(2, {4, 6});
    ASSERT_TRUE(partitions);
    EXPECT_FALSE(partitions->acrossRanks(8, 5, unlimited));
    EXPECT_FALSE(partitions->acrossRanks(huge, 2, unlimited));
    EXPECT_FALSE(partitions->acrossRanks(0, huge, unlimited));
    EXPECT_FALSE(partitions->alongRanks(2, 0, 1, unlimited));
    EXPECT_FALSE(partitions->alongRanks(0, 7, 2, unlimited));
    EXPECT_FALSE(partitions->alongRanks(0, huge, 1, unlimited));
    EXPECT_EQ(partitions->acrossRanks(0, 8, 1).error().code, ErrorCode::TooLarge);
    EXPECT_EQ(partitions->alongRanks(0, 0, 8, 1).error().code, ErrorCode::TooLarge);
    const auto many = Partitions::make(~0u, {huge});
    ASSERT_TRUE(many);
    EXPECT_EQ(many->acrossRanks(0, huge, 100).error().code, ErrorCode::TooLarge);
    EXPECT_FALSE(many->alongRanks(0, 0, huge, 100)); // their sum does not fit
}

TEST(StateNames, AreParsed) {
    const auto model = parseStateName("zero_pp_rank_12_mp_rank_03_model_states.pt");
    ASSERT_TRUE(model);
    EXPECT_EQ(model->kind, StateName::Kind::Model);
    EXPECT_EQ(model->rank, 12u);
    EXPECT_EQ(model->modelRank, 3u);
    const auto plain = parseStateName("mp_rank_00_model_states.pt");
    ASSERT_TRUE(plain);
    EXPECT_FALSE(plain->rank);
    for (const char* name : {"zero_pp_rank_1_mp_rank_00_optim_states.pt", "bf16_zero_pp_rank_1_mp_rank_00_optim_states.pt",
                             "fp16_zero_pp_rank_1_mp_rank_00_optim_states.pt"}) {
        const auto optimizer = parseStateName(name);
        ASSERT_TRUE(optimizer) << name;
        EXPECT_EQ(optimizer->kind, StateName::Kind::Optimizer);
        EXPECT_EQ(optimizer->rank, 1u);
    }
    EXPECT_EQ(parseStateName("layer_03-model_00-model_states.pt")->kind, StateName::Kind::Layer);
    EXPECT_EQ(parseStateName("layer_0_expert_3_mp_rank_00_model_states.pt")->kind, StateName::Kind::Expert);
    for (const char* name : {"", "_model_states.pt", "mp_rank_model_states.pt", "mp_rank_00_optim_states.pt", "model_states.pt",
                             "zero_pp_rank_99999999999_mp_rank_00_model_states.pt", "mp_rank_00_model_states.pt.tmp",
                             "zero_pp_rank_-1_mp_rank_00_optim_states.pt"})
        EXPECT_FALSE(parseStateName(name)) << name;
    EXPECT_EQ(nameForRank("bf16_zero_pp_rank_0_mp_rank_00_optim_states.pt", 17), "bf16_zero_pp_rank_17_mp_rank_00_optim_states.pt");
    EXPECT_EQ(stepOfName("global_step300"), 300u);
    EXPECT_FALSE(stepOfName("latest"));
}

} // namespace
} // namespace wb::deepspeed
