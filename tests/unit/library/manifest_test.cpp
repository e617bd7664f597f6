// SPDX-License-Identifier: MIT
#include "core/library/cache_stores.h"
#include "core/library/group.h"
#include "core/library/ollama_manifest.h"

#include <gtest/gtest.h>

namespace wb::library {
namespace {

const std::string digits(64, 'a');

TEST(Manifest, ReadsLayersAndTheConfiguration) {
    const auto manifest =
        parseOllamaManifest(R"({"config":{"digest":"sha256:)" + digits + R"(","size":3},"layers":[{"mediaType":)" +
                                R"("application/vnd.ollama.image.model","digest":"sha256-)" + digits + R"(","size":7}]})",
                            "m");
    ASSERT_TRUE(manifest);
    EXPECT_EQ(manifest->layer("model")->bytes, 7u);
    EXPECT_EQ(manifest->layer("config")->digest, digits);
    EXPECT_EQ(manifest->layer("projector"), nullptr);
}

TEST(Manifest, RefusesWhatIsNone) {
    for (const char* text :
         {"", "[]", "{}", R"({"layers":1})", R"({"layers":[1]})", R"({"layers":[{}]})",
          R"({"layers":[{"digest":"sha256:../../x","size":1}]})",
          R"({"layers":[{"digest":"md5:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","size":1}]})",
          R"({"layers":[{"digest":"sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","size":-1}]})"}) {
        const auto manifest = parseOllamaManifest(text, "broken");
        ASSERT_FALSE(manifest) << text;
        EXPECT_EQ(manifest.error().subject, "broken");
    }
}

TEST(Digest, IsExact) {
    EXPECT_EQ(ollamaDigest("sha256:" + digits), digits);
    EXPECT_FALSE(ollamaDigest("sha256:" + digits + "a"));
    EXPECT_FALSE(ollamaDigest("sha256:" + std::string(64, 'A')));
    EXPECT_FALSE(ollamaDigest("sha256:" + std::string(63, 'a') + "/"));
}

TEST(RepositoryFolder, GivesTheId) {
    EXPECT_EQ(repositoryOfFolder("models--acme--tiny"), "acme/tiny");
    EXPECT_EQ(repositoryOfFolder("models--gpt2"), "gpt2");
    EXPECT_FALSE(repositoryOfFolder("datasets--acme--tiny"));
    EXPECT_FALSE(repositoryOfFolder("models--"));
    EXPECT_FALSE(repositoryOfFolder("models----x"));
    EXPECT_FALSE(repositoryOfFolder("models--a--.."));
}

TEST(Companions, AreToldByTheirNames) {
    EXPECT_TRUE(isCompanionName("mmproj-F16.gguf"));
    EXPECT_TRUE(isCompanionName("Qwen-mmproj-f16.gguf"));
    EXPECT_TRUE(isCompanionName("imatrix.gguf"));
    EXPECT_FALSE(isCompanionName("model-Q4_K_M.gguf"));
}

} // namespace
} // namespace wb::library
