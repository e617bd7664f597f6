// SPDX-License-Identifier: MIT
// What is judged before a model is used: quickly where texts are all there is, and which files of a folder are looked at.
#include "core/formats/gguf/writer.h"
#include "core/scan/scan.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

namespace wb::scan {
namespace {

constexpr std::string_view honest = "{% for m in messages %}{{ m['content'] }}{% endfor %}";
constexpr std::string_view escaping = "{{ messages.__class__.__mro__ }}";

std::string ggufWith(const std::vector<gguf::StoredPair>& pairs) { return gguf::layOut(pairs, {})->header; }

std::string ggufWithTemplate(std::string_view source) {
    return ggufWith(
        {gguf::makePair("general.architecture", std::string_view("llama")), gguf::makePair("tokenizer.chat_template", source)});
}

TEST(ScanText, JudgesTheTemplateOfAGgufFile) {
    const test::TemporaryFolder folder;
    const auto bad = scanText(folder.file("bad.gguf", ggufWithTemplate(escaping)));
    ASSERT_TRUE(bad);
    EXPECT_EQ(bad->level(), DangerLevel::C);
    EXPECT_STREQ(kindName(*bad), "unknown code");
    const auto good = scanText(folder.file("good.gguf", ggufWithTemplate(honest)));
    ASSERT_TRUE(good);
    EXPECT_EQ(good->level(), DangerLevel::A);
    EXPECT_EQ(good->verdict(), Verdict::Clean);
}

TEST(ScanText, JudgesConfigurations) {
    const test::TemporaryFolder folder;
    const auto remote = scanText(folder.file("config.json", R"({"auto_map": {"AutoModel": "modeling.Model"}})"));
    ASSERT_TRUE(remote);
    EXPECT_EQ(remote->level(), DangerLevel::C);
    EXPECT_EQ(scanText(folder.file("plain.json", R"({"hidden_size": 64, "auto_map": null})"))->level(), DangerLevel::A);
}

TEST(ScanText, LeavesAllElseToTheWorker) {
    const test::TemporaryFolder folder;
    EXPECT_FALSE(scanText(folder.file("attack.pkl", "cos\nsystem\n(S'echo hello'\ntR.")));
    EXPECT_FALSE(scanText(folder.file("archive.zip", "PK\x03\x04 and more")));
    EXPECT_EQ(scanText(folder.path() / "absent.gguf")->verdict(), Verdict::Clean); // who opens it says so
}

// A text far behind the beginning would keep a window waiting.
TEST(ScanText, ReadsTheBeginningOnly) {
    const test::TemporaryFolder folder;
    const std::string filler(17 << 20, 'a');
    const auto file = folder.file("long.gguf", ggufWith({gguf::makePair("a.filler", std::string_view(filler)),
                                                         gguf::makePair("tokenizer.chat_template", escaping)}));
    EXPECT_FALSE(scanText(file));
    EXPECT_EQ(scanSource(*io::FileSource::open(file), {}).level(), DangerLevel::C);
}

// The values of an ONNX model lie in files of any name; one that no model names stays unknown.
TEST(ScanFolder, TakesTheValuesOfAnOnnxModelAsData) {
    WB_NEED_SHARED("fixtures/runtime/onnx");
    for (const char* name : {"external", "external_many"}) {
        const auto danger = scan(test::shared() / "fixtures/runtime/onnx" / name, {});
        ASSERT_TRUE(danger);
        EXPECT_EQ(danger->verdict(), Verdict::Clean) << name;
        for (const ScannedFile& file : danger->files) EXPECT_EQ(file.format, "onnx") << file.path;
    }
    const auto alone = scan(test::shared() / "fixtures/runtime/onnx/external/model.onnx.data", {});
    ASSERT_TRUE(alone);
    EXPECT_EQ(alone->verdict(), Verdict::Clean);
    const test::TemporaryFolder folder;
    std::filesystem::copy(test::shared() / "fixtures/runtime/onnx/external", folder.path());
    folder.file("other.data", std::string(64, '\7'));
    const auto more = scan(folder.path(), {});
    ASSERT_TRUE(more);
    EXPECT_EQ(more->verdict(), Verdict::Clean);
    EXPECT_EQ(more->notChecked(), 1u);
}

TEST(FilesWithCode, AreThoseThatLoadersTakeCodeFrom) {
    const test::TemporaryFolder folder;
    for (const char* name :
         {"model.safetensors", "tokenizer.json", "pytorch_model.bin", "config.json", "chat_template.jinja", "README.md"})
        folder.file(name, "x");
    std::vector<std::string> names;
    for (const auto& file : filesWithCode(folder.path())) names.push_back(file.filename().string());
    EXPECT_EQ(names, (std::vector<std::string>{"chat_template.jinja", "config.json", "pytorch_model.bin"}));
    EXPECT_EQ(filesWithCode(folder.path() / "README.md").size(), 1u);
}

} // namespace
} // namespace wb::scan
