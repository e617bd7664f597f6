// SPDX-License-Identifier: MIT
#include "core/arch/family.h"

#include <gtest/gtest.h>

#include <set>

namespace wb::arch {
namespace {

TEST(Families, HaveNamesThatFindThem) {
    std::set<std::string_view> architectures, types;
    for (const Family& family : families()) {
        EXPECT_EQ(findFamily(family.architecture), &family) << family.architecture;
        EXPECT_TRUE(architectures.insert(family.architecture).second) << family.architecture << " has two records";
        for (const ModelType& type : family.modelTypes) {
            if (type.name.empty()) continue;
            EXPECT_TRUE(types.insert(type.name).second) << type.name << " belongs to two families";
            EXPECT_EQ(findModelType(type.name).family, &family);
            EXPECT_EQ(findModelType(type.name).type, &type);
        }
    }
    EXPECT_GE(architectures.size(), 90u);
    EXPECT_EQ(findModelType("mixtral").family, findFamily("llama"));
    EXPECT_EQ(findFamily("abacus"), nullptr);
    EXPECT_EQ(findFamily(""), nullptr);
    EXPECT_EQ(findModelType("abacus").family, nullptr);
    EXPECT_EQ(findModelType("").type, nullptr) << "unused rows are no model types";
}

TEST(Families, AreFoundByAnyNameOfAModel) {
    for (const char* const name : {"gpt-oss", "gpt_oss", "GptOssForCausalLM"})
        EXPECT_EQ(findFamilyOfAnyName(name), findFamily("gpt-oss")) << name;
    EXPECT_EQ(findFamilyOfAnyName("Qwen3_5MoeForConditionalGeneration"), findFamily("qwen35moe"));
    EXPECT_EQ(findFamilyOfAnyName("Olmo3ForCausalLM"), findFamily("olmo2"));
    EXPECT_EQ(findFamilyOfAnyName("Glm4MoeForCausalLM"), findFamily("glm4moe"));
    EXPECT_EQ(findFamilyOfAnyName("Glm4MoeLiteForCausalLM"), findFamily("deepseek2")) << "the longest name decides";
    EXPECT_EQ(findFamilyOfAnyName("AbacusForCausalLM"), nullptr);
    EXPECT_EQ(findFamilyOfAnyName(""), nullptr);
}

TEST(Families, NameFamiliesThatAreThere) {
    EXPECT_NE(findFamily(plainArchitecture), nullptr);
    for (const Family& family : families()) {
        if (!family.withExperts.empty()) EXPECT_NE(findFamily(family.withExperts), nullptr) << family.architecture;
        if (family.isPartial) EXPECT_EQ(family.runs, Runs::Nowhere) << family.architecture;
    }
}

} // namespace
} // namespace wb::arch
