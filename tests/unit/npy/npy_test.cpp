// SPDX-License-Identifier: MIT
#include "core/formats/npy/npy.h"

#include "core/formats/npy/literal.h"
#include "core/model/tensor_reader.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/truth.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace wb::npy {
namespace {

formats::OpenOptions strict() {
    formats::OpenOptions options;
    options.strictness = formats::Strictness::Strict;
    return options;
}

std::string npyFile(const std::string& description, std::size_t dataBytes, char major = 1) {
    std::string bytes = "\x93NUMPY";
    bytes += major;
    bytes += '\0';
    for (std::size_t i = 0; i < (major == 1 ? 2u : 4u); ++i) bytes += static_cast<char>(description.size() >> 8 * i);
    return bytes + description + std::string(dataBytes, '\1');
}

Result<ModelPtr> openBytes(const std::string& bytes, const formats::OpenOptions& options = {}) {
    return open(std::make_shared<io::MemorySource>("a.npy", test::toBytes(bytes)), options);
}

bool has(const Model& model, std::string_view code) {
    return std::ranges::any_of(model.problems, [&](const Problem& problem) { return code == problem.code.id(); });
}

TEST(Npy, Fixtures) {
    WB_NEED_SHARED("fixtures/jax/numpy");
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(test::shared() / "fixtures/jax/numpy")) {
        const std::string name = entry.path().filename().string();
        SCOPED_TRACE(name);
        if (name.ends_with(".json")) continue;
        const auto model = name.ends_with(".npz") ? openArchive(entry.path(), strict()) : open(entry.path(), strict());
        ASSERT_TRUE(model) << model.error().message();
        EXPECT_EQ(test::expectTruth(**model, "jax/numpy/" + name), 0u);
        ++files;
    }
    EXPECT_EQ(files, 20u);
}

TEST(Npy, ArraysWithoutNumbersAreNamed) {
    WB_NEED_SHARED("fixtures/jax/numpy");
    const auto folder = test::shared() / "fixtures/jax/numpy";
    const auto objects = open(folder / "object.npy", {}), records = open(folder / "structured.npy", {}),
               text = open(folder / "unicode.npy", {}), bf16 = open(folder / "bf16_void.npy", {});
    ASSERT_TRUE(objects && records && text && bf16);
    EXPECT_TRUE((*objects)->tensors.empty() && has(**objects, "npy.objects"));
    EXPECT_TRUE((*records)->tensors.empty() && has(**records, "npy.type"));
    EXPECT_TRUE((*text)->tensors.empty() && has(**text, "npy.type"));
    EXPECT_TRUE(has(**bf16, "npy.interpreted"));
}

TEST(Npy, Description) {
    const auto model = openBytes(npyFile("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", 24), strict());
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_EQ((*model)->format, FormatId::Npy);
    EXPECT_EQ((*model)->version, "1.0");
    ASSERT_EQ((*model)->tensors.size(), 1u);
    EXPECT_EQ((*model)->tensors[0].name, "a");
    EXPECT_EQ((*model)->tensors[0].shape.toString(), "[2, 3]");
    EXPECT_EQ((*model)->tensors[0].offset(), 70u);
}

TEST(Npy, RefusedHeaders) {
    const auto refused = [](const std::string& bytes) {
        const auto model = openBytes(bytes);
        return model ? std::string() : std::string(model.error().reason.id());
    };
    EXPECT_EQ(refused("\x93NUMPY"), "npy.header");
    EXPECT_EQ(refused(npyFile("", 0)), "npy.header");
    EXPECT_EQ(refused(npyFile("{}", 0)), "npy.header");
    EXPECT_EQ(refused(npyFile("{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}", 8)), "npy.header");
    EXPECT_EQ(refused(npyFile("{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}", 8)), "npy.header");
    EXPECT_EQ(refused(npyFile("{'descr': '<f4', 'fortran_order': False, 'shape': (2, True)}", 8)), "npy.header");
    EXPECT_EQ(refused(npyFile("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'more': 1}", 8)), "npy.header");
    EXPECT_EQ(refused(npyFile("{'descr': open('x'), 'fortran_order': False, 'shape': (2,)}", 8)), "npy.header");
    EXPECT_EQ(refused(npyFile("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296, 2)}", 8)), "npy.header");
    EXPECT_EQ(refused(npyFile("{}", 0, 9)), "npy.version");
    EXPECT_EQ(refused(npyFile(std::string(70'000, ' '), 0, 2)), "npy.header_size");
}

TEST(Npy, TooFewAndTooManyElements) {
    const std::string header = "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3)}\n";
    const auto cut = openBytes(npyFile(header, 23));
    ASSERT_TRUE(cut);
    EXPECT_TRUE(has(**cut, "npy.cut"));
    EXPECT_FALSE((*cut)->tensors.at(0).isReadable());
    EXPECT_FALSE(openBytes(npyFile(header, 23), strict()));
    const auto more = openBytes(npyFile(header, 25), strict());
    ASSERT_TRUE(more);
    EXPECT_TRUE(has(**more, "npy.trailing"));
    EXPECT_TRUE((*more)->tensors.at(0).isReadable());
    const auto huge = openBytes(npyFile("{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904,)}", 8));
    ASSERT_TRUE(huge);
    EXPECT_FALSE((*huge)->tensors.at(0).isReadable()) << "its bytes do not fit 64 bits";
}

TEST(Npy, CutAtEveryByte) {
    const std::string whole = npyFile("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3)}\n", 24);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const auto model = openBytes(whole.substr(0, size));
        EXPECT_TRUE(!model || !(*model)->tensors.at(0).isReadable()) << size;
        EXPECT_FALSE(openBytes(whole.substr(0, size), strict())) << size;
    }
}

TEST(Npz, EveryDamageOfTheArchiveIsAResult) {
    WB_NEED_SHARED("fixtures/jax/numpy/stored.npz");
    const auto bytes = test::readFile(test::shared() / "fixtures/jax/numpy/stored.npz");
    std::size_t opened = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        auto damaged = bytes;
        damaged[i] ^= std::byte{0x5A};
        const auto model = openArchive(std::make_shared<io::MemorySource>("a.npz", damaged), {});
        if (!model) continue;
        ++opened;
        for (const TensorInfo& tensor : (*model)->tensors) {
            const auto reader = TensorReader::open(**model, tensor);
            std::vector<std::byte> raw(reader ? reader->byteCount(reader->elements()) : 0);
            if (reader) static_cast<void>(reader->readRaw(0, reader->elements(), raw));
        }
    }
    EXPECT_GT(opened, bytes.size() / 2);
}

TEST(Npz, MembersHaveTheirOwnByteOrder) {
    WB_NEED_SHARED("fixtures/jax/numpy/stored.npz");
    const auto model = openArchive(test::shared() / "fixtures/jax/numpy/stored.npz", {});
    ASSERT_TRUE(model);
    EXPECT_FALSE((*model)->bigEndian);
    const auto big = std::ranges::find((*model)->tensors, "f4_big", &TensorInfo::name);
    const auto little = std::ranges::find((*model)->tensors, "f4_c", &TensorInfo::name);
    EXPECT_EQ(test::hashOfValues(**model, *big), test::hashOfValues(**model, *little));
    EXPECT_EQ(big->details->member, "f4_big.npy");
}

TEST(Npz, IsAnArchiveOfArrays) {
    EXPECT_TRUE(isArchive(std::vector<std::string>{"a.npy", "dir/", "dir/b.npy"}));
    EXPECT_FALSE(isArchive(std::vector<std::string>{"a.npy", "data.pkl"}));
    EXPECT_FALSE(isArchive(std::vector<std::string>{}));
}

TEST(Literal, WhatItTakes) {
    for (const char* text :
         {"{}", "()", "[1, (2,), {'a': None}]", "'a\\n\\x41\\u00e9\\''", "\"b\"", "-3L", "+4", " True ", "(1, )"})
        EXPECT_TRUE(parseLiteral(text)) << text;
    EXPECT_EQ(*parseLiteral("'\\u00e9'")->string(), "é");
    EXPECT_EQ(parseLiteral("18446744073709551615")->unsignedNumber(), 18446744073709551615u);
}

TEST(Literal, WhatItRefuses) {
    for (const char* text :
         {"", "{", "{1: 2}", "(1 2)", "1.5", "x", "f()", "1 + 1", "'a", "'\\q'", "'\\x4'", "18446744073709551616",
          "-9223372036854775809", "[,]", "{'a' 1}", "None None", "-", "((((((((((((((((((1))))))))))))))))))"})
        EXPECT_FALSE(parseLiteral(text)) << text;
}

} // namespace
} // namespace wb::npy
