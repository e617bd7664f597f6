// SPDX-License-Identifier: MIT
#include "core/io/file_roles.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

namespace wb::io {
namespace {

namespace fs = std::filesystem;

struct Roles : testing::Test {
    const test::TemporaryFolder folder;
    const fs::path input = folder.file("model.gguf", "model");

    fs::path at(const std::string& name) const { return folder.path() / name; }

    static Reason rolesReason(const FileRoles& roles) {
        const auto checked = roles.check();
        return checked ? Reason() : checked.error().reason;
    }
};

TEST_F(Roles, KnowAFileUnderEveryName) {
    fs::create_hard_link(input, at("hard"));
    fs::create_symlink(input, at("soft"));
    for (const fs::path& output : {input, folder.path() / "." / "model.gguf", at("hard"), at("soft")}) {
        FileRoles roles;
        roles.reads(input);
        roles.writes(output);
        EXPECT_EQ(rolesReason(roles), outputIsInput) << output;
        FileRoles opened;
        opened.reads((*FileSource::open(input))->identity());
        opened.writes(output);
        EXPECT_EQ(rolesReason(opened), outputIsInput) << output;
    }
    FileRoles other;
    other.reads(input);
    other.writes(at("new"));
    other.writes(folder.file("old", "old"));
    EXPECT_TRUE(other.check());
}

TEST_F(Roles, KnowTheFilesOfAFolder) {
    const fs::path inside = folder.file("model/deep/config.json", "{}");
    const fs::path outside = folder.file("blob", "blob");
    fs::create_symlink(outside, at("model/weights"));
    fs::create_hard_link(inside, at("hard"));
    for (const fs::path& output : {inside, at("hard"), outside}) {
        FileRoles roles;
        roles.reads(at("model"));
        roles.writes(output);
        EXPECT_EQ(rolesReason(roles), outputIsInput) << output;
    }
    FileRoles fresh;
    fresh.reads(at("model"));
    fresh.writes(at("model/new.gguf"));
    fresh.writes(inside, FileRoles::Output::Work); // left there by the job itself
    EXPECT_TRUE(fresh.check());
    FileRoles whole;
    whole.reads(at("model"));
    whole.writes(at("model"));
    EXPECT_EQ(rolesReason(whole), outputIsInput);
}

TEST_F(Roles, KeepOutputsApart) {
    FileRoles roles;
    roles.writes(at("new"));
    roles.writes(folder.path() / "." / "new");
    EXPECT_EQ(rolesReason(roles), outputTwice);
    EXPECT_NE(roles.check().error().message().find("new"), std::string::npos);
    FileRoles absent;
    absent.reads(at("absent"));
    absent.writes(at("absent"));
    EXPECT_EQ(rolesReason(absent), outputIsInput);
}

} // namespace
} // namespace wb::io
