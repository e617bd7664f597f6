// SPDX-License-Identifier: MIT
#include "core/formats/gguf/writer.h"
#include "core/io/digests/sha256.h"
#include "tests/unit/cli/run_wb.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

// GGUF files divided and joined by `wb convert` (docs/reference/gguf.md, "Split files"). The hashes are those of the files that
// llama-gguf-split of ggml-org/llama.cpp v0.5.0 wrote of the same model with --split-max-tensors, --split-max-size,
// --no-tensor-first-split and --merge.
namespace wb {
namespace {

namespace fs = std::filesystem;
using test::runWb;
using Words = std::vector<std::string>;

const char* const joinedHash = "a6d926beb3e92599c5d388c807c255617dc364a9862e4967ffc3a9fdfe0f23cf";

struct ReferenceSplit {
    Words options;
    Words hashes;
};
const std::vector<ReferenceSplit> reference = {
    {{"--max-tensors", "9"},
     {"af33ba0c7768e25210a8ccd4a40c536aa33a51a351ec28d4c7445c5f33bc63e5",
      "92f170cfa949cf55a83f4d0d4273bf80a6261daf2618090d7ed377c7307d6064",
      "1b62c261b7d8a9256beb5f265dcc0c09b53eb9d574080aa3d0c5b5b282897cb3"}},
    {{"--shard-size", "1M"},
     {"b37128e40f8258dd5a4c9e7733ac8ded20bc7e608e5807a9a032c5aadf9023f9",
      "6a0bb6ad988ef0f79dc295fc971bb2e74ceb248035a6d25ec45443d61a31a881",
      "f909e058b25a69b98f956531c7db4e0c6a4e595b94af47034568b899f24b7d97"}},
    {{"--max-tensors", "20", "--no-tensor-first-split"},
     {"1881a51443fb635a36506d80f990d68b07642ad98cb1895ae8a94dcad2894605",
      "4286af765f5c032b10176fd553ad87e4b83be5ccd786058623233ed4c2e0a424"}},
};

std::string hexHash(const std::vector<std::byte>& bytes) {
    io::Sha256 hash;
    hash.update(bytes);
    const auto digest = hash.finish();
    return digest ? io::hexText(*digest) : std::string();
}

std::string fileText(const fs::path& path) {
    const auto bytes = test::readFile(path);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class SplitFiles : public testing::Test {
protected:
    test::Finished convert(const std::string& in, const std::string& to, const Words& options) const {
        Words words = {"convert", in, to};
        words.insert(words.end(), options.begin(), options.end());
        return runWb(words);
    }

    static std::string hash(const fs::path& path) { return hexHash(test::readFile(path)); }

    std::vector<fs::path> files() const {
        std::vector<fs::path> all;
        for (const auto& entry : fs::directory_iterator(folder.path())) all.push_back(entry.path());
        std::ranges::sort(all);
        return all;
    }

    test::TemporaryFolder folder, other;
    std::string source = (test::shared() / "arch/llama-k256/model.gguf").string();
    std::string out = (folder.path() / "out.gguf").string();
};

TEST_F(SplitFiles, EqualTheReferenceAndJoinAgain) {
    WB_NEED_SHARED("arch");
    for (const ReferenceSplit& expected : reference) {
        SCOPED_TRACE(expected.options.back());
        Words options = expected.options;
        options.push_back("--json");
        Words dry = options;
        dry.push_back("--dry-run");
        const auto planned = convert(source, out, dry);
        ASSERT_EQ(planned.status, 0) << planned.err;
        EXPECT_TRUE(files().empty());
        const auto written = convert(source, out, options);
        ASSERT_EQ(written.status, 0) << written.err;
        const auto parts = files();
        ASSERT_EQ(parts.size(), expected.hashes.size());
        ASSERT_EQ(planned.json()["files"].size(), parts.size());
        for (std::size_t i = 0; i < parts.size(); ++i) {
            EXPECT_EQ(hash(parts[i]), expected.hashes[i]) << parts[i];
            EXPECT_EQ(planned.json()["files"][i]["bytes"], fs::file_size(parts[i]));
            EXPECT_EQ(written.json()["files"][i]["sha256"], expected.hashes[i]);
        }
        const std::string joined = (other.path() / "joined.gguf").string();
        const auto run = convert(parts.front().string(), joined, {"--shard-size", "none", "--force"});
        ASSERT_EQ(run.status, 0) << run.err;
        EXPECT_EQ(hash(joined), joinedHash);
        const auto again = convert(parts.front().string(), joined, {"--force"}); // without the keys of a split
        ASSERT_EQ(again.status, 0) << again.err;
        const auto split = convert(joined, (other.path() / "again.gguf").string(), options);
        ASSERT_EQ(split.status, 0) << split.err;
        EXPECT_EQ(split.json()["files"][0]["sha256"], expected.hashes[0]);
        for (const fs::path& part : parts) fs::remove(part);
        for (const auto& entry : fs::directory_iterator(other.path())) fs::remove(entry.path());
    }
}

// What two steps write: converting or quantizing, then splitting.
TEST_F(SplitFiles, AreWrittenInThePassThatConvertsOrQuantizes) {
    WB_NEED_SHARED("arch");
    const std::string hf = (test::shared() / "arch/llama-k256/hf").string();
    const auto folderRun = convert(hf, out, {"--model-name", "Hf", "--shard-size", "1M"});
    ASSERT_EQ(folderRun.status, 0) << folderRun.err;
    auto parts = files();
    ASSERT_EQ(parts.size(), 3u);
    for (std::size_t i = 0; i < parts.size(); ++i) EXPECT_EQ(hash(parts[i]), reference[1].hashes[i]);
    for (const fs::path& part : parts) fs::remove(part);

    const std::string whole = (other.path() / "whole.gguf").string(), two = (other.path() / "two.gguf").string();
    ASSERT_EQ(runWb({"quantize", source, whole, "Q4_K_M"}).status, 0);
    ASSERT_EQ(convert(whole, two, {"--max-tensors", "7"}).status, 0);
    const auto one = runWb({"quantize", source, out, "Q4_K_M", "--max-tensors", "7"});
    ASSERT_EQ(one.status, 0) << one.err;
    parts = files();
    ASSERT_GT(parts.size(), 2u);
    for (const fs::path& part : parts) {
        std::string name = part.filename().string();
        EXPECT_EQ(hash(part), hash(other.path() / name.replace(0, 3, "two"))) << part;
    }
}

// A first tensor above the limit, which the reference refuses, gets its own file, as every later one does.
TEST_F(SplitFiles, HaveOneTensorAtLeast) {
    WB_NEED_SHARED("arch");
    const auto run = convert(source, out, {"--shard-size", "1K", "--json"});
    ASSERT_EQ(run.status, 0) << run.err;
    std::map<int, int> tensors;
    const auto written = run.json();
    for (const auto& tensor : written["tensors"]) ++tensors[tensor["file"].get<int>()];
    EXPECT_EQ(tensors.size(), written["files"].size());
    EXPECT_EQ(runWb({"verify", written["files"][0]["path"].get<std::string>()}).status, 0);
}

// The first file keeps the alignment that it declares; every file is checked before it is renamed to its final name.
TEST_F(SplitFiles, KeepAnotherAlignment) {
    const std::vector<gguf::StoredPair> pairs = {gguf::makePair("general.architecture", "llama"),
                                                 gguf::makePair("general.alignment", std::uint32_t{128})};
    const auto layout =
        gguf::layOut(pairs, {{"a.weight", *Shape::make({3, 5}), Dtype::F32}, {"b.weight", *Shape::make({7}), Dtype::F32}}, 128);
    ASSERT_TRUE(layout);
    EXPECT_EQ(layout->header.size() % 128, 0u);
    std::string bytes = layout->header;
    bytes.resize(layout->fileBytes);
    for (std::size_t i = 0; i < 15 * 4; ++i) bytes[layout->offsets[0] + i] = static_cast<char>(i);
    const std::string in = other.file("aligned.gguf", bytes).string();
    const auto run = convert(in, out, {"--max-tensors", "1"});
    ASSERT_EQ(run.status, 0) << run.err;
    ASSERT_EQ(files().size(), 2u);
    const std::string back = (other.path() / "back.gguf").string();
    ASSERT_EQ(convert(files().front().string(), back, {}).status, 0);
    EXPECT_TRUE(test::readFile(back) == test::readFile(in));
}

TEST_F(SplitFiles, RefuseInOneSentence) {
    WB_NEED_SHARED("arch");
    const auto expectRefusal = [this](const std::string& in, const Words& options, int status, const std::string& word) {
        const auto run = convert(in, out, options);
        EXPECT_EQ(run.status, status) << run.err;
        EXPECT_EQ(run.errorLines(), 1) << run.err;
        EXPECT_NE(run.err.find(word), std::string::npos) << run.err;
    };
    expectRefusal(source, {"--shard-size", "none"}, 1, "model.gguf");
    expectRefusal(source, {"--shard-size", "big"}, 2, "big");
    expectRefusal(source, {"--type", "Q4_K_M"}, 2, "--type");
    expectRefusal(source, {"--vocab-only"}, 2, "--vocab-only");
    EXPECT_TRUE(files().empty());
    ASSERT_EQ(convert(source, out, {"--max-tensors", "9"}).status, 0);
    const auto parts = files();
    expectRefusal(source, {"--max-tensors", "9"}, 1, "(--force).");
    expectRefusal(parts[1].string(), {"--shard-size", "none"}, 1, "00001-of-00003"); // a later part
    fs::copy_file(parts[0], other.path() / parts[0].filename());
    expectRefusal((other.path() / parts[0].filename()).string(), {"--shard-size", "none"}, 1, "out-00002-of-00003.gguf");
    EXPECT_EQ(runWb({"convert", parts[0].string(), parts[0].string(), "--force"}).status, 2);
    EXPECT_EQ(runWb({"quantize", source, out, "Q8_0", "--keep-split", "--max-tensors", "3"}).status, 2);
}

// The saved plan makes the same files.
TEST_F(SplitFiles, FollowASavedPlan) {
    WB_NEED_SHARED("arch");
    const std::string plan = (other.path() / "plan.json").string();
    ASSERT_EQ(convert(source, out, {"--shard-size", "1M", "--dry-run", "--save-plan", plan}).status, 0);
    const auto run = convert(source, out, {"--plan", plan});
    ASSERT_EQ(run.status, 0) << run.err;
    const auto parts = files();
    ASSERT_EQ(parts.size(), 3u);
    for (std::size_t i = 0; i < parts.size(); ++i) EXPECT_EQ(hash(parts[i]), reference[1].hashes[i]);
    std::string text = fileText(plan);
    text.replace(text.find("\"BF16\""), 6, "\"Q8_0\"");
    other.file("edited.json", text);
    const auto edited = convert(source, out, {"--plan", (other.path() / "edited.json").string(), "--force"});
    EXPECT_EQ(edited.status, 1) << edited.err;
}

} // namespace
} // namespace wb
