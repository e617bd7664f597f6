// SPDX-License-Identifier: MIT
// Files from public repositories; the facts are those of ../shared/corpus/README.md.
#include "core/formats/safetensors/safetensors.h"
#include "tests/unit/safetensors/maker.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace wb::safetensors {
namespace {

ModelPtr openCorpus(const char* name) {
    const auto model = open(test::shared() / "corpus" / name, test::strict());
    EXPECT_TRUE(model) << model.error().message();
    return model ? *model : nullptr;
}

TEST(Corpus, Mnist) {
    WB_NEED_SHARED("corpus/burn/mnist.safetensors");
    const auto model = openCorpus("burn/mnist.safetensors");
    ASSERT_TRUE(model);
    EXPECT_EQ(model->tensors.size(), 20u);
    EXPECT_EQ(std::ranges::count(model->tensors, Dtype::F32, &TensorInfo::dtype), 18);
    EXPECT_EQ(std::ranges::count(model->tensors, Dtype::I64, &TensorInfo::dtype), 2);
    EXPECT_EQ(model->files.at(0).bytes, 1'509'296u);
    EXPECT_TRUE(model->problems.empty());
    EXPECT_EQ(model->tensorBytes() + 8 + 1520, 1'509'296u);
}

TEST(Corpus, SileroVad) {
    WB_NEED_SHARED("corpus/silero_vad/silero_vad_16k.safetensors");
    const auto model = openCorpus("silero_vad/silero_vad_16k.safetensors");
    ASSERT_TRUE(model);
    EXPECT_EQ(model->tensors.size(), 15u);
    EXPECT_EQ(model->tensorBytes() + 8 + 1208, model->files.at(0).bytes);
    EXPECT_FALSE(model->metadata.find("__metadata__"));
}

TEST(Corpus, AnotherWriter) {
    WB_NEED_SHARED("corpus/safetensors/model.safetensors");
    const auto model = openCorpus("safetensors/model.safetensors");
    ASSERT_TRUE(model);
    ASSERT_EQ(model->tensors.size(), 2u);
    EXPECT_EQ(test::tensorNamed(*model, "weight2")->shape, Shape::make({16, 16}));
}

} // namespace
} // namespace wb::safetensors
