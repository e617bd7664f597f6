// SPDX-License-Identifier: MIT
// The folders of ../shared/fixtures/quantized, packed by the programs that define the schemes, against their dequantized weights.
#include "core/formats/huggingface/huggingface.h"
#include "core/model/parameters.h"
#include "core/model/tensor_reader.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/truth.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>

namespace wb::quantized {
namespace {

std::vector<std::string> fixtures() {
    std::vector<std::string> names;
    const auto folder = test::shared() / "fixtures/quantized";
    std::error_code missing;
    for (const auto& entry : std::filesystem::directory_iterator(folder, missing))
        if (entry.is_directory()) names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
}

ModelPtr open(const std::string& name) {
    formats::OpenOptions strict;
    strict.strictness = formats::Strictness::Strict;
    const auto model = huggingface::openFolder(test::shared() / "fixtures/quantized" / name, strict);
    EXPECT_TRUE(model) << model.error().message();
    return model ? *model : std::make_shared<const Model>();
}

const TensorInfo& logical(const Model& model, std::string_view ending) {
    const auto found =
        std::ranges::find_if(model.tensors, [&](const TensorInfo& t) { return t.logical && t.name.ends_with(ending); });
    return *found;
}

TEST(Fixtures, EveryFolder) {
    WB_NEED_SHARED("fixtures/quantized");
    const auto names = fixtures();
    EXPECT_EQ(names.size(), 33u);
    for (const std::string& name : names) {
        SCOPED_TRACE(name);
        const ModelPtr model = open(name);
        EXPECT_EQ(test::expectTruth(*model, "quantized/" + name), 0u);
        for (const Problem& problem : model->problems)
            EXPECT_NE(problem.code.id(), std::string("quantized.parts")) << problem.message();
    }
}

// Any range of elements is what reading the whole gives, also where it begins and ends inside bytes, words, groups and rows.
TEST(Fixtures, EveryRangeIsAPartOfTheWhole) {
    WB_NEED_SHARED("fixtures/quantized");
    for (const std::string& name : fixtures()) {
        SCOPED_TRACE(name);
        const ModelPtr model = open(name);
        for (const TensorInfo& tensor : model->tensors) {
            if (!tensor.logical) continue;
            const auto reader = TensorReader::open(*model, tensor);
            ASSERT_TRUE(reader) << reader.error().message();
            std::vector<std::byte> scratch;
            std::vector<float> whole(reader->elements());
            ASSERT_TRUE(reader->readF32(0, whole, scratch));
            const std::uint64_t width = tensor.shape.rowLength();
            for (const std::uint64_t first : {std::uint64_t{1}, width - 3, 7 * width + 33, whole.size() - 5}) {
                std::vector<float> part(std::min<std::uint64_t>(whole.size() - first, 3 * width + 11));
                ASSERT_TRUE(reader->readF32(first, part, scratch));
                EXPECT_EQ(std::memcmp(part.data(), whole.data() + first, part.size() * sizeof(float)), 0) << first;
            }
        }
    }
}

TEST(Fixtures, SchemesPartsAndBits) {
    WB_NEED_SHARED("fixtures/quantized");
    const auto scheme = [](const std::string& name, const char* ending) {
        const ModelPtr model = open(name);
        return logical(*model, ending).details->scheme;
    };
    EXPECT_EQ(scheme("awq_gemm_g32", "q_proj.weight"), "awq 4 bit g32");
    EXPECT_EQ(scheme("awq_gemm_gall", "q_proj.weight"), "awq 4 bit");
    EXPECT_EQ(scheme("gptq_v2_3bit_descact", "q_proj.weight"), "gptq 3 bit g32");
    EXPECT_EQ(scheme("bnb_nf4_double", "q_proj.weight"), "bitsandbytes nf4 b64 nested");
    EXPECT_EQ(scheme("bnb_int8", "q_proj.weight"), "bitsandbytes int8");
    EXPECT_EQ(scheme("ct_pack_int3_g32", "q_proj.weight"), "compressed-tensors pack-quantized 3 bit g32");
    EXPECT_EQ(scheme("ct_int_channel", "q_proj.weight"), "int8 channel");
    EXPECT_EQ(scheme("fp8_block_128", "gate_proj.weight"), "fp8 block 128x128");
    EXPECT_EQ(scheme("fp8_tensor_no_config", "up_proj.weight"), "fp8 tensor");
    EXPECT_EQ(scheme("ct_nvfp4", "q_proj.weight"), "compressed-tensors nvfp4 g16");
    EXPECT_EQ(scheme("nvfp4_modelopt", "up_proj.weight"), "nvfp4 g16");
    EXPECT_EQ(scheme("mxfp4_gpt_oss", "down_proj"), "mxfp4 g32");

    const ModelPtr awq = open("awq_gemm_g32");
    const TensorInfo& weight = logical(*awq, "q_proj.weight");
    EXPECT_THAT(weight.details->parts,
                testing::UnorderedElementsAre("model.layers.0.self_attn.q_proj.qweight", "model.layers.0.self_attn.q_proj.qzeros",
                                              "model.layers.0.self_attn.q_proj.scales"));
    // 64 x 64 codes of 4 bits, and for each of 2 x 64 groups a scale of 16 bits and a zero point of 4.
    EXPECT_DOUBLE_EQ(*weight.details->bitsPerWeight, 4 + 20 * 2 * 64 / 4096.0);
    EXPECT_EQ(storedParameters(*awq), 32u * 64 + 64 + 96 * 12 + 3 * 12 + 3 * 96 + 64 * 8 + 2 * 8 + 2 * 64);
    EXPECT_EQ(awq->parameters(), 15'424u);
}

TEST(Fixtures, CountDecodedElementsAsParameters) {
    WB_NEED_SHARED("fixtures/quantized");
    EXPECT_EQ(open("gptq_v1_4bit_g32")->parameters(), 12'352u);
    EXPECT_EQ(open("ct_pack_int4_g32_sym")->parameters(), 10'048u);
    EXPECT_EQ(open("mxfp4_gpt_oss")->parameters(), 17'808u);
    EXPECT_EQ(open("nvfp4_modelopt")->parameters(), 5'184u);
}

TEST(Fixtures, AllPartsOfModelOptBelongToTheWeight) {
    WB_NEED_SHARED("fixtures/quantized");
    const ModelPtr model = open("nvfp4_modelopt");
    EXPECT_THAT(logical(*model, "up_proj.weight").details->parts,
                testing::UnorderedElementsAre("model.layers.0.mlp.up_proj.weight", "model.layers.0.mlp.up_proj.weight_scale",
                                              "model.layers.0.mlp.up_proj.weight_scale_2",
                                              "model.layers.0.mlp.up_proj.input_scale"));
}

TEST(Fixtures, WhatIsDoubtfulIsSaid) {
    WB_NEED_SHARED("fixtures/quantized");
    const auto codes = [](const std::string& name) {
        std::vector<std::string> ids;
        const ModelPtr model = open(name);
        for (const Problem& problem : model->problems) ids.emplace_back(problem.code.id());
        return ids;
    };
    EXPECT_THAT(codes("gptq_v1_4bit_asym_wrapped"), testing::Contains("quantized.wrapped_zeros"));
    EXPECT_THAT(codes("gptq_v1_4bit_g32"), testing::Not(testing::Contains("quantized.wrapped_zeros")));
    EXPECT_THAT(codes("fp8_tensor_no_config"), testing::Contains("quantized.inferred"));
    EXPECT_THAT(codes("awq_gemm_g32"), testing::IsEmpty());
}

} // namespace
} // namespace wb::quantized
