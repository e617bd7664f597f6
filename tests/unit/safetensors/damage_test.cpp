// SPDX-License-Identifier: MIT
// Files that were cut or changed at random must open or be refused, and never do anything else.
#include "tests/unit/safetensors/maker.h"

#include <gtest/gtest.h>

#include <random>

namespace wb::safetensors {
namespace {

const std::string header =
    R"({"__metadata__":{"format":"pt","n\u00e4me":"v\"1"},"a.weight":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},)"
    R"("b":{"dtype":"BF16","shape":[],"data_offsets":[16,18]},"c":{"dtype":"F4","shape":[0,3],"data_offsets":[18,18]}}  )";

// Whatever is handed out must hold what the readers of tensors rely on.
void expectSound(const Model& model, std::size_t fileSize) {
    for (const TensorInfo& tensor : model.tensors) {
        if (!tensor.source.unavailableWhy().empty()) continue;
        ASSERT_TRUE(tensor.offset());
        EXPECT_TRUE(io::Extent::make(fileSize, *tensor.offset(), tensor.bytes())) << tensor.name;
        EXPECT_EQ(rowBytes(tensor.dtype, tensor.shape.elements()), tensor.bytes()) << tensor.name;
    }
}

TEST(Damage, TruncationAtEveryByte) {
    const std::string whole = test::safetensorsFile(header, 18);
    ASSERT_TRUE(test::openBytes(whole, test::strict()));
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const auto bytes = std::string_view(whole).substr(0, length);
        EXPECT_FALSE(test::openBytes(bytes, test::strict())) << length;
        const auto model = test::openBytes(bytes, test::lenient());
        EXPECT_EQ(model.has_value(), length >= 8 + header.size()) << length;
        if (model) expectSound(**model, length);
    }
}

TEST(Damage, TwentyThousandMutations) {
    const std::string whole = test::safetensorsFile(header, 18);
    std::mt19937 random(20250717);
    const auto below = [&](std::size_t bound) { return random() % bound; };
    static constexpr std::string_view favourites = "0123456789[]{}\",:\\-.e\x80\xff";
    int opened = 0;
    for (int round = 0; round < 20'000; ++round) {
        std::string bytes = whole;
        for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
            const std::size_t at = below(bytes.size());
            if (below(4) == 0) bytes.erase(at, 1);
            else if (below(2) == 0) bytes[at] = favourites[below(favourites.size())];
            else bytes[at] = static_cast<char>(below(256));
        }
        const auto model = test::openBytes(bytes, test::lenient());
        const bool strictly = test::openBytes(bytes, test::strict()).has_value();
        EXPECT_TRUE(model || !strictly);
        if (!model) continue;
        ++opened;
        expectSound(**model, bytes.size());
    }
    EXPECT_GT(opened, 100);
}

} // namespace
} // namespace wb::safetensors
