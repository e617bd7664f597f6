// SPDX-License-Identifier: MIT
#include "gpu/device/hazards.h"

#include <gtest/gtest.h>

namespace wb::gpu {
namespace {

const int a = 0, b = 0;
Hazards::Access read(const void* object, std::uint64_t begin = 0, std::uint64_t end = 64) { return {object, begin, end, false}; }
Hazards::Access write(const void* object, std::uint64_t begin = 0, std::uint64_t end = 64) { return {object, begin, end, true}; }

TEST(Hazards, ReadersOfTheSameMemoryMayOverlap) {
    Hazards hazards;
    EXPECT_FALSE(hazards.add({read(&a)}));
    EXPECT_FALSE(hazards.add({read(&a), write(&b)}));
}

TEST(Hazards, AReadWaitsForTheWriteBeforeIt) {
    Hazards hazards;
    EXPECT_FALSE(hazards.add({write(&a)}));
    EXPECT_TRUE(hazards.add({read(&a)}));
    EXPECT_FALSE(hazards.add({read(&a)})) << "the barrier stands already";
}

TEST(Hazards, AWriteWaitsForReadsAndWritesBeforeIt) {
    Hazards afterRead, afterWrite;
    afterRead.add({read(&a)});
    afterWrite.add({write(&a)});
    EXPECT_TRUE(afterRead.add({write(&a)}));
    EXPECT_TRUE(afterWrite.add({write(&a)}));
}

TEST(Hazards, PartsThatDoNotTouchAreIndependent) {
    Hazards hazards;
    hazards.add({write(&a, 0, 64)});
    EXPECT_FALSE(hazards.add({read(&a, 64, 128)}));
    EXPECT_TRUE(hazards.add({read(&a, 60, 70)}));
}

TEST(Hazards, ABarrierForgetsNothingThatComesWithIt) {
    Hazards hazards;
    hazards.add({write(&a)});
    EXPECT_TRUE(hazards.add({read(&a), write(&b)}));
    EXPECT_TRUE(hazards.add({read(&b)})) << "b was written behind the barrier";
}

} // namespace
} // namespace wb::gpu
