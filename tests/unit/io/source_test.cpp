// SPDX-License-Identifier: MIT
#include "core/io/byte_source.h"

#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <thread>

namespace wb::io {
namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

std::string readText(const ByteSource& source, std::uint64_t offset, std::size_t length) {
    std::string text(length, '\0');
    const auto result = source.readAt(offset, std::as_writable_bytes(std::span(text)));
    return result ? text : "error: " + result.error().message();
}

TEST(Extent, CannotLeaveItsSource) {
    EXPECT_TRUE(Extent::make(10, 0, 10));
    EXPECT_TRUE(Extent::make(10, 10, 0));
    EXPECT_TRUE(Extent::make(0, 0, 0));
    EXPECT_EQ(Extent::make(10, 4, 6)->end(), 10u);
    EXPECT_FALSE(Extent::make(10, 4, 7));
    EXPECT_FALSE(Extent::make(10, 11, 0));
    EXPECT_FALSE(Extent::make(10, 5, most));
    EXPECT_FALSE(Extent::make(10, most, 1));
    EXPECT_FALSE(Extent::make(10, most - 4, 6));
    EXPECT_TRUE(Extent::make(most, most, 0));
    EXPECT_FALSE(Extent::make(most, most, 1));
}

TEST(MemorySource, ReadsInsideAndNothingElse) {
    const MemorySource source("m", test::toBytes("0123456789"));
    EXPECT_EQ(readText(source, 3, 4), "3456");
    EXPECT_EQ(readText(source, 10, 0), "");
    EXPECT_EQ(readText(source, 8, 3), "error: m ends at byte 10, before the declared byte 11.");
    EXPECT_EQ(readText(source, most, 3), "error: m ends at byte 10, before the declared byte 18,446,744,073,709,551,615.");
}

TEST(FileSource, ReadsAnyPart) {
    const test::TemporaryFolder folder;
    const auto source = FileSource::open(folder.file("f.bin", "0123456789"));
    ASSERT_TRUE(source);
    EXPECT_EQ((*source)->size(), 10u);
    EXPECT_EQ((*source)->name(), "f.bin");
    EXPECT_EQ(readText(**source, 0, 10), "0123456789");
    EXPECT_EQ(readText(**source, 9, 1), "9");
    EXPECT_EQ(readText(**source, 9, 2), "error: f.bin ends at byte 10, before the declared byte 11.");
    EXPECT_TRUE((*source)->checkUnchanged());
}

TEST(FileSource, ReadsBeyondFourGigabytes) {
    const test::TemporaryFolder folder;
    const auto path = folder.file("sparse.bin", "");
    std::filesystem::resize_file(path, (5ULL << 30) + 3);
    const auto source = FileSource::open(path);
    ASSERT_TRUE(source);
    EXPECT_EQ(readText(**source, 5ULL << 30, 3), std::string(3, '\0'));
}

TEST(FileSource, ServesSeveralThreads) {
    const test::TemporaryFolder folder;
    std::string content(100'000, '\0');
    for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<char>(i * 31 % 251);
    const auto source = FileSource::open(folder.file("f.bin", content));
    std::array<int, 4> wrong{};
    {
        std::vector<std::jthread> threads;
        for (std::size_t t = 0; t < wrong.size(); ++t)
            threads.emplace_back([&, t] {
                for (std::size_t at = t; at + 100 < content.size(); at += 997)
                    if (readText(**source, at, 100) != content.substr(at, 100)) ++wrong[t];
            });
    }
    EXPECT_EQ(wrong, (std::array<int, 4>{}));
}

TEST(FileSource, SaysWhatCannotBeOpened) {
    const test::TemporaryFolder folder;
    const auto missing = FileSource::open(folder.path() / "missing.bin");
    EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
    EXPECT_EQ(missing.error().message(), "missing.bin does not exist; check the path.");
    const auto inFile = FileSource::open(folder.file("plain", "x") / "below");
    EXPECT_EQ(inFile.error().code, ErrorCode::NotFound);
    const auto directory = FileSource::open(folder.path());
    EXPECT_EQ(directory.error().code, ErrorCode::NotReadable);
}

TEST(FileSource, NoticesThatAFileChanged) {
    const test::TemporaryFolder folder;
    const auto path = folder.file("f.bin", "0123456789");
    const auto source = FileSource::open(path);
    ASSERT_TRUE(source);
    std::filesystem::resize_file(path, 4);
    EXPECT_EQ((*source)->checkUnchanged().error().code, ErrorCode::Changed);
    EXPECT_EQ(readText(**source, 0, 4), "0123");
    EXPECT_EQ(readText(**source, 2, 4), "error: f.bin became shorter while being read; open it again when it is complete.");
}

TEST(FileSource, NoticesNewContentOfTheSameSize) {
    const test::TemporaryFolder folder;
    const auto path = folder.file("f.bin", "0123456789");
    const auto source = FileSource::open(path);
    ASSERT_TRUE(source);
    std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) + std::chrono::seconds(2));
    EXPECT_FALSE((*source)->checkUnchanged());
    EXPECT_NE(FileSource::open(path).value()->identity(), (*source)->identity());
}

} // namespace
} // namespace wb::io
