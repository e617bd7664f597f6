// SPDX-License-Identifier: MIT
#include "core/arch/role.h"
#include "core/formats/open.h"

#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

#include <set>

namespace wb {
namespace {

namespace fs = std::filesystem;

std::set<std::string> partsFromPath(const fs::path& path) {
    std::set<std::string> parts;
    const auto model = formats::open(path);
    EXPECT_TRUE(model) << path;
    if (!model) return parts;
    const std::string architecture = (*model)->architecture.value_or("");
    for (const TensorInfo& tensor : (*model)->tensors) {
        const arch::Role role = arch::tensorRole(tensor.name, architecture);
        EXPECT_NE(role, arch::Role::Other) << path << ": " << tensor.name;
        parts.insert(std::string(arch::roleName(role)) + " " + std::string(arch::tensorPart(tensor.name, architecture)));
    }
    return parts;
}

// Families whose converter splits or fuses tensors, or adds RoPE factors; the others hold the same parts in both formats.
const std::set<std::string> rearranged = {"deepseek2-lite", "deepseek3",     "gemma4",        "gemma4moe",  "glm-dsa",
                                          "glm47flash",     "gpt-oss",       "granitehybrid", "granitemoe", "llama31",
                                          "llama4",         "phi3-longrope", "qwen35moe",     "qwen3next",  "qwen4exp"};

// Families of which the program does not know every tensor name yet.
const std::set<std::string> incomplete = {"hunyuan-dense", "kimi-linear", "mistral4", "qwen3vl"};

TEST(Roles, EveryTensorOfEveryFamilyHasOneAndBothFormatsAgree) {
    WB_NEED_SHARED("arch");
    int families = 0;
    for (const auto& entry : fs::directory_iterator(test::shared() / "arch")) {
        if (!entry.is_directory() || incomplete.contains(entry.path().filename().string())) continue;
        const auto gguf = partsFromPath(entry.path() / "model.gguf");
        const auto folder = partsFromPath(entry.path() / "hf");
        if (!rearranged.contains(entry.path().filename().string())) {
            EXPECT_EQ(gguf, folder) << entry.path();
        }
        ++families;
    }
    EXPECT_GE(families, 38);
}

} // namespace
} // namespace wb
