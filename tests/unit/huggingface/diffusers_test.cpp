// SPDX-License-Identifier: MIT
// A Diffusers pipeline as the library writes it, in small.
#include "core/formats/huggingface/huggingface.h"
#include "tests/unit/support/support.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

namespace wb::huggingface {
namespace {

std::string weights(std::string_view name) {
    const std::string header = fmt::format(R"({{"{}":{{"dtype":"F16","shape":[2],"data_offsets":[0,4]}}}})", name);
    std::string bytes(8, '\0');
    bytes[0] = static_cast<char>(header.size());
    return bytes + header + "data";
}

class Pipeline : public testing::Test {
protected:
    Pipeline() {
        folder.file("model_index.json",
                    R"({"_class_name":"StableDiffusionPipeline","_diffusers_version":"0.30.0","requires_safety_checker":[false],
            "unet":["diffusers","UNet2DConditionModel"],"text_encoder":["transformers","CLIPTextModel"],"vae":["diffusers","AutoencoderKL"],
            "scheduler":["diffusers","DDIMScheduler"],"tokenizer":["transformers","CLIPTokenizer"],"safety_checker":[null,null]})");
        folder.file("unet/config.json", R"({"_class_name":"UNet2DConditionModel"})");
        folder.file("unet/diffusion_pytorch_model-00001-of-00002.safetensors", weights("conv_in.weight"));
        folder.file("unet/diffusion_pytorch_model-00002-of-00002.safetensors", weights("conv_out.weight"));
        folder.file("unet/diffusion_pytorch_model.safetensors.index.json",
                    R"({"weight_map":{"conv_in.weight":"diffusion_pytorch_model-00001-of-00002.safetensors",
                        "conv_out.weight":"diffusion_pytorch_model-00002-of-00002.safetensors"}})");
        folder.file("text_encoder/config.json", R"({"architectures":["CLIPTextModel"]})");
        folder.file("text_encoder/model.safetensors", weights("embeddings.weight"));
        folder.file("vae/config.json", R"({"_class_name":"AutoencoderKL"})");
        folder.file("vae/diffusion_pytorch_model.fp16.safetensors", weights("decoder.weight"));
        folder.file("scheduler/scheduler_config.json", R"({"_class_name":"DDIMScheduler"})");
        folder.file("tokenizer/vocab.json", R"({"a":0})");
    }

    test::TemporaryFolder folder;
};

TEST_F(Pipeline, IsOneTree) {
    const auto opened = openFolder(folder.path(), {});
    ASSERT_TRUE(opened) << opened.error().message();
    const Model& model = **opened;
    EXPECT_EQ(model.format, FormatId::Diffusers);
    EXPECT_EQ(model.architecture, "StableDiffusionPipeline");
    std::vector<std::string> names;
    for (const TensorInfo& tensor : model.tensors) names.push_back(model.files.at(tensor.file()).name + " " + tensor.name);
    EXPECT_THAT(names, testing::UnorderedElementsAre("unet/diffusion_pytorch_model-00001-of-00002.safetensors unet.conv_in.weight",
                                                     "unet/diffusion_pytorch_model-00002-of-00002.safetensors unet.conv_out.weight",
                                                     "text_encoder/model.safetensors text_encoder.embeddings.weight",
                                                     "vae/diffusion_pytorch_model.fp16.safetensors vae.decoder.weight"));
    for (const char* key : {"model_index.json", "unet/config.json", "scheduler/scheduler_config.json", "tokenizer/vocab.json"})
        EXPECT_NE(model.metadata.find(key), nullptr) << key;
    EXPECT_TRUE(model.problems.empty());
    for (const TensorInfo& tensor : model.tensors) EXPECT_TRUE(openFile(model, tensor.file())) << tensor.name;
}

TEST_F(Pipeline, MissingComponent) {
    std::filesystem::remove_all(folder.path() / "vae");
    const auto model = openFolder(folder.path(), {});
    ASSERT_TRUE(model);
    ASSERT_EQ((*model)->problems.size(), 1u);
    EXPECT_EQ((*model)->problems[0].file, "vae");
    formats::OpenOptions strict;
    strict.strictness = formats::Strictness::Strict;
    EXPECT_FALSE(openFolder(folder.path(), strict));
}

TEST_F(Pipeline, ComponentsDoNotLeadOut) {
    folder.file("model_index.json", R"({"_class_name":"P","../unet":["a","B"],"/etc":["a","B"]})");
    const auto model = openFolder(folder.path(), {});
    ASSERT_TRUE(model);
    EXPECT_TRUE((*model)->tensors.empty());
}

TEST_F(Pipeline, ProblemsNameTheComponent) {
    folder.file("text_encoder/model.safetensors", "damaged file");
    const auto model = openFolder(folder.path(), {});
    ASSERT_TRUE(model);
    ASSERT_FALSE((*model)->problems.empty());
    EXPECT_EQ((*model)->problems[0].file, "text_encoder/model.safetensors");
    EXPECT_EQ((*model)->tensors.size(), 3u);
}

} // namespace
} // namespace wb::huggingface
