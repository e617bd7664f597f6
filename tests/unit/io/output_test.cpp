// SPDX-License-Identifier: MIT
#include "core/io/atomic_writer.h"
#include "core/io/disk_space.h"
#include "core/io/digests/sha256.h"

#include "tests/unit/support/support.h"
#include "tests/unit/support/system_calls.h"

#include <gtest/gtest.h>

#include <iterator>

namespace wb::io {
namespace {

namespace fs = std::filesystem;

std::string textFromPath(const fs::path& path) {
    const auto bytes = test::readFile(path);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::ptrdiff_t filesIn(const fs::path& folder) { return std::distance(fs::directory_iterator(folder), {}); }

TEST(AtomicWriter, RefusesWhatARenameMustNotReplace) {
    const test::TemporaryFolder folder;
    EXPECT_FALSE(AtomicWriter::create(folder.path()));
#ifndef _WIN32
    EXPECT_FALSE(AtomicWriter::create("/dev/null"));
#endif
    EXPECT_EQ(filesIn(folder.path()), 0);
}

TEST(AtomicWriter, PutsTheWholeFileInPlace) {
    const test::TemporaryFolder folder;
    const fs::path target = folder.path() / "out.csv";
    auto writer = AtomicWriter::create(target);
    ASSERT_TRUE(writer);
    std::string expected;
    for (int i = 0; i < 100'000; ++i) {
        const std::string line = std::to_string(i) + ",x\n";
        ASSERT_TRUE(writer->write(line));
        expected += line;
    }
    const std::string large(1 << 20, 'z');
    ASSERT_TRUE(writer->write(large));
    ASSERT_TRUE(writer->write("end"));
    EXPECT_FALSE(fs::exists(target));
    ASSERT_TRUE(writer->commit());
    EXPECT_EQ(textFromPath(target), expected + large + "end");
    EXPECT_EQ(filesIn(folder.path()), 1);
}

TEST(AtomicWriter, ReplacesOnlyWhenItCommits) {
    const test::TemporaryFolder folder;
    const fs::path target = folder.file("out.csv", "old");
    {
        auto writer = AtomicWriter::create(target);
        ASSERT_TRUE(writer->write("new"));
        EXPECT_EQ(textFromPath(target), "old");
        AtomicWriter moved = std::move(*writer);
    }
    EXPECT_EQ(textFromPath(target), "old");
    EXPECT_EQ(filesIn(folder.path()), 1);
    auto writer = AtomicWriter::create(target);
    ASSERT_TRUE(writer->write("new"));
    ASSERT_TRUE(writer->commit());
    EXPECT_EQ(textFromPath(target), "new");
}

TEST(AtomicWriter, LeavesNothingBehindWhenItFails) {
    const test::TemporaryFolder folder;
    EXPECT_EQ(AtomicWriter::create(folder.path() / "nowhere/out.csv").error().code, ErrorCode::NotWritable);
    {
        auto writer = AtomicWriter::create(folder.path() / "out.csv");
        ASSERT_TRUE(writer->write("x"));
        fs::create_directories(folder.path() / "out.csv/inner");
        const auto done = writer->commit();
        ASSERT_FALSE(done);
        EXPECT_EQ(done.error().arguments.front(), "out.csv");
    }
    EXPECT_EQ(filesIn(folder.path()), 1);
}

TEST(AtomicWriter, SeveralMayWriteTheSameTarget) {
    const test::TemporaryFolder folder;
    const fs::path target = folder.path() / "out.csv";
    auto first = AtomicWriter::create(target);
    auto second = AtomicWriter::create(target);
    ASSERT_TRUE(first->write("first") && second->write("second"));
    ASSERT_TRUE(first->commit() && second->commit());
    EXPECT_EQ(textFromPath(target), "second");
}

std::string sha256(std::string_view text) {
    Sha256 hash;
    for (const char c : text) hash.update(std::as_bytes(std::span(&c, 1)));
    return hexText(hash.finish().value());
}

// FIPS 180-4 example values.
TEST(Sha256, EqualsTheStandard) {
    EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Sha256, ReadsASourceOfSeveralSlabs) {
    const MemorySource source("million", std::vector<std::byte>(9'000'001, std::byte{'a'}));
    std::uint64_t last = 0;
    const auto digest = hashSha256(source, {{}, [&](std::uint64_t done, std::uint64_t) { last = done; }});
    Sha256 whole;
    whole.update(std::vector<std::byte>(9'000'001, std::byte{'a'}));
    EXPECT_EQ(*digest, *whole.finish());
    EXPECT_EQ(last, 9'000'001u);
    std::stop_source stopped;
    stopped.request_stop();
    EXPECT_EQ(hashSha256(source, {stopped.get_token(), {}}).error().code, ErrorCode::Canceled);
}

TEST(FreeSpace, IsAskedOfTheNearestFolder) {
    const test::TemporaryFolder folder;
    const auto here = freeSpace(folder.path());
    ASSERT_TRUE(here);
    EXPECT_GT(*here, 0u);
    EXPECT_TRUE(freeSpace(folder.path() / "not/yet/there.gguf"));
    EXPECT_TRUE(freeSpace(folder.file("f", "x")));
}

#ifdef __linux__

TEST(FreeSpace, IsThatOfTheFolderOfALink) {
    const test::TemporaryFolder folder;
    const test::TemporaryFolder elsewhere;
    fs::create_symlink(elsewhere.file("real", "x"), folder.path() / "link");
    fs::create_symlink(elsewhere.path() / "none", folder.path() / "loose");
    fs::create_directory_symlink(elsewhere.path(), folder.path() / "folder");
    std::vector<fs::path> asked;
    test::SystemCalls calls;
    calls.statvfs = [&asked](const fs::path& path, struct statvfs& answer) {
        asked.push_back(path);
        answer.f_frsize = 512;
        answer.f_blocks = 20;
        answer.f_bavail = 10;
    };
    for (const char* name : {"link", "loose", "folder/link"}) EXPECT_EQ(freeSpace(folder.path() / name), 5120u);
    EXPECT_EQ(asked, (std::vector{folder.path(), folder.path(), folder.path() / "folder"}));
}

TEST(FreeSpace, IsNotKnownWhereNothingIsSaid) {
    const test::TemporaryFolder folder;
    test::SystemCalls calls;
    calls.statvfs = [](const fs::path&, struct statvfs& answer) { answer.f_frsize = 512; };
    EXPECT_FALSE(freeSpace(folder.path()));
}

#endif

} // namespace
} // namespace wb::io
