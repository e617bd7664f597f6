// SPDX-License-Identifier: MIT
#include "core/hub/file_name.h"
#include "core/hub/repository.h"
#include "core/hub/settings.h"

#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

#include <map>

namespace wb::hub {
namespace {

TEST(FileName, HostileNamesAreRefused) {
    const std::string deep = [] {
        std::string name = "a";
        for (int i = 0; i < 200; ++i) name += "/a";
        return name;
    }();
    const std::vector<std::string> hostile = {"../x",
                                              "a/../../x",
                                              "..\\x",
                                              "C:\\x",
                                              "c:x",
                                              "\\\\host\\share\\x",
                                              "/abs",
                                              "a//b",
                                              "a/./b",
                                              ".",
                                              "",
                                              "CON",
                                              "con.txt",
                                              "NUL.gguf",
                                              "x.",
                                              "x ",
                                              "a:b",
                                              std::string("a\0b", 3),
                                              "a\nb",
                                              "a\x1b[2Jb",
                                              "a\u202Eb",
                                              "a\u200Bb",
                                              "\uFEFFa",
                                              "a\uFFFDb",
                                              std::string(300, 'n'),
                                              std::string(5000, 'p'),
                                              deep,
                                              ".git/config",
                                              "a/.git/hooks/x",
                                              ".cache/huggingface/x",
                                              "a\xFF"
                                              "b",
                                              "a/"};
    for (const std::string& name : hostile) {
        const auto result = checkFileName(name);
        EXPECT_FALSE(result) << name;
        if (result) continue;
        EXPECT_EQ(result.error().message().find('\n'), std::string::npos);
    }
    for (const char* good : {"model.gguf", "UD-Q2/model-UD-Q2.gguf", "模型/权重.safetensors", ".gitattributes", "a b.txt", "x..y"})
        EXPECT_TRUE(checkFileName(good)) << good;
}

TEST(FileName, OneNameForSomeSystemsIsRefused) {
    const auto results = checkTogether({"A.gguf", "a.gguf", "caf\u00E9", "cafe\u0301", "x", "x/y", "d/e", "d", "d/f", "../A.gguf"});
    const std::vector<bool> isTaken = {true, false, true, false, true, false, true, false, true, true};
    for (std::size_t i = 0; i < results.size(); ++i) EXPECT_EQ(results[i].has_value(), isTaken[i]) << i;
}

TEST(RemoteIds, AreTakenApart) {
    const auto id = parseRemoteId("hf:acme/tiny-gguf@refs/pr/3:sub/file.gguf");
    ASSERT_TRUE(id);
    EXPECT_EQ(id->repository, (Repository{Hub::HuggingFace, "acme/tiny-gguf", "refs/pr/3"}));
    EXPECT_EQ(id->file, "sub/file.gguf");
    EXPECT_EQ(id->repository.text(), "hf:acme/tiny-gguf@refs/pr/3");
    EXPECT_EQ(parseRemoteId("hf:gpt2")->repository.revisionOrMain(), "main");
    EXPECT_EQ(parseRemoteId("ms:达摩/小模型")->repository.revisionOrMain(), "master");
    for (const char* text : {"", "hf:", "hf:a/b/c", "hf:../x", "ms:noowner", "hf:a/b@", "hf:a/b:", "hf:a/b@..", "xx:a/b",
                             "hf:a b/c", "hf:/abs", "hf:a/b?x", "hf:a\\b"})
        EXPECT_FALSE(parseRemoteId(text)) << text;
    EXPECT_TRUE(isRemoteId("hf:whatever"));
    EXPECT_FALSE(isRemoteId("/hf:x"));
}

Result<Settings> settingsWith(const std::map<std::string, std::string>& values) {
    return settingsFrom([&values](const char* variable) {
        const auto at = values.find(variable);
        return at == values.end() ? std::string() : at->second;
    });
}

TEST(Settings, FollowTheEnvironment) {
    const auto usual = settingsWith({{"HOME", "/home/u"}});
    ASSERT_TRUE(usual);
    EXPECT_EQ(usual->huggingFace.endpoint.text(), "https://huggingface.co/");
    EXPECT_EQ(usual->modelScope.endpoint.text(), "https://modelscope.cn/");
    EXPECT_EQ(usual->huggingFaceCache, "/home/u/.cache/huggingface/hub");
    EXPECT_EQ(usual->modelScopeCache, "/home/u/.cache/modelscope");
    const auto elsewhere = settingsWith({{"HOME", "/home/u"}, {"XDG_CACHE_HOME", "/c"}});
    ASSERT_TRUE(elsewhere);
    EXPECT_EQ(elsewhere->huggingFaceCache, "/c/huggingface/hub");
    EXPECT_EQ(elsewhere->modelScopeCache, "/home/u/.cache/modelscope") << "modelscope does not follow it";
    const auto own = settingsWith({{"HF_ENDPOINT", "http://127.0.0.1:81/"},
                                   {"HF_TOKEN", " hf_x\n"},
                                   {"HF_HOME", "/h"},
                                   {"HF_HUB_OFFLINE", "1"},
                                   {"MODELSCOPE_ENDPOINT", "www.modelscope.ai"}});
    ASSERT_TRUE(own);
    EXPECT_EQ(own->huggingFace.endpoint.text(), "http://127.0.0.1:81/");
    EXPECT_EQ(own->huggingFace.token, "hf_x");
    EXPECT_FALSE(own->huggingFace.sendsToken()) << "an endpoint that is not the hub gets no token without consent";
    EXPECT_EQ(own->huggingFaceCache, "/h/hub");
    EXPECT_TRUE(own->isOffline);
    EXPECT_TRUE(own->modelScope.isHubItself);
}

TEST(Settings, RefuseEndpointsThatLeak) {
    for (const char* endpoint : {"http://huggingface.co", "https://u:p@hub", "ftp://hub", "https://hub/?x"})
        EXPECT_FALSE(settingsWith({{"HF_ENDPOINT", endpoint}})) << endpoint;
}

TEST(Settings, FindTheHubsOwnToken) {
    const test::TemporaryFolder home;
    (void)home.file("token", "hf_file\n");
    EXPECT_EQ(settingsWith({{"HF_HOME", home.path().string()}})->huggingFace.token, "hf_file");
    EXPECT_EQ(settingsWith({{"HF_HOME", home.path().string()}, {"HF_TOKEN", "hf_env"}})->huggingFace.token, "hf_env");
    EXPECT_EQ(settingsWith({{"HF_HOME", home.path().string()}, {"HF_HUB_DISABLE_IMPLICIT_TOKEN", "1"}})->huggingFace.token, "");
}

} // namespace
} // namespace wb::hub
