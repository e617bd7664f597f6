// SPDX-License-Identifier: MIT
#include "core/model/stored_files.h"

#include "core/io/byte_source.h"
#include "core/io/range_source.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

std::shared_ptr<io::ByteSource> memory(const std::string& name) {
    return std::make_shared<io::MemorySource>(name, std::vector<std::byte>(16));
}

// An archive of 100 bytes with a stored member from byte 40 on, a packed one, and values copied out of the first.
TEST(StoredFiles, LeadToTheArchiveOnTheDisk) {
    const test::TemporaryFolder folder;
    Model model;
    model.path = folder.file("a.keras", std::string(100, 'x'));
    const std::shared_ptr<const io::ByteSource> whole = std::make_shared<io::MemorySource>("a.keras", std::vector<std::byte>(100));
    const auto range = std::make_shared<io::RangeSource>(whole, *io::Extent::make(100, 40, 20), "w.h5");
    model.files = {{"a.keras/w.h5", 20, {}, range},
                   {"a.keras/config.json", 16, {}, memory("config.json")},
                   {"a.keras/w.h5#unpacked", 16, {}, memory("w.h5#unpacked")}};
    EXPECT_EQ(storedPlace(model, 0).file, "a.keras");
    EXPECT_EQ(storedPlace(model, 0).shift, 40u);
    EXPECT_EQ(storedPlace(model, 0).member, "w.h5");
    EXPECT_EQ(storedPlace(model, 1).shift, std::nullopt);
    EXPECT_EQ(storedPlace(model, 2).file, "a.keras");
    EXPECT_EQ(storedPlace(model, 2).member, "w.h5");
    EXPECT_EQ(storedPlace(model, 2).shift, std::nullopt);
    const auto files = storedFiles(model);
    ASSERT_EQ(files.size(), 1u);
    EXPECT_EQ(files[0].name, "a.keras");
    EXPECT_EQ(files[0].bytes, 100u);
}

// A file whose own name has a '#' is no copy of another.
TEST(StoredFiles, KeepFilesThatWereIndexed) {
    const test::TemporaryFolder folder;
    Model model;
    model.path = folder.file("a.bin", "abc");
    model.files = {{"a.bin", 3, {1, 2, 3, 4}, nullptr},
                   {"a.bin#values", 5, {1, 3, 5, 4}, nullptr},
                   {"a.bin#copied", 16, {}, memory("a.bin#copied")},
                   {"missing.bin", 0, {}, nullptr}};
    EXPECT_EQ(storedPlace(model, 1).file, "a.bin#values");
    EXPECT_EQ(storedPlace(model, 1).shift, 0u);
    EXPECT_EQ(storedPlace(model, 2).file, "a.bin");
    EXPECT_EQ(storedPlace(model, 3).file, "missing.bin");
    EXPECT_EQ(storedFiles(model).size(), 3u);
}

} // namespace
} // namespace wb
