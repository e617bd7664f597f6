// SPDX-License-Identifier: MIT
#include "core/io/system/own_program.h"

#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

namespace wb::io {
namespace {

namespace fs = std::filesystem;

TEST(OwnProgram, IsAFile) { EXPECT_TRUE(fs::is_regular_file(ownProgram())) << ownProgram(); }

TEST(PortableFolder, LiesBesideTheProgramOrItsBinFolder) {
    const test::TemporaryFolder folder;
    const fs::path data = folder.path() / "weighbridge-data";
    EXPECT_EQ(portableFolder(folder.path() / "wb"), fs::path());
    fs::create_directory(data);
    EXPECT_EQ(portableFolder(folder.path() / "wb"), data);
    EXPECT_EQ(portableFolder(folder.path() / "bin/wb"), data);
    EXPECT_EQ(portableFolder(folder.path() / "other/wb"), fs::path());
    EXPECT_EQ(portableFolder({}), fs::path());
}

TEST(PortableFolder, IsNoFile) {
    const test::TemporaryFolder folder;
    folder.file("weighbridge-data", "");
    EXPECT_EQ(portableFolder(folder.path() / "wb"), fs::path());
}

} // namespace
} // namespace wb::io
