// SPDX-License-Identifier: MIT
#include "app/net/qt_transport.h"
#include "core/formats/gguf/writer.h"
#include "core/formats/open.h"
#include "core/hub/header_source.h"
#include "core/hub/remote_model.h"
#include "tests/unit/download/loopback.h"

#include <nlohmann/json.hpp>

#include <algorithm>

// wb inspect and wb memory on a file of a hub, by its header.
namespace wb::test {
namespace {

class WbRemote : public LoopbackTest {
protected:
    WbRemote() {
        const auto model = shared() / "corpus/llm/stories260K.gguf";
        if (!std::filesystem::exists(model)) return;
        const auto bytes = readFile(model);
        ServedRepository stories;
        stories.id = "acme/stories";
        stories.files = {textFile("README.md", "# Stories\n"),
                         textFile("stories.gguf", std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()))};
        servers.add(stories);
        stories.files.push_back(textFile("second.gguf", "no model"));
        stories.id = "acme/two";
        servers.add(stories);
    }
};

nlohmann::json parsed(const std::string& text) { return nlohmann::json::parse(text, nullptr, false); }

TEST_F(WbRemote, InspectsAFileByItsHeader) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    for (const char* id : {"hf:acme/stories", "hf:acme/stories:stories.gguf", "hf:acme/two@main:stories.gguf"}) {
        servers.forget();
        const Ran ran = wb({"inspect", id, "--json"});
        ASSERT_EQ(ran.status, 0) << ran.err;
        const auto json = parsed(ran.out);
        EXPECT_EQ(json["path"], id);
        EXPECT_EQ(json["format"], "gguf");
        EXPECT_EQ(json["parameters"], 292'800);
        EXPECT_GT(json["tensors"].size(), 40u);
        std::size_t ranges = 0;
        for (const auto& recorded : servers.recorded())
            if (recorded.request.headers.find("Range")) ++ranges;
        EXPECT_LE(ranges, 3u);
        EXPECT_GE(ranges, 1u);
    }
}

TEST_F(WbRemote, CountsItsMemory) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const Ran ran = wb({"memory", "hf:acme/stories", "--json"});
    ASSERT_EQ(ran.status, 0) << ran.err;
    const Ran local = wb({"memory", (shared() / "corpus/llm/stories260K.gguf").string(), "--json"});
    EXPECT_EQ(parsed(ran.out)["total"], parsed(local.out)["total"]);
    EXPECT_EQ(parsed(ran.out)["class"], "header");
    // What is loaded beside a model may lie on a hub as well.
    const std::string file = (shared() / "corpus/llm/stories260K.gguf").string();
    const Ran beside = wb({"memory", "7B", "--mmproj", "hf:acme/two:stories.gguf", "--json"});
    EXPECT_EQ(beside.status, 0) << beside.err;
    EXPECT_EQ(parsed(beside.out)["parts"], parsed(wb({"memory", "7B", "--mmproj", file, "--json"}).out)["parts"]);
}

ServedFile servedFile(const std::string& name, const std::filesystem::path& path) {
    const auto bytes = readFile(path);
    return textFile(name, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

// A file without its data, its config.json, the folder, and both on a hub: one model, one answer.
TEST_F(WbRemote, SparseFileConfigAndHubGiveOneAnswer) {
    WB_NEED_SHARED("arch/qwen3/hf/config.json");
    const auto gguf = shared() / "arch/qwen3/model.gguf", config = shared() / "arch/qwen3/hf/config.json";
    const auto opened = formats::open(gguf, {});
    ASSERT_TRUE(opened) << opened.error().message();
    std::uint64_t header = std::filesystem::file_size(gguf);
    for (const TensorInfo& tensor : (*opened)->tensors) header = std::min(header, *tensor.offset());
    const auto sparse = folder.path() / "model.gguf";
    std::filesystem::copy_file(gguf, sparse);
    std::filesystem::resize_file(sparse, header);
    std::filesystem::resize_file(sparse, std::filesystem::file_size(gguf));
    ServedRepository hub;
    hub.id = "acme/one";
    hub.files = {servedFile("model.gguf", sparse)};
    servers.add(hub);
    hub.id = "acme/one-hf";
    hub.files.clear();
    for (const auto& file : std::filesystem::directory_iterator(shared() / "arch/qwen3/hf"))
        if (file.is_regular_file()) hub.files.push_back(servedFile(file.path().filename().string(), file.path()));
    servers.add(hub);
    const auto answer = [&](const std::string& what) {
        const Ran ran = wb({"memory", what, "--type", "FP16", "--context", "256", "--json"});
        EXPECT_EQ(ran.status, 0) << what << ": " << ran.err;
        return parsed(ran.out);
    };
    const auto part = [](const nlohmann::json& document, const char* name) {
        double bytes = 0;
        for (const auto& one : document["parts"])
            if (one["name"] == name) bytes += one["bytes"].get<double>();
        return bytes;
    };
    const auto first = answer(sparse.string());
    EXPECT_EQ(first["class"], "header");
    for (const std::string& what :
         {config.string(), config.parent_path().string(), std::string("hf:acme/one:model.gguf"), std::string("hf:acme/one-hf")}) {
        const auto other = answer(what);
        for (const char* name : {"kv_k", "kv_v", "compute", "output"})
            EXPECT_EQ(part(other, name), part(first, name)) << what << name;
        EXPECT_NEAR(part(other, "weights"), part(first, "weights"), 0.001 * part(first, "weights")) << what;
        EXPECT_NEAR(other["parameters"].get<double>(), first["parameters"].get<double>(),
                    0.001 * first["parameters"].get<double>());
    }
}

std::string textFromPath(const std::filesystem::path& path) {
    const auto bytes = readFile(path);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A folder of shards counts as it would on this disk, and its config is asked for.
TEST_F(WbRemote, CountsAFolderOfShards) {
    WB_NEED_SHARED("arch/llama/hf/config.json");
    const auto here = folder.path() / "shards";
    const Ran made =
        wb({"convert", (shared() / "arch/llama/hf").string(), here.string(), "--to", "huggingface", "--shard-size", "200KB"});
    ASSERT_EQ(made.status, 0) << made.err;
    ServedRepository shards;
    shards.id = "acme/shards";
    for (const auto& file : std::filesystem::directory_iterator(here))
        shards.files.push_back(textFile(file.path().filename().string(), textFromPath(file.path())));
    servers.add(shards);
    const Ran ran = wb({"memory", "hf:acme/shards", "--json"}), local = wb({"memory", here.string(), "--json"});
    ASSERT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(parsed(ran.out)["total"], parsed(local.out)["total"]);
    const Ran inspected = wb({"inspect", "hf:acme/shards:model-00001-of-00002.safetensors", "--json"});
    ASSERT_EQ(inspected.status, 0) << inspected.err;
    EXPECT_EQ(parsed(inspected.out)["tensors"].size(), parsed(wb({"inspect", here.string(), "--json"}).out)["tensors"].size());
}

// Part `number` of two of a GGUF, with one tensor.
std::string partFromNumber(std::uint16_t number, const char* tensor) {
    const std::vector<gguf::StoredPair> pairs = {
        gguf::makePair("general.architecture", std::string_view("llama")), gguf::makePair("split.no", number),
        gguf::makePair("split.count", std::uint16_t{2}), gguf::makePair("split.tensors.count", std::int32_t{2})};
    const auto layout = gguf::layOut(pairs, {{tensor, *Shape::make({64, 64}), Dtype::F32}});
    std::string file = layout->header;
    file.resize(static_cast<std::size_t>(layout->fileBytes), static_cast<char>('a' + number));
    return file;
}

TEST_F(WbRemote, ReadsAllPartsOfASplit) {
    ServedRepository split;
    split.id = "acme/split";
    split.files = {textFile("big-00001-of-00002.gguf", partFromNumber(0, "first")),
                   textFile("big-00002-of-00002.gguf", partFromNumber(1, "second"))};
    servers.add(split);
    const Ran ran = wb({"inspect", "hf:acme/split:big-00001-of-00002.gguf", "--json"});
    ASSERT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(parsed(ran.out)["tensors"].size(), 2u);
    servers.change("acme/split", [](ServedRepository& served) { served.files.pop_back(); });
    const Ran lacking = wb({"inspect", "hf:acme/split:big-00001-of-00002.gguf"});
    EXPECT_EQ(lacking.status, 1);
    EXPECT_NE(lacking.err.find("big-00002-of-00002.gguf"), std::string::npos) << lacking.err;
}

// The values of a second part lie in the second file.
TEST_F(WbRemote, LooksIntoTheValuesOfASplit) {
    ServedRepository split;
    split.id = "acme/split";
    split.files = {textFile("big-00001-of-00002.gguf", partFromNumber(0, "first")),
                   textFile("big-00002-of-00002.gguf", partFromNumber(1, "second"))};
    servers.add(split);
    const auto transport = makeQtTransport({}).value();
    const net::Clock clock;
    hub::Client client({transport.get(), &clock}, settings);
    const auto model = hub::openRemoteModel(client, "hf:acme/split:big-00001-of-00002.gguf", {}, 1 << 20);
    ASSERT_TRUE(model) << model.error().message();
    ASSERT_EQ((*model)->tensors.size(), 2u);
    for (const TensorInfo& tensor : (*model)->tensors) {
        const auto file = openFile(**model, tensor.file());
        ASSERT_TRUE(file);
        std::byte first{};
        ASSERT_TRUE((*file)->readAt(*tensor.offset(), {&first, 1}));
        EXPECT_EQ(static_cast<char>(first), tensor.name == "first" ? 'a' : 'b');
    }
}

// E18: offsets beyond 4 GiB, and no more than what is looked at.
TEST_F(WbRemote, ReadsTheEndsOfAHundredGigabytes) {
    constexpr std::uint64_t size = 100'000'000'000, seed = 5, look = 4096;
    ServedFile file;
    file.path = "huge.bin";
    file.bytes = size;
    file.seed = seed;
    file.isLarge = true;
    file.sha256 = std::string(64, 'a'); // nobody computes it
    ServedRepository huge;
    huge.id = "acme/huge";
    huge.files = {file};
    servers.add(huge);
    const auto transport = makeQtTransport({}).value();
    const net::Clock clock;
    hub::Client client({transport.get(), &clock}, settings);
    const hub::Repository repository{hub::Hub::HuggingFace, "acme/huge", huge.commit};
    const auto list = client.files(repository, {});
    ASSERT_TRUE(list) << list.error().message();
    ASSERT_EQ(list->files.at(0).bytes, size);
    const auto source = hub::HeaderSource::open(client, repository, list->files[0], {});
    ASSERT_TRUE(source) << source.error().message();
    std::vector<std::byte> bytes(look);
    ASSERT_TRUE((*source)->readAt(0, bytes));
    (*source)->allowData(std::make_shared<hub::HeaderSource::Allowance>(32 << 20));
    for (const std::uint64_t at : {std::uint64_t{0}, (std::uint64_t{1} << 32) - look / 2, size / 2, size - look}) {
        ASSERT_TRUE((*source)->readAt(at, bytes));
        std::string expected(look, ' ');
        formulaBytes(seed, at, expected.data(), look);
        EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), look), expected) << at;
    }
    EXPECT_LE(servers.servedBytes("CDN"), 32u << 20);
}

TEST_F(WbRemote, RefusesWhatAHeaderDoesNotSay) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    for (const std::vector<std::string>& words : {std::vector<std::string>{"inspect", "hf:acme/stories", "--stats"},
                                                  {"inspect", "hf:acme/two"},
                                                  {"inspect", "hf:acme/two:second.gguf"},
                                                  {"inspect", "hf:acme/two:absent.gguf"},
                                                  {"inspect", "hf:acme/none"},
                                                  {"memory", "hf:acme/none"}}) {
        const Ran ran = wb(words);
        EXPECT_EQ(ran.status, 1) << words.back();
        EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
        EXPECT_NE(ran.err.find("hf:acme/"), std::string::npos) << ran.err;
        EXPECT_TRUE(ran.out.empty());
    }
}

} // namespace
} // namespace wb::test
