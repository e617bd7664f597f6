// SPDX-License-Identifier: MIT
#include "core/library/verify.h"
#include "tests/unit/library/small_store.h"
#include "tests/unit/support/absolute_path.h"

#include <gmock/gmock.h>

namespace wb::test {
namespace {

using namespace wb::library;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<std::string> listingIds(const Listing& listing) {
    std::vector<std::string> ids;
    for (const Entry& entry : listing.entries) ids.push_back(entry.id);
    std::ranges::sort(ids);
    return ids;
}

bool hasProblem(const Listing& listing, Reason reason) {
    for (const StoreListing& store : listing.stores)
        for (const Problem& problem : store.problems)
            if (problem.code == reason) return true;
    return false;
}

TEST(Stores, FollowTheEnvironment) {
    Environment environment;
    environment.home = absolutePath("home/me");
    const auto pathOf = [&](StoreKind kind) {
        for (const Store& store : usualStores(environment))
            if (store.kind == kind) return store.path.generic_string();
        return std::string();
    };
    EXPECT_EQ(pathOf(StoreKind::HuggingFace), absolutePath("home/me/.cache/huggingface/hub"));
    EXPECT_EQ(pathOf(StoreKind::ModelScope), absolutePath("home/me/.cache/modelscope"));
    EXPECT_EQ(pathOf(StoreKind::Weighbridge), "");
    environment.xdgCacheHome = absolutePath("cache");
    EXPECT_EQ(pathOf(StoreKind::HuggingFace), absolutePath("cache/huggingface/hub"));
    environment.hfHome = absolutePath("hf");
    EXPECT_EQ(pathOf(StoreKind::HuggingFace), absolutePath("hf/hub"));
    environment.huggingfaceHubCache = absolutePath("old");
    EXPECT_EQ(pathOf(StoreKind::HuggingFace), absolutePath("old"));
    environment.hfHubCache = absolutePath("new");
    EXPECT_EQ(pathOf(StoreKind::HuggingFace), absolutePath("new"));
    environment.hfHubCache = "relative"; // it would be another folder wherever the program is started
    EXPECT_EQ(pathOf(StoreKind::HuggingFace), absolutePath("old"));
    environment.ollamaModels = absolutePath("ollama");
    EXPECT_EQ(pathOf(StoreKind::Ollama), absolutePath("ollama"));
    EXPECT_EQ(pathOf(StoreKind::LlamaCpp), absolutePath("cache/llama.cpp"));
    environment.localAppData = absolutePath("Local"); // of Windows
    EXPECT_EQ(pathOf(StoreKind::LlamaCpp), absolutePath("Local/llama.cpp"));
    environment.appData = absolutePath("Roaming");
    EXPECT_THAT(usualStores(environment), Contains(Store{StoreKind::Jan, absolutePath("Roaming/Jan/data/llamacpp/models")}));
}

TEST(Scan, ListsAFolderOfTheUser) {
    const TemporaryFolder folder;
    write(folder.path() / "one.gguf", smallGguf());
    write(folder.path() / "deep/er/two-Q8_0.gguf", smallGguf("qwen2"));
    write(folder.path() / "deep/er/mmproj-F16.gguf", smallGguf("clip"));
    write(folder.path() / "half.gguf.part", "x");
    write(folder.path() / "notes.txt", "x");
    const Listing listing = scanned({{StoreKind::Folder, folder.path()}});
    const std::string prefix = "folder:" + folder.path().generic_string();
    EXPECT_THAT(listingIds(listing), ElementsAre(prefix + "/deep/er/two-Q8_0.gguf", prefix + "/one.gguf"));
    const Entry* two = listing.find(prefix + "/deep/er/two-Q8_0.gguf");
    ASSERT_NE(two, nullptr);
    EXPECT_THAT(two->files, SizeIs(2));
    EXPECT_EQ(two->facts.architecture, "qwen2");
    EXPECT_EQ(two->facts.quant, "Q8_0");
    EXPECT_EQ(two->facts.context, 8192u);
    EXPECT_EQ(two->facts.parameters, 4096u);
    EXPECT_DOUBLE_EQ(two->bitsPerWeight(), 8.5);
    EXPECT_EQ(two->name, "two-Q8_0");
    EXPECT_EQ(listing.stores[0].models, 2u);
}

TEST(Scan, JoinsThePartsOfASplitAndTheShardsOfAFolder) {
    const TemporaryFolder folder;
    for (const char* part : {"big-00001-of-00002.gguf", "big-00002-of-00002.gguf"}) write(folder.path() / part, smallGguf());
    write(folder.path() / "hf/config.json", R"({"architectures":["LlamaForCausalLM"],"max_position_embeddings":2048})");
    write(folder.path() / "hf/model-00001-of-00002.safetensors", smallSafetensors());
    write(folder.path() / "hf/model-00002-of-00002.safetensors", smallSafetensors(16));
    write(folder.path() / "hf/tokenizer.json", "{}");
    const Listing listing = scanned({{StoreKind::LmStudio, folder.path()}});
    EXPECT_THAT(listingIds(listing), ElementsAre("lmstudio:big-00001-of-00002.gguf", "lmstudio:hf"));
    const Entry* split = listing.find("lmstudio:big-00001-of-00002.gguf");
    EXPECT_EQ(split->name, "big");
    EXPECT_EQ(split->facts.parameters, 8192u);
    const Entry* shards = listing.find("lmstudio:hf");
    EXPECT_THAT(shards->files, SizeIs(4));
    EXPECT_EQ(shards->path, folder.path() / "hf");
    EXPECT_EQ(shards->facts.parameters, 24u);
    EXPECT_EQ(shards->facts.architecture, "LlamaForCausalLM");
    EXPECT_EQ(shards->facts.context, 2048u);
    EXPECT_EQ(shards->facts.quant, "BF16");
}

TEST(Scan, TakesAPipelineAsOneModel) {
    const TemporaryFolder folder;
    write(folder.path() / "sd/model_index.json", R"({"_class_name":"StableDiffusionPipeline"})");
    write(folder.path() / "sd/unet/config.json", "{}");
    write(folder.path() / "sd/unet/model.safetensors", smallSafetensors());
    write(folder.path() / "sd/vae/model.safetensors", smallSafetensors());
    const Listing listing = scanned({{StoreKind::LmStudio, folder.path()}});
    EXPECT_THAT(listingIds(listing), ElementsAre("lmstudio:sd"));
    EXPECT_EQ(listing.entries[0].facts.architecture, "StableDiffusionPipeline");
    EXPECT_EQ(listing.entries[0].facts.parameters, 16u);
}

TEST(Scan, ListsTheHuggingFaceCache) {
    const TemporaryFolder folder;
    const fs::path repository = folder.path() / "models--acme--tiny-gguf";
    write(repository / "refs/main", commitB);
    addToCache(repository, commitA, "model-Q8_0.gguf", smallGguf());
    addToCache(repository, commitB, "model-Q8_0.gguf", smallGguf());
    addToCache(repository, commitB, "UD/model-UD.gguf", smallGguf("llama", 7, 'y'));
    addToCache(repository, commitB, "mmproj-F16.gguf", smallGguf("clip"));
    addToCache(repository, commitB, "README.md", "# card", std::string(40, 'c'));
    write(folder.path() / ".locks/models--acme--tiny-gguf/x.lock", "");
    const Listing listing = scanned({{StoreKind::HuggingFace, folder.path()}});
    EXPECT_THAT(listingIds(listing), ElementsAre("hf:acme/tiny-gguf:UD/model-UD.gguf", "hf:acme/tiny-gguf:model-Q8_0.gguf",
                                                 "hf:acme/tiny-gguf@aaaaaaaa:model-Q8_0.gguf"));
    const Entry* inner = listing.find("hf:acme/tiny-gguf:UD/model-UD.gguf");
    EXPECT_EQ(inner->origin->id, "acme/tiny-gguf");
    EXPECT_EQ(inner->origin->commit, commitB);
    EXPECT_THAT(inner->files, SizeIs(2)) << "the projector at the top belongs to it";
    EXPECT_EQ(inner->files[0].sha256, sha256Hex(smallGguf("llama", 7, 'y')));
    EXPECT_EQ(inner->name, "acme/tiny-gguf · model-UD");
    const Entry* newer = listing.find("hf:acme/tiny-gguf:model-Q8_0.gguf");
    EXPECT_THAT(newer->duplicates, ElementsAre("hf:acme/tiny-gguf@aaaaaaaa:model-Q8_0.gguf"));
    EXPECT_LT(listing.bytesOnDisk, listing.bytes) << "the blob of both revisions is there once";
}

TEST(Scan, FollowsSharedBlobsInsideTheCacheAndNothingOutOfIt) {
    const TemporaryFolder folder, elsewhere;
    const fs::path cache = folder.path() / "hub";
    const fs::path repository = cache / "models--acme--shared";
    const std::string etag = sha256Hex(smallGguf());
    write(cache / "blobs/ab/abcdef", smallGguf());
    fs::create_directories(repository / "blobs");
    fs::create_symlink("../../blobs/ab/abcdef", repository / "blobs" / etag);
    fs::create_directories(repository / "snapshots" / commitA);
    fs::create_symlink("../../blobs/" + etag, repository / "snapshots" / commitA / "shared.gguf");
    fs::create_symlink(elsewhere.file("secret.gguf", smallGguf()), repository / "snapshots" / commitA / "secret.gguf");
    fs::create_directory_symlink(elsewhere.path(), repository / "snapshots" / commitA / "out");
    const Listing listing = scanned({{StoreKind::HuggingFace, cache}});
    EXPECT_THAT(listingIds(listing), ElementsAre("hf:acme/shared:shared.gguf"));
    EXPECT_EQ(listing.entries[0].files[0].sha256, etag);
    EXPECT_TRUE(hasProblem(listing, "library.link_leads_out"));
}

TEST(Scan, ListsBothLayoutsOfModelscope) {
    const TemporaryFolder folder;
    write(folder.path() / "models/qwen--small/snapshots/master/small.gguf", smallGguf());
    write(folder.path() / "hub/models/达摩/小模型___1/config.json", R"({"model_type":"qwen2"})");
    write(folder.path() / "hub/models/达摩/小模型___1/model.safetensors", smallSafetensors());
    write(folder.path() / "hub/models/达摩/小模型___1/.mv", "Revision:v1.0,CreatedAt:1700000000");
    const Listing listing = scanned({{StoreKind::ModelScope, folder.path()}});
    ASSERT_THAT(listingIds(listing), ElementsAre("ms:qwen/small:small.gguf", "ms:达摩/小模型.1"));
    EXPECT_EQ(listing.find("ms:达摩/小模型.1")->origin->commit, "v1.0");
    EXPECT_EQ(listing.find("ms:达摩/小模型.1")->facts.architecture, "qwen2");
}

std::string manifestFromModel(const std::string& model, const std::string& other) {
    return R"({"schemaVersion":2,"config":{"digest":"sha256:)" + sha256Hex("{}") + R"(","size":2},"layers":[)" +
           R"({"mediaType":"application/vnd.ollama.image.license","digest":"sha256:)" + sha256Hex(other) + R"(","size":1},)" +
           R"({"mediaType":"application/vnd.ollama.image.model","digest":"sha256:)" + sha256Hex(model) + R"(","size":9}]})";
}

void addBlob(const fs::path& store, std::string_view content) {
    write(store / "blobs" / ("sha256-" + sha256Hex(content)), content);
}

TEST(Scan, ListsOllama) {
    const TemporaryFolder folder;
    const std::string model = smallGguf();
    write(folder.path() / "manifests/registry.ollama.ai/library/llama3.2/3b", manifestFromModel(model, "licence"));
    write(folder.path() / "manifests/hf.co/user/repo/Q8_0", manifestFromModel(model, "licence"));
    write(folder.path() / "manifests/registry.ollama.ai/library/gone/latest", manifestFromModel("not here", "licence"));
    write(folder.path() / "manifests/registry.ollama.ai/library/bad/latest",
          R"({"layers":[{"mediaType":"x.model","digest":"sha256:../../../etc/passwd","size":1}]})");
    addBlob(folder.path(), model);
    addBlob(folder.path(), "licence");
    const Listing listing = scanned({{StoreKind::Ollama, folder.path()}});
    EXPECT_THAT(listingIds(listing), ElementsAre("ollama:hf.co/user/repo:Q8_0", "ollama:llama3.2:3b"));
    const Entry* entry = listing.find("ollama:llama3.2:3b");
    EXPECT_EQ(entry->path, folder.path() / "blobs" / ("sha256-" + sha256Hex(model)));
    EXPECT_EQ(entry->facts.format, FormatId::Gguf);
    EXPECT_THAT(entry->files, SizeIs(3)) << "model, licence and the manifest";
    EXPECT_TRUE(hasProblem(listing, "library.manifest"));
    EXPECT_TRUE(hasProblem(listing, "library.no_model_layer"));
}

TEST(Scan, ReadsWhatHuggingfaceHubRecordsBesideAFolder) {
    const TemporaryFolder folder;
    const fs::path model = folder.path() / "acme/tiny";
    write(model / "tiny.gguf", smallGguf());
    write(model / ".cache/huggingface/download/tiny.gguf.metadata", commitA + "\n" + sha256Hex(smallGguf()) + "\n9999999999.5\n");
    const Listing listing = scanned({{StoreKind::Weighbridge, folder.path()}});
    EXPECT_THAT(listingIds(listing), ElementsAre("weighbridge:acme/tiny/tiny.gguf"));
    EXPECT_EQ(listing.entries[0].origin->id, "acme/tiny");
    EXPECT_EQ(listing.entries[0].origin->commit, commitA);
    EXPECT_EQ(listing.entries[0].files[0].sha256, sha256Hex(smallGguf()));
    write(model / ".cache/huggingface/download/tiny.gguf.metadata", commitA + "\n" + sha256Hex(smallGguf()) + "\n1.5\n");
    EXPECT_EQ(scanned({{StoreKind::Weighbridge, folder.path()}}).entries[0].files[0].sha256, "") << "the file is younger";
}

TEST(Scan, MarksWhatCannotBeReadAsDamaged) {
    const TemporaryFolder folder;
    write(folder.path() / "bad.gguf", "GGUF and no more");
    const Listing listing = scanned({{StoreKind::Jan, folder.path()}});
    ASSERT_THAT(listing.entries, SizeIs(1));
    EXPECT_TRUE(listing.entries[0].facts.isDamaged);
    EXPECT_EQ(listing.entries[0].facts.format, FormatId::Gguf);
}

// The header alone says that tensors are missing; Chat refuses such a file.
TEST(Scan, CallsWhatStrictOpeningRefusesDamaged) {
    const TemporaryFolder folder;
    const std::string gguf = smallGguf(), safetensors = smallSafetensors(64);
    write(folder.path() / "cut.gguf", gguf.substr(0, gguf.size() / 2));
    write(folder.path() / "cut.safetensors", safetensors.substr(0, safetensors.size() - 10));
    write(folder.path() / "whole.gguf", gguf);
    write(folder.path() / "whole.safetensors", safetensors);
    MemoryIndex index;
    for (const char* when : {"read", "known to the index"}) {
        const auto listing = library::scan({{StoreKind::LmStudio, folder.path()}}, index, 1, {});
        ASSERT_TRUE(listing);
        for (const char* file : {"cut.gguf", "cut.safetensors", "whole.gguf", "whole.safetensors"}) {
            const Entry* entry = listing->find(std::string("lmstudio:") + file);
            ASSERT_NE(entry, nullptr) << file;
            EXPECT_EQ(entry->facts.isDamaged, std::string_view(file).starts_with("cut")) << file << " " << when;
            EXPECT_GT(entry->facts.parameters, 0u) << "the header is shown all the same";
        }
    }
}

// Each file is whole, and yet the model is not.
TEST(Scan, CallsAModelWithAMissingShardDamaged) {
    const TemporaryFolder folder;
    const auto index = [](const char* second) {
        return std::string(R"({"weight_map":{"w":"model-00001-of-00002.safetensors","v":")") + second + "\"}}";
    };
    for (const char* name : {"half", "full"}) {
        write(folder.path() / name / "config.json", R"({"architectures":["LlamaForCausalLM"],"model_type":"llama"})");
        write(folder.path() / name / "model-00001-of-00002.safetensors", smallSafetensors());
    }
    write(folder.path() / "half/model.safetensors.index.json", index("model-00002-of-00002.safetensors"));
    write(folder.path() / "full/model.safetensors.index.json", R"({"weight_map":{"w":"model-00001-of-00002.safetensors"}})");
    const Listing listing = scanned({{StoreKind::LmStudio, folder.path()}});
    ASSERT_NE(listing.find("lmstudio:half"), nullptr);
    EXPECT_TRUE(listing.find("lmstudio:half")->facts.isDamaged);
    EXPECT_FALSE(listing.find("lmstudio:full")->facts.isDamaged);
    const auto verified = verify({listing.find("lmstudio:half")}, {});
    ASSERT_TRUE(verified);
    const auto isBad = [](const VerifiedFile& file) { return file.isGood == false && file.failure; };
    ASSERT_TRUE(std::ranges::any_of(*verified, isBad));
    EXPECT_NE(std::ranges::find_if(*verified, isBad)->failure->message().find("model-00002-of-00002"), std::string::npos);
}

TEST(Scan, NamesModelsOfJanByTheirYamlOrFolder) {
    const TemporaryFolder folder;
    write(folder.path() / "models/acme/tiny-Q8_0/model.gguf", smallGguf());
    write(folder.path() / "models/acme/tiny-Q8_0/model.yml", "model_path: models/x\nname: \"Tiny 8 bit\"\nsize_bytes: 1\n");
    write(folder.path() / "models/acme/other/model.gguf", smallGguf("qwen2"));
    write(folder.path() / "models/acme/own/own.gguf", smallGguf("gemma"));
    const Listing listing = scanned({{StoreKind::Jan, folder.path()}});
    std::vector<std::string> names;
    for (const Entry& entry : listing.entries) names.push_back(entry.name);
    EXPECT_THAT(names, testing::UnorderedElementsAre("Tiny 8 bit", "models/acme/other", "own"));
}

TEST(Scan, SaysWhichChosenStoreIsMissing) {
    const TemporaryFolder folder;
    const Listing quiet = scanned({{StoreKind::Jan, folder.path() / "none"}});
    EXPECT_THAT(quiet.stores, IsEmpty());
    EXPECT_TRUE(hasProblem(scanned({{StoreKind::Jan, folder.path() / "none", true}}), "library.store_missing"));
}

TEST(Scan, BoundsDepth) {
    const TemporaryFolder folder;
    fs::path deep = folder.path();
    for (int i = 0; i < 40; ++i) deep /= "d";
    write(deep / "model.gguf", smallGguf());
    const Listing listing = scanned({{StoreKind::Folder, folder.path()}});
    EXPECT_THAT(listing.entries, IsEmpty());
    EXPECT_TRUE(hasProblem(listing, "library.too_deep"));
}

TEST(Scan, ReadsAHeaderOnce) {
    struct CountingIndex : FactsIndex {
        std::optional<FileFacts> find(const io::Identity& file) override { return inner.find(file); }
        void keep(const io::Identity& file, const FileFacts& facts) override {
            ++kept;
            inner.keep(file, facts);
        }
        MemoryIndex inner;
        int kept = 0;
    };
    const TemporaryFolder folder;
    write(folder.path() / "one.gguf", smallGguf());
    write(folder.path() / "two.gguf", smallGguf("qwen2"));
    CountingIndex index;
    for (int turn = 0; turn < 2; ++turn) ASSERT_TRUE(scan({{StoreKind::Folder, folder.path()}}, index, 2, {}));
    EXPECT_EQ(index.kept, 2);
}

TEST(Scan, Stops) {
    const TemporaryFolder folder;
    write(folder.path() / "one.gguf", smallGguf());
    std::stop_source stop;
    stop.request_stop();
    MemoryIndex index;
    const auto listing = scan({{StoreKind::Folder, folder.path()}}, index, 1, {stop.get_token(), {}});
    ASSERT_FALSE(listing);
    EXPECT_EQ(listing.error().code, ErrorCode::Canceled);
}

TEST(Duplicates, AreFoundByHashingFilesOfEqualSize) {
    const TemporaryFolder folder;
    write(folder.path() / "a.gguf", smallGguf());
    write(folder.path() / "b.gguf", smallGguf());
    write(folder.path() / "c.gguf", smallGguf("llama", 7, 'z'));
    write(folder.path() / "d.gguf", smallGguf() + std::string(32, '\0'));
    MemoryIndex index;
    auto listing = scan({{StoreKind::LmStudio, folder.path()}}, index, 1, {});
    ASSERT_TRUE(listing);
    EXPECT_THAT(listing->find("lmstudio:a.gguf")->duplicates, IsEmpty());
    ASSERT_TRUE(findDuplicates(*listing, index, {}));
    EXPECT_THAT(listing->find("lmstudio:a.gguf")->duplicates, ElementsAre("lmstudio:b.gguf"));
    EXPECT_THAT(listing->find("lmstudio:c.gguf")->duplicates, IsEmpty());
    EXPECT_EQ(listing->find("lmstudio:d.gguf")->files[0].sha256, "") << "no other file has its size";
    listing = scan({{StoreKind::LmStudio, folder.path()}}, index, 1, {});
    EXPECT_THAT(listing->find("lmstudio:a.gguf")->duplicates, ElementsAre("lmstudio:b.gguf")) << "hashes are kept";
}

} // namespace
} // namespace wb::test
