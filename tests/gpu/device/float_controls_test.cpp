// SPDX-License-Identifier: MIT
#include "gpu/device/float_controls.h"
#include "gpu/shaders/self_test.spv.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace wb::gpu {
namespace {

using Words = std::vector<std::uint32_t>;

std::vector<Words> wordsInstructions(std::span<const std::uint32_t> words) {
    std::vector<Words> all;
    for (std::size_t at = 5; at < words.size(); at += words[at] >> 16)
        all.emplace_back(words.begin() + static_cast<std::ptrdiff_t>(at),
                         words.begin() + static_cast<std::ptrdiff_t>(at + (words[at] >> 16)));
    return all;
}

// That what a driver is given with the others is valid, the validation layer says in every test that runs a shader.
TEST(FloatControls, AreAskedForAtTheEntryPoint) {
    const auto before = wordsInstructions(shaders::self_test);
    auto after = wordsInstructions(withFloatControls(shaders::self_test, {true, false, false}));
    const auto entry = std::ranges::find(before, 15u, [](const Words& one) { return one[0] & 0xffff; });
    ASSERT_NE(entry, before.end());
    const Words capability = {2u << 16 | 17, 4464}, mode = {4u << 16 | 16, (*entry)[2], 4459, 32};
    EXPECT_EQ(std::ranges::count(after, capability), 1);
    ASSERT_EQ(std::ranges::count(after, mode), 1);
    EXPECT_EQ(*(std::ranges::find(after, mode) - 1), *entry);
    std::erase(after, capability);
    std::erase(after, mode);
    std::erase_if(after, [](const Words& one) { return (one[0] & 0xffff) == 10; });
    EXPECT_EQ(after, before);
}

TEST(FloatControls, LeaveTheShaderAsItIsWhereNoneIsWished) {
    EXPECT_EQ(wordsInstructions(withFloatControls(shaders::self_test, {})).size(), wordsInstructions(shaders::self_test).size() + 1)
        << "only the name of the extension";
}

} // namespace
} // namespace wb::gpu
