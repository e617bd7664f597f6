// SPDX-License-Identifier: MIT
#include "core/convert/plan_job.h"
#include "core/convert/source/decoded_model.h"
#include "core/formats/open.h"
#include "core/io/digests/sha256.h"
#include "core/model/tensor_reader.h"
#include "tests/unit/convert/folder.h"
#include "tests/unit/convert/packed_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstring>
#include <fstream>
#include <map>

namespace wb::convert {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::Packed;

GgufRequest ggufRequest(const fs::path& source, gguf::FileType type) {
    GgufRequest request;
    request.source = source;
    request.folder.modelName = "Same";
    request.quantize.mix.fileType = type;
    return request;
}

std::vector<Problem> write(const GgufRequest& request, const fs::path& target) {
    const GgufPlanned planned = planGguf(request, {});
    EXPECT_TRUE(planned.job) << (planned.failure ? planned.failure->message() : "");
    if (!planned.job) return {};
    const auto done = planned.job->run(target, {}, {});
    EXPECT_TRUE(done) << done.error().message();
    return planned.job->problems();
}

bool hasNote(const std::vector<Problem>& problems) {
    return std::ranges::any_of(problems, [](const Problem& problem) { return problem.code == decodedValues; });
}

constexpr Packed schemes[] = {Packed::Awq, Packed::GptqV1, Packed::GptqV2, Packed::Fp8Block, Packed::Compressed};

// One pass gives the same file as converting a folder of decoded weights.
TEST(QuantizedSource, BecomesGgufInOnePass) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder work;
    for (const char* const name : {"qwen2", "llama-k256"})
        for (const Packed how : schemes)
            for (const std::size_t shards : {1, 2}) {
                const std::string label = fmt::format("{}{}s{}", name, static_cast<int>(how), shards);
                SCOPED_TRACE(label);
                const fs::path packed = work.path() / (label + "q"), plain = work.path() / (label + "p");
                test::packFolder(archFolder(name), how, shards, packed, plain);
                for (const auto type : {gguf::FileType::Q4_K_M, gguf::FileType::F16}) {
                    const fs::path one = work.path() / "one.gguf", two = work.path() / "two.gguf";
                    EXPECT_TRUE(hasNote(write(ggufRequest(packed, type), one)));
                    EXPECT_FALSE(hasNote(write(ggufRequest(plain, type), two)));
                    EXPECT_TRUE(test::readFile(one) == test::readFile(two)) << gguf::info(type).name;
                    fs::remove(one);
                    fs::remove(two);
                }
            }
}

std::vector<float> tensorValues(const Model& model, const TensorInfo& tensor) {
    const auto reader = TensorReader::open(model, tensor);
    std::vector<float> values(tensor.shape.elements());
    std::vector<std::byte> scratch;
    EXPECT_TRUE(reader && reader->readF32(0, values, scratch)) << tensor.name;
    return values;
}

// The folder that the GGUF file is restored to has the values of `plain`.
void expectRestored(const fs::path& gguf, const fs::path& plain, const fs::path& target) {
    SafetensorsRequest request;
    request.source = gguf;
    request.target = target;
    request.weights.isFolder = true;
    const auto planned = planSafetensors(request, {});
    ASSERT_TRUE(planned) << planned.error().message();
    const auto done = planned->job->run(target, {}, {});
    ASSERT_TRUE(done) << done.error().message();
    const auto restored = formats::open(target, {}), truth = formats::open(plain, {});
    ASSERT_TRUE(restored && truth);
    std::map<std::string, const TensorInfo*> tensors;
    for (const TensorInfo& tensor : (*restored)->tensors) tensors.emplace(tensor.name, &tensor);
    for (const TensorInfo& wanted : (*truth)->tensors) {
        const auto found = tensors.find(wanted.name);
        ASSERT_NE(found, tensors.end()) << wanted.name;
        EXPECT_TRUE(tensorValues(**restored, *found->second) == tensorValues(**truth, wanted)) << wanted.name;
    }
    EXPECT_EQ(tensors.size(), (*truth)->tensors.size());
    fs::remove_all(target);
}

// Blocks of FP4 stay: times the scale of its tensor every value is that of the folder. Other types decode them.
TEST(QuantizedSource, KeepsBlocksOfFp4) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder work;
    for (const auto& [how, dtype] : {std::pair(Packed::Nvfp4, Dtype::NVFP4), std::pair(Packed::Mxfp4, Dtype::MXFP4)})
        for (const char* const name : {"qwen2", "llama-k256", "qwen3moe"}) { // rows in order, permuted, stacked
            SCOPED_TRACE(fmt::format("{} {}", name, wb::name(dtype)));
            const fs::path packed = work.path() / "packed", plain = work.path() / "plain", one = work.path() / "one.gguf",
                           two = work.path() / "two.gguf", three = work.path() / "three.gguf", four = work.path() / "four.gguf";
            test::packFolder(archFolder(name), how, 1, packed, plain);
            GgufRequest automatic = ggufRequest(packed, gguf::FileType::BF16), decoding = automatic;
            automatic.takesUsualType = decoding.takesUsualType = true;
            decoding.keepsBlocks = false;
            write(automatic, one);
            write(ggufRequest(plain, gguf::FileType::F32), two);
            EXPECT_TRUE(hasNote(write(ggufRequest(packed, gguf::FileType::Q8_0), three)));
            write(ggufRequest(plain, gguf::FileType::Q8_0), four);
            EXPECT_TRUE(test::readFile(three) == test::readFile(four));
            const auto kept = formats::open(one, {}), truth = formats::open(two, {});
            ASSERT_TRUE(kept && truth);
            std::map<std::string, const TensorInfo*> tensors;
            for (const TensorInfo& tensor : (*kept)->tensors) tensors.emplace(tensor.name, &tensor);
            std::size_t count = 0;
            for (const TensorInfo& wanted : (*truth)->tensors) {
                const auto found = tensors.find(wanted.name);
                ASSERT_NE(found, tensors.end()) << wanted.name;
                if (found->second->dtype != dtype) continue;
                ++count;
                auto values = tensorValues(**kept, *found->second);
                const auto scale = tensors.find(wanted.name.substr(0, wanted.name.size() - 7) + ".scale");
                EXPECT_EQ(scale != tensors.end(), dtype == Dtype::NVFP4);
                const auto factors = scale == tensors.end() ? std::vector<float>{1} : tensorValues(**kept, *scale->second);
                for (std::size_t i = 0; i < values.size(); ++i) values[i] *= factors[i / (values.size() / factors.size())];
                EXPECT_TRUE(values == tensorValues(**truth, wanted)) << wanted.name;
            }
            EXPECT_GT(count, 10u);
            const Value* const type = (*kept)->metadata.find("general.file_type");
            ASSERT_TRUE(type);
            EXPECT_EQ(type->unsignedNumber(), dtype == Dtype::NVFP4 ? 39u : 38u);
            if (dtype == Dtype::NVFP4) expectRestored(one, plain, work.path() / "restored");
            fs::remove(one);
            write(decoding, one);
            const auto decoded = formats::open(one, {});
            ASSERT_TRUE(decoded);
            for (const TensorInfo& tensor : (*decoded)->tensors) EXPECT_NE(tensor.dtype, dtype);
            for (const fs::path& file : {one, two, three, four, packed, plain}) fs::remove_all(file);
        }
}

// Scales without a counterpart in GGUF.
TEST(QuantizedSource, RefusesScalesThatNvfp4DoesNotStore) {
    WB_NEED_SHARED("arch");
    for (const int code : {0x7F, 0xA0, 0xFF}) {
        const test::TemporaryFolder work;
        const fs::path packed = work.path() / "packed", file = packed / "model.safetensors";
        test::packFolder(archFolder("qwen2"), Packed::Nvfp4, 1, packed, work.path() / "plain");
        std::string bytes = fileText(file);
        std::uint64_t length = 0;
        std::memcpy(&length, bytes.data(), sizeof length);
        const auto header = json::parse(bytes.substr(8, length));
        const std::uint64_t at = header["model.layers.0.mlp.up_proj.weight_scale"]["data_offsets"][0];
        bytes[8 + length + at] = static_cast<char>(code);
        std::ofstream(file, std::ios::binary) << bytes;
        GgufRequest request = ggufRequest(packed, gguf::FileType::BF16);
        const GgufPlanned planned = planGguf(request, {});
        ASSERT_TRUE(planned.failure);
        EXPECT_EQ(planned.failure->reason.id(), std::string("convert.fp4_scale")) << planned.failure->message();
        request.keepsBlocks = false;
        EXPECT_TRUE(planGguf(request, {}).job);
    }
}

// The logical tensors of folders that the quantizing libraries wrote.
TEST(QuantizedSource, BecomesSafetensorsAsTheLibrariesDecode) {
    WB_NEED_SHARED("fixtures/quantized");
    const test::TemporaryFolder work;
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(test::shared() / "fixtures/quantized")) {
        if (!entry.is_directory()) continue;
        SCOPED_TRACE(entry.path().filename().string());
        const json expected = json::parse(std::ifstream(entry.path().string() + ".expected.json"));
        SafetensorsRequest request;
        request.source = entry.path();
        request.target = work.path() / entry.path().filename();
        request.weights.isFolder = true;
        request.weights.type = Dtype::F32;
        const auto planned = planSafetensors(request, {});
        ASSERT_TRUE(planned) << planned.error().message();
        EXPECT_TRUE(hasNote(planned->job->problems()));
        const auto done = planned->job->run(request.target, {}, {});
        ASSERT_TRUE(done) << done.error().message();
        const auto written = formats::open(request.target, {});
        ASSERT_TRUE(written) << written.error().message();
        std::map<std::string, const TensorInfo*> tensors;
        for (const TensorInfo& tensor : (*written)->tensors) tensors.emplace(tensor.name, &tensor);
        const double tolerance = expected.value("relative_tolerance", 0.0);
        for (const json& wanted : expected["tensors"]) {
            const auto found = tensors.find(wanted["name"].get<std::string>());
            if (!wanted.value("logical", false) || wanted["dtype"] != "f32") continue;
            ASSERT_NE(found, tensors.end()) << wanted["name"];
            EXPECT_EQ(found->second->shape.dimensions().size(), wanted["shape"].size());
            const auto reader = TensorReader::open(**written, *found->second);
            std::vector<float> values(found->second->shape.elements());
            std::vector<std::byte> scratch;
            ASSERT_TRUE(reader && reader->readF32(0, values, scratch));
            io::Sha256 hash;
            hash.update(std::as_bytes(std::span(values)));
            if (tolerance == 0) {
                EXPECT_EQ(io::hexText(*hash.finish()), wanted["sha256"]) << wanted["name"];
            }
            ++count;
        }
        for (const json& part : expected["parts"]) {
            const bool isWeight = std::ranges::any_of(expected["tensors"], [&](const json& t) { return t["name"] == part; });
            EXPECT_TRUE(isWeight || !tensors.contains(part.get<std::string>())) << part;
        }
        if (fs::exists(request.target / "config.json")) {
            EXPECT_FALSE(json::parse(std::ifstream(request.target / "config.json")).contains("quantization_config"));
        }
    }
    EXPECT_GT(count, 33);
}

// Without a type the parts are copied as they are, as ever.
TEST(QuantizedSource, IsCopiedWithoutAType) {
    WB_NEED_SHARED("fixtures/quantized");
    const test::TemporaryFolder work;
    SafetensorsRequest request;
    request.source = test::shared() / "fixtures/quantized/awq_gemm_g32";
    request.target = work.path() / "copy";
    request.weights.isFolder = true;
    const auto planned = planSafetensors(request, {});
    ASSERT_TRUE(planned);
    EXPECT_FALSE(hasNote(planned->job->problems()));
    EXPECT_TRUE(std::ranges::any_of(planned->plan->tensors, [](const auto& tensor) { return tensor.name.ends_with(".qweight"); }));
}

TEST(QuantizedSource, RefusesASchemeThatItCannotDecode) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder work;
    test::packFolder(archFolder("qwen2"), Packed::Awq, 1, work.path() / "q", work.path() / "p");
    json config = json::parse(std::ifstream(work.path() / "q/config.json"));
    config["quantization_config"]["version"] = "marlin";
    std::ofstream(work.path() / "q/config.json") << config;
    const GgufPlanned planned = planGguf(ggufRequest(work.path() / "q", gguf::FileType::Q4_K_M), {});
    ASSERT_TRUE(planned.failure);
    EXPECT_EQ(planned.failure->code, ErrorCode::Unsupported);
}

// A quantized model merges with an unquantized one by the values that it decodes to.
TEST(QuantizedSource, MergesWithOthers) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder work;
    const fs::path packed = work.path() / "q", plain = work.path() / "p", source = archFolder("qwen2");
    test::packFolder(source, Packed::Awq, 1, packed, plain);
    const auto merged = [&](const fs::path& other, const fs::path& target) {
        SafetensorsRequest request;
        request.source = source;
        request.target = target;
        request.weights.isFolder = true;
        request.merge.models = {other.string()};
        request.merge.settings.weights = {1};
        const auto job = planJob(request, {});
        EXPECT_TRUE(job) << job.error().message();
        EXPECT_TRUE(job && (*job)->run(target, {}, {}));
        return test::readFile(target / "model.safetensors");
    };
    EXPECT_TRUE(merged(packed, work.path() / "one") == merged(plain, work.path() / "two"));
}

} // namespace
} // namespace wb::convert
