// SPDX-License-Identifier: MIT
#include "core/convert/weights/weights_run.h"
#include "core/formats/open.h"
#include "tests/unit/convert/folder.h"
#include "tests/unit/support/truth.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <map>
#include <set>

// Whatever opens becomes safetensors with the very values that the library which made the file says are in it.
namespace wb::convert {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// A kind of source by the beginning of the names of its fixtures, and how many of those become safetensors at least.
struct Family {
    const char* prefix;
    std::size_t files;
};

ModelPtr openedOrNull(const fs::path& path) {
    formats::OpenOptions options;
    options.strictness = formats::Strictness::Strict;
    return formats::open(path, options).value_or(nullptr);
}

std::vector<fs::path> fixturesFromPrefix(const std::string& prefix) {
    constexpr std::string_view ending = ".expected.json";
    const fs::path folder = test::shared() / "fixtures" / fs::path(prefix).parent_path();
    std::vector<fs::path> fixtures;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.ends_with(ending) && name.starts_with(fs::path(prefix).filename().string()))
            fixtures.push_back(folder / name.substr(0, name.size() - ending.size()));
    }
    std::ranges::sort(fixtures);
    return fixtures;
}

// By name, what the maker says of the stored tensors whose values it hashed: several where steps of a checkpoint share names. The
// constants of a frozen TorchScript have no names of their own, so that each may be any of them.
std::map<std::string, std::set<std::string>> hashesFromFixture(const fs::path& fixture) {
    std::ifstream in(fs::path(fixture) += ".expected.json");
    const json truth = json::parse(in);
    std::map<std::string, std::set<std::string>> hashes;
    std::set<std::string> constants;
    for (const json& tensor : truth["tensors"]) {
        const bool isValue = tensor.contains("sha256") && !tensor["sha256"].is_null() && !tensor.contains("hash_of");
        if (!isValue || tensor.value("logical", false)) continue;
        const std::string name = tensor["name"];
        hashes[name].insert(tensor["sha256"].get<std::string>());
        if (name.starts_with("constant.")) constants.insert(tensor["sha256"].get<std::string>());
    }
    for (auto& [name, own] : hashes)
        if (name.starts_with("constant.")) own = constants;
    return hashes;
}

// How many tensors of the written file have the values of the fixture; one that has others fails the test.
std::size_t compare(const Model& written, const WeightsPlan& plan, const fs::path& fixture) {
    const auto wanted = hashesFromFixture(fixture);
    std::map<std::string, const TensorInfo*> byName;
    for (const TensorInfo& tensor : written.tensors) byName[tensor.name] = &tensor;
    std::size_t compared = 0;
    for (const PlannedWeight& weight : plan.tensors) {
        const auto own = wanted.find(plan.model->tensors[weight.source].name);
        EXPECT_TRUE(byName.contains(weight.name)) << weight.name;
        if (own == wanted.end() || weight.from != weight.to || !byName.contains(weight.name)) continue;
        EXPECT_TRUE(own->second.contains(test::hashOfValues(written, *byName[weight.name]))) << weight.name;
        ++compared;
    }
    return compared;
}

// One checkpoint keeps the names of its variables; two steps tell theirs apart. Of a SavedModel the variables are written.
TEST(EverySource, NamesOfTensorFlowAreThoseOfItsVariables) {
    WB_NEED_SHARED("fixtures/tensorflow");
    const fs::path shared = test::shared() / "fixtures/tensorflow";
    const test::TemporaryFolder folder;
    const auto names = [&](const fs::path& path) {
        std::vector<std::string> all;
        const ModelPtr source = openedOrNull(path);
        if (!source) return all;
        const auto plan = planWeights(source, {}, folder.path() / "out.safetensors");
        if (plan)
            for (const PlannedWeight& weight : plan->tensors) all.push_back(weight.name);
        return all;
    };
    const auto has = [](const std::vector<std::string>& all, const char* name) {
        return std::ranges::find(all, name) != all.end();
    };
    EXPECT_TRUE(has(names(shared / "checkpoint_v2/ckpt-10.index"), "net/w/.ATTRIBUTES/VARIABLE_VALUE"));
    EXPECT_TRUE(has(names(shared / "checkpoint_v2"), "ckpt-20.net/w/.ATTRIBUTES/VARIABLE_VALUE"));
    const auto saved = names(shared / "saved_model");
    EXPECT_TRUE(has(saved, "w/.ATTRIBUTES/VARIABLE_VALUE"));
    EXPECT_EQ(saved.size(), 6u) << "no constants of the graph";
}

TEST(EverySource, BecomesSafetensorsWithItsValues) {
    WB_NEED_SHARED("fixtures");
    const Family families[] = {{"torch/", 30},      {"safetensors/", 3},  {"jax/flax", 1},         {"jax/numpy/", 5},
                               {"tensorflow/", 15}, {"runtime/onnx/", 5}, {"runtime/sklearn/", 15}};
    std::size_t compared = 0;
    for (const Family& family : families) {
        std::size_t files = 0;
        for (const fs::path& fixture : fixturesFromPrefix(family.prefix)) {
            SCOPED_TRACE(fixture.string());
            const ModelPtr source = openedOrNull(fixture);
            if (!source || source->tensors.empty()) continue;
            const test::TemporaryFolder folder;
            const fs::path target = folder.path() / "out.safetensors";
            WeightsRequest request;
            request.withTrainingState = fixture.filename().string().starts_with("optimizer");
            const auto plan = planWeights(source, request, target);
            if (!plan) continue; // of texts alone, or names that meet
            const auto done = runWeights(*plan, target, {}, {});
            EXPECT_TRUE(done) << done.error().message();
            const ModelPtr written = done ? openedOrNull(target) : nullptr;
            if (!written) continue;
            ++files;
            compared += compare(*written, *plan, fixture);
        }
        EXPECT_GE(files, family.files) << family.prefix;
    }
    EXPECT_GE(compared, 500u);
}

TEST(EverySource, StateOfAnOptimizerAloneIsRefusedWithTheWayOut) {
    WB_NEED_SHARED("fixtures");
    const ModelPtr source = openedOrNull(test::shared() / "fixtures/torch/optimizer_adam.pt");
    ASSERT_TRUE(source);
    const auto plan = planWeights(source, {}, "out.safetensors");
    ASSERT_FALSE(plan);
    EXPECT_NE(plan.error().message().find("--with-optimizer"), std::string::npos) << plan.error().message();
}

// The parts that torch saved of the small folder's tensors (tests/data/torch/folder) in the place of its safetensors.
struct TorchFolder : SmallFolder {
    TorchFolder() {
        fs::remove(folder.path() / "model.safetensors");
        for (const char* const name :
             {"pytorch_model-00001-of-00002.bin", "pytorch_model-00002-of-00002.bin", "pytorch_model.bin.index.json"})
            fs::copy_file(test::data() / "torch/folder" / name, folder.path() / name);
    }
};

TEST(TorchFolder, BecomesWhatItsSafetensorsBecome) {
    const SmallFolder small;
    const TorchFolder torch;
    const test::TemporaryFolder out;
    convertFolder(small.folder.path(), out.path() / "one.gguf", {{}, "Same", {}});
    convertFolder(torch.folder.path(), out.path() / "two.gguf", {{}, "Same", {}});
    EXPECT_TRUE(test::readFile(out.path() / "one.gguf") == test::readFile(out.path() / "two.gguf"));
    const ModelPtr source = openedOrNull(torch.folder.path());
    ASSERT_TRUE(source);
    const auto plan = planWeights(source, {.isFolder = true}, out.path() / "hf");
    ASSERT_TRUE(plan) << plan.error().message();
    ASSERT_TRUE(runWeights(*plan, out.path() / "hf", {}, {}));
    const ModelPtr written = openedOrNull(out.path() / "hf"), wanted = openedOrNull(small.folder.path());
    ASSERT_TRUE(written && wanted);
    ASSERT_EQ(written->tensors.size(), wanted->tensors.size());
    std::map<std::string, std::string> hashes;
    for (const TensorInfo& tensor : wanted->tensors) hashes[tensor.name] = test::hashOfValues(*wanted, tensor);
    for (const TensorInfo& tensor : written->tensors)
        EXPECT_EQ(test::hashOfValues(*written, tensor), hashes[tensor.name]) << tensor.name;
    for (const auto& entry : fs::directory_iterator(out.path() / "hf"))
        EXPECT_NE(entry.path().extension(), ".bin") << "the weights of before are not copied beside the new ones";
    EXPECT_FALSE(fs::exists(out.path() / "hf/pytorch_model.bin.index.json"));
}

TEST(TorchFolder, NamesThePartThatIsMissing) {
    const TorchFolder torch;
    fs::remove(torch.folder.path() / "pytorch_model-00001-of-00002.bin");
    const auto plan = planFolder(torch.folder.path());
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().reason, Reason("huggingface.part_missing")) << plan.error().message();
    fs::copy_file(torch.folder.path() / "pytorch_model-00002-of-00002.bin",
                  torch.folder.path() / "pytorch_model-00001-of-00002.bin");
    const auto twice = planFolder(torch.folder.path());
    ASSERT_FALSE(twice);
    EXPECT_EQ(twice.error().reason, Reason("huggingface.two_files")) << twice.error().message();
}

} // namespace
} // namespace wb::convert
