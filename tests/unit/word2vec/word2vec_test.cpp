// SPDX-License-Identifier: MIT
#include "core/formats/word2vec/word2vec.h"

#include "tests/unit/support/index_harm.h"
#include "tests/unit/support/support.h"

namespace wb::word2vec {
namespace {

using testing::HasSubstr;

std::string floats(const std::vector<float>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

// As word2vec.c writes them, with a line end after each row, and as Gensim does, without.
const std::string binary = "2 3\nthe " + floats({0.5F, -1, 2}) + "\nof " + floats({4, 5, -6}) + "\n";
const std::string gensim = "2 3\nthe " + floats({0.5F, -1, 2}) + "of " + floats({4, 5, -6});
const std::string text = "2 3\nthe 0.5 -1 2e0\nof 4 5 -6\n";

formats::Sources sources(const std::string& content) {
    return {std::make_shared<io::MemorySource>("a.bin", test::toBytes(content))};
}

bool isSeen(const std::string& content) { return sniff(test::toBytes(content), content.size()); }

std::vector<float> values(const std::string& content, std::uint64_t first, std::uint64_t count) {
    const auto files = sources(content);
    auto index = readIndex(files, {}, {});
    EXPECT_TRUE(index) << index.error().message();
    if (!index) return {};
    const Model model = formats::modelFromIndex(std::move(*index), files, unpack);
    std::vector<float> out(count);
    std::vector<std::byte> scratch;
    const auto reader = TensorReader::open(model, model.tensors.at(0));
    EXPECT_TRUE(reader && reader->readF32(first, out, scratch));
    return out;
}

std::string refusal(const std::string& content, formats::Strictness strictness = formats::Strictness::Strict) {
    formats::OpenOptions options;
    options.strictness = strictness;
    const auto index = readIndex(sources(content), {}, options);
    return index ? "" : index.error().message();
}

TEST(Word2Vec, ReadsAllForms) {
    for (const std::string& content : {binary, gensim, text}) {
        ASSERT_TRUE(isSeen(content));
        const auto index = readIndex(sources(content), {}, {});
        ASSERT_TRUE(index) << index.error().message();
        EXPECT_EQ(index->model.version, content == text ? "text" : "binary");
        EXPECT_TRUE(index->model.problems.empty());
        ASSERT_EQ(index->model.tensors.size(), 1u);
        EXPECT_EQ(index->model.tensors[0].shape.toString(), "[2, 3]");
        EXPECT_EQ(summary(index->model.metadata.find("dictionary")->array()->first.at(1)), "of");
        EXPECT_EQ(values(content, 0, 6), (std::vector<float>{0.5F, -1, 2, 4, 5, -6}));
        EXPECT_EQ(values(content, 2, 2), (std::vector<float>{2, 4})) << "from the middle of a row";
    }
}

// Positions are kept for every 1,024th row only.
TEST(Word2Vec, FindsRowsFarInside) {
    std::string content = "3000 2\n";
    for (int i = 0; i < 3000; ++i) content += "w" + std::to_string(i) + " " + floats({static_cast<float>(i) + 0.5F, -1}) + "\n";
    EXPECT_EQ(values(content, 2 * 2500, 3), (std::vector<float>{2500.5F, -1, 2501.5F}));
    EXPECT_EQ(values(content, 2 * 2999 + 1, 1), (std::vector<float>{-1}));
}

TEST(Word2Vec, OtherFilesAreNotTaken) {
    for (const std::string& content :
         {std::string("hello world\n"), std::string("2 3\n"), std::string("3 2\nthe end of it\n"), std::string("0 3\na 1 2 3\n"),
          std::string("2 3\nthe 1 2\nof 1 2\n"), std::string("2 3 4\nthe 1 2 3\n"), std::string("2,3\nthe 1 2 3\n"),
          "9999999 3\nthe " + floats({1, 2, 3}), "2 3\nthe " + std::string(64, '\xFF'), "2 3\nthe " + std::string(64, '\0')})
        EXPECT_FALSE(isSeen(content)) << content;
}

TEST(Word2Vec, SaysWhereAFileIsCut) {
    const std::string cut = "3 3\nthe " + floats({0.5F, -1, 2}) + "\nof " + floats({4, 5, -6}) + "\n" + std::string(20, '\n');
    EXPECT_THAT(refusal(cut), HasSubstr("2 of the 3 words"));
    const auto index = readIndex(sources(cut), {}, {});
    ASSERT_TRUE(index);
    EXPECT_EQ(index->model.tensors[0].shape.toString(), "[2, 3]");
    EXPECT_EQ(index->model.problems.size(), 1u);
    EXPECT_THAT(refusal("2 3\nthe 1 2 3\nof 4 five 6\n"), HasSubstr("1 of the 2 words"));
    EXPECT_THAT(refusal("nothing"), HasSubstr("a.bin"));
    const auto more = readIndex(sources(binary + "more"), {}, {});
    ASSERT_TRUE(more);
    ASSERT_EQ(more->model.problems.size(), 1u);
    EXPECT_STREQ(more->model.problems[0].code, "word2vec.trailing");
}

TEST(Word2Vec, DamageIsSurvived) {
    for (const std::string& content : {binary, gensim, text})
        test::cutAndBend(readIndex, unpack, sources(content), 0, test::toBytes(content));
    for (const std::size_t bytes : {0, 8, 24, 40}) { // a message that a worker never gets
        std::vector<std::byte> out(8);
        EXPECT_FALSE(unpack(*sources(binary)[0], std::vector<std::byte>(bytes, std::byte{255}), 0, out));
    }
}

} // namespace
} // namespace wb::word2vec
