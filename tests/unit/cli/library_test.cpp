// SPDX-License-Identifier: MIT
#ifdef __linux__
#include "tests/unit/cli/run_wb.h"
#include "tests/unit/cli/tiny_model.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

// wb library on a home of its own.
namespace wb {
namespace {

namespace fs = std::filesystem;
using test::runWb;

class WbLibrary : public testing::Test {
protected:
    WbLibrary() {
        for (const auto& [name, folder] : std::map<std::string, std::string>{{"HOME", ""},
                                                                             {"XDG_DATA_HOME", "data"},
                                                                             {"XDG_CACHE_HOME", "cache"},
                                                                             {"XDG_CONFIG_HOME", "config"},
                                                                             {"HF_HUB_CACHE", "hub"},
                                                                             {"OLLAMA_MODELS", "ollama"}}) {
            const char* before = std::getenv(name.c_str());
            m_before[name] = before ? std::optional<std::string>(before) : std::nullopt;
            ::setenv(name.c_str(), (m_home.path() / folder).c_str(), 1);
        }
        fs::create_directories(models);
        fs::copy(test::writeModel(source), models / "one.gguf");
        fs::copy(models / "one.gguf", models / "two.gguf");
    }
    ~WbLibrary() override {
        for (const auto& [name, value] : m_before) value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
    }

private:
    test::TemporaryFolder m_home;
    std::map<std::string, std::optional<std::string>> m_before;

protected:
    test::TemporaryFolder source;
    fs::path models = m_home.path() / "data/weighbridge/models/acme/tiny";
    const std::string one = "weighbridge:acme/tiny/one.gguf", two = "weighbridge:acme/tiny/two.gguf";
};

TEST_F(WbLibrary, ListsTheModelsOfAllStores) {
    for (const std::vector<std::string>& words : {std::vector<std::string>{"library", "--json"}, {"library", "list", "--json"}}) {
        const auto listed = runWb(words);
        ASSERT_EQ(listed.status, 0) << listed.err;
        ASSERT_EQ(listed.json()["models"].size(), 2u);
        const auto model = listed.json()["models"][0];
        EXPECT_EQ(model["id"], one);
        EXPECT_EQ(model["store"], "weighbridge");
        EXPECT_EQ(model["format"], "gguf");
        EXPECT_EQ(model["parameters"], 68);
        EXPECT_EQ(model["source"], nullptr) << "nothing records where it came from";
        EXPECT_EQ(model["files"][0]["sha256"], nullptr);
        EXPECT_EQ(listed.json()["bytes"], listed.json()["bytes_on_disk"]);
    }
    EXPECT_NE(runWb({"library"}).out.find(one), std::string::npos);
    EXPECT_EQ(runWb({"library", "--json", "--filter", "TWO gguf"}).json()["models"].size(), 1u);
    EXPECT_EQ(runWb({"library", "--json", "--filter", "three"}).json()["models"].size(), 0u);
}

TEST_F(WbLibrary, OfAProgramThatIsCarriedAroundIsInItsFolder) {
    const test::TemporaryFolder stick;
    fs::create_directories(stick.path() / "bin");
    fs::create_directories(stick.path() / "weighbridge-data/models/acme/carried");
    fs::copy(models / "one.gguf", stick.path() / "weighbridge-data/models/acme/carried/one.gguf");
    const auto listed = test::runCopy(stick.path() / "bin/wb", {"library", "--json", "--filter", "gguf"});
    ASSERT_EQ(listed.status, 0) << listed.err;
    ASSERT_EQ(listed.json()["models"].size(), 1u) << listed.out;
    EXPECT_EQ(listed.json()["models"][0]["id"], "weighbridge:acme/carried/one.gguf");
    EXPECT_TRUE(fs::exists(stick.path() / "weighbridge-data/cache")) << "the index of the library is kept there, too";
}

TEST_F(WbLibrary, NamesDuplicates) {
    const auto listed = runWb({"library", "--json", "--duplicates"});
    EXPECT_EQ(listed.json()["models"][0]["duplicates"], nlohmann::json::array({two}));
    EXPECT_EQ(listed.json()["models"][0]["files"][0]["sha256"].get<std::string>().size(), 64u);
}

// The model has no layers, so that commands which run models refuse the file that they found.
TEST_F(WbLibrary, ModelsAreNamedByIdOrName) {
    const auto refusal = [](const std::string& name) {
        const auto run = runWb({"bench", name});
        EXPECT_EQ(run.status, 1) << run.err;
        return run.err;
    };
    const std::string byPath = refusal((models / "one.gguf").string());
    EXPECT_EQ(refusal(one), byPath);
    EXPECT_NE(refusal("ONE").find("one.gguf cannot be run"), std::string::npos);
    EXPECT_NE(refusal("two").find("two.gguf cannot be run"), std::string::npos);
    const std::string several = refusal("tiny");
    EXPECT_NE(several.find("tiny names 2 models of the library"), std::string::npos) << several;
    EXPECT_NE(several.find(two), std::string::npos) << several;
    EXPECT_NE(refusal("./one").find("one does not exist"), std::string::npos) << "a path is not looked for";
    EXPECT_NE(refusal("three").find("three"), std::string::npos);
}

// Every command that reads a model finds those of the library; a path always wins.
TEST_F(WbLibrary, ModelsAreNamedInEveryCommand) {
    const std::string path = (models / "one.gguf").string(), out = (source.path() / "out").string();
    EXPECT_EQ(runWb({"inspect", "ONE", "--json"}).json()["path"], path);
    EXPECT_EQ(runWb({"scan", one, "--json"}).json()["path"], path);
    EXPECT_EQ(runWb({"verify", "ONE", "--json"}).json()["path"], path);
    EXPECT_EQ(runWb({"memory", one, "--json"}).json()["name"], "one.gguf");
    EXPECT_EQ(runWb({"memory", "ONE", "--json"}).json()["total"], runWb({"memory", path, "--json"}).json()["total"]);
    for (const char* option : {"--draft", "--mmproj", "--lora"}) {
        const auto named = runWb({"memory", "7B", option, "ONE", "--json"});
        EXPECT_EQ(named.status, 0) << option << ": " << named.err;
        EXPECT_EQ(named.json()["total"], runWb({"memory", "7B", option, path, "--json"}).json()["total"]) << option;
    }
    EXPECT_EQ(runWb({"diff", one, "two", "--exit-code"}).status, 0);
    const auto converted = runWb({"convert", "ONE", out + ".safetensors", "--json"});
    EXPECT_EQ(converted.status, 0) << converted.err;
    EXPECT_EQ(converted.json()["in"], path);
    const auto quantized = runWb({"quantize", one, out + ".gguf", "F16", "--json"});
    EXPECT_EQ(quantized.status, 0) << quantized.err;
    EXPECT_EQ(quantized.json()["in"], path);
    const auto onto = runWb({"quantize", one, path, "F16", "--force"});
    EXPECT_EQ(onto.status, 2) << onto.err;
    EXPECT_NE(runWb({"verify", "three"}).err.find("three is neither a file nor a model of the library"), std::string::npos);
    EXPECT_NE(runWb({"memory", "three"}).err.find("three is not a file, a size such as 7B"), std::string::npos);
    EXPECT_EQ(runWb({"memory", "7B"}).status, 0) << "a size is not looked for in the library";
    const fs::path before = fs::current_path();
    fs::current_path(source.path());
    source.file("one", "no model");
    EXPECT_EQ(runWb({"scan", "one", "--json"}).json()["path"], "one");
    fs::current_path(before);
}

TEST_F(WbLibrary, TakesAnotherFolder) {
    const auto listed = runWb({"library", "--json", "--store", "lmstudio=" + source.path().string()});
    EXPECT_EQ(listed.json()["models"].size(), 3u);
    const auto missing = runWb({"library", "--json", "--store", "folder=/no/such/folder"});
    EXPECT_EQ(missing.status, 0);
    EXPECT_EQ(missing.json()["stores"].back()["problems"][0]["code"], "library.store_missing");
    EXPECT_EQ(runWb({"library", "--store", "shelf=/x"}).status, 2);
    EXPECT_EQ(runWb({"library", "--store", "folder"}).status, 2);
}

TEST_F(WbLibrary, Verifies) {
    const auto verified = runWb({"library", "verify", one, "--json"});
    EXPECT_EQ(verified.status, 0) << verified.err;
    ASSERT_EQ(verified.json()["files"].size(), 1u);
    EXPECT_EQ(verified.json()["files"][0]["ok"], nullptr);
    const std::string etag(64, '1');
    fs::create_directories(models / ".cache/huggingface/download");
    std::FILE* file = std::fopen((models / ".cache/huggingface/download/one.gguf.metadata").c_str(), "w");
    std::fprintf(file, "%s\n%s\n9999999999.0\n", std::string(40, 'a').c_str(), etag.c_str());
    std::fclose(file);
    const auto bad = runWb({"library", "verify", one, "--json"});
    EXPECT_EQ(bad.status, 4);
    EXPECT_EQ(bad.json()["files"][0]["expected"], etag);
    EXPECT_EQ(bad.json()["files"][0]["ok"], false);
}

// Half a file is damaged in the list, and verifying it ends with 4, though nothing is recorded to compare it with.
TEST_F(WbLibrary, ATruncatedFileIsDamaged) {
    fs::resize_file(models / "one.gguf", fs::file_size(models / "one.gguf") - 40);
    const auto listed = runWb({"library", "--json"}).json()["models"];
    EXPECT_EQ(listed[0]["damaged"], true);
    EXPECT_EQ(listed[0]["runs"], false);
    EXPECT_NE(listed[0]["refusal"].get<std::string>().find("one.gguf"), std::string::npos);
    EXPECT_EQ(listed[1]["damaged"], false);
    EXPECT_NE(runWb({"library"}).out.find("damaged"), std::string::npos);
    const auto verified = runWb({"library", "verify", one, "--json"});
    EXPECT_EQ(verified.status, 4) << verified.out;
    EXPECT_EQ(verified.json()["files"][0]["ok"], false);
    EXPECT_EQ(verified.json()["files"][0]["expected"], nullptr);
    EXPECT_EQ(runWb({"library", "verify", two, "--json"}).status, 0);
}

// By the same test as Chat: the tiny model is whole and fits, but no engine runs two tensors.
TEST_F(WbLibrary, RunsIsMoreThanFits) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    WB_NEED_SHARED("arch/deepseek2-lite/model.gguf");
    fs::copy(test::shared() / "corpus/llm/stories260K.gguf", models / "story.gguf");
    fs::copy(test::shared() / "arch/deepseek2-lite/model.gguf", models / "deep.gguf");
    std::map<std::string, nlohmann::json> found;
    const auto listed = runWb({"library", "--json"}).json();
    for (const auto& model : listed["models"]) found[fs::path(model["path"].get<std::string>()).filename().string()] = model;
    EXPECT_EQ(found["story.gguf"]["runs"], true) << found["story.gguf"];
    EXPECT_EQ(found["story.gguf"]["fits"], "fits");
    EXPECT_EQ(found["story.gguf"]["refusal"], nullptr);
    EXPECT_EQ(found["one.gguf"]["runs"], false);
    const bool isRefused = runWb({"generate", (models / "deep.gguf").string(), "--prompt", "x", "--max-tokens", "1"}).status != 0;
    EXPECT_EQ(found["deep.gguf"]["runs"], !isRefused) << found["deep.gguf"];
}

TEST_F(WbLibrary, RemovesOnlyWhenItIsConfirmed) {
    const auto planned = runWb({"library", "remove", one, "--json"});
    EXPECT_EQ(planned.status, 0) << planned.err;
    EXPECT_EQ(planned.json()["remove"], nlohmann::json::array({(models / "one.gguf").string()}));
    EXPECT_EQ(planned.json()["frees"], fs::file_size(models / "one.gguf"));
    EXPECT_TRUE(fs::exists(models / "one.gguf"));
    EXPECT_EQ(runWb({"library", "remove", one, "--yes"}).status, 0);
    EXPECT_FALSE(fs::exists(models / "one.gguf"));
    EXPECT_TRUE(fs::exists(models / "two.gguf"));
}

// A new user's home has no trash yet.
TEST_F(WbLibrary, MakesTheTrashWhereThereIsNone) {
    const test::TemporaryFolder none;
    ::setenv("XDG_DATA_HOME", (none.path() / "share").c_str(), 1);
    const fs::path file = fs::directory_iterator(source.path())->path();
    const auto removed =
        runWb({"library", "remove", "folder:" + file.string(), "--yes", "--store", "folder=" + source.path().string()});
    EXPECT_EQ(removed.status, 0) << removed.err;
    EXPECT_FALSE(fs::exists(file));
    EXPECT_TRUE(fs::exists(none.path() / "share/Trash/files" / file.filename()));
    EXPECT_EQ(removed.errorLines(), 0) << removed.err;
}

// Where none can be made nothing is removed.
TEST_F(WbLibrary, RemovesNothingWithoutATrash) {
    const test::TemporaryFolder none;
    std::FILE* taken = std::fopen((none.path() / "share").c_str(), "w"); // a file where a folder should be
    std::fclose(taken);
    ::setenv("XDG_DATA_HOME", (none.path() / "share").c_str(), 1);
    const fs::path file = fs::directory_iterator(source.path())->path();
    const auto removed =
        runWb({"library", "remove", "folder:" + file.string(), "--yes", "--store", "folder=" + source.path().string()});
    EXPECT_EQ(removed.status, 1);
    EXPECT_NE(removed.err.find("trash"), std::string::npos) << removed.err;
    EXPECT_TRUE(fs::exists(file));
}

TEST_F(WbLibrary, RefusesWhatIsNotThere) {
    const auto removed = runWb({"library", "remove", "hf:nobody/nothing", "--yes"});
    EXPECT_EQ(removed.status, 1);
    EXPECT_EQ(removed.errorLines(), 1);
    EXPECT_NE(removed.err.find("hf:nobody/nothing"), std::string::npos);
    EXPECT_EQ(runWb({"library", "remove"}).status, 2);
    EXPECT_EQ(runWb({"library", "import", "x"}).status, 2);
}

} // namespace
} // namespace wb
#endif
