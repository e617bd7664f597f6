// SPDX-License-Identifier: MIT
#include "core/model/tensor_reader.h"
#include "tests/unit/gguf/opening.h"

namespace wb {
namespace {

using namespace test;
using Builder = GgufBuilder;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

struct PartSpec {
    std::uint16_t number;
    std::uint16_t count;
    std::int32_t tensors;
    std::vector<std::string> names;
};

std::string part(const PartSpec& spec) {
    Builder b;
    if (spec.number == 0) b.pair("general.architecture", "llama");
    b.pair("split.no", Builder::U16, b.number(spec.number)).pair("split.count", Builder::U16, b.number(spec.count));
    b.pair("split.tensors.count", Builder::I32, b.number(spec.tensors));
    for (const std::string& name : spec.names) b.tensor(name, {1}, 0, b.number(static_cast<float>(spec.number)));
    return b.build();
}

class GgufSplit : public testing::Test {
protected:
    void write(const std::string& name, const PartSpec& spec) { folder.file(name, part(spec)); }

    void writeAll() {
        write(first, {0, 3, 3, {"a"}});
        write("m-00002-of-00003.gguf", {1, 3, 3, {"b"}});
        write("m-00003-of-00003.gguf", {2, 3, 3, {"c"}});
    }

    Result<ModelPtr> open(const std::string& name, formats::Strictness strictness = formats::Strictness::Lenient) const {
        formats::OpenOptions options;
        options.strictness = strictness;
        return gguf::open(folder.path() / name, options);
    }

    // Refused strictly with a sentence that names the file; shown leniently with the problem.
    ModelPtr expectDamaged(const std::string& problem, const std::string& name = first) const {
        const auto strict = open(name, formats::Strictness::Strict);
        EXPECT_THAT(strict ? "opened" : strict.error().message(), HasSubstr(name));
        const auto lenient = open(name);
        EXPECT_TRUE(lenient) << lenient.error().message();
        const ModelPtr model = lenient ? *lenient : std::make_shared<Model>();
        EXPECT_THAT(openingProblems(*model), Contains(problem));
        return model;
    }

    static constexpr const char* first = "m-00001-of-00003.gguf";
    TemporaryFolder folder;
};

TEST_F(GgufSplit, FirstPartOpensAllPartsAsOneModel) {
    writeAll();
    const auto opened = open(first, formats::Strictness::Strict);
    ASSERT_TRUE(opened) << opened.error().message();
    const Model& model = **opened;
    EXPECT_THAT(openingProblems(model), IsEmpty());
    ASSERT_EQ(model.files.size(), 3u);
    EXPECT_EQ(model.files[2].name, "m-00003-of-00003.gguf");
    ASSERT_EQ(model.tensors.size(), 3u);
    EXPECT_EQ(model.tensors[2].name, "c");
    std::vector<float> value(1);
    std::vector<std::byte> scratch;
    for (std::size_t i = 0; i < 3; ++i) {
        const auto reader = TensorReader::open(model, model.tensors[i]);
        ASSERT_TRUE(reader) << reader.error().message();
        ASSERT_TRUE(reader->readF32(0, value, scratch));
        EXPECT_EQ(value[0], static_cast<float>(i));
    }
}

TEST_F(GgufSplit, FirstPartMayHoldNoTensors) {
    write("m-00001-of-00002.gguf", {0, 2, 1, {}});
    write("m-00002-of-00002.gguf", {1, 2, 1, {"a"}});
    const auto opened = open("m-00001-of-00002.gguf", formats::Strictness::Strict);
    ASSERT_TRUE(opened) << opened.error().message();
    EXPECT_EQ((*opened)->tensors.size(), 1u);
}

TEST_F(GgufSplit, CountOfOneIsNotSplit) {
    write("plain.gguf", {0, 1, 1, {"a"}});
    const auto opened = open("plain.gguf", formats::Strictness::Strict);
    ASSERT_TRUE(opened);
    EXPECT_THAT(openingProblems(**opened), IsEmpty());
}

TEST_F(GgufSplit, LaterPartShowsItselfWithAWarning) {
    writeAll();
    const auto model = expectDamaged("warning gguf.split.later", "m-00002-of-00003.gguf");
    ASSERT_EQ(model->tensors.size(), 1u);
    EXPECT_EQ(model->tensors[0].name, "b");
}

TEST_F(GgufSplit, MissingPartLeavesItsTensorsUnknown) {
    writeAll();
    std::filesystem::remove(folder.path() / "m-00002-of-00003.gguf");
    const auto model = expectDamaged("error gguf.split.missing");
    EXPECT_EQ(model->tensors.size(), 2u);
}

TEST_F(GgufSplit, PartWithAnotherNumber) {
    writeAll();
    write("m-00002-of-00003.gguf", {2, 3, 3, {"b"}});
    expectDamaged("error gguf.split.number");
}

TEST_F(GgufSplit, PartOfAnotherCount) {
    writeAll();
    write("m-00002-of-00003.gguf", {1, 4, 3, {"b"}});
    expectDamaged("error gguf.split.number");
}

TEST_F(GgufSplit, TensorInTwoParts) {
    writeAll();
    write("m-00003-of-00003.gguf", {2, 3, 3, {"a"}});
    expectDamaged("error gguf.split.duplicate");
}

TEST_F(GgufSplit, TotalOfAnotherNumber) {
    writeAll();
    write(first, {0, 3, 4, {"a"}});
    expectDamaged("error gguf.split.tensors");
}

TEST_F(GgufSplit, RenamedFirstPart) {
    writeAll();
    std::filesystem::rename(folder.path() / first, folder.path() / "renamed.gguf");
    const auto model = expectDamaged("error gguf.split.name", "renamed.gguf");
    EXPECT_EQ(model->tensors.size(), 1u);
}

TEST_F(GgufSplit, DamagedPart) {
    writeAll();
    folder.file("m-00002-of-00003.gguf", "GGUF");
    expectDamaged("error gguf.split.part");
}

TEST_F(GgufSplit, PartBehindALinkOutOfTheFolder) {
    writeAll();
    const TemporaryFolder elsewhere;
    std::filesystem::rename(folder.path() / "m-00002-of-00003.gguf", elsewhere.path() / "x.gguf");
    std::filesystem::create_symlink(elsewhere.path() / "x.gguf", folder.path() / "m-00002-of-00003.gguf");
    expectDamaged("error gguf.split.part");
}

TEST_F(GgufSplit, MorePartsThanAModelMayHave) {
    write(first, {0, 60'000, 1, {"a"}});
    const auto opened = open(first);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::TooLarge);
}

TEST_F(GgufSplit, LinkToAFileElsewhereIsReadThrough) {
    const TemporaryFolder elsewhere;
    elsewhere.file("real.gguf", part({0, 1, 1, {"a"}}));
    std::filesystem::create_symlink(elsewhere.path() / "real.gguf", folder.path() / "link.gguf");
    const auto opened = open("link.gguf", formats::Strictness::Strict);
    ASSERT_TRUE(opened) << opened.error().message();
    EXPECT_TRUE(TensorReader::open(**opened, (*opened)->tensors[0]));
}

} // namespace
} // namespace wb
