// SPDX-License-Identifier: MIT
#include "core/formats/value_export.h"

#include "core/formats/open.h"
#include "core/model/tensor_reader.h"
#include "tests/unit/gguf/gguf_builder.h"
#include "tests/unit/support/support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

namespace wb::formats {
namespace {

using testing::HasSubstr;

template <typename T>
std::string valuesBytes(std::initializer_list<T> values) {
    std::string out;
    for (const T value : values) out.append(reinterpret_cast<const char*>(&value), sizeof value);
    return out;
}

// Tensors of types that f32 cannot hold exactly, and of some that NumPy lacks.
class ValueExport : public testing::Test {
protected:
    ValueExport() {
        const std::string data = valuesBytes<std::int64_t>({INT64_MAX, -2}) + valuesBytes<double>({0.1, 1e300}) +
                                 valuesBytes<float>({1.5F, -0.0F, 3, 4}) + valuesBytes<std::uint16_t>({0x3F80, 0xC000}) +
                                 valuesBytes<std::uint8_t>({1, 0});
        const std::string header = R"({"i":{"dtype":"I64","shape":[2],"data_offsets":[0,16]},)"
                                   R"("d":{"dtype":"F64","shape":[2,1],"data_offsets":[16,32]},)"
                                   R"("f":{"dtype":"F32","shape":[2,2],"data_offsets":[32,48]},)"
                                   R"("h":{"dtype":"BF16","shape":[2],"data_offsets":[48,52]},)"
                                   R"("b":{"dtype":"BOOL","shape":[2],"data_offsets":[52,54]}})";
        const std::string file = test::GgufBuilder().number(std::uint64_t{header.size()}) + header + data;
        model = *open(folder.file("m.safetensors", file));
    }

    std::size_t index(std::string_view name) const {
        const auto at = std::ranges::find(model->tensors, name, &TensorInfo::name);
        return static_cast<std::size_t>(at - model->tensors.begin());
    }
    Result<void> write(const std::vector<std::string>& names, const char* file) const {
        std::vector<std::size_t> indices;
        for (const std::string& name : names) indices.push_back(index(name));
        return exportTensors(*model, indices, folder.path() / file, {});
    }
    std::string text(const char* file) const {
        const auto bytes = test::readFile(folder.path() / file);
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
    // The raw bytes of a tensor.
    static std::string raw(const Model& of, std::string_view name) {
        const auto at = std::ranges::find(of.tensors, name, &TensorInfo::name);
        if (at == of.tensors.end()) return "absent";
        const auto reader = TensorReader::open(of, *at);
        std::vector<std::byte> bytes(reader->byteCount(reader->elements()));
        EXPECT_TRUE(reader->readRaw(0, reader->elements(), bytes));
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }

    test::TemporaryFolder folder;
    ModelPtr model;
};

TEST_F(ValueExport, NpyKeepsTheTypeOfTheTensor) {
    for (const char* name : {"i", "d", "f", "b"}) {
        ASSERT_TRUE(write({name}, "x.npy"));
        const auto read = open(folder.path() / "x.npy");
        ASSERT_TRUE(read) << read.error().message();
        EXPECT_EQ((*read)->tensors.at(0).dtype, model->tensors[index(name)].dtype);
        EXPECT_EQ((*read)->tensors[0].shape, model->tensors[index(name)].shape);
        EXPECT_EQ(raw(**read, "x"), raw(*model, name));
    }
    ASSERT_TRUE(write({"h"}, "x.npy"));
    EXPECT_EQ(raw(**open(folder.path() / "x.npy"), "x"), valuesBytes<float>({1, -2}));
}

TEST_F(ValueExport, CsvHasALineForEachRow) {
    const std::pair<const char*, const char*> cases[] = {
        {"i", "9223372036854775807,-2\n"}, {"d", "0.1\n1e+300\n"}, {"f", "1.5,-0\n3,4\n"}, {"h", "1,-2\n"}, {"b", "1,0\n"}};
    for (const auto& [name, expected] : cases) {
        ASSERT_TRUE(write({name}, "x.csv")) << name;
        EXPECT_EQ(text("x.csv"), expected);
    }
}

TEST_F(ValueExport, ArchivesHoldSeveralTensors) {
    for (const char* file : {"all.npz", "all.safetensors"}) {
        ASSERT_TRUE(write({"i", "d", "f", "b"}, file));
        const auto read = open(folder.path() / file);
        ASSERT_TRUE(read) << read.error().message();
        EXPECT_TRUE((*read)->problems.empty()) << (*read)->problems.front().message();
        EXPECT_EQ((*read)->tensors.size(), 4u);
        for (const char* name : {"i", "d", "f", "b"}) EXPECT_EQ(raw(**read, name), raw(*model, name)) << file << name;
    }
    ASSERT_TRUE(write({"h"}, "h.safetensors"));
    EXPECT_EQ((*open(folder.path() / "h.safetensors"))->tensors.at(0).dtype, Dtype::BF16);
}

TEST_F(ValueExport, RefusesOtherFilesAndTheModelItself) {
    EXPECT_EQ(write({"f"}, "x.json").error().code, ErrorCode::Invalid);
    EXPECT_EQ(write({"f", "i"}, "x.csv").error().code, ErrorCode::Invalid);
    EXPECT_EQ(write({}, "x.npz").error().code, ErrorCode::Invalid);
    const std::string before = text("m.safetensors");
    EXPECT_THAT(write({"f"}, "m.safetensors").error().message(), HasSubstr("m.safetensors"));
    EXPECT_EQ(text("m.safetensors"), before);
}

TEST_F(ValueExport, CanBeCanceled) {
    std::stop_source stop;
    stop.request_stop();
    for (const char* file : {"x.npy", "x.csv", "x.npz", "x.safetensors"}) {
        const std::size_t only = index("f");
        const auto written = exportTensors(*model, std::span(&only, 1), folder.path() / file, {stop.get_token(), {}});
        ASSERT_FALSE(written) << file;
        EXPECT_EQ(written.error().code, ErrorCode::Canceled);
        EXPECT_FALSE(std::filesystem::exists(folder.path() / file));
    }
}

} // namespace
} // namespace wb::formats
