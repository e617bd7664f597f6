// SPDX-License-Identifier: MIT
// Parts that do not fit each other: each is named, none becomes a wrong weight.
#include "core/formats/huggingface/huggingface.h"
#include "core/model/tensor_reader.h"
#include "tests/unit/support/support.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

namespace wb::quantized {
namespace {

struct Stored {
    std::string name;
    std::string dtype;
    std::vector<std::uint64_t> shape;
    std::string bytes; // shorter ones are filled up with zeros
};

std::uint64_t tensorBytes(const Stored& tensor) {
    std::uint64_t bytes = tensor.dtype == "U8" || tensor.dtype == "I8" || tensor.dtype.starts_with("F8") ? 1
                          : tensor.dtype == "F16" || tensor.dtype == "BF16"                              ? 2
                          : tensor.dtype == "I64"                                                        ? 8
                                                                                                         : 4;
    for (const std::uint64_t side : tensor.shape) bytes *= side;
    return bytes;
}

std::string file(const std::vector<Stored>& tensors) {
    std::string header = "{", data;
    for (const Stored& tensor : tensors) {
        const std::uint64_t begin = data.size();
        data += tensor.bytes;
        data.resize(begin + tensorBytes(tensor));
        header += fmt::format(R"({}"{}":{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})", header.size() == 1 ? "" : ",",
                              tensor.name, tensor.dtype, fmt::join(tensor.shape, ","), begin, data.size());
    }
    header += "}";
    std::string bytes(8, '\0');
    for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>(header.size() >> 8 * i);
    return bytes + header + data;
}

class Parts : public testing::Test {
protected:
    ModelPtr open(const std::vector<Stored>& tensors, const std::string& config = "{}") {
        folder.file("config.json", config);
        folder.file("model.safetensors", file(tensors));
        const auto model = huggingface::openFolder(folder.path(), {});
        EXPECT_TRUE(model) << model.error().message();
        return model ? *model : std::make_shared<const Model>();
    }

    static bool has(const Model& model, std::string_view code) {
        return std::ranges::any_of(model.problems, [&](const Problem& problem) { return code == problem.code.id(); });
    }

    static const TensorInfo* logical(const Model& model) {
        const auto found = std::ranges::find(model.tensors, true, &TensorInfo::logical);
        return found == model.tensors.end() ? nullptr : &*found;
    }

    void expectRefused(const std::vector<Stored>& tensors, const std::string& config = "{}") {
        const ModelPtr model = open(tensors, config);
        EXPECT_EQ(logical(*model), nullptr);
        EXPECT_TRUE(has(*model, "quantized.parts"));
        EXPECT_EQ(model->tensors.size(), tensors.size()) << "the components are listed";
    }

    test::TemporaryFolder folder;
};

std::vector<Stored> gptq() {
    return {{"a.qweight", "I32", {8, 32}, {}},
            {"a.qzeros", "I32", {2, 4}, {}},
            {"a.scales", "F16", {2, 32}, {}},
            {"a.g_idx", "I32", {64}, {}}};
}

TEST_F(Parts, GptqWhole) {
    const ModelPtr model = open(gptq());
    ASSERT_TRUE(logical(*model));
    EXPECT_EQ(logical(*model)->name, "a.weight");
    EXPECT_EQ(logical(*model)->shape.toString(), "[32, 64]");
}

TEST_F(Parts, GptqWithoutScales) {
    auto parts = gptq();
    parts.erase(parts.begin() + 2);
    expectRefused(parts);
}

TEST_F(Parts, GptqOfAnotherType) {
    auto parts = gptq();
    parts[0].dtype = "F32";
    expectRefused(parts);
}

TEST_F(Parts, GptqZerosOfAnotherNumberOfGroups) {
    auto parts = gptq();
    parts[1].shape = {3, 4};
    expectRefused(parts);
}

TEST_F(Parts, GptqZerosOfAnotherWidth) {
    auto parts = gptq();
    parts[1].shape = {2, 5};
    expectRefused(parts);
}

TEST_F(Parts, GptqOfMoreGroupsThanInputs) {
    auto parts = gptq();
    parts[1].shape = {65, 4};
    parts[2].shape = {65, 32};
    expectRefused(parts);
}

TEST_F(Parts, GptqOrderOutsideTheGroups) {
    auto parts = gptq();
    parts[3].bytes = std::string("\x02\0\0\0", 4);
    const ModelPtr model = open(parts);
    ASSERT_TRUE(logical(*model));
    const auto reader = TensorReader::open(*model, *logical(*model));
    ASSERT_TRUE(reader) << reader.error().message();
    std::vector<float> values(64);
    std::vector<std::byte> scratch;
    const auto read = reader->readF32(0, values, scratch);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().reason, Reason("quantized.group_index"));
}

TEST_F(Parts, ConfigurationOfOtherBits) {
    const ModelPtr model = open(gptq(), R"({"quantization_config":{"quant_method":"gptq","bits":8}})");
    EXPECT_TRUE(logical(*model)) << "shapes decide";
    EXPECT_TRUE(has(*model, "quantized.bits"));
}

TEST_F(Parts, AwqZerosThatDoNotFit) {
    const Stored weight{"a.qweight", "I32", {64, 4}, {}}, scales{"a.scales", "F16", {2, 32}, {}};
    EXPECT_TRUE(logical(*open({weight, scales, {"a.qzeros", "I32", {2, 4}, {}}})));
    expectRefused({weight, scales, {"a.qzeros", "I32", {2, 5}, {}}});
    expectRefused({weight, scales, {"a.qzeros", "I32", {1, 4}, {}}});
}

TEST_F(Parts, AwqOfAnotherVersion) {
    expectRefused({{"a.qweight", "I32", {64, 4}, {}}, {"a.qzeros", "I32", {2, 4}, {}}, {"a.scales", "F16", {2, 32}, {}}},
                  R"({"quantization_config":{"quant_method":"awq","version":"gemv"}})");
}

Stored shapeFromRows(char rows, char columns) {
    std::string bytes(16, '\0');
    bytes[0] = rows;
    bytes[8] = columns;
    return {"a.weight_shape", "I64", {2}, bytes};
}

TEST_F(Parts, PackedShapes) {
    const Stored packed{"a.weight_packed", "I32", {8, 8}, {}}, scales{"a.weight_scale", "BF16", {8, 2}, {}};
    EXPECT_TRUE(logical(*open({packed, scales, shapeFromRows(8, 64)})));
    expectRefused({packed, scales});
    expectRefused({packed, scales, shapeFromRows(9, 64)});
    expectRefused({packed, scales, shapeFromRows(8, 0)});
    std::string negative(16, '\xFF');
    expectRefused({packed, scales, {"a.weight_shape", "I64", {2}, negative}});
    expectRefused({packed, {"a.weight_scale", "BF16", {7, 2}, {}}, shapeFromRows(8, 64)});
    expectRefused({packed, scales, shapeFromRows(8, 64), {"a.weight_zero_point", "I32", {2, 2}, {}}});
    expectRefused({packed, scales, shapeFromRows(8, 64), {"a.weight_g_idx", "I32", {63}, {}}});
}

TEST_F(Parts, PackedOfTheOldLayout) {
    // 3 bits: 64 codes take 7 words of ten whole codes, 6 words as one stream.
    const Stored scales{"a.weight_scale", "BF16", {8, 2}, {}};
    EXPECT_TRUE(logical(*open({{"a.weight_packed", "I32", {8, 7}, {}}, scales, shapeFromRows(8, 64)})));
    EXPECT_TRUE(logical(*open({{"a.weight_packed", "I32", {8, 6}, {}}, scales, shapeFromRows(8, 64)})));
    expectRefused({{"a.weight_packed", "I32", {8, 5}, {}}, scales, shapeFromRows(8, 64)});
}

TEST_F(Parts, Fp4Shapes) {
    const Stored packed{"a.weight_packed", "U8", {8, 16}, {}};
    EXPECT_TRUE(logical(*open({packed, {"a.weight_scale", "U8", {8, 1}, {}}})));
    expectRefused({packed, {"a.weight_scale", "U8", {8, 3}, {}}});
    expectRefused({packed, {"a.weight_scale", "U8", {7, 1}, {}}});
    expectRefused({packed, {"a.weight_scale", "I32", {8, 1}, {}}});
    expectRefused({packed, {"a.weight_scale", "F8_E4M3", {8, 2}, {}}, {"a.weight_global_scale", "F32", {2}, {}}});
}

TEST_F(Parts, ScalesThatDoNotFit) {
    const Stored weight{"a.weight", "F8_E4M3", {8, 16}, {}};
    for (const std::vector<std::uint64_t>& shape : std::vector<std::vector<std::uint64_t>>{{}, {1}, {8}, {8, 1}, {2, 2}, {8, 4}})
        EXPECT_TRUE(logical(*open({weight, {"a.weight_scale", "F32", shape, {}}}))) << shape.size();
    expectRefused({weight, {"a.weight_scale", "F32", {9, 1}, {}}});
    expectRefused({weight, {"a.weight_scale", "F32", {2, 2, 2}, {}}});
    expectRefused({weight, {"a.weight_scale", "I64", {8}, {}}});
    expectRefused({weight, {"a.weight_scale", "F32", {8, 1}, {}}, {"a.weight_zero_point", "I8", {8, 2}, {}}});
}

TEST_F(Parts, MxfpBlocksThatDoNotFit) {
    const Stored blocks{"a_blocks", "U8", {2, 4, 3, 16}, {}};
    EXPECT_TRUE(logical(*open({blocks, {"a_scales", "U8", {2, 4, 3}, {}}})));
    expectRefused({blocks, {"a_scales", "U8", {2, 4, 2}, {}}});
    EXPECT_FALSE(logical(*open({blocks}))) << "a name alone is no scheme";
}

std::vector<Stored> nf4(const std::string& state) {
    return {{"a.weight", "U8", {32, 1}, {}},
            {"a.weight.absmax", "F32", {1}, {}},
            {"a.weight.quant_map", "F32", {16}, {}},
            {"a.weight.quant_state.bitsandbytes__nf4", "U8", {state.size()}, state}};
}

TEST_F(Parts, BitsAndBytesDescriptions) {
    EXPECT_TRUE(logical(*open(nf4(R"({"quant_type":"nf4","blocksize":64,"shape":[8,8]})"))));
    for (const char* state :
         {"", "{", "[]", R"({"quant_type":"nf4","blocksize":0,"shape":[8,8]})",
          R"({"quant_type":"nf4","blocksize":64,"shape":[8,9]})", R"({"quant_type":"nf4","blocksize":64})",
          R"({"quant_type":"nf4","blocksize":64,"shape":[-8,8]})", R"({"quant_type":"nf4","blocksize":32,"shape":[8,8]})",
          R"({"quant_type":"nf4","blocksize":64,"shape":[4294967296,4294967296,4294967296]})",
          R"({"quant_type":"nf4","blocksize":64,"nested_blocksize":256,"shape":[8,8]})"}) {
        SCOPED_TRACE(state);
        expectRefused(nf4(state));
    }
    expectRefused(nf4(R"({"quant_type":"nf4","blocksize":64,"shape":[8,8]})" + std::string(5000, ' ')));
}

TEST_F(Parts, BitsAndBytesOfAnUnknownType) {
    auto parts = nf4(R"({"quant_type":"nf4","blocksize":64,"shape":[8,8]})");
    folder.file("config.json", "{}");
    std::string bytes = file(parts);
    bytes.replace(bytes.find("\"U8\""), 4, "\"X8\"");
    folder.file("model.safetensors", bytes);
    const auto model = huggingface::openFolder(folder.path(), {});
    ASSERT_TRUE(model);
    EXPECT_FALSE(logical(**model));
}

TEST_F(Parts, AWeightWithoutItsPartInAMissingFileIsUnavailable) {
    folder.file("config.json", "{}");
    folder.file("one.safetensors", file({{"a.weight", "F8_E4M3", {8, 16}, {}}}));
    folder.file("two.safetensors", file({{"a.weight_scale", "F32", {8}, {}}}));
    folder.file("model.safetensors.index.json",
                R"({"weight_map":{"a.weight":"one.safetensors","a.weight_scale":"two.safetensors"}})");
    const auto whole = huggingface::openFolder(folder.path(), {});
    ASSERT_TRUE(whole && logical(**whole));
    EXPECT_TRUE(logical(**whole)->isReadable());
    std::filesystem::remove(folder.path() / "two.safetensors");
    const auto model = huggingface::openFolder(folder.path(), {});
    ASSERT_TRUE(model) << model.error().message();
    const TensorInfo* weight = logical(**model);
    EXPECT_TRUE(!weight || !weight->isReadable());
}

TEST_F(Parts, AnUnknownSchemeIsNamed) {
    const ModelPtr model = open({{"a.codes", "I32", {4}, {}}}, R"({"quantization_config":{"quant_method":"aqlm"}})");
    ASSERT_TRUE(has(*model, "quantized.scheme"));
    EXPECT_THAT(model->problems.at(0).message(), testing::HasSubstr("aqlm"));
}

TEST_F(Parts, CanceledIsAnError) {
    folder.file("config.json", "{}");
    folder.file("model.safetensors", file(gptq()));
    std::stop_source source;
    source.request_stop();
    formats::OpenOptions options;
    options.progress.stop = source.get_token();
    const auto model = huggingface::openFolder(folder.path(), options);
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().code, ErrorCode::Canceled);
}

TEST_F(Parts, PartsOfAComponentHaveItsName) {
    folder.file("model_index.json", R"({"_class_name":"P","unet":["diffusers","U"]})");
    std::filesystem::create_directory(folder.path() / "unet");
    folder.file("unet/config.json", R"({"quantization_config":{"quant_method":"gptq","bits":4}})");
    folder.file("unet/diffusion_pytorch_model.safetensors", file(gptq()));
    const auto model = huggingface::openFolder(folder.path(), {});
    ASSERT_TRUE(model && logical(**model));
    EXPECT_EQ(logical(**model)->name, "unet.a.weight");
    EXPECT_TRUE(TensorReader::open(**model, *logical(**model)));
}

} // namespace
} // namespace wb::quantized
