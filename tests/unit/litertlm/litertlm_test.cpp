// SPDX-License-Identifier: MIT
#include "core/formats/litertlm/litertlm.h"

#include "tests/unit/support/index_harm.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/truth.h"

#include <cstring>

namespace wb::litertlm {
namespace {

using testing::HasSubstr;

template <class T>
void put(std::vector<std::byte>& bytes, std::size_t at, T value) {
    if (bytes.size() < at + sizeof(T)) bytes.resize(at + sizeof(T));
    std::memcpy(bytes.data() + at, &value, sizeof(T));
}

// A bundle with one section, the model `content` at byte 4096. The header is a FlatBuffer by hand: the root at 16 of it (slot 1:
// the list at 40), the list (slot 0: its vector at 60), the section at 96 (slots 1 to 3: begin, end, type).
std::vector<std::byte> bundle(const std::vector<std::byte>& content) {
    constexpr std::size_t header = 32, begin = 4096;
    std::vector<std::byte> out(begin + content.size());
    std::memcpy(out.data(), "LITERTLM", 8);
    put<std::uint32_t>(out, 8, 1), put<std::uint32_t>(out, 12, 2), put<std::uint32_t>(out, 16, 3);
    put<std::uint64_t>(out, 24, header + 160);
    const auto at = [&](std::size_t place) { return header + place; };
    put<std::uint32_t>(out, at(0), 16);
    put<std::uint16_t>(out, at(8), 8), put<std::uint16_t>(out, at(10), 8), put<std::uint16_t>(out, at(14), 4); // slot 1
    put<std::int32_t>(out, at(16), 8), put<std::uint32_t>(out, at(20), 20);
    put<std::uint16_t>(out, at(32), 6), put<std::uint16_t>(out, at(34), 8), put<std::uint16_t>(out, at(36), 4); // slot 0
    put<std::int32_t>(out, at(40), 8), put<std::uint32_t>(out, at(44), 16);
    put<std::uint32_t>(out, at(60), 1), put<std::uint32_t>(out, at(64), 32);
    put<std::uint16_t>(out, at(80), 12), put<std::uint16_t>(out, at(82), 28), put<std::uint16_t>(out, at(86), 8);
    put<std::uint16_t>(out, at(88), 16), put<std::uint16_t>(out, at(90), 4); // slots 1, 2, 3
    put<std::int32_t>(out, at(96), 16), put<std::uint8_t>(out, at(100), 3);
    put<std::uint64_t>(out, at(104), begin), put<std::uint64_t>(out, at(112), begin + content.size());
    std::memcpy(out.data() + begin, content.data(), content.size());
    return out;
}

TEST(LiteRtLm, ReadsTheModelsInItsSections) {
    WB_NEED_SHARED("fixtures/tensorflow/float32.tflite");
    const auto tflite = test::readFile(test::shared() / "fixtures/tensorflow/float32.tflite");
    const auto content = bundle(tflite);
    ASSERT_TRUE(sniff(content));
    const formats::Sources sources{test::inMemory("a.litertlm", content)};
    auto index = readIndex(sources, {}, {});
    ASSERT_TRUE(index) << index.error().message();
    EXPECT_EQ(index->model.version, "1.2.3");
    Model model = formats::modelFromIndex(std::move(*index), sources);
    ASSERT_FALSE(model.tensors.empty());
    for (TensorInfo& tensor : model.tensors) {
        ASSERT_TRUE(tensor.name.starts_with("section 0/")) << tensor.name;
        tensor.name = tensor.name.substr(10);
    }
    EXPECT_EQ(test::expectTruth(model, "tensorflow/float32.tflite"), 0u);
}

TEST(LiteRtLm, DamageIsOneSentence) {
    auto cut = bundle(std::vector<std::byte>(100));
    const auto damaged = readIndex({test::inMemory("a.litertlm", cut)}, {}, {});
    ASSERT_TRUE(damaged); // its one model cannot be read
    EXPECT_THAT(damaged->model.problems.at(0).message(), HasSubstr("a.litertlm"));
    cut.resize(100);
    const auto header = readIndex({test::inMemory("a.litertlm", cut)}, {}, {});
    ASSERT_FALSE(header);
    EXPECT_THAT(header.error().message(), HasSubstr("a.litertlm"));
}

TEST(LiteRtLm, IsCutAndBentWithoutHarm) {
    WB_NEED_SHARED("fixtures/tensorflow/float32.tflite");
    const auto content = bundle(test::readFile(test::shared() / "fixtures/tensorflow/float32.tflite"));
    const std::vector<std::byte> head(content.begin(), content.begin() + 200);
    for (std::size_t at = 0; at < head.size(); ++at) {
        auto bent = content;
        bent[at] = ~bent[at];
        test::readEverything(readIndex, nullptr, {test::inMemory("a.litertlm", bent)}, {});
    }
    test::cutAndBend(readIndex, nullptr, {test::inMemory("a.litertlm", content)}, 0, content, {}, 300);
}

} // namespace
} // namespace wb::litertlm
