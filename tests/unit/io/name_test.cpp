// SPDX-License-Identifier: MIT
#include "core/io/byte_source.h"

#include <gtest/gtest.h>

namespace wb::io {
namespace {

TEST(PlainRelativeName, IsAcceptedWhereItStaysInItsFolder) {
    for (const char* name :
         {"model.safetensors", "model-00001-of-00002.gguf", "unet/diffusion_pytorch_model.safetensors", "a/b/c/d", ".hidden",
          "a b.bin", "模型.gguf", "console.bin", "com.bin", "com10", "auxiliary", "nul_", "...a"})
        EXPECT_TRUE(isPlainRelativeName(name)) << name;
    EXPECT_TRUE(isPlainRelativeName(std::string(255, 'a')));
}

TEST(PlainRelativeName, IsRefusedWhereItCouldLeaveIt) {
    for (const char* name : {"",
                             ".",
                             "..",
                             "../a",
                             "a/../b",
                             "a/..",
                             "/etc/passwd",
                             "a//b",
                             "a/",
                             "/",
                             "a\\b",
                             "..\\a",
                             "\\\\server\\share",
                             "C:a",
                             "C:/a",
                             "a:stream",
                             "a\nb",
                             "a\x1b",
                             "a\x7f",
                             "./a",
                             "a/.",
                             ".. ",
                             "...",
                             "a. ",
                             "a/.. /b",
                             "a.",
                             "a /b"})
        EXPECT_FALSE(isPlainRelativeName(name)) << '"' << name << '"';
    EXPECT_FALSE(isPlainRelativeName(std::string_view("a\0b", 3)));
    EXPECT_FALSE(isPlainRelativeName("\xff\xfe"));
    EXPECT_FALSE(isPlainRelativeName(std::string(256, 'a')));
    EXPECT_FALSE(isPlainRelativeName("a/" + std::string(256, 'a')));
    std::string deep = "a";
    for (int i = 0; i < 3000; ++i) deep += "/a";
    EXPECT_FALSE(isPlainRelativeName(deep));
}

TEST(PlainRelativeName, IsRefusedWhereWindowsMeansADevice) {
    for (const char* name : {"con", "CON", "Aux.txt", "nul", "NUL.gguf", "prn", "com1", "COM9.bin", "com0", "lpt1", "a/nul/b",
                             "con .txt", "conin$", "CONOUT$", "com¹", "lpt³.x"})
        EXPECT_FALSE(isPlainRelativeName(name)) << name;
}

TEST(PathText, IsAlwaysUtf8) {
    EXPECT_EQ(pathText(std::filesystem::path("a") / "模🙂.gguf"), "a/模🙂.gguf");
    EXPECT_EQ(std::filesystem::path("模🙂"), std::filesystem::path(u8"模🙂"));
#ifndef _WIN32
    EXPECT_EQ(pathText(std::filesystem::path("a\xff.gguf")), "a\uFFFD.gguf");
#endif
}

TEST(BaseName, IsTheLastComponent) {
    EXPECT_EQ(baseName("a/b.gguf"), "b.gguf");
    EXPECT_EQ(baseName("a/model/"), "model");
    EXPECT_EQ(baseName("model"), "model");
}

} // namespace
} // namespace wb::io
