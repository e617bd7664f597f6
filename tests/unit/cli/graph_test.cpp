// SPDX-License-Identifier: MIT
#include "tests/unit/cli/run_wb.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

// Weights of ONNX graphs: out to safetensors, and back into the graph.
namespace wb {
namespace {

namespace fs = std::filesystem;
using test::runWb;

class Graph : public testing::Test {
protected:
    test::Finished back(const fs::path& graph, const fs::path& weights, const std::vector<std::string>& options = {}) const {
        std::vector<std::string> words = {"convert", weights.string(), target().string(), "--graph", graph.string()};
        words.insert(words.end(), options.begin(), options.end());
        return runWb(words);
    }

    fs::path target() const { return folder.path() / "new" / "out.onnx"; }

    void expectSameFile(const fs::path& written, const fs::path& original) const {
        EXPECT_TRUE(test::readFile(written) == test::readFile(original)) << original;
    }

    // A safetensors file with one F32 tensor of these values.
    fs::path weights(const std::string& name, const std::vector<std::size_t>& shape, const std::vector<float>& values) const {
        const nlohmann::json header = {
            {name, {{"dtype", "F32"}, {"shape", shape}, {"data_offsets", {0, values.size() * sizeof(float)}}}}};
        const std::string text = header.dump();
        const std::uint64_t length = text.size();
        std::string bytes(sizeof length, '\0');
        std::memcpy(bytes.data(), &length, sizeof length);
        bytes += text;
        bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
        return folder.file("weights.safetensors", bytes);
    }

    test::TemporaryFolder folder;
    const fs::path fixtures = test::shared() / "fixtures/runtime/onnx";
};

TEST_F(Graph, GetsItsOwnWeightsBack) {
    WB_NEED_SHARED("corpus/onnx");
    std::vector<fs::path> graphs;
    for (const fs::path& root : {test::shared() / "corpus/onnx", test::shared() / "corpus/silero_vad", fixtures})
        for (const auto& entry : fs::recursive_directory_iterator(root))
            if (entry.path().extension() == ".onnx") graphs.push_back(entry.path());
    std::ranges::sort(graphs);
    std::size_t compared = 0;
    for (const fs::path& graph : graphs) {
        SCOPED_TRACE(graph);
        fs::remove_all(folder.path() / "new");
        fs::create_directory(folder.path() / "new");
        const fs::path weights = folder.path() / "w.safetensors";
        if (runWb({"convert", graph.string(), weights.string(), "--force"}).status != 0) continue; // nothing that safetensors hold
        const auto run = back(graph, weights, {"--json"});
        ASSERT_EQ(run.status, 0) << run.err;
        ++compared;
        expectSameFile(target(), graph);
        const auto document = run.json();
        for (const auto& file : document["files"]) { // external data
            const fs::path written(file["path"].get<std::string>());
            if (written != target()) expectSameFile(written, graph.parent_path() / fs::relative(written, target().parent_path()));
        }
    }
    EXPECT_GT(compared, 20u);
}

// Nothing but the values of one initializer changes, inline and in another file.
TEST_F(Graph, ChangesOnlyTheValues) {
    WB_NEED_SHARED("fixtures/runtime/onnx");
    WB_NEED_SHARED("corpus/onnx");
    for (const fs::path& file :
         {test::shared() / "corpus/onnx/pytorch-converted/test_Conv2d/model.onnx", fixtures / "external/model.onnx"}) {
        SCOPED_TRACE(file);
        const auto described = runWb({"inspect", file.string(), "--json"}).json();
        const auto& tensors = described["tensors"];
        const auto tensor = std::ranges::find_if(tensors, [](const nlohmann::json& t) {
            return t["dtype"] == "F32" && t["offset"].is_number() && t["elements"].get<std::size_t>() > 1;
        });
        ASSERT_NE(tensor, tensors.end());
        const std::size_t elements = (*tensor)["elements"].get<std::size_t>(), offset = (*tensor)["offset"].get<std::size_t>();
        std::vector<float> values(elements);
        for (std::size_t i = 0; i < elements; ++i) values[i] = static_cast<float>(i) + 0.25F;
        const fs::path source =
            weights((*tensor)["name"].get<std::string>(), (*tensor)["shape"].get<std::vector<std::size_t>>(), values);
        fs::remove_all(folder.path() / "new");
        fs::create_directory(folder.path() / "new");
        const auto run = back(file, source, {"--json"});
        ASSERT_EQ(run.status, 0) << run.err;
        ASSERT_EQ(run.json()["tensors"].size(), 1u);
        const fs::path in = (*tensor)["file"].get<std::string>();
        const auto document = run.json();
        for (const auto& written : document["files"]) {
            const fs::path path(written["path"].get<std::string>());
            const bool isGraph = path == target(),
                       isChanged = isGraph ? in.filename() == file.filename() : path.filename() == in.filename();
            auto expected = test::readFile(isGraph ? file : file.parent_path() / path.filename());
            if (isChanged) std::memcpy(expected.data() + offset, values.data(), elements * sizeof(float));
            EXPECT_TRUE(test::readFile(path) == expected) << path;
        }
    }
}

TEST_F(Graph, RefusesInOneSentence) {
    WB_NEED_SHARED("fixtures/runtime/onnx");
    fs::create_directory(folder.path() / "new");
    const fs::path graph = fixtures / "dynamic_int8.onnx";
    const auto described = runWb({"inspect", graph.string(), "--json"}).json();
    const auto& tensors = described["tensors"];
    const auto f32 = std::ranges::find_if(tensors, [](const nlohmann::json& t) { return t["dtype"] == "F32"; });
    const auto integer =
        std::ranges::find_if(tensors, [](const nlohmann::json& t) { return t["dtype"] == "I8" || t["dtype"] == "U8"; });
    ASSERT_TRUE(f32 != tensors.end() && integer != tensors.end());
    const auto expectRefusal = [](const test::Finished& run, int status, const std::string& word) {
        EXPECT_EQ(run.status, status) << run.err;
        EXPECT_EQ(run.errorLines(), 1) << run.err;
        EXPECT_NE(run.err.find(word), std::string::npos) << run.err;
    };
    const std::string own = (*f32)["name"].get<std::string>(), other = (*integer)["name"].get<std::string>();
    expectRefusal(back(graph, weights(own, {3, 1, 4}, std::vector<float>(12))), 1, own); // another shape
    const auto shape = (*integer)["shape"].get<std::vector<std::size_t>>();
    expectRefusal(back(graph, weights(other, shape, std::vector<float>((*integer)["elements"].get<std::size_t>()))), 1, other);
    expectRefusal(back(graph, graph, {"--type", "F16"}), 2, "--graph");
    expectRefusal(back(folder.path() / "none.onnx", graph), 1, "none.onnx");
    expectRefusal(back(weights(own, {1}, {1}), graph), 1, "weights.safetensors"); // not a graph
    expectRefusal(runWb({"convert", graph.string(), graph.string(), "--graph", graph.string(), "--force"}), 2, "dynamic_int8.onnx");
    EXPECT_TRUE(fs::is_empty(folder.path() / "new"));
}

} // namespace
} // namespace wb
