// SPDX-License-Identifier: MIT
#include "core/formats/torch/torch.h"
#include "core/formats/zip/member_checksums.h"
#include "tests/unit/support/support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

// Archives in which one bit of a member was flipped.
namespace wb::torch {
namespace {

using testing::HasSubstr;

std::vector<std::size_t> all(const Model& model) {
    std::vector<std::size_t> indices(model.tensors.size());
    std::iota(indices.begin(), indices.end(), std::size_t{0});
    return indices;
}

Model loadBytes(std::vector<std::byte> bytes) {
    const auto source = std::make_shared<io::MemorySource>("a.pt", std::move(bytes));
    auto model = load(source, {});
    EXPECT_TRUE(model) << model.error().message();
    if (!model) return {};
    model->files.push_back({source->name(), source->size(), {}, source});
    return std::move(*model);
}

std::vector<Problem> differences(const Model& model, const std::vector<std::size_t>& tensors) {
    const auto problems = zip::compareChecksums(model, tensors, {});
    EXPECT_TRUE(problems) << problems.error().message();
    return problems.value_or(std::vector<Problem>());
}

// Flips one bit in the middle of a tensor.
void bend(std::vector<std::byte>& bytes, const TensorInfo& tensor) {
    bytes[*tensor.offset() + tensor.bytes() / 2] ^= std::byte{16};
}

TEST(TorchChecksums, ReportAFlippedBit) {
    WB_NEED_SHARED("fixtures/torch/prefixed.pt");
    auto bytes = test::readFile(test::shared() / "fixtures/torch/prefixed.pt");
    const Model whole = loadBytes(bytes);
    EXPECT_TRUE(differences(whole, all(whole)).empty());
    EXPECT_TRUE(zip::requireChecksums(whole, {}));
    const TensorInfo& tensor = whole.tensors.at(0);
    bend(bytes, tensor);
    const Model bent = loadBytes(bytes);
    const auto problems = differences(bent, all(bent));
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].severity, Severity::Error);
    EXPECT_THAT(problems[0].message(), HasSubstr(tensor.details->member));
    const auto required = zip::requireChecksums(bent, {});
    ASSERT_FALSE(required);
    EXPECT_EQ(required.error().reason, zip::checksumDiffers);
}

// A member is compared only if it is read in full anyway.
TEST(TorchChecksums, AreComparedForMembersThatAreReadInFull) {
    WB_NEED_SHARED("fixtures/torch/views.pt");
    auto bytes = test::readFile(test::shared() / "fixtures/torch/views.pt");
    const Model whole = loadBytes(bytes);
    const auto shared = std::ranges::find_if(whole.tensors, [](const TensorInfo& tensor) {
        return tensor.bytes() > 0 && tensor.details && !tensor.details->aliases.empty();
    });
    ASSERT_NE(shared, whole.tensors.end());
    bend(bytes, *shared);
    const Model bent = loadBytes(bytes);
    EXPECT_TRUE(differences(bent, {static_cast<std::size_t>(shared - whole.tensors.begin())}).empty());
    EXPECT_EQ(differences(bent, all(bent)).size(), 1u);
}

// The list of tensors is read in full when the file is opened.
TEST(TorchChecksums, OfTheListOfTensorsAreComparedAtOpening) {
    WB_NEED_SHARED("fixtures/torch/prefixed.pt");
    auto bytes = test::readFile(test::shared() / "fixtures/torch/prefixed.pt");
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const std::size_t name = text.find("weight"); // in a name
    ASSERT_NE(name, std::string_view::npos);
    bytes[name] = std::byte{'W'};
    const Model bent = loadBytes(bytes);
    EXPECT_NE(std::ranges::find(bent.problems, Reason("zip.crc"), &Problem::code), bent.problems.end());
}

TEST(TorchChecksums, CanBeCanceled) {
    WB_NEED_SHARED("fixtures/torch/prefixed.pt");
    const Model model = loadBytes(test::readFile(test::shared() / "fixtures/torch/prefixed.pt"));
    std::stop_source stop;
    stop.request_stop();
    const auto problems = zip::compareChecksums(model, all(model), {stop.get_token(), {}});
    ASSERT_FALSE(problems);
    EXPECT_EQ(problems.error().code, ErrorCode::Canceled);
}

} // namespace
} // namespace wb::torch
