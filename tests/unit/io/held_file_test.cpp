// SPDX-License-Identifier: MIT
#ifdef _WIN32
#include "core/io/atomic_writer.h"
#include "core/io/byte_source.h"
#include "core/io/system/part_file.h"
#include "core/io/system/win_file.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

#include <thread>

// Other programs that have a file open, as virus scanners and indexers do.
namespace wb::io {
namespace {

class HeldFile : public testing::Test {
protected:
    // Opens the file as a program does that lets nothing else rename, replace or delete it.
    Handle hold(const std::filesystem::path& path) {
        return Handle(::CreateFileW(extendedPath(path).c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr,
                                    OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr));
    }

    static std::jthread releaseLater(Handle& held) {
        return std::jthread([&held] {
            ::Sleep(200);
            held.close();
        });
    }

    test::TemporaryFolder folder;
    std::filesystem::path target = folder.file("结果.txt", "old");
};

TEST_F(HeldFile, IsReplacedWhenItIsReleased) {
    Handle held = hold(target);
    ASSERT_TRUE(held.isOpen());
    auto writer = AtomicWriter::create(target);
    ASSERT_TRUE(writer && writer->write("new"));
    const std::jthread release = releaseLater(held);
    const auto done = writer->commit();
    EXPECT_TRUE(done) << done.error().message();
    EXPECT_EQ(test::readFile(target), test::toBytes("new"));
}

TEST_F(HeldFile, StaysWhereItIsNotReleased) {
    const Handle held = hold(target);
    {
        auto writer = AtomicWriter::create(target);
        ASSERT_TRUE(writer && writer->write("new"));
        const auto done = writer->commit();
        ASSERT_FALSE(done);
        EXPECT_EQ(done.error().reason, Reason("io.open_elsewhere")) << done.error().message();
    }
    EXPECT_EQ(test::readFile(target), test::toBytes("old"));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST_F(HeldFile, APartIsRenamedWhenItIsReleased) {
    const auto path = folder.path() / "结果.part";
    auto part = PartFile::open(path, 3);
    ASSERT_TRUE(part && (*part)->begin());
    ASSERT_TRUE((*part)->writeAt(0, test::toBytes("new")));
    Handle held = hold(path);
    ASSERT_TRUE(held.isOpen());
    const std::jthread release = releaseLater(held);
    const auto renamed = (*part)->renameTo(target, true);
    ASSERT_TRUE(renamed) << renamed.error().message();
    EXPECT_TRUE(*renamed);
    EXPECT_EQ(test::readFile(target), test::toBytes("new"));
}

} // namespace
} // namespace wb::io
#endif
