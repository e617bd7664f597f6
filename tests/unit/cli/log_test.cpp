// SPDX-License-Identifier: MIT
#include "tests/unit/cli/run_wb.h"
#include "tests/unit/cli/tiny_model.h"
#include "tests/unit/quantize/small_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

// No file that has another part in a command is written as its log, and none of those as its result; a refusal changes nothing.
namespace wb {
namespace {

namespace fs = std::filesystem;
using test::runWb;
using test::writeModel;

using Words = std::vector<std::string>;

std::map<std::string, std::vector<std::byte>> contentsFromFolder(const fs::path& folder) {
    std::map<std::string, std::vector<std::byte>> contents;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.is_regular_file()) contents[entry.path().filename().string()] = test::readFile(entry.path());
    return contents;
}

// The refusal names `file` and leaves every file of the folder as it was.
void expectUntouched(const test::TemporaryFolder& folder, const Words& words, int status, const std::string& file) {
    const auto before = contentsFromFolder(folder.path());
    const auto run = runWb(words);
    EXPECT_EQ(run.status, status) << run.err;
    EXPECT_EQ(run.errorLines(), 1) << run.err;
    EXPECT_NE(run.err.find(file), std::string::npos) << run.err;
    EXPECT_TRUE(contentsFromFolder(folder.path()) == before) << run.err;
}

struct Log : testing::Test {
    const test::TemporaryFolder folder;
    std::string at(const std::string& name) const { return (folder.path() / name).string(); }
};

TEST_F(Log, IsNoOtherShardOfTheModel) {
    const std::string first = quantize::writeSplitModel(folder, 1, 3).string();
    const std::string second = at("split-00002-of-00003.gguf");
    expectUntouched(folder, {"quantize", first, at("out.gguf"), "Q8_0", "--log", second}, 2, "split-00002-of-00003.gguf");
    expectUntouched(folder, {"quantize", first, at("out.gguf"), "Q8_0", "--prune-layers", "0,", "--log", second}, 2, "0,");
    expectUntouched(folder, {"inspect", first, "--log", second}, 2, "split-00002-of-00003.gguf");
}

TEST_F(Log, IsNotTheOnlyFileOfAFolder) {
    const auto model = writeModel(folder).string();
    expectUntouched(folder, {"quantize", folder.path().string(), at("out.gguf"), "Q8_0", "--log", model}, 2, "tiny model.gguf");
    expectUntouched(folder, {"inspect", folder.path().string(), "--log", model}, 2, "tiny model.gguf");
}

// A refusal that comes before the model is opened must not append either.
TEST_F(Log, IsNoModelWhateverIsRefused) {
    const auto model = writeModel(folder).string();
    expectUntouched(folder, {"quantize", at("none.gguf"), at("out.gguf"), "Q8_0", "--log", model}, 1, "tiny model.gguf");
    expectUntouched(folder, {"inspect", at("none.gguf"), "--log", model}, 1, "tiny model.gguf");
    expectUntouched(folder, {"devices", "--log", model}, 1, "tiny model.gguf");
    const auto plan = folder.file("plan.json", "{}").string();
    expectUntouched(folder, {"quantize", at("none.gguf"), at("out.gguf"), "Q8_0", "--log", plan}, 1, "plan.json");
}

TEST_F(Log, IsNotTheMatrixOfAPlan) {
    const auto model = quantize::writeSmallModel(folder, 1).string();
    quantize::makeMatrix(folder, "matrix.dat", {{"blk.0.attn_q.weight", std::vector<float>(256, 1.0f)}});
    const Words save = {"quantize",       model,         at("out.gguf"),  "Q8_0",     "--imatrix",
                        at("matrix.dat"), "--save-plan", at("plan.json"), "--dry-run"};
    ASSERT_EQ(runWb(save).status, 0);
    expectUntouched(folder, {"quantize", model, at("out.gguf"), "--plan", at("plan.json"), "--log", at("matrix.dat")}, 2,
                    "matrix.dat");
}

TEST_F(Log, IsNoFileOfTheResult) {
    const std::string first = quantize::writeSplitModel(folder, 1, 3).string();
    for (const char* name : {"out.gguf", "out.gguf.part", "out.gguf.part.journal"})
        expectUntouched(folder, {"quantize", first, at("out.gguf"), "Q8_0", "--log", at(name)}, 2, name);
    for (const char* name : {"out-00002-of-00003.gguf", "out-00002-of-00003.gguf.part"})
        expectUntouched(folder, {"quantize", first, at("out.gguf"), "Q8_0", "--keep-split", "--log", at(name)}, 2, name);
    ASSERT_EQ(runWb({"quantize", first, at("out.gguf"), "Q8_0", "--keep-split"}).status, 0);
    expectUntouched(folder, {"quantize", first, at("out.gguf"), "Q8_0", "--keep-split", "--log", at("out-00002-of-00003.gguf")}, 2,
                    "out-00002-of-00003.gguf");
    const auto model = writeModel(folder).string();
    expectUntouched(folder, {"inspect", model, "--tensor", "ones", "--export", at("x.npy"), "--log", at("x.npy")}, 2, "x.npy");
}

// The log is refused before another file whose refusal would be written into it.
TEST_F(Log, IsAskedBeforeOtherFiles) {
    const std::string first = quantize::writeSplitModel(folder, 1, 3).string();
    expectUntouched(folder,
                    {"quantize", first, at("out.gguf"), "Q8_0", "--keep-split", "--report", at("out-00001-of-00003.gguf"), "--log",
                     at("out-00003-of-00003.gguf")},
                    2, "out-0000");
}

TEST_F(Log, IsAppendedTo) {
    const auto log = folder.file("wb.log", "earlier\n");
    EXPECT_EQ(runWb({"quantize", at("none.gguf"), at("out.gguf"), "Q8_0", "--device", "cpu", "--log", log.string()}).status, 1);
    const auto bytes = test::readFile(log);
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    EXPECT_TRUE(text.starts_with("earlier\n")) << text;
    EXPECT_NE(text.find("none.gguf"), std::string::npos) << text;
    EXPECT_EQ(std::ranges::count(text, '\n'), 2) << text;
}

// The result and its working files are nothing that is read, whatever --force says.
TEST_F(Log, NorIsTheResultWhatIsRead) {
    const auto model = writeModel(folder).string();
    ASSERT_EQ(runWb({"quantize", model, at("out.gguf"), "Q8_0", "--save-plan", at("plan.json"), "--dry-run"}).status, 0);
    fs::copy_file(at("plan.json"), at("z.gguf.part"));
    fs::copy_file(at("plan.json"), at("z.gguf.part.journal"));
    expectUntouched(folder, {"quantize", model, at("plan.json"), "--plan", at("plan.json"), "--force"}, 2, "plan.json");
    for (const char* name : {"z.gguf.part", "z.gguf.part.journal"})
        expectUntouched(folder, {"quantize", model, at("z.gguf"), "--plan", at(name), "--force"}, 2, name);
    const auto rules = folder.file("rules.txt", "ones=Q8_0").string();
    expectUntouched(folder, {"quantize", model, rules, "Q4_0", "--tensor-type-file", rules, "--force"}, 2, "rules.txt");
    fs::copy_file(rules, at("y-00001-of-00001.gguf"));
    expectUntouched(
        folder,
        {"quantize", model, at("y.gguf"), "Q4_0", "--keep-split", "--tensor-type-file", at("y-00001-of-00001.gguf"), "--force"}, 2,
        "y-00001-of-00001.gguf");
}

} // namespace
} // namespace wb
