// SPDX-License-Identifier: MIT
#ifndef _WIN32
#include "core/io/byte_source.h"

#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sys/stat.h>

namespace wb::io {
namespace {

namespace fs = std::filesystem;

const std::string hash = "0123456789abcdef0123456789abcdef01234567";

class Beneath : public testing::Test {
protected:
    ErrorCode refusal(const std::string& name) const { return refusal(m_folder.path() / "model", name); }

    static ErrorCode refusal(const fs::path& folder, const std::string& name) {
        const auto file = BeneathDirectory::open(folder)->openFile(name);
        EXPECT_FALSE(file) << name << " was opened";
        return file ? ErrorCode::Internal : file.error().code;
    }

    static std::string content(const fs::path& folder, const std::string& name) {
        const auto file = BeneathDirectory::open(folder)->openFile(name);
        if (!file) return "error: " + file.error().message();
        std::string text((*file)->size(), '\0');
        EXPECT_TRUE((*file)->readAt(0, std::as_writable_bytes(std::span(text))));
        return text;
    }

    test::TemporaryFolder m_folder;
    fs::path m_secret = m_folder.file("secret.bin", "secret");
    fs::path m_shard = m_folder.file("model/shard.bin", "shard");
    fs::path m_deep = m_folder.file("model/sub/deep.bin", "deep");
};

TEST_F(Beneath, OpensWhatLiesBeneath) {
    EXPECT_EQ(content(m_folder.path() / "model", "shard.bin"), "shard");
    EXPECT_EQ(content(m_folder.path() / "model", "sub/deep.bin"), "deep");
    EXPECT_EQ(BeneathDirectory::open(m_folder.path() / "model")->openFile("sub/deep.bin").value()->name(), "deep.bin");
}

TEST_F(Beneath, RefusesNamesThatLeadOut) {
    EXPECT_EQ(refusal("../secret.bin"), ErrorCode::Malformed);
    EXPECT_EQ(refusal("sub/../../secret.bin"), ErrorCode::Malformed);
    EXPECT_EQ(refusal(m_secret.string()), ErrorCode::Malformed);
    EXPECT_EQ(refusal(""), ErrorCode::Malformed);
}

TEST_F(Beneath, SaysWhatIsMissing) {
    EXPECT_EQ(refusal("missing.bin"), ErrorCode::NotFound);
    EXPECT_EQ(refusal("nowhere/missing.bin"), ErrorCode::NotFound);
    EXPECT_EQ(refusal("shard.bin/x"), ErrorCode::NotFound);
    EXPECT_EQ(BeneathDirectory::open(m_folder.path() / "nowhere").error().code, ErrorCode::NotFound);
    EXPECT_EQ(BeneathDirectory::open(m_shard).error().code, ErrorCode::NotFound);
}

TEST_F(Beneath, RefusesLinks) {
    fs::create_symlink(m_secret, m_folder.path() / "model/file.link");
    fs::create_symlink("shard.bin", m_folder.path() / "model/inner.link");
    fs::create_directory_symlink(m_folder.path(), m_folder.path() / "model/folder.link");
    EXPECT_EQ(refusal("file.link"), ErrorCode::Malformed);
    EXPECT_EQ(refusal("inner.link"), ErrorCode::Malformed);
    EXPECT_EQ(refusal("folder.link/secret.bin"), ErrorCode::Malformed);
}

TEST_F(Beneath, FollowsTheLinkTheUserChose) {
    fs::create_directory_symlink("model", m_folder.path() / "chosen");
    EXPECT_EQ(content(m_folder.path() / "chosen", "shard.bin"), "shard");
}

TEST_F(Beneath, RefusesWhatIsNoRegularFile) {
    ASSERT_EQ(::mkfifo((m_folder.path() / "model/pipe").c_str(), 0600), 0);
    EXPECT_EQ(refusal("pipe"), ErrorCode::NotReadable); // and does not wait for a writer
    EXPECT_EQ(refusal("sub"), ErrorCode::NotReadable);
    EXPECT_EQ(FileSource::open("/dev/zero").error().code, ErrorCode::NotReadable);
    EXPECT_EQ(refusal("/dev", "zero"), ErrorCode::NotReadable);
}

// A Hugging Face cache: models--x/blobs/<hash> and models--x/snapshots/<revision>/<name>.
class HubCache : public Beneath {
protected:
    fs::path link(const std::string& name, const fs::path& target) const {
        const fs::path path = m_snapshot / name;
        fs::create_directories(path.parent_path());
        fs::create_symlink(target, path);
        return path;
    }

    fs::path m_blob = m_folder.file("models--x/blobs/" + hash, "blob");
    fs::path m_snapshot = m_folder.path() / "models--x/snapshots/main";
};

TEST_F(HubCache, LinksToBlobsAreFollowed) {
    link("model.safetensors", fs::path("../../blobs") / hash);
    link("unet/model.safetensors", fs::path("../../../blobs") / hash);
    EXPECT_EQ(content(m_snapshot, "model.safetensors"), "blob");
    EXPECT_EQ(content(m_snapshot, "unet/model.safetensors"), "blob");
    EXPECT_EQ(content(m_snapshot / "unet", "model.safetensors"), "blob");
    EXPECT_EQ(content(m_snapshot / "", "model.safetensors"), "blob");
    EXPECT_EQ(BeneathDirectory::open(m_snapshot)->openFile("model.safetensors").value()->name(), "model.safetensors");
}

TEST_F(HubCache, OtherLinksAreNot) {
    const std::string shorter = hash.substr(1);
    m_folder.file("models--x/blobs/" + shorter, "short");
    m_folder.file("models--x/other/" + hash, "other");
    m_folder.file("blobs/" + hash, "outside");
    link("short", fs::path("../../blobs") / shorter);
    link("capitals", fs::path("../../blobs") / "0123456789ABCDEF0123456789ABCDEF01234567");
    link("other", fs::path("../../other") / hash);
    link("outside", fs::path("../../../blobs") / hash);
    link("absolute", m_blob);
    link("detour", fs::path("../../blobs/../blobs") / hash);
    link("secret", "../../../secret.bin");
    for (const char* name : {"short", "capitals", "other", "outside", "absolute", "detour", "secret"})
        EXPECT_EQ(refusal(m_snapshot, name), ErrorCode::Malformed) << name;
}

TEST_F(HubCache, ABlobMustBeAFileItself) {
    const std::string second = "f" + hash.substr(1);
    fs::create_symlink(m_secret, m_folder.path() / "models--x/blobs" / second);
    link("model", fs::path("../../blobs") / second);
    EXPECT_EQ(refusal(m_snapshot, "model"), ErrorCode::NotReadable);
    link("gone", fs::path("../../blobs") / ("e" + hash.substr(1)));
    EXPECT_EQ(refusal(m_snapshot, "gone"), ErrorCode::NotFound);
}

TEST_F(HubCache, NoLinkIsFollowedOutsideSnapshots) {
    const fs::path folder = m_folder.path() / "models--x/copies/main";
    fs::create_directories(folder);
    fs::create_symlink(fs::path("../../blobs") / hash, folder / "model");
    EXPECT_EQ(refusal(folder, "model"), ErrorCode::Malformed);
}

} // namespace
} // namespace wb::io
#endif
