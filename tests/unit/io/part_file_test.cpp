// SPDX-License-Identifier: MIT
#include "core/io/system/part_file.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/system_calls.h"

#include <gtest/gtest.h>

#include <cerrno>

#ifdef __linux__
#include <sys/stat.h>
#endif

namespace wb::io {
namespace {

namespace fs = std::filesystem;

TEST(PartFile, HoldsItsRoomAndWhatItHeld) {
    const test::TemporaryFolder folder;
    const auto path = folder.file("a.part", "former");
    {
        auto part = PartFile::open(path, 9);
        ASSERT_TRUE(part);
        EXPECT_FALSE(PartFile::open(path, 9)) << "it is held";
    }
    EXPECT_EQ(test::readFile(path), test::toBytes("former")) << "it was not begun";
    auto part = PartFile::open(path, 3);
    ASSERT_TRUE(part);
    EXPECT_EQ(fs::file_size(path), 6u);
    ASSERT_TRUE((*part)->begin());
    ASSERT_TRUE((*part)->writeAt(0, test::toBytes("x")));
    part->reset();
    EXPECT_EQ(test::readFile(path), test::toBytes("xor"));
}

TEST(PartFile, IsGoneUnlessItBegins) {
    const test::TemporaryFolder folder;
    const auto path = folder.path() / "a.part";
    ASSERT_TRUE(PartFile::open(path, 9));
    EXPECT_FALSE(fs::exists(path));
    auto part = PartFile::open(path, 3);
    ASSERT_TRUE(part && (*part)->begin());
    part->reset();
    EXPECT_EQ(test::readFile(path), std::vector<std::byte>(3));
}

#ifdef __linux__

// The C library would write into every block instead, which takes hours over a network.
TEST(PartFile, IsSparseWhereRoomCannotBeReserved) {
    for (const int error : {EOPNOTSUPP, ENOSYS, EINVAL}) {
        const test::TemporaryFolder folder;
        const auto path = folder.path() / "a.part";
        test::SystemCalls calls;
        calls.fallocate = [error](const fs::path&) { return error; };
        auto part = PartFile::open(path, 1 << 22);
        ASSERT_TRUE(part && (*part)->begin());
        struct stat status{};
        ASSERT_EQ(::stat(path.c_str(), &status), 0);
        EXPECT_EQ(status.st_size, 1 << 22);
        EXPECT_LT(status.st_blocks, 64) << "of 512 bytes";
    }
}

TEST(PartFile, AFullDiskIsNamedAndLeavesNothing) {
    const test::TemporaryFolder folder;
    const auto former = folder.file("former.part", "former");
    test::SystemCalls calls;
    calls.fallocate = [](const fs::path&) { return ENOSPC; };
    for (const auto& path : {former, folder.path() / "new.part"}) {
        const auto part = PartFile::open(path, 1 << 22);
        ASSERT_FALSE(part);
        EXPECT_EQ(part.error().code, ErrorCode::NoSpace);
    }
    EXPECT_EQ(test::readFile(former), test::toBytes("former"));
    EXPECT_FALSE(fs::exists(folder.path() / "new.part"));
}

// A part that may be renamed, after asking how the file system takes it.
Result<bool> renamed(const fs::path& target, bool replace) {
    auto part = PartFile::open(fs::path(target) += ".part", 3);
    EXPECT_TRUE(part && (*part)->begin() && (*part)->writeAt(0, test::toBytes("new")));
    return (*part)->renameTo(target, replace);
}

void expectRenames() {
    const test::TemporaryFolder folder;
    const auto free = renamed(folder.path() / "free", false);
    EXPECT_TRUE(free && *free);
    EXPECT_EQ(test::readFile(folder.path() / "free"), test::toBytes("new"));
    EXPECT_FALSE(fs::exists(folder.path() / "free.part"));
    const auto target = folder.file("taken", "old");
    const auto taken = renamed(target, false);
    EXPECT_TRUE(taken && !*taken);
    EXPECT_EQ(test::readFile(target), test::toBytes("old"));
    EXPECT_EQ(test::readFile(folder.path() / "taken.part"), test::toBytes("new"));
    EXPECT_TRUE(renamed(target, true));
    EXPECT_EQ(test::readFile(target), test::toBytes("new"));
}

TEST(PartFile, TakesNoNameThatIsTaken) { expectRenames(); }

TEST(PartFile, TakesNoNameThatIsTakenWhereItMustLink) {
    for (const int error : {EINVAL, ENOSYS}) {
        test::SystemCalls calls;
        calls.renameBeside = [error](const fs::path&) { return error; };
        expectRenames();
    }
}

TEST(PartFile, TakesNoNameThatIsTakenWhereFilesHaveOneName) {
    test::SystemCalls calls;
    calls.renameBeside = [](const fs::path&) { return EINVAL; };
    calls.link = [](const fs::path&) { return EPERM; };
    expectRenames();
}

TEST(PartFile, LosesItsNameAfterAKillBehindTheLink) {
    for (const bool replace : {false, true}) {
        const test::TemporaryFolder folder;
        const auto target = folder.path() / "a";
        fs::create_hard_link(folder.file("a.part", "new"), target);
        const auto done = renamed(target, replace);
        EXPECT_TRUE(done && *done);
        EXPECT_FALSE(fs::exists(folder.path() / "a.part"));
        EXPECT_EQ(test::readFile(target), test::toBytes("new"));
    }
}

// Between the opening and the lock the run that held the part may end well.
TEST(PartFile, IsNoFileThatWasRenamedMeanwhile) {
    const test::TemporaryFolder folder;
    const auto path = folder.file("a.part", "a whole model");
    test::SystemCalls calls;
    calls.flock = [&](const fs::path&) {
        if (fs::exists(path) && !fs::exists(folder.path() / "a")) fs::rename(path, folder.path() / "a");
        return 0;
    };
    auto part = PartFile::open(path, 3);
    ASSERT_TRUE(part && (*part)->begin());
    EXPECT_EQ(test::readFile(folder.path() / "a"), test::toBytes("a whole model"));
    EXPECT_EQ(fs::file_size(path), 3u);
}

// A signal that is handled, as that of Ctrl+C.
TEST(PartFile, IsReservedInSpiteOfASignal) {
    const test::TemporaryFolder folder;
    test::SystemCalls calls;
    int asked = 0;
    calls.fallocate = [&asked](const fs::path&) { return asked++ == 0 ? EINTR : 0; };
    EXPECT_TRUE(PartFile::open(folder.path() / "a.part", 1 << 22));
    EXPECT_EQ(asked, 2);
}

#endif

} // namespace
} // namespace wb::io
