// SPDX-License-Identifier: MIT
#include "core/formats/ggml/ggml.h"

#include "tests/unit/support/index_harm.h"
#include "tests/unit/support/support.h"

#include <cstring>

namespace wb::ggml {
namespace {

using testing::HasSubstr;

class Writer {
public:
    Writer& u32(std::initializer_list<std::uint32_t> values) {
        for (const std::uint32_t value : values)
            for (unsigned i = 0; i < 4; ++i) m_bytes.push_back(static_cast<std::byte>(value >> 8 * i & 0xFF));
        return *this;
    }
    Writer& text(std::string_view value) {
        for (const char c : value) m_bytes.push_back(static_cast<std::byte>(c));
        return *this;
    }
    Writer& zeros(std::size_t count) { return m_bytes.resize(m_bytes.size() + count), *this; }
    Writer& align() { return zeros((32 - m_bytes.size() % 32) % 32); }
    // rank, name, type, sides with the innermost first.
    Writer& tensor(std::string_view name, std::uint32_t type, std::initializer_list<std::uint32_t> sides, std::size_t bytes,
                   bool aligned) {
        u32({static_cast<std::uint32_t>(sides.size()), static_cast<std::uint32_t>(name.size()), type}).u32(sides).text(name);
        if (aligned) align();
        return zeros(bytes);
    }
    const std::vector<std::byte>& bytes() const { return m_bytes; }

private:
    std::vector<std::byte> m_bytes;
};

constexpr std::uint32_t f32 = 0, q4_0 = 2, q8_0 = 8;

Result<formats::Index> read(const Writer& writer, formats::ReadIndex reader = readIndex) {
    return reader({std::make_shared<io::MemorySource>("a.bin", writer.bytes())}, {}, {});
}

// A language model with a vocabulary of two words.
Writer llama(std::uint32_t magic, std::uint32_t version) {
    Writer writer;
    writer.u32({magic});
    if (version != 0) writer.u32({version});
    writer.u32({2, 8, 32, 2, 1, 4, 0});
    for (int i = 0; i < 2; ++i) {
        writer.u32({1}).text("a");
        if (version != 0) writer.u32({0});
    }
    return writer;
}

TEST(Ggml, EveryFormOfALanguageModelIsRead) {
    struct Form {
        std::uint32_t magic, version;
        const char* text;
        bool isAligned;
    };
    for (const Form& form : {Form{0x67676D6C, 0, "ggml", false}, Form{0x67676D66, 1, "ggmf 1", false},
                             Form{0x67676A74, 1, "ggjt 1", true}, Form{0x67676A74, 3, "ggjt 3", true}}) {
        SCOPED_TRACE(form.text);
        Writer writer = llama(form.magic, form.version);
        writer.tensor("norm.weight", f32, {8}, 32, form.isAligned).tensor("w", f32, {8, 2}, 64, form.isAligned);
        ASSERT_TRUE(sniff(writer.bytes()));
        const auto index = read(writer);
        ASSERT_TRUE(index) << index.error().message();
        EXPECT_EQ(index->model.version, form.text);
        ASSERT_EQ(index->model.tensors.size(), 2u);
        EXPECT_EQ(index->model.tensors[1].shape, Shape::make({2, 8}));
        EXPECT_TRUE(index->model.problems.empty());
    }
}

// The blocks of ggjt 3 are those of today; before it only their sizes are known.
TEST(Ggml, OldBlocksAreListedWithoutValues) {
    const auto last = read(llama(0x67676A74, 3).tensor("w", q4_0, {32, 2}, 36, true));
    ASSERT_TRUE(last);
    EXPECT_EQ(last->model.tensors.at(0).dtype, Dtype::Q4_0);
    for (const auto& [version, type, bytes] : {std::tuple{1u, q4_0, 40u}, std::tuple{2u, q4_0, 36u}, std::tuple{1u, q8_0, 72u}}) {
        const auto old = read(llama(0x67676A74, version).tensor("w", type, {32, 2}, bytes, true).tensor("v", f32, {8}, 32, true));
        ASSERT_TRUE(old) << old.error().message();
        ASSERT_EQ(old->model.tensors.size(), 2u) << version << " " << type;
        EXPECT_EQ(old->model.tensors[0].dtype, Dtype::Unknown);
    }
}

TEST(Ggml, AnAdapterIsRead) {
    Writer writer;
    writer.u32({0x67676C61, 1, 4, 8}).tensor("a.loraA", f32, {8, 4}, 128, true);
    const auto index = read(writer);
    ASSERT_TRUE(index) << index.error().message();
    EXPECT_EQ(index->model.version, "ggla 1");
    EXPECT_EQ(index->model.tensors.size(), 1u);
}

TEST(Ggml, TheWhisperModelOfTheCorpusHasNoTensors) {
    WB_NEED_SHARED("corpus/ggml_legacy/for-tests-ggml-tiny.bin");
    const auto model = open(test::shared() / "corpus/ggml_legacy/for-tests-ggml-tiny.bin", {});
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_EQ((*model)->architecture, "whisper");
    EXPECT_TRUE((*model)->tensors.empty());
    EXPECT_TRUE((*model)->problems.empty());
    EXPECT_EQ((*model)->metadata.find("vocabulary")->unsignedNumber(), 50'257u);
}

TEST(Ggml, DamageIsSaid) {
    auto cut = llama(0x67676A74, 3).tensor("w", f32, {8, 2}, 60, true);
    const auto index = read(cut);
    ASSERT_TRUE(index);
    EXPECT_TRUE(index->model.tensors.empty());
    EXPECT_THAT(index->model.problems.at(0).message(), HasSubstr("no tensor is at byte"));
    Writer strange;
    strange.u32({0x67676D66, 1, 0xFFFFFFFF, 1, 1, 1, 1, 1, 1});
    EXPECT_FALSE(read(strange));
    Writer words;
    words.u32({0x67676D66, 1, 1000, 8, 32, 2, 1, 4, 0});
    EXPECT_FALSE(read(words));
}

// dim 4, hidden 6, one layer, two heads, one KV head, three words, context of five.
Writer llama2c(std::uint32_t version, bool shares) {
    const std::uint32_t vocabulary = version == 0 && !shares ? static_cast<std::uint32_t>(-3) : 3;
    Writer writer;
    if (version != 0) writer.u32({0x616B3432, version});
    writer.u32({4, 6, 1, 2, 1, vocabulary, 5});
    if (version == 0) return writer;
    writer.text(shares ? std::string_view("\1", 1) : std::string_view("\0", 1));
    if (version == 2) writer.u32({2});
    return writer.zeros(256 - writer.bytes().size());
}

TEST(Llama2c, EveryVersionIsRead) {
    // Embeddings 12, three norms of 4, wq 16, wk and wv 8, wo 16, w1 to w3 24 each; rotations 2 x 5 in the first version.
    constexpr std::size_t weights = 12 + 16 + 8 + 8 + 16 + 72, norms = 12;
    for (const bool shares : {true, false}) {
        const std::size_t classifier = shares ? 0 : 12;
        const auto first = llama2c(0, shares).zeros((weights + norms + 2 * 5 + classifier) * 4);
        const auto second = llama2c(1, shares).zeros((weights + norms + classifier) * 4);
        const auto third = llama2c(2, shares).zeros(norms * 4 + (weights + classifier) / 2 * (2 + 4));
        for (const Writer& writer : {first, second, third}) {
            const io::MemorySource source("a", writer.bytes());
            EXPECT_TRUE(sniffLlama2c(source));
            const auto index = read(writer, readLlama2c);
            ASSERT_TRUE(index) << index.error().message();
            EXPECT_TRUE(index->model.problems.empty()) << *index->model.version << shares;
            EXPECT_TRUE(std::ranges::all_of(index->model.tensors, &TensorInfo::isReadable));
        }
    }
    const auto longer = llama2c(0, true).zeros(5000);
    EXPECT_FALSE(sniffLlama2c(io::MemorySource("a", longer.bytes())));
    const auto cut = read(llama2c(1, true).zeros(100), readLlama2c);
    ASSERT_TRUE(cut);
    EXPECT_FALSE(cut->model.tensors.back().isReadable());
}

TEST(Ggml, IsCutAndBentAtEveryByteWithoutHarm) {
    const auto content = llama(0x67676A74, 3).tensor("w", q4_0, {32, 2}, 36, true).tensor("v", f32, {8}, 32, true).bytes();
    test::cutAndBend(readIndex, nullptr, {std::make_shared<io::MemorySource>("a.bin", content)}, 0, content);
    const auto other = llama2c(2, false).zeros(600).bytes();
    test::cutAndBend(readLlama2c, nullptr, {std::make_shared<io::MemorySource>("a.bin", other)}, 0, other);
}

} // namespace
} // namespace wb::ggml
