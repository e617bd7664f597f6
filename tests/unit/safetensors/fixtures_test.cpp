// SPDX-License-Identifier: MIT
// The files of ../shared/fixtures/safetensors, written by the reference library, against what it says they hold.
#include "core/formats/safetensors/safetensors.h"
#include "core/io/digests/sha256.h"
#include "tests/unit/safetensors/maker.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

namespace wb::safetensors {
namespace {

using nlohmann::json;

std::string sha256(std::span<const std::byte> bytes) {
    io::Sha256 digest;
    digest.update(bytes);
    const auto finished = digest.finish();
    return finished ? io::hexText(*finished) : finished.error().message();
}

// The names of docs/reference/formats.md, "Element types" in our spelling.
Dtype namedDtype(const std::string& name) {
    if (name == "f4_e2m1") return Dtype::F4;
    return dtypeFromName(name).value_or(Dtype::Unknown);
}

json expectation(const std::string& name) {
    std::ifstream in(test::shared() / "fixtures/safetensors" / (name + ".expected.json"));
    return json::parse(in);
}

std::vector<std::byte> storedBytes(const Model& model, const TensorInfo& tensor) {
    const auto source = openFile(model, tensor.file());
    if (!source) throw std::runtime_error(source.error().message());
    std::vector<std::byte> bytes(tensor.bytes());
    if (const auto read = (*source)->readAt(*tensor.offset(), bytes); !read) throw std::runtime_error(read.error().message());
    return bytes;
}

void expectTensor(const Model& model, const json& wanted) {
    const auto name = wanted["name"].get<std::string>();
    SCOPED_TRACE(name);
    const auto found = std::ranges::find(model.tensors, name, &TensorInfo::name);
    ASSERT_NE(found, model.tensors.end());
    EXPECT_EQ(model.files[found->file()].name, wanted.value("file", model.files[0].name));
    EXPECT_EQ(found->source.unavailableWhy(), wanted.value("unavailable", ""));
    if (wanted.contains("unavailable")) return;
    EXPECT_EQ(found->dtype, namedDtype(wanted["dtype"]));
    EXPECT_TRUE(std::ranges::equal(found->shape.dimensions(), wanted["shape"].get<std::vector<std::uint64_t>>()));
    const auto bytes = storedBytes(model, *found);
    EXPECT_EQ(sha256(bytes), wanted["sha256"].get<std::string>());
    if (wanted["first"].is_null()) return;
    for (std::size_t i = 0; i < wanted["first"].size(); ++i) {
        float value = 0;
        std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
        EXPECT_EQ(value, wanted["first"][i].get<float>());
    }
}

void expectTensors(const Model& model, const json& wanted) {
    EXPECT_EQ(model.tensors.size(), wanted["tensors"].size());
    for (const json& tensor : wanted["tensors"]) expectTensor(model, tensor);
}

TEST(Fixtures, EveryDtype) {
    WB_NEED_SHARED("fixtures/safetensors");
    const auto model = open(test::shared() / "fixtures/safetensors/dtypes.safetensors", test::strict());
    ASSERT_TRUE(model) << model.error().message();
    expectTensors(**model, expectation("dtypes.safetensors"));
    const Value* metadata = (*model)->metadata.find("__metadata__");
    ASSERT_TRUE(metadata && metadata->object());
    EXPECT_EQ(*metadata->object()->find("note")->string(), "kept ✓");
    EXPECT_EQ(*metadata->object()->find("format")->string(), "pt");
    EXPECT_TRUE((*model)->problems.empty());
}

TEST(Fixtures, SubByteTypes) {
    WB_NEED_SHARED("fixtures/safetensors");
    const auto model = open(test::shared() / "fixtures/safetensors/dtypes_sub_byte.safetensors", test::strict());
    ASSERT_TRUE(model) << model.error().message();
    expectTensors(**model, expectation("dtypes_sub_byte.safetensors"));
}

TEST(Fixtures, Shards) {
    WB_NEED_SHARED("fixtures/safetensors");
    const auto model = openIndex(test::shared() / "fixtures/safetensors/sharded/model.safetensors.index.json", test::strict());
    ASSERT_TRUE(model) << model.error().message();
    expectTensors(**model, expectation("sharded"));
    EXPECT_TRUE((*model)->problems.empty());
    EXPECT_EQ((*model)->tensorBytes(), 720u);
    EXPECT_EQ((*model)->files.size(), 4u);
}

TEST(Fixtures, MissingShard) {
    WB_NEED_SHARED("fixtures/safetensors");
    const auto path = test::shared() / "fixtures/safetensors/sharded_missing/model.safetensors.index.json";
    const auto model = openIndex(path, {});
    ASSERT_TRUE(model) << model.error().message();
    expectTensors(**model, expectation("sharded_missing"));
    ASSERT_EQ((*model)->problems.size(), 1u);
    EXPECT_EQ((*model)->problems[0].severity, Severity::Error);
    EXPECT_EQ((*model)->problems[0].file, "model-00002-of-00003.safetensors");
    EXPECT_FALSE(openIndex(path, test::strict()));
}

} // namespace
} // namespace wb::safetensors
