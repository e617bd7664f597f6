// SPDX-License-Identifier: MIT
#include "core/library/remove.h"
#include "core/library/verify.h"
#include "tests/unit/library/small_store.h"

#include <gmock/gmock.h>

namespace wb::test {
namespace {

using namespace wb::library;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<std::string> left(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (!entry.is_directory() || entry.is_symlink()) names.push_back(entry.path().lexically_relative(folder).generic_string());
    std::ranges::sort(names);
    return names;
}

// Moves what it gets into a folder of its own, as a trash does.
Trash trashInto(const fs::path& folder) {
    return [folder](const fs::path& path) -> Result<void> {
        std::error_code error;
        fs::rename(path, folder / std::to_string(std::hash<std::string>()(path.string())), error);
        if (error) return fail(ErrorCode::NotWritable, Reason("test.trash"), "{}", error.message());
        return {};
    };
}

RemovalPlan removed(const Listing& listing, const std::vector<std::string>& ids, const fs::path& trash) {
    auto plan = planRemoval(listing, ids);
    EXPECT_TRUE(plan);
    if (!plan) return {};
    EXPECT_TRUE(remove(*plan, trashInto(trash), {}));
    return std::move(*plan);
}

TEST(Verify, ComparesWithWhatTheStoreRecords) {
    const TemporaryFolder folder;
    const fs::path repository = folder.path() / "models--acme--tiny";
    addToCache(repository, commitA, "good.gguf", smallGguf());
    addToCache(repository, commitA, "bad.gguf", smallGguf("llama", 7, 'y'), std::string(64, '1'));
    const Listing listing = scanned({{StoreKind::HuggingFace, folder.path()}});
    const auto verified = verify({listing.find("hf:acme/tiny:bad.gguf"), listing.find("hf:acme/tiny:good.gguf")}, {});
    ASSERT_TRUE(verified);
    ASSERT_THAT(*verified, SizeIs(2));
    EXPECT_EQ((*verified)[0].isGood, false);
    EXPECT_EQ((*verified)[1].isGood, true);
}

TEST(Verify, KnowsTheNamesOfGitAndHashesWhatNobodyRecorded) {
    const TemporaryFolder folder;
    const fs::path repository = folder.path() / "models--acme--tiny";
    addToCache(repository, commitA, "config.json", "{}\n", "0967ef424bce6791893e9a57bb952f80fd536e93"); // git hash-object
    addToCache(repository, commitA, "model.safetensors", smallSafetensors());
    const Listing listing = scanned({{StoreKind::HuggingFace, folder.path()}});
    const auto verified = verify({&listing.entries.at(0)}, {});
    ASSERT_TRUE(verified);
    for (const VerifiedFile& file : *verified) EXPECT_EQ(file.isGood, true) << file.name;

    const TemporaryFolder plain;
    write(plain.path() / "a.gguf", smallGguf());
    const Listing other = scanned({{StoreKind::Folder, plain.path()}});
    const auto hashed = verify({&other.entries.at(0)}, {});
    EXPECT_EQ(hashed->at(0).computed, sha256Hex(smallGguf()));
    EXPECT_EQ(hashed->at(0).isGood, std::nullopt);
    fs::remove(plain.path() / "a.gguf");
    EXPECT_EQ(verify({&other.entries.at(0)}, {})->at(0).isGood, false) << "it is gone";
}

// With nothing recorded, and even with the recorded hash: such a file was damaged before it was stored.
TEST(Verify, FindsFilesThatStrictOpeningRefuses) {
    const TemporaryFolder folder;
    const std::string cut = smallGguf().substr(0, smallGguf().size() / 2);
    write(folder.path() / "plain/cut.gguf", cut);
    const fs::path repository = folder.path() / "hub/models--acme--tiny";
    addToCache(repository, commitA, "cut.gguf", cut);
    for (const Store& store :
         {Store{StoreKind::Folder, folder.path() / "plain"}, Store{StoreKind::HuggingFace, folder.path() / "hub"}}) {
        const Listing listing = scanned({store});
        ASSERT_THAT(listing.entries, SizeIs(1));
        const auto verified = verify({&listing.entries[0]}, {});
        ASSERT_TRUE(verified);
        ASSERT_THAT(*verified, SizeIs(1));
        EXPECT_EQ((*verified)[0].isGood, false);
        ASSERT_TRUE((*verified)[0].failure);
        EXPECT_NE((*verified)[0].failure->message().find("cut.gguf"), std::string::npos) << (*verified)[0].failure->message();
        EXPECT_EQ((*verified)[0].computed, sha256Hex(cut));
    }
}

TEST(Verify, Stops) {
    const TemporaryFolder folder;
    write(folder.path() / "a.gguf", smallGguf());
    const Listing listing = scanned({{StoreKind::Folder, folder.path()}});
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(verify({&listing.entries.at(0)}, {stop.get_token(), {}}).error().code, ErrorCode::Canceled);
}

TEST(Remove, TakesTheFilesOfAFolderAndLeavesTheRest) {
    const TemporaryFolder folder, trash;
    write(folder.path() / "pub/one/a-Q4.gguf", smallGguf());
    write(folder.path() / "pub/one/b-Q8.gguf", smallGguf());
    write(folder.path() / "pub/one/mmproj.gguf", smallGguf("clip"));
    const Listing listing = scanned({{StoreKind::LmStudio, folder.path()}});
    const RemovalPlan first = removed(listing, {"lmstudio:pub/one/a-Q4.gguf"}, trash.path());
    EXPECT_THAT(first.kept, SizeIs(1)) << "the projector belongs to the other one too";
    EXPECT_EQ(first.frees, smallGguf().size());
    EXPECT_THAT(left(folder.path()), ElementsAre("pub/one/b-Q8.gguf", "pub/one/mmproj.gguf"));
    removed(scanned({{StoreKind::LmStudio, folder.path()}}), {"lmstudio:pub/one/b-Q8.gguf"}, trash.path());
    EXPECT_TRUE(fs::is_empty(folder.path())) << "empty folders go, the store's own stays";
}

TEST(Remove, KeepsABlobThatAnotherRevisionNeeds) {
    const TemporaryFolder folder, trash;
    const fs::path repository = folder.path() / "models--acme--tiny";
    write(repository / "refs/main", commitB);
    addToCache(repository, commitA, "model.gguf", smallGguf());
    addToCache(repository, commitB, "model.gguf", smallGguf());
    addToCache(repository, commitB, "more.gguf", smallGguf("llama", 7, 'y'));
    const Listing listing = scanned({{StoreKind::HuggingFace, folder.path()}});
    const RemovalPlan plan = removed(listing, {"hf:acme/tiny:model.gguf", "hf:acme/tiny:more.gguf"}, trash.path());
    EXPECT_THAT(plan.kept, SizeIs(1));
    EXPECT_THAT(left(folder.path()),
                ElementsAre("models--acme--tiny/blobs/" + sha256Hex(smallGguf()), "models--acme--tiny/refs/main",
                            "models--acme--tiny/snapshots/" + commitA + "/model.gguf"));
    EXPECT_THAT(scanned({{StoreKind::HuggingFace, folder.path()}}).entries, SizeIs(1));
}

TEST(Remove, TakesARepositoryInOnePieceButNeverASharedBlob) {
    const TemporaryFolder folder, trash;
    const fs::path repository = folder.path() / "models--acme--shared";
    const std::string etag = sha256Hex(smallGguf());
    write(folder.path() / "blobs/ab/abcdef", smallGguf());
    fs::create_directories(repository / "blobs");
    fs::create_symlink("../../blobs/ab/abcdef", repository / "blobs" / etag);
    fs::create_directories(repository / "snapshots" / commitA);
    fs::create_symlink("../../blobs/" + etag, repository / "snapshots" / commitA / "shared.gguf");
    const Listing listing = scanned({{StoreKind::HuggingFace, folder.path()}});
    const RemovalPlan plan = removed(listing, {"hf:acme/shared:shared.gguf"}, trash.path());
    EXPECT_EQ(plan.frees, 0u);
    EXPECT_THAT(plan.kept, SizeIs(1));
    EXPECT_THAT(plan.trash, ElementsAre(repository));
    EXPECT_THAT(left(folder.path()), ElementsAre("blobs/ab/abcdef"));
}

TEST(Remove, KeepsWhatAnotherManifestOfOllamaNames) {
    const TemporaryFolder folder, trash;
    const auto blob = [&](std::string_view content) {
        write(folder.path() / "blobs" / ("sha256-" + sha256Hex(content)), content);
        return R"("digest":"sha256:)" + sha256Hex(content) + R"(","size":)" + std::to_string(content.size());
    };
    const auto manifest = [&](std::string_view model) {
        return R"({"layers":[{"mediaType":"application/vnd.ollama.image.model",)" + blob(model) +
               R"(},{"mediaType":"application/vnd.ollama.image.license",)" + blob("licence") + "}]}";
    };
    write(folder.path() / "manifests/registry.ollama.ai/library/a/1b", manifest(smallGguf()));
    write(folder.path() / "manifests/registry.ollama.ai/library/b/1b", manifest(smallGguf("qwen2")));
    const RemovalPlan plan = removed(scanned({{StoreKind::Ollama, folder.path()}}), {"ollama:a:1b"}, trash.path());
    EXPECT_THAT(plan.kept, SizeIs(1));
    EXPECT_THAT(plan.trash, SizeIs(2));
    EXPECT_EQ(plan.trash.front().filename(), "1b") << "the manifest goes first, so that no model is left without its files";
    const Listing after = scanned({{StoreKind::Ollama, folder.path()}});
    ASSERT_THAT(after.entries, SizeIs(1));
    EXPECT_EQ(after.entries[0].id, "ollama:b:1b");
}

TEST(Remove, KeepsBlobsWhereAManifestOfOllamaCannotBeRead) {
    const TemporaryFolder folder, trash;
    const std::string model = smallGguf();
    write(folder.path() / "blobs" / ("sha256-" + sha256Hex(model)), model);
    write(folder.path() / "manifests/registry.ollama.ai/library/a/1b",
          R"({"layers":[{"mediaType":"x.model","size":1,"digest":"sha256:)" + sha256Hex(model) + "\"}]}");
    write(folder.path() / "manifests/registry.ollama.ai/library/b/1b", "{");
    const auto plan = planRemoval(scanned({{StoreKind::Ollama, folder.path()}}), {"ollama:a:1b"});
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().reason, Reason("library.manifest"));
}

TEST(Remove, RefusesAnIdThatIsNotThere) {
    EXPECT_EQ(planRemoval({}, {"hf:nobody/nothing"}).error().reason, Reason("library.no_such_model"));
}

TEST(Remove, UnlinksALinkOfAPlainFolderAndLeavesItsFile) {
    const TemporaryFolder folder, trash;
    write(folder.path() / "real/a.gguf", smallGguf());
    fs::create_symlink("real/a.gguf", folder.path() / "link.gguf");
    removed(scanned({{StoreKind::LmStudio, folder.path()}}), {"lmstudio:link.gguf"}, trash.path());
    EXPECT_THAT(left(folder.path()), ElementsAre("real/a.gguf"));
}

} // namespace
} // namespace wb::test
