// SPDX-License-Identifier: MIT
#include "core/arch/family.h"
#include "core/formats/json/json.h"

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
        const bool isOther = family.withExperts.empty() || findFamily(family.withExperts) != nullptr;
        EXPECT_TRUE(isOther) << family.architecture;
        EXPECT_FALSE(family.isPartial && family.runs) << family.architecture;
    }
}

TEST(Families, HaveDefaultsThatAreJson) {
    for (const Family& family : families())
        for (const ModelType& type : family.modelTypes)
            for (const MemberValue& row : type.defaults) {
                std::vector<Problem> problems;
                EXPECT_TRUE(json::parse(row.json, std::string(row.member), formats::Limits(), problems))
                    << type.name << ": " << row.json;
                EXPECT_TRUE(problems.empty());
            }
}

TEST(Families, HaveFoldersOfTheirClassesAndModelTypes) {
    std::set<std::string_view> classes;
    for (const std::string_view each : folderClasses()) EXPECT_TRUE(classes.insert(each).second) << each << " has two rows";
    EXPECT_GE(classes.size(), 30u);
    for (const Family& family : families()) {
        std::size_t unmarked = 0;
        for (const FolderRules& rules : family.folders) {
            EXPECT_EQ(findFolderFamily(rules.classes[0], family.architecture).rules, &rules);
            const Family* const ofType = findModelType(rules.modelType).family;
            EXPECT_TRUE(ofType == &family || ofType->withExperts == family.architecture) << rules.modelType;
            EXPECT_FALSE(rules.layer.empty()) << rules.classes[0];
            unmarked += rules.markTensor.empty() && rules.markKey.empty();
        }
        EXPECT_LE(unmarked, 1u) << family.architecture << ": restoring cannot choose between its classes";
    }
    EXPECT_FALSE(findFolderFamily("AbacusForCausalLM"));
    EXPECT_FALSE(findFolderFamily(""));
}

} // namespace
} // namespace wb::arch
