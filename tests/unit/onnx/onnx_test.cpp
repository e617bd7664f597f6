// SPDX-License-Identifier: MIT
#include "core/formats/onnx/onnx.h"

#include "core/formats/onnx/index.h"
#include "core/formats/onnx/ort.h"
#include "core/model/tensor_reader.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/truth.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>

namespace wb::onnx {
namespace {

using test::toBytes;

// Writes messages by hand.
std::string varint(std::uint64_t value) {
    std::string bytes;
    for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
    return bytes + static_cast<char>(value);
}
std::string number(unsigned field, std::uint64_t value) { return varint(field << 3) + varint(value); }
std::string bytes(unsigned field, const std::string& content) { return varint(field << 3 | 2) + varint(content.size()) + content; }

std::string tensor(const std::string& name, std::uint64_t type, const std::vector<std::uint64_t>& dims, const std::string& rest) {
    std::string message;
    for (const std::uint64_t side : dims) message += number(1, side);
    return message + number(2, type) + bytes(8, name) + rest;
}

std::string modelMessage(const std::string& graph) { return number(1, 8) + bytes(7, graph) + bytes(8, number(2, 15)); }
std::string initializers(const std::string& tensorMessage) { return modelMessage(bytes(5, tensorMessage)); }

Result<Index> index(const std::string& message) { return readIndex(io::MemorySource("a.onnx", toBytes(message)), {}); }

std::string external(const std::string& location, const std::string& offset, const std::string& length) {
    const auto entry = [](const char* key, const std::string& value) { return bytes(13, bytes(1, key) + bytes(2, value)); };
    return entry("location", location) + entry("offset", offset) + entry("length", length) + number(14, 1);
}

class Folder : public testing::Test {
protected:
    ModelPtr open(const std::string& message) {
        const auto model = onnx::open(folder.file("model.onnx", message), {});
        EXPECT_TRUE(model) << model.error().message();
        return model ? *model : std::make_shared<const Model>();
    }

    test::TemporaryFolder folder;
};

TEST(Onnx, Fixtures) {
    WB_NEED_SHARED("fixtures/runtime/onnx");
    const auto folder = test::shared() / "fixtures/runtime/onnx";
    const auto expect = [&](const std::string& name, const std::string& file, std::size_t notDecoded) {
        SCOPED_TRACE(name);
        const auto model = onnx::open(folder / file, {});
        ASSERT_TRUE(model) << model.error().message();
        EXPECT_EQ(test::expectTruth(**model, "runtime/onnx/" + name), notDecoded);
        for (const Problem& problem : (*model)->problems) EXPECT_NE(problem.severity, Severity::Error) << problem.message();
    };
    expect("dtypes_raw.onnx", "dtypes_raw.onnx", 0);
    expect("dtypes_typed.onnx", "dtypes_typed.onnx", 1); // strings
    expect("dynamic_int8.onnx", "dynamic_int8.onnx", 0);
    expect("external", "external/model.onnx", 0);
    expect("external_many", "external_many/model.onnx", 0);
    expect("hidden_places.onnx", "hidden_places.onnx", 0);
    for (const char* name : {"matmul_4bits_asym.onnx", "matmul_4bits_sym.onnx", "matmul_8bits.onnx"}) expect(name, name, 0);
}

TEST(Ort, Fixture) {
    WB_NEED_SHARED("fixtures/runtime/onnx/model.ort");
    const auto model = openOrt(test::shared() / "fixtures/runtime/onnx/model.ort", {});
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_EQ((*model)->format, FormatId::Ort);
    EXPECT_EQ(test::expectTruth(**model, "runtime/onnx/model.ort"), 0u);
    EXPECT_TRUE((*model)->problems.empty());
}

TEST(Ort, IsCutAndBentWithoutHarm) {
    WB_NEED_SHARED("fixtures/runtime/onnx/model.ort");
    const auto whole = test::readFile(test::shared() / "fixtures/runtime/onnx/model.ort");
    const auto touch = [](std::vector<std::byte> content) {
        const formats::Sources sources{std::make_shared<io::MemorySource>("a.ort", std::move(content))};
        auto read = readOrtIndex(sources, {}, {});
        if (!read) {
            EXPECT_NE(read.error().message().find("a.ort"), std::string::npos);
            return;
        }
        const Model model = formats::modelFromIndex(std::move(*read), sources);
        for (const TensorInfo& tensor : model.tensors) (void)TensorReader::open(model, tensor);
    };
    for (std::size_t length = 0; length < whole.size(); length += 1 + whole.size() / 400)
        touch({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)});
    for (std::size_t at = 0; at < std::min<std::size_t>(whole.size(), 3000); ++at) {
        auto bent = whole;
        bent[at] ^= std::byte{0xFF};
        touch(std::move(bent));
    }
}

TEST(Onnx, Corpus) {
    WB_NEED_SHARED("corpus/onnx");
    std::size_t models = 0, tensors = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(test::shared() / "corpus/onnx")) {
        if (entry.path().extension() != ".onnx") continue;
        const auto source = io::FileSource::open(entry.path());
        ASSERT_TRUE(source);
        EXPECT_TRUE(sniff(**source)) << entry.path();
        const auto read = readIndex(**source, {});
        ASSERT_TRUE(read) << read.error().message();
        ++models;
        for (const TensorInfo& tensor : read->model.tensors) tensors += tensor.isReadable() ? 1 : 0;
    }
    EXPECT_EQ(models, 75u);
    EXPECT_GE(tensors, 527u);
}

TEST(Onnx, SileroHasItsFacts) {
    WB_NEED_SHARED("corpus/silero_vad");
    for (const auto& entry : std::filesystem::recursive_directory_iterator(test::shared() / "corpus/silero_vad")) {
        if (entry.path().filename() != "silero_vad_16k_op15.onnx") continue;
        const auto model = onnx::open(entry.path(), {});
        ASSERT_TRUE(model) << model.error().message();
        EXPECT_EQ((*model)->version, "IR 8, opset 15");
        EXPECT_EQ((*model)->tensors.size(), 15u + 160u) << "initializers and Constants, but not the fills of two ConstantOfShape";
        return;
    }
    FAIL() << "silero_vad_16k_op15.onnx is not there";
}

// The weight is listed among the inputs, as IR version 3 wants it, and before its initializer.
TEST(Onnx, InputsOutputsAndOperatorsAreMetadata) {
    const auto end = [](const std::string& name, const std::string& sides) {
        const std::string type = number(1, 1) + bytes(2, sides);
        return bytes(1, name) + bytes(2, bytes(1, type));
    };
    const std::string side = bytes(1, number(1, 3)), batch = bytes(1, bytes(2, "batch")), unknown = bytes(1, "");
    const auto node = [](const std::string& type, const std::string& domain) {
        return bytes(1, bytes(4, type) + (domain.empty() ? "" : bytes(7, domain)));
    };
    const auto read =
        index(modelMessage(bytes(11, end("w", side)) + bytes(11, end("pixels", batch + side + unknown)) +
                           bytes(12, end("class", side)) + bytes(5, tensor("w", 1, {3}, bytes(9, std::string(12, 'x')))) +
                           node("Relu", "") + node("Conv", "") + node("Conv", "ai.onnx") + node("MatMulNBits", "com.microsoft")));
    ASSERT_TRUE(read) << read.error().message();
    const ValueObject& metadata = read->model.metadata;
    EXPECT_EQ(metadata.count, metadata.members.size());
    EXPECT_EQ(summary(*metadata.find("inputs")), R"(["pixels: F32 [batch, 3, ?]"])");
    EXPECT_EQ(summary(*metadata.find("outputs")), R"(["class: F32 [3]"])");
    const ValueObject& operators = *metadata.find("operators")->object();
    ASSERT_EQ(operators.members.size(), 3u);
    EXPECT_EQ(operators.members[0].key, "Conv");
    EXPECT_EQ(operators.members[0].value.unsignedNumber(), 2u);
    EXPECT_TRUE(operators.find("Relu") && operators.find("com.microsoft.MatMulNBits"));
}

TEST(Onnx, Sniffing) {
    EXPECT_TRUE(sniff(io::MemorySource("a", toBytes(initializers(tensor("w", 1, {1}, bytes(9, "abcd")))))));
    EXPECT_FALSE(sniff(io::MemorySource("a", toBytes(""))));
    EXPECT_FALSE(sniff(io::MemorySource("a", toBytes(number(1, 8))))) << "no graph";
    EXPECT_FALSE(sniff(io::MemorySource("a", toBytes(modelMessage("") + '\x07')))) << "no message";
    EXPECT_FALSE(sniff(io::MemorySource("a", toBytes(bytes(1, "node") + bytes(7, "")))));
    EXPECT_FALSE(sniff(io::MemorySource("a", toBytes(modelMessage("") + number(99, 1)))));
}

TEST(Onnx, ValuesThatDoNotFitTheShape) {
    for (const std::string& message :
         {tensor("w", 1, {2}, bytes(9, "abcd")), tensor("w", 1, {2}, bytes(9, "abcdefghi")), tensor("w", 6, {2}, number(5, 1)),
          tensor("w", 1, {~std::uint64_t{0}}, bytes(9, "abcd")), tensor("w", 1, {1ull << 62, 4}, bytes(9, "abcd")),
          tensor("w", 1, {2}, ""), tensor("w", 11, {1ull << 62}, ""),
          // Integers as the values of a complex type: one of 16 bytes would be shifted by 64 bits and more.
          tensor("w", 15, {1}, number(7, 1)), tensor("w", 15, {1}, number(7, 1) + number(7, 2)), tensor("w", 14, {1}, number(5, 1)),
          tensor("w", 14, {1}, number(11, 1))}) {
        const auto read = index(initializers(message));
        ASSERT_TRUE(read) << read.error().message();
        ASSERT_EQ(read->model.tensors.size(), 1u);
        EXPECT_FALSE(read->model.tensors[0].isReadable());
        EXPECT_EQ(read->model.problems.size(), 1u);
    }
}

TEST(Onnx, TypesWithoutValuesAreListed) {
    const auto read = index(initializers(tensor("w", 22, {3}, bytes(9, "ab"))));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->model.tensors.at(0).dtypeName(), "I4");
    const auto unknown = index(initializers(tensor("w", 77, {3}, bytes(9, "ab"))));
    EXPECT_EQ(unknown->model.tensors.at(0).dtypeName(), "type 77");
}

TEST(Onnx, SparseIndicesOutside) {
    const auto sparse = [](std::int64_t at) {
        std::string flat(8, '\0');
        for (int i = 0; i < 8; ++i) flat[static_cast<std::size_t>(i)] = static_cast<char>(at >> 8 * i);
        return modelMessage(bytes(15, bytes(1, tensor("w", 1, {1}, bytes(9, "abcd"))) +
                                          bytes(2, tensor("", 7, {1}, bytes(9, flat))) + number(3, 2) + number(3, 3)));
    };
    EXPECT_TRUE(index(sparse(5))->model.tensors.at(0).isReadable());
    EXPECT_FALSE(index(sparse(6))->model.tensors.at(0).isReadable());
    EXPECT_FALSE(index(sparse(-1))->model.tensors.at(0).isReadable());
}

TEST(Onnx, DamagedMessages) {
    const auto reason = [](const std::string& message) {
        const auto read = index(message);
        return read ? std::string() : std::string(read.error().reason.id());
    };
    EXPECT_EQ(reason("\x0B"), "proto.malformed") << "a group";
    EXPECT_EQ(reason(std::string("\0\0", 2)), "proto.malformed") << "field 0";
    EXPECT_EQ(reason(varint(19'500ull << 3) + varint(1)), "proto.malformed") << "a reserved field";
    EXPECT_EQ(reason("\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02"), "proto.malformed") << "more than 64 bits";
    EXPECT_EQ(reason(varint(7 << 3 | 2) + varint((1ull << 32) + 1) + "abc"), "proto.malformed") << "a length beyond 32 bits";
    std::string deep;
    for (int i = 0; i < 60; ++i) deep = bytes(1, bytes(5, bytes(6, deep)));
    EXPECT_EQ(reason(modelMessage(deep)), "proto.depth");
    EXPECT_EQ(reason(initializers(tensor(std::string(70'000, 'n'), 1, {}, ""))), "proto.text");
    std::vector<std::uint64_t> dims(33, 1);
    EXPECT_EQ(reason(initializers(tensor("w", 1, dims, ""))), "proto.count");
}

TEST(Onnx, CutAtEveryByte) {
    const std::string whole = initializers(tensor("w", 1, {2}, bytes(9, "abcdefgh")));
    for (std::size_t size = 0; size < whole.size(); ++size) static_cast<void>(index(whole.substr(0, size)));
    EXPECT_TRUE(index(whole));
    EXPECT_FALSE(index(whole.substr(0, whole.size() - 1)));
}

TEST(Onnx, Canceled) {
    std::stop_source source;
    source.request_stop();
    formats::OpenOptions options;
    options.progress.stop = source.get_token();
    const auto read = readIndex(io::MemorySource("a.onnx", toBytes(modelMessage(""))), options);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::Canceled);
}

TEST_F(Folder, ExternalValues) {
    folder.file("data.bin", "0123abcd");
    const ModelPtr model = open(initializers(tensor("w", 1, {1}, external("data.bin", "4", "4"))));
    ASSERT_TRUE(model->tensors.at(0).isReadable());
    EXPECT_EQ(model->files.at(model->tensors[0].file()).name, "data.bin");
    EXPECT_EQ(model->tensors[0].offset(), 4u);
    EXPECT_TRUE(TensorReader::open(*model, model->tensors[0]));
}

TEST_F(Folder, ExternalValuesThatAreNotReached) {
    folder.file("data.bin", "0123abcd");
    std::filesystem::create_directory(folder.path() / "inner");
    for (const auto& [location, offset, length] : std::vector<std::array<std::string, 3>>{{"data.bin", "5", "4"},
                                                                                          {"data.bin", "18446744073709551615", "4"},
                                                                                          {"data.bin", "-1", "4"},
                                                                                          {"data.bin", "0", "8"},
                                                                                          {"data.bin", "x", "4"},
                                                                                          {"absent.bin", "0", "4"},
                                                                                          {"../data.bin", "0", "4"},
                                                                                          {"inner/../data.bin", "0", "4"},
                                                                                          {"..\\data.bin", "0", "4"},
                                                                                          {"/etc/passwd", "0", "4"},
                                                                                          {"C:\\Windows\\win.ini", "0", "4"},
                                                                                          {"inner", "0", "4"},
                                                                                          {"", "0", "4"}}) {
        SCOPED_TRACE(location + " " + offset + " " + length);
        const ModelPtr model = open(initializers(tensor("w", 1, {1}, external(location, offset, length))));
        ASSERT_EQ(model->tensors.size(), 1u);
        EXPECT_FALSE(model->tensors[0].isReadable());
        EXPECT_FALSE(model->problems.empty());
    }
}

TEST_F(Folder, ExternalValuesBehindALinkOutOfIt) {
    std::filesystem::create_symlink("/etc/passwd", folder.path() / "link");
    const ModelPtr model = open(initializers(tensor("w", 1, {1}, external("link", "0", "4"))));
    ASSERT_EQ(model->tensors.size(), 1u);
    EXPECT_FALSE(model->tensors[0].isReadable());
    EXPECT_FALSE(model->problems.empty());
}

TEST_F(Folder, CopiedValuesAndExternalOnesTogether) {
    folder.file("data.bin", "abcd");
    const ModelPtr model = open(modelMessage(bytes(5, tensor("copied", 6, {1}, number(5, 7))) +
                                             bytes(5, tensor("outside", 1, {1}, external("data.bin", "0", "4")))));
    for (const TensorInfo& tensor : model->tensors) {
        const auto reader = TensorReader::open(*model, tensor);
        ASSERT_TRUE(reader) << tensor.name;
        std::uint32_t value = 0;
        ASSERT_TRUE(reader->readRaw(0, 1, std::as_writable_bytes(std::span(&value, 1))));
        EXPECT_EQ(value, tensor.name == "copied" ? 7u : 0x64636261u);
    }
}

} // namespace
} // namespace wb::onnx
