// SPDX-License-Identifier: MIT
#include "core/io/system/locked_file.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

namespace wb::io {
namespace {

TEST(LockedFile, IsHeldByOne) {
    const test::TemporaryFolder folder;
    const auto path = folder.path() / "journal";
    auto first = LockedFile::open(path);
    ASSERT_TRUE(first);
    const auto second = LockedFile::open(path);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, ErrorCode::NotWritable);
    EXPECT_NE(second.error().message().find("journal"), std::string::npos);
    first->reset();
    EXPECT_TRUE(LockedFile::open(path));
}

TEST(LockedFile, KeepsWhatIsBelieved) {
    const test::TemporaryFolder folder;
    const auto path = folder.file("journal", "one\ntwo\ncut");
    auto file = LockedFile::open(path);
    ASSERT_TRUE(file);
    EXPECT_EQ(*(*file)->read(100), "one\ntwo\ncut");
    EXPECT_EQ(*(*file)->read(4), "one\n");
    ASSERT_TRUE((*file)->truncate(8));
    ASSERT_TRUE((*file)->append("three\n"));
    EXPECT_EQ(*(*file)->read(100), "one\ntwo\nthree\n");
    file->reset(); // on Windows a locked file cannot be read by others
    EXPECT_EQ(test::readFile(path), test::toBytes("one\ntwo\nthree\n"));
}

TEST(LockedFile, CanBeRemovedWhileItIsHeld) {
    const test::TemporaryFolder folder;
    const auto path = folder.path() / "journal";
    auto file = LockedFile::open(path);
    ASSERT_TRUE(file);
    (*file)->remove();
    file->reset();
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_FALSE(LockedFile::open(folder.path() / "none" / "journal"));
}

} // namespace
} // namespace wb::io
