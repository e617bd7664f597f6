// SPDX-License-Identifier: MIT
#include "core/formats/zarr/zarr.h"

#include "core/formats/zarr/chunk.h"
#include "tests/unit/support/index_harm.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/truth.h"

#include <nlohmann/json.hpp>

#include <fstream>

namespace wb::zarr {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

fs::path fixtures() { return test::shared() / "fixtures/jax"; }

// The files of a folder in the form that the parent process sends to the worker.
struct Folder {
    formats::Sources sources;
    std::vector<std::vector<std::byte>> contents;
    std::string wish;
};

Folder readFolder(const fs::path& path) {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(path))
        if (entry.is_regular_file()) names.push_back(entry.path().lexically_relative(path).generic_string());
    std::ranges::sort(names);
    Folder out;
    out.wish = "folder\n";
    for (const std::string& name : names) {
        out.contents.push_back(test::readFile(path / name));
        out.sources.push_back(std::make_shared<io::MemorySource>("folder", out.contents.back()));
        out.wish += name + "\n";
    }
    return out;
}

Folder inMemory(const std::vector<std::pair<std::string, std::string>>& files) {
    Folder out;
    out.wish = "folder\n";
    for (const auto& [name, content] : files) {
        out.contents.push_back(test::toBytes(content));
        out.sources.push_back(std::make_shared<io::MemorySource>("folder", out.contents.back()));
        out.wish += name + "\n";
    }
    return out;
}

constexpr const char* plainArray =
    R"({"zarr_format":2,"shape":[2,2],"chunks":[1,2],"dtype":"|u1","compressor":null,"fill_value":7,"filters":null,"order":"C"})";

TEST(Zarr, FixturesAreAsTheirMakersSay) {
    WB_NEED_SHARED("fixtures/jax");
    for (const char* name : {"zarr2_bf16_raw", "zarr2_blosc", "zarr2_gzip", "zarr2_missing_chunks", "zarr2_zstd_F",
                             "zarr3_gzip_transpose", "zarr3_sharded", "zarr3_zstd_bf16", "zarr_python_group"}) {
        SCOPED_TRACE(name);
        ASSERT_TRUE(isZarr(fixtures() / name));
        const auto model = openZarr(fixtures() / name, {});
        ASSERT_TRUE(model) << model.error().message();
        EXPECT_TRUE((*model)->problems.empty());
        EXPECT_EQ(test::expectTruth(**model, std::string("jax/") + name), 0u);
    }
    for (const char* name : {"orbax_ocdbt", "orbax_ocdbt_zarr3", "orbax_zarr2", "orbax_zarr3"}) {
        SCOPED_TRACE(name);
        ASSERT_TRUE(isOrbax(fixtures() / name));
        const auto model = openOrbax(fixtures() / name, {});
        ASSERT_TRUE(model) << model.error().message();
        EXPECT_TRUE((*model)->problems.empty());
        EXPECT_EQ(test::expectTruth(**model, std::string("jax/") + name), 0u);
    }
}

TEST(Zarr, StepsOfATrainingRunAreGroups) {
    WB_NEED_SHARED("fixtures/jax/orbax_manager");
    const auto model = openOrbax(fixtures() / "orbax_manager", {});
    ASSERT_TRUE(model) << model.error().message();
    std::map<std::string, int> groups;
    for (const TensorInfo& tensor : (*model)->tensors) ++groups[tensor.details->group];
    EXPECT_EQ(groups, (std::map<std::string, int>{{"10/state", 5}, {"20/state", 5}}));
    EXPECT_TRUE((*model)->metadata.find("10/meta/metadata"));
}

TEST(Zarr, KeysOfAStoreHoldWhatItsMakerSays) {
    WB_NEED_SHARED("fixtures/jax/ocdbt_deep");
    const auto model = openOcdbt(fixtures() / "ocdbt_deep", {});
    ASSERT_TRUE(model) << model.error().message();
    std::ifstream in(fixtures() / "ocdbt_deep.expected.json");
    const auto keys = nlohmann::json::parse(in)["keys"];
    ASSERT_EQ((*model)->tensors.size(), keys.size());
    for (const TensorInfo& tensor : (*model)->tensors)
        EXPECT_EQ(test::hashOfValues(**model, tensor), keys[tensor.name]) << tensor.name;
}

TEST(Zarr, PlainChunksAreReadInPlace) {
    const Folder files = inMemory({{".zarray", plainArray}, {"0.0", "ab"}, {"1.0", "cd"}});
    auto index = readIndex(files.sources, files.wish, {});
    ASSERT_TRUE(index) << index.error().message();
    ASSERT_EQ(index->model.tensors.size(), 1u);
    EXPECT_EQ(index->model.tensors[0].name, "folder");
    EXPECT_EQ(index->model.tensors[0].source.form(), TensorSource::Form::Pieces);
}

TEST(Zarr, AMissingChunkHoldsTheFillValue) {
    const Folder files = inMemory({{".zarray", plainArray}, {"1.0", "cd"}});
    auto index = readIndex(files.sources, files.wish, {});
    ASSERT_TRUE(index);
    const Model model = formats::modelFromIndex(std::move(*index), files.sources, unpack);
    const auto reader = TensorReader::open(model, model.tensors.at(0));
    ASSERT_TRUE(reader) << reader.error().message();
    std::vector<std::byte> values(4);
    ASSERT_TRUE(reader->readRaw(0, 4, values));
    EXPECT_THAT(values, testing::ElementsAre(std::byte{7}, std::byte{7}, std::byte{'c'}, std::byte{'d'}));
}

TEST(Zarr, DescriptionsThatAreInvalidAreProblems) {
    for (const char* meta :
         {"{", "{}", R"({"shape":[2],"chunks":[0],"dtype":"<f4"})", R"({"shape":[2],"chunks":[1,1],"dtype":"<f4"})",
          R"({"shape":[-1],"chunks":[1],"dtype":"<f4"})", R"({"shape":[9223372036854775807,9],"chunks":[1,1],"dtype":"<f4"})"}) {
        const Folder files = inMemory({{"a/.zarray", meta}});
        const auto index = readIndex(files.sources, files.wish, {});
        ASSERT_TRUE(index) << meta;
        EXPECT_TRUE(index->model.tensors.empty()) << meta;
        ASSERT_EQ(index->model.problems.size(), 1u) << meta;
        formats::OpenOptions strict;
        strict.strictness = formats::Strictness::Strict;
        EXPECT_FALSE(readIndex(files.sources, files.wish, strict)) << meta;
    }
}

// A few bytes that claim very many chunks, or very large ones.
// Orbax restores nothing without it, although the arrays are there.
TEST(Zarr, MetadataOfOrbaxThatEndsEarlyIsAnError) {
    for (const char* name : {"_METADATA", "_CHECKPOINT_METADATA"})
        for (const char* text : {"", "{\"tree", "{}"}) {
            const Folder files = inMemory({{name, text}, {"a/.zarray", plainArray}, {"a/0.0", "12"}, {"a/1.0", "34"}});
            const auto index = readIndex(files.sources, files.wish, {});
            ASSERT_TRUE(index);
            EXPECT_EQ(index->model.tensors.size(), 1u);
            const auto& problems = index->model.problems;
            EXPECT_EQ(problems.size(), std::string_view(text) == "{}" ? 0u : 1u) << name << text;
            if (!problems.empty()) {
                EXPECT_EQ(problems[0].code, Reason("orbax.metadata"));
                EXPECT_EQ(problems[0].severity, Severity::Error);
            }
        }
}

TEST(Zarr, BombsAreListedWithoutValues) {
    for (const char* meta : {R"({"shape":[4000000000000],"chunks":[1],"dtype":"|u1"})",
                             R"({"shape":[4000000000000],"chunks":[4000000000000],"dtype":"|u1"})",
                             R"({"shape":[4000000000000],"chunks":[4000000],"dtype":"|u1"})"}) {
        const Folder files = inMemory({{"a/.zarray", meta}});
        const auto index = readIndex(files.sources, files.wish, {});
        ASSERT_TRUE(index);
        ASSERT_EQ(index->model.tensors.size(), 1u);
        EXPECT_FALSE(index->model.tensors[0].isReadable());
    }
}

TEST(Zarr, AnUnknownCodecIsNamed) {
    const Folder files =
        inMemory({{"a/.zarray", R"({"shape":[2],"chunks":[2],"dtype":"<f4","compressor":{"id":"zfpy"}})"}, {"a/0", "12345678"}});
    const auto index = readIndex(files.sources, files.wish, {});
    ASSERT_TRUE(index);
    EXPECT_FALSE(index->model.tensors.at(0).isReadable());
    EXPECT_THAT(index->model.problems.at(0).message(), HasSubstr("zfpy"));
}

TEST(Zarr, AStoreWithADamagedNodeIsAProblem) {
    WB_NEED_SHARED("fixtures/jax/orbax_ocdbt");
    Folder files = readFolder(fixtures() / "orbax_ocdbt");
    for (std::size_t i = 0; i < files.sources.size(); ++i) {
        std::vector<std::byte> bent = files.contents[i];
        if (bent.size() < 4 || std::to_integer<int>(bent[0]) != 0x0C) continue;
        bent.back() = ~bent.back();
        files.sources[i] = std::make_shared<io::MemorySource>("folder", bent);
    }
    const auto index = readIndex(files.sources, files.wish, {});
    ASSERT_TRUE(index);
    ASSERT_FALSE(index->model.problems.empty());
    EXPECT_EQ(index->model.problems[0].code, Reason("ocdbt.damaged"));
}

TEST(Zarr, BloscIsUnpackedWithinBounds) {
    const std::string name = "a";
    std::vector<std::byte> stored(16 + 4);
    stored[2] = std::byte{2}, stored[3] = std::byte{4}, stored[4] = std::byte{4}; // a copy of four bytes
    stored[8] = std::byte{4};
    for (unsigned i = 0; i < 4; ++i) stored[16 + i] = static_cast<std::byte>(i + 1);
    const auto plain = unpackBlosc(stored, 100, name);
    ASSERT_TRUE(plain) << plain.error().message();
    EXPECT_EQ(plain->size(), 4u);
    EXPECT_FALSE(unpackBlosc(stored, 3, name));
    for (std::size_t at = 0; at < stored.size(); ++at) {
        auto bent = stored;
        bent[at] = ~bent[at];
        (void)unpackBlosc(bent, 1000, name);
        (void)unpackBlosc(std::span(stored).first(at), 1000, name);
    }
}

TEST(Zarr, IsCutAndBentAtEveryByteWithoutHarm) {
    WB_NEED_SHARED("fixtures/jax");
    for (const char* name : {"orbax_ocdbt", "zarr3_sharded", "zarr2_zstd_F", "zarr2_blosc", "zarr3_gzip_transpose", "ocdbt_deep"}) {
        SCOPED_TRACE(name);
        const Folder files = readFolder(fixtures() / name);
        // A store has many files, and each change reads all of them again.
        const std::size_t most = 1500 / files.sources.size();
        for (std::size_t i = 0; i < files.sources.size(); ++i)
            test::cutAndBend(readIndex, unpack, files.sources, i, files.contents[i], files.wish, most);
    }
}

} // namespace
} // namespace wb::zarr
