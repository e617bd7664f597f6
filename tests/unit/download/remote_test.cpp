// SPDX-License-Identifier: MIT
#include "tests/unit/download/loopback.h"

#include <nlohmann/json.hpp>

#include <algorithm>

// wb inspect and wb memory on a file of a hub, by its header.
namespace wb::test {
namespace {

class WbRemote : public LoopbackTest {
protected:
    WbRemote() {
        const auto model = shared() / "corpus/llm/stories260K.gguf";
        if (!std::filesystem::exists(model)) return;
        const auto bytes = readFile(model);
        ServedRepository stories;
        stories.id = "acme/stories";
        stories.files = {textFile("README.md", "# Stories\n"),
                         textFile("stories.gguf", std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()))};
        servers.add(stories);
        stories.files.push_back(textFile("second.gguf", "no model"));
        stories.id = "acme/two";
        servers.add(stories);
    }
};

nlohmann::json parsed(const std::string& text) { return nlohmann::json::parse(text, nullptr, false); }

TEST_F(WbRemote, InspectsAFileByItsHeader) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    for (const char* id : {"hf:acme/stories", "hf:acme/stories:stories.gguf", "hf:acme/two@main:stories.gguf"}) {
        servers.forget();
        const Ran ran = wb({"inspect", id, "--json"});
        ASSERT_EQ(ran.status, 0) << ran.err;
        const auto json = parsed(ran.out);
        EXPECT_EQ(json["path"], id);
        EXPECT_EQ(json["format"], "gguf");
        EXPECT_EQ(json["parameters"], 292'800);
        EXPECT_GT(json["tensors"].size(), 40u);
        std::size_t ranges = 0;
        for (const auto& recorded : servers.recorded())
            if (recorded.request.headers.find("Range")) ++ranges;
        EXPECT_LE(ranges, 3u);
        EXPECT_GE(ranges, 1u);
    }
}

TEST_F(WbRemote, CountsItsMemory) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const Ran ran = wb({"memory", "hf:acme/stories", "--json"});
    ASSERT_EQ(ran.status, 0) << ran.err;
    const Ran local = wb({"memory", (shared() / "corpus/llm/stories260K.gguf").string(), "--json"});
    EXPECT_EQ(parsed(ran.out)["total"], parsed(local.out)["total"]);
    EXPECT_EQ(parsed(ran.out)["class"], "header");
    // What is loaded beside a model may lie on a hub as well.
    const std::string file = (shared() / "corpus/llm/stories260K.gguf").string();
    const Ran beside = wb({"memory", "7B", "--mmproj", "hf:acme/two:stories.gguf", "--json"});
    EXPECT_EQ(beside.status, 0) << beside.err;
    EXPECT_EQ(parsed(beside.out)["parts"], parsed(wb({"memory", "7B", "--mmproj", file, "--json"}).out)["parts"]);
}

TEST_F(WbRemote, RefusesWhatAHeaderDoesNotSay) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    for (const std::vector<std::string>& words : {std::vector<std::string>{"inspect", "hf:acme/stories", "--stats"},
                                                  {"inspect", "hf:acme/two"},
                                                  {"inspect", "hf:acme/two:second.gguf"},
                                                  {"inspect", "hf:acme/two:absent.gguf"},
                                                  {"inspect", "hf:acme/none"},
                                                  {"memory", "hf:acme/none"}}) {
        const Ran ran = wb(words);
        EXPECT_EQ(ran.status, 1) << words.back();
        EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
        EXPECT_TRUE(ran.out.empty());
    }
}

} // namespace
} // namespace wb::test
