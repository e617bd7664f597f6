// SPDX-License-Identifier: MIT
#include "core/io/file_roles.h"
#include "core/model/output_check.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

TEST(OutputCheck, KnowsTheFilesOfAModelUnderEveryName) {
    const test::TemporaryFolder folder;
    const auto file = folder.file("deep/a.gguf", "model");
    Model model;
    model.folder = folder.path();
    model.files.push_back({"deep/a.gguf", 5, (*io::FileSource::open(file))->identity(), nullptr});
    std::filesystem::create_hard_link(file, folder.path() / "hard");
    std::filesystem::create_symlink(file, folder.path() / "soft");
    for (const auto& target : {file, folder.path() / "hard", folder.path() / "soft"}) {
        const auto checked = checkNoModelFile(model, target);
        ASSERT_FALSE(checked) << target;
        EXPECT_EQ(checked.error().reason, io::outputIsInput) << target;
    }
    EXPECT_TRUE(checkNoModelFile(model, folder.path() / "new.npy"));
    EXPECT_TRUE(checkNoModelFile(model, folder.file("old.npy", "old")));
}

} // namespace
} // namespace wb
