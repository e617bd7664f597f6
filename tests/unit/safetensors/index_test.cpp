// SPDX-License-Identifier: MIT
// The checks of docs/reference/formats.md, "Sharded safetensors and Hugging Face folders", one folder made by hand
// for each.
#include "core/formats/safetensors/safetensors.h"
#include "tests/unit/safetensors/maker.h"
#include "tests/unit/support/support.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace wb::safetensors {
namespace {

using test::hasProblem;
using test::tensorNamed;
using testing::HasSubstr;

std::string oneTensor(std::string_view name) {
    return test::safetensorsFile(fmt::format(R"({{"{}":{{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}}})", name), 4);
}

// Two shards with one tensor each, and an index whose text the test chooses.
class Sharded : public testing::Test {
protected:
    Sharded() {
        folder.file("one.safetensors", oneTensor("a"));
        folder.file("two.safetensors", oneTensor("b"));
    }

    Result<ModelPtr> open(std::string_view index, const formats::OpenOptions& options) const {
        return openIndex(folder.file("model.safetensors.index.json", index), options);
    }

    test::TemporaryFolder folder;
};

TEST_F(Sharded, Good) {
    const auto model =
        open(R"({"metadata":{"total_size":8},"weight_map":{"a":"one.safetensors","b":"two.safetensors"}})", test::strict());
    ASSERT_TRUE(model) << model.error().message();
    EXPECT_TRUE((*model)->problems.empty());
    EXPECT_EQ((*model)->format, FormatId::Safetensors);
    const TensorInfo* b = tensorNamed(**model, "b");
    EXPECT_EQ((*model)->files.at(b->file()).name, "two.safetensors");
    const Value* index = (*model)->metadata.find("model.safetensors.index.json");
    ASSERT_TRUE(index && index->object()->find("weight_map"));
    EXPECT_EQ(*index->object()->find("weight_map")->object()->find("b")->string(), "two.safetensors");
    const auto source = openFile(**model, b->file());
    ASSERT_TRUE(source) << source.error().message();
}

TEST_F(Sharded, ManyThreadsSeeTheSame) {
    const char* index = R"({"weight_map":{"a":"one.safetensors","b":"two.safetensors"}})";
    for (const unsigned threads : {1u, 2u, 7u}) {
        formats::OpenOptions options;
        options.threads = threads;
        const auto model = open(index, options);
        ASSERT_TRUE(model);
        EXPECT_EQ((*model)->tensors.at(0).name, "a");
        EXPECT_EQ((*model)->tensors.at(1).name, "b");
    }
}

TEST_F(Sharded, TensorNotInItsShard) {
    const char* index = R"({"weight_map":{"a":"one.safetensors","b":"two.safetensors","c":"two.safetensors"}})";
    EXPECT_FALSE(open(index, test::strict()));
    const auto model = open(index, {});
    ASSERT_TRUE(model);
    EXPECT_TRUE(hasProblem(**model, "index.missing"));
    EXPECT_EQ(tensorNamed(**model, "c")->source.unavailableWhy(), "not in its shard");
    EXPECT_EQ((*model)->parameters(), 8u);
}

TEST_F(Sharded, TensorInAnotherShard) {
    const char* index = R"({"weight_map":{"a":"two.safetensors","b":"two.safetensors","c":"one.safetensors"}})";
    const auto model = open(index, {});
    ASSERT_TRUE(model);
    EXPECT_TRUE(hasProblem(**model, "index.elsewhere"));
    EXPECT_EQ(tensorNamed(**model, "a")->source.unavailableWhy(), "");
}

TEST_F(Sharded, TensorInTwoShards) {
    folder.file("two.safetensors", oneTensor("a"));
    const char* index = R"({"weight_map":{"a":"one.safetensors","b":"two.safetensors"}})";
    EXPECT_FALSE(open(index, test::strict()));
    const auto model = open(index, {});
    ASSERT_TRUE(model);
    EXPECT_TRUE(hasProblem(**model, "safetensors.two_files"));
}

TEST_F(Sharded, ExtraTensor) {
    folder.file(
        "two.safetensors",
        test::safetensorsFile(
            R"({"b":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"x":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})", 2));
    const auto model = open(R"({"weight_map":{"a":"one.safetensors","b":"two.safetensors"}})", test::strict());
    ASSERT_TRUE(model);
    EXPECT_TRUE(hasProblem(**model, "index.extra"));
    EXPECT_NE(tensorNamed(**model, "x"), nullptr);
}

TEST_F(Sharded, WrongTotalSize) {
    const auto model = open(R"({"metadata":{"total_size":9},"weight_map":{"a":"one.safetensors","b":"two.safetensors"}})", {});
    ASSERT_TRUE(model);
    EXPECT_TRUE(hasProblem(**model, "index.total_size"));
}

TEST_F(Sharded, NameListedTwice) {
    const auto model = open(R"({"weight_map":{"a":"one.safetensors","b":"two.safetensors","a":"one.safetensors"}})", {});
    ASSERT_TRUE(model);
    EXPECT_TRUE(hasProblem(**model, "index.duplicate"));
    EXPECT_EQ((*model)->tensors.size(), 2u);
}

TEST_F(Sharded, FileNameThatLeadsOut) {
    for (const char* name : {"../one.safetensors", "/etc/passwd", "a/../../b", "c:one.safetensors", ".", "", "sub\\\\one"}) {
        const auto model = open(fmt::format(R"({{"weight_map":{{"a":"{}"}}}})", name), {});
        ASSERT_FALSE(model) << name;
        EXPECT_EQ(model.error().reason, Reason("index.leads_out"));
    }
}

TEST_F(Sharded, LinkThatLeadsOut) {
    test::TemporaryFolder other;
    const auto target = other.file("secret.safetensors", oneTensor("a"));
    std::filesystem::remove(folder.path() / "one.safetensors");
    std::filesystem::create_symlink(target, folder.path() / "one.safetensors");
    const auto model = open(R"({"weight_map":{"a":"one.safetensors","b":"two.safetensors"}})", {});
    ASSERT_TRUE(model);
    EXPECT_EQ((*model)->problems.front().severity, Severity::Error);
    EXPECT_NE(tensorNamed(**model, "a")->source.unavailableWhy(), "");
}

TEST_F(Sharded, DamagedShardLeavesTheOthers) {
    folder.file("one.safetensors", "not a header");
    const char* index = R"({"weight_map":{"a":"one.safetensors","b":"two.safetensors"}})";
    EXPECT_FALSE(open(index, test::strict()));
    const auto model = open(index, {});
    ASSERT_TRUE(model);
    EXPECT_EQ(tensorNamed(**model, "a")->source.unavailableWhy(), "shard not readable");
    EXPECT_EQ(tensorNamed(**model, "b")->source.unavailableWhy(), "");
}

TEST_F(Sharded, PointerInThePlaceOfAShard) {
    folder.file("one.safetensors",
                "version https://git-lfs.github.com/spec/v1\noid sha256:" + std::string(64, 'a') + "\nsize 123456789\n");
    const auto model = open(R"({"weight_map":{"a":"one.safetensors","b":"two.safetensors"}})", {});
    ASSERT_TRUE(model);
    EXPECT_THAT((*model)->problems.at(0).message(), HasSubstr("123456789"));
}

TEST_F(Sharded, NotAnIndex) {
    EXPECT_FALSE(open("[]", {}));
    EXPECT_FALSE(open(R"({"metadata":{}})", {}));
    EXPECT_FALSE(open(R"({"weight_map":[]})", {}));
    EXPECT_FALSE(open(R"({"weight_map":{"a":1}})", {}));
    EXPECT_FALSE(open(R"({"weight_map":{"a":"one.safetensors"}} x)", {}));
    EXPECT_FALSE(open("", {}));
}

TEST_F(Sharded, TooManyFiles) {
    formats::OpenOptions options;
    options.limits.filesPerModel = 1;
    EXPECT_FALSE(open(R"({"weight_map":{"a":"one.safetensors","b":"two.safetensors"}})", options));
}

TEST_F(Sharded, TooManyTensors) {
    formats::OpenOptions options;
    options.limits.tensorsPerModel = 1;
    EXPECT_FALSE(open(R"({"weight_map":{"a":"one.safetensors","b":"two.safetensors"}})", options));
    EXPECT_FALSE(loadFiles(folder.path(), {"one.safetensors", "two.safetensors"}, options));
}

TEST_F(Sharded, Canceled) {
    std::stop_source stop;
    stop.request_stop();
    formats::OpenOptions options;
    options.progress.stop = stop.get_token();
    const auto model = open(R"({"weight_map":{"a":"one.safetensors","b":"two.safetensors"}})", options);
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().code, ErrorCode::Canceled);
}

// DCP writes one tensor as boxes in several files; they are listed as stored.
TEST(Parts, OfOneTensorAreNoDuplicatesAndSaidToBeParts) {
    WB_NEED_SHARED("fixtures/distributed/dcp_safetensors");
    const auto folder = test::shared() / "fixtures/distributed/dcp_safetensors";
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.path().extension() == ".safetensors")
            names.push_back(std::filesystem::relative(entry.path(), folder).generic_string());
    const auto model = loadFiles(folder, names, test::strict());
    ASSERT_TRUE(model) << model.error().message();
    ASSERT_EQ(model->problems.size(), 1u);
    EXPECT_EQ(model->problems[0].code, Reason("safetensors.parts"));
}

} // namespace
} // namespace wb::safetensors
