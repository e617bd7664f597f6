// SPDX-License-Identifier: MIT
#include "core/formats/mnn/mnn.h"

#include "tests/unit/support/index_harm.h"
#include "tests/unit/support/support.h"

namespace wb::mnn {
namespace {

std::filesystem::path corpus() { return test::shared() / "corpus/face_detector/MNN/model/version-RFB"; }

TEST(Mnn, TheNetworksOfTheCorpusAreRead) {
    WB_NEED_SHARED("corpus/face_detector/MNN/model/version-RFB");
    const auto model = open(corpus() / "RFB-320.mnn", {});
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_EQ((*model)->format, FormatId::Mnn);
    EXPECT_EQ(std::ranges::count((*model)->tensors, Dtype::F32, &TensorInfo::dtype), 104); // and eight lists of shapes
    for (const TensorInfo& tensor : (*model)->tensors) EXPECT_TRUE(TensorReader::open(**model, tensor)) << tensor.name;
    for (const char* name : {"RFB-320-quant-KL-5792.mnn", "RFB-320-quant-ADMM-32.mnn"}) {
        const auto quantized = open(corpus() / name, {});
        ASSERT_TRUE(quantized) << quantized.error().message();
        EXPECT_EQ(std::ranges::count((*quantized)->tensors, Dtype::I8, &TensorInfo::dtype), 52);
        EXPECT_TRUE((*quantized)->problems.empty());
    }
}

TEST(Mnn, OtherBytesAreNone) {
    for (const std::string& content : {std::string(), std::string(100, '\0'), std::string(100, '\xFF')}) {
        const io::MemorySource source("a", test::toBytes(content));
        EXPECT_FALSE(sniff(source));
    }
}

TEST(Mnn, IsCutAndBentWithoutHarm) {
    WB_NEED_SHARED("corpus/face_detector/MNN/model/version-RFB");
    const auto content = test::readFile(corpus() / "RFB-320-quant-ADMM-32.mnn");
    test::cutAndBend(readIndex, nullptr, {test::inMemory("a.mnn", content)}, 0, content, {}, 500);
}

} // namespace
} // namespace wb::mnn
