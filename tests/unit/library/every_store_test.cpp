// SPDX-License-Identifier: MIT
#include "core/formats/gguf/gguf.h"
#include "core/library/remove.h"
#include "core/library/verify.h"
#include "tests/unit/library/small_store.h"

#include <gmock/gmock.h>

#include <map>

// Everything that can be done with a model of the library, done with one of each store.
namespace wb::test {
namespace {

using namespace wb::library;
using testing::Contains;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

std::string modelOne() { return smallGguf("llama", 7, 'x'); }
std::string modelTwo() { return smallGguf("qwen2", 7, 'y'); }

std::string configFromModel(const std::string& model) { return R"({"of":")" + sha256Hex(model) + R"("})"; }

std::string manifestFromModel(const std::string& model) {
    return R"({"schemaVersion":2,"config":{"digest":"sha256:)" + sha256Hex(configFromModel(model)) + R"(","size":73},"layers":[)" +
           R"({"mediaType":"application/vnd.ollama.image.model","digest":"sha256:)" + sha256Hex(model) + R"(","size":9}]})";
}

// Where a store keeps two models: "one" and "two" are the ids they are listed by.
struct Layout {
    StoreKind kind;
    std::string one, two;
    bool isHashRecorded; // by the store
    std::function<void(const fs::path& store)> fill;
};

void PrintTo(const Layout& layout, std::ostream* out) { *out << kindName(layout.kind); }

Layout plain(StoreKind kind, const std::string& one, const std::string& two, const std::string& prefix) {
    return {kind, prefix + one, prefix + two, false, [one, two](const fs::path& store) {
                write(store / one, modelOne());
                write(store / two, modelTwo());
            }};
}

std::vector<Layout> layouts() {
    std::vector<Layout> all;
    Layout ours = plain(StoreKind::Weighbridge, "acme/one/one-Q8_0.gguf", "acme/two/two-Q8_0.gguf", "weighbridge:");
    ours.isHashRecorded = true; // where wb download put it
    ours.fill = [fill = ours.fill](const fs::path& store) {
        fill(store);
        for (const auto& [name, model] : {std::pair("one", modelOne()), std::pair("two", modelTwo())})
            write(store / "acme" / name / ".cache/huggingface/download" / (std::string(name) + "-Q8_0.gguf.metadata"),
                  commitA + "\n" + sha256Hex(model) + "\n9999999999.5\n");
    };
    all.push_back(ours);
    all.push_back({StoreKind::HuggingFace, "hf:acme/one:one.gguf", "hf:acme/two:two.gguf", true, [](const fs::path& store) {
                       addToCache(store / "models--acme--one", commitA, "one.gguf", modelOne());
                       addToCache(store / "models--acme--two", commitA, "two.gguf", modelTwo());
                   }});
    all.push_back({StoreKind::ModelScope, "ms:acme/one:one.gguf", "ms:acme/two:two.gguf", false, [](const fs::path& store) {
                       write(store / "models/acme--one/snapshots/master/one.gguf", modelOne());
                       write(store / "hub/models/acme/two/two.gguf", modelTwo()); // the older layout
                   }});
    all.push_back({StoreKind::Ollama, "ollama:one:latest", "ollama:two:latest", true, [](const fs::path& store) {
                       write(store / "manifests/registry.ollama.ai/library/one/latest", manifestFromModel(modelOne()));
                       write(store / "manifests/registry.ollama.ai/library/two/latest", manifestFromModel(modelTwo()));
                       for (const std::string& blob :
                            {modelOne(), modelTwo(), configFromModel(modelOne()), configFromModel(modelTwo())})
                           write(store / "blobs" / ("sha256-" + sha256Hex(blob)), blob);
                   }});
    all.push_back(plain(StoreKind::LmStudio, "acme/one/one-Q8_0.gguf", "acme/two/two-Q8_0.gguf", "lmstudio:"));
    all.push_back(plain(StoreKind::Jan, "one/model.gguf", "two/model.gguf", "jan:"));
    all.push_back(plain(StoreKind::LlamaCpp, "one-Q8_0.gguf", "two-Q8_0.gguf", "llama.cpp:"));
    all.push_back(plain(StoreKind::Folder, "one.gguf", "deeper/two.gguf", "folder:"));
    return all;
}

std::map<fs::path, std::string> filesBelow(const fs::path& folder) {
    std::map<fs::path, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file() && !entry.is_symlink()) {
            const auto bytes = readFile(entry.path());
            files[entry.path()] = std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        }
    return files;
}

class EveryStore : public testing::TestWithParam<Layout> {
protected:
    EveryStore() {
        GetParam().fill(store);
        write(folder.path() / "outside.gguf", "not of the store");
        listing = scanned({{GetParam().kind, store, true}});
        one = GetParam().one, two = GetParam().two;
        if (GetParam().kind == StoreKind::Folder)
            for (std::string* id : {&one, &two}) *id = "folder:" + io::pathText(store) + "/" + id->substr(7);
    }

    TemporaryFolder folder;
    fs::path store = folder.path() / "store";
    Listing listing;
    std::string one, two;
};

TEST_P(EveryStore, ListsWhatItsModelsAre) {
    std::vector<std::string> ids;
    for (const Entry& entry : listing.entries) ids.push_back(entry.id);
    ASSERT_THAT(ids, testing::UnorderedElementsAre(one, two));
    for (const auto& [id, architecture] : {std::pair(one, "llama"), std::pair(two, "qwen2")}) {
        const Entry& entry = *listing.find(id);
        EXPECT_EQ(entry.facts.architecture, architecture);
        EXPECT_EQ(entry.facts.quant, "Q8_0");
        EXPECT_EQ(entry.facts.context, 8192u);
        EXPECT_EQ(entry.facts.parameters, 4096u);
        EXPECT_EQ(entry.files.front().bytes(), modelOne().size());
    }
    EXPECT_EQ(listing.stores.front().models, 2u);
    EXPECT_EQ(listing.bytesOnDisk, listing.bytes);
}

// Inspect, Convert and Chat are handed this path; the file manager is shown its folder.
TEST_P(EveryStore, GivesAPathThatOpens) {
    for (const std::string& id : {one, two}) {
        const fs::path path = listing.find(id)->path;
        const auto model = gguf::open(path, {});
        ASSERT_TRUE(model) << path << model.error().message();
        EXPECT_EQ((*model)->tensors.size(), 1u);
        EXPECT_TRUE(fs::is_directory(path.parent_path()));
    }
}

TEST_P(EveryStore, VerifiesByWhatIsRecorded) {
    const auto good = verify({listing.find(one)}, {});
    ASSERT_TRUE(good);
    EXPECT_EQ(good->front().computed, sha256Hex(modelOne()));
    EXPECT_EQ(good->front().isGood, GetParam().isHashRecorded ? std::optional(true) : std::nullopt);
    const fs::path damaged = fs::canonical(listing.find(two)->path);
    const auto time = fs::last_write_time(damaged);
    std::string bytes = modelTwo();
    bytes.back() ^= 1;
    write(damaged, bytes);
    fs::last_write_time(damaged, time);
    listing = scanned({{GetParam().kind, store, true}});
    const auto bad = verify({listing.find(two)}, {});
    ASSERT_TRUE(bad);
    EXPECT_EQ(bad->front().isGood, GetParam().isHashRecorded ? std::optional(false) : std::nullopt);
}

TEST_P(EveryStore, RemovesOneModelAndNothingElse) {
    const auto plan = planRemoval(listing, {one});
    ASSERT_TRUE(plan) << plan.error().message();
    EXPECT_GE(plan->frees, modelOne().size());
    EXPECT_EQ(scanned({{GetParam().kind, store, true}}).entries.size(), 2u) << "a plan does nothing";
    const fs::path bin = folder.path() / "bin";
    fs::create_directory(bin);
    int moved = 0;
    const auto trash = [&](const fs::path& path) -> Result<void> {
        fs::rename(path, bin / std::to_string(moved++));
        return {};
    };
    ASSERT_TRUE(remove(*plan, trash, {}));
    const Listing after = scanned({{GetParam().kind, store, true}});
    ASSERT_THAT(after.entries, SizeIs(1));
    EXPECT_EQ(after.entries.front().id, two);
    const auto model = gguf::open(after.entries.front().path, {});
    EXPECT_TRUE(model) << "the other one is whole";
    for (const auto& [path, content] : filesBelow(store)) EXPECT_NE(content, modelOne()) << path;
    EXPECT_TRUE(fs::exists(folder.path() / "outside.gguf"));
    bool isInBin = false;
    for (const auto& [path, content] : filesBelow(bin)) isInBin = isInBin || content == modelOne();
    EXPECT_TRUE(isInBin) << "and can be given back";
}

INSTANTIATE_TEST_SUITE_P(All, EveryStore, testing::ValuesIn(layouts()), [](const auto& layout) {
    std::string name = kindName(layout.param.kind);
    std::erase_if(name, [](char c) { return c == '.' || c == '-'; });
    return name;
});

TEST(AllStores, KnowTheSameBytesAndCountThemOnce) {
    const TemporaryFolder folder;
    std::vector<Store> stores;
    for (const Layout& layout : layouts()) {
        stores.push_back({layout.kind, folder.path() / kindName(layout.kind), true});
        layout.fill(stores.back().path);
    }
    fs::create_hard_link(folder.path() / "jan/one/model.gguf", folder.path() / "jan/one/again.gguf"); // takes no room
    MemoryIndex index;
    auto listing = scan(stores, index, 2, {});
    ASSERT_TRUE(listing);
    ASSERT_TRUE(findDuplicates(*listing, index, {}));
    for (const Layout& layout : layouts()) {
        if (layout.kind == StoreKind::Folder) continue; // its ids have its path
        const Entry* entry = listing->find(layout.one);
        ASSERT_TRUE(entry) << layout.one;
        EXPECT_THAT(entry->duplicates, SizeIs(layouts().size())) << layout.one;
        EXPECT_THAT(entry->duplicates, Not(Contains(layout.one)));
        EXPECT_THAT(entry->duplicates, Not(Contains(layout.two)));
    }
    EXPECT_EQ(listing->bytes - listing->bytesOnDisk, modelOne().size());
}

} // namespace
} // namespace wb::test
