// SPDX-License-Identifier: MIT
#include "core/hub/capability.h"
#include "core/hub/variants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wb::hub {
namespace {

using ::testing::ElementsAre;

RemoteFile file(const std::string& path, std::uint64_t bytes) {
    RemoteFile made;
    made.path = path;
    made.bytes = bytes;
    return made;
}

std::vector<std::string> labels(const std::vector<Variant>& variants) {
    std::vector<std::string> all;
    for (const Variant& variant : variants) all.push_back(variant.label);
    return all;
}

TEST(Variants, AreOneAQuantizationWithAllParts) {
    const std::vector<RemoteFile> files = {file("README.md", 1),
                                           file("m-Q4_K_M.gguf", 40),
                                           file("Q8_0/m-Q8_0-00002-of-00002.gguf", 30),
                                           file("Q8_0/m-Q8_0-00001-of-00002.gguf", 50),
                                           file("mmproj-F16.gguf", 90),
                                           file("model.safetensors", 10)};
    const auto variants = groupVariants(files);
    EXPECT_THAT(labels(variants), ElementsAre("Q8_0", "Q4_K_M", "model.safetensors", "mmproj-F16.gguf", "README.md"));
    EXPECT_THAT(variants[0].files, ElementsAre(3u, 2u));
    EXPECT_EQ(variants[0].bytes, 80u);
    EXPECT_EQ(variants[3].kind, VariantKind::Helper);
    EXPECT_DOUBLE_EQ(variants[1].bitsPerWeight(80), 4);
    EXPECT_DOUBLE_EQ(variants[1].bitsPerWeight(0), 0);
}

TEST(Variants, LeaveRefusedFilesOut) {
    std::vector<RemoteFile> files = {file("a-Q8_0.gguf", 1), file("../b-Q8_0.gguf", 1)};
    files[1].refusal = makeError(ErrorCode::Invalid, Reason("hub.bad_name"), "no");
    EXPECT_EQ(groupVariants(files).size(), 1u);
}

std::string recommended(const std::vector<RemoteFile>& files, std::optional<std::uint64_t> memory = {}) {
    auto variants = groupVariants(files);
    const auto reason = recommend(variants, memory);
    for (const Variant& variant : variants)
        if (variant.isRecommended) return reason ? variant.label : "no reason";
    return reason ? "reason only" : "";
}

constexpr std::uint64_t gigabyte = 1'000'000'000;

TEST(Recommendation, IsTheSmallestThatLosesLittleOfThoseThatFit) {
    const std::vector<RemoteFile> files = {file("m-Q8_0.gguf", 8 * gigabyte),         file("m-Q6_K.gguf", 6 * gigabyte),
                                           file("m-Q5_K_M.gguf", 5 * gigabyte),       file("m-Q4_K_M.gguf", 4 * gigabyte),
                                           file("m-IQ4_XS.gguf", 39 * gigabyte / 10), file("m-Q3_K_M.gguf", 3 * gigabyte)};
    EXPECT_EQ(recommended(files), "Q6_K");
    EXPECT_EQ(recommended(files, 24 * gigabyte), "Q6_K") << "nothing is noticed, so more would be wasted";
    EXPECT_EQ(recommended(files, 65 * gigabyte / 10), "Q5_K_M") << "Q6_K does not fit with its cache";
    EXPECT_EQ(recommended(files, 5 * gigabyte), "Q4_K_M");
    EXPECT_EQ(recommended(files, 4 * gigabyte), "Q3_K_M");
    EXPECT_EQ(recommended(files, 2 * gigabyte), "") << "none fits";
    EXPECT_EQ(recommended({file("m-IQ4_XS.gguf", 9), file("m-IQ2_M.gguf", 8)}), "IQ4_XS") << "published with a matrix only";
    EXPECT_EQ(recommended({file("m-Q4_K_M.gguf", 9)}), "") << "there is no choice";
    EXPECT_EQ(recommended({file("model.safetensors", 9)}), "");
}

// One table for all places: what Browse says of a type is what Memory and Convert show, and with what it was made.
TEST(Divergence, IsThatOfTheTypeEverywhere) {
    auto variants = groupVariants({file("a-UD-Q4_K_M.gguf", 9), file("b-Q2_K.gguf", 3)});
    EXPECT_EQ(variants[0].divergence, quant::publishedDivergence(quant::FileType::Q4_K_M));
    EXPECT_EQ(variants[0].divergence.plain, 0.0313);
    EXPECT_EQ(variants[0].divergence.weighted, 0.0282);
    const auto reason = recommend(variants, {});
    ASSERT_TRUE(reason);
    EXPECT_NE(reason->figure.message().find("0.0313 without an importance matrix"), std::string::npos) << reason->figure.message();
    EXPECT_EQ(reason->reason.message(),
              "Q4_K_M is recommended: it has the lowest loss of quality of the files that fit in memory.");
    EXPECT_FALSE(groupVariants({file("a-MXFP4.gguf", 9)})[0].divergence);
}

TEST(Quant, IsWhatAFileSays) {
    EXPECT_EQ(quantLabel("UD-Q2/tiny-q4_k_m-00001-of-00002.gguf"), "Q4_K_M");
    EXPECT_EQ(quantLabel("mmproj-F16.gguf"), "") << "a helper";
    EXPECT_EQ(quantLabel("model-Q8_0.safetensors"), "");
    EXPECT_EQ(quantLabel(""), "");
}

TEST(Filters, ReadWhatARowSays) {
    ModelRow row;
    row.id = "acme/Tiny-Coder-VL-7B-AWQ";
    row.files = {"tiny-UD-Q4_K_XL.gguf", "tiny-Q6_K.gguf"};
    EXPECT_TRUE(hasQuant(row, "") && hasQuant(row, "q6_k") && hasQuant(row, "Q4_K_XL") && hasQuant(row, "awq"));
    EXPECT_FALSE(hasQuant(row, "Q6") || hasQuant(row, "Q8_0"));
    EXPECT_TRUE(claims(row, Capability::Any) && claims(row, Capability::Code) && claims(row, Capability::Vision));
    EXPECT_FALSE(claims(row, Capability::Tools) || claims(row, Capability::Embedding) || claims(row, Capability::Reasoning));
    row.task = "feature-extraction";
    row.tags = {"Function-Calling", "task:thinking"};
    EXPECT_TRUE(claims(row, Capability::Tools) && claims(row, Capability::Embedding) && claims(row, Capability::Reasoning));
    for (const char* name : {"vision", "tools", "reasoning", "code", "embedding"})
        EXPECT_STREQ(capabilityName(capabilityFromName(name).value_or(Capability::Any)), name);
    EXPECT_FALSE(capabilityFromName("flying"));
}

} // namespace
} // namespace wb::hub
