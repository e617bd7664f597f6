// SPDX-License-Identifier: MIT
// `wb inspect --json --stats --sha256` of every fixture of the formats that are read, against what their makers say.
#include "core/io/digests/sha256.h"
#include "tests/unit/cli/run_wb.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>

namespace wb {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

// The files of one format among the fixtures: those in `folder` whose name ends so.
struct Family {
    const char* name;
    const char* folder;
    std::vector<std::string> endings;
    std::size_t files;
    std::size_t tensors;
};

const Family families[] = {
    {"PyTorch", "torch", {".pt", ".ptl", ".pt2", ".ckpt"}, 32, 458},
    {"PEFT", "torch/peft", {""}, 19, 225},
    {"pickle, joblib, skops", "runtime/sklearn", {".pkl", ".joblib", ".skops"}, 26, 305},
    {"NumPy", "jax/numpy", {""}, 20, 24},
    {"Flax", "jax", {".msgpack"}, 3, 35},
    {"zarr, OCDBT, orbax",
     "jax",
     {"raw", "blosc", "gzip", "chunks", "_F", "transpose", "sharded", "bf16", "group", "deep", "manager", "orbax_ocdbt", "zarr2",
      "zarr3"},
     15,
     64},
    {"Core ML", "runtime/coreml", {""}, 12, 60},
    {"OpenVINO", "runtime/openvino", {""}, 12, 154},
    {"ExecuTorch", "runtime/executorch", {""}, 2, 8},
    {"PMML", "runtime/pmml", {""}, 3, 4},
    {"ONNX, ORT", "runtime/onnx", {""}, 10, 80},
    {"Keras", "tensorflow", {".h5", ".keras", "text_sharded"}, 10, 405},
    {"TensorFlow",
     "tensorflow",
     {".pb", ".pbtxt", "_v1", "_v2", "_sliced", "checkpoint_sharded", "saved_model", "saved_keras"},
     10,
     108},
    {"TFLite", "tensorflow", {".tflite"}, 5, 26},
    {"quantized folders", "quantized", {""}, 33, 130},
    {"Trainer", "torch/trainer", {""}, 2, 168},
    {"DeepSpeed, DCP, Megatron",
     "distributed", // without fsdp1_local, whose flat parameters have lost their shapes
     {"2x2", "_w1", "_w2", "_w4", "dcp_safetensors", "sharded", "tp2", "pp2", "dist", "fp32", "bf16", "groups", "universal"},
     16,
     422},
};

std::vector<std::string> familyNames(const Family& family) {
    constexpr std::string_view ending = ".expected.json";
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(test::shared() / "fixtures" / family.folder)) {
        std::string name = entry.path().filename().string();
        if (!name.ends_with(ending)) continue;
        name.resize(name.size() - ending.size());
        if (std::ranges::any_of(family.endings, [&](const std::string& end) { return name.ends_with(end); })) names.push_back(name);
    }
    std::ranges::sort(names);
    return names;
}

// Of these the fixtures keep the spelling of OpenVINO.
std::string upper(std::string text) {
    if (text == "f4_e2m1" || text == "f4e2m1") return "F4";
    if (text == "boolean") return "BOOL";
    if (text.starts_with("f8e")) text.insert(2, "_");
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

// The sum of the bytes that a tensor covers, where the fixture has that of them.
std::string storedSum(const json& seen, const fs::path& folder) {
    if (!seen["file"].is_string() || !seen["offset"].is_number()) return {};
    const auto content = test::readFile(folder / seen["file"].get<std::string>());
    const auto begin = content.begin() + seen["offset"].get<std::ptrdiff_t>();
    if (seen["offset"].get<std::uint64_t>() + seen["bytes"].get<std::uint64_t>() > content.size()) return {};
    io::Sha256 sum;
    sum.update(std::vector<std::byte>(begin, begin + seen["bytes"].get<std::ptrdiff_t>()));
    return io::hexText(*sum.finish());
}

// Within a tolerance the values are compared by the test of the room that computes them; here only what stands around them.
bool isSame(const json& wanted, const json& seen, bool hasName, bool isTolerant, const fs::path& folder) {
    if (hasName && seen["name"] != wanted["name"]) return false;
    // A weight is computed from its parts; a bias that is marked, too, is stored as it is.
    if (wanted.value("logical", false) && wanted["dtype"] == "f32" && seen["logical"] != true) return false;
    if (wanted.contains("unavailable")) return seen["sha256"].is_null();
    if (seen["dtype"] != upper(wanted["dtype"]) || seen["shape"] != wanted["shape"]) return false;
    if (!wanted.contains("sha256") || wanted["sha256"].is_null()) return true;
    if (wanted.contains("step") && !seen.value("group", "").starts_with(std::to_string(wanted["step"].get<int>()) + "/"))
        return false;
    if (wanted.contains("hash_of")) return storedSum(seen, folder) == wanted["sha256"];
    return seen["sha256"] == wanted["sha256"] || (isTolerant && seen["logical"] == true);
}

// The statistics where the first values are all there are.
void expectStatistics(const json& wanted, const json& seen) {
    if (!wanted.contains("first") || !wanted["first"].is_array() || seen["dtype"] != "F32") return;
    std::uint64_t elements = 1;
    for (const std::uint64_t side : wanted["shape"]) elements *= side;
    if (elements == 0 || elements != wanted["first"].size()) return;
    double sum = 0, least = HUGE_VAL, most = -HUGE_VAL;
    for (const json& value : wanted["first"]) {
        if (!value.is_number()) return;
        const auto number = value.get<double>();
        sum += number;
        least = std::min(least, number);
        most = std::max(most, number);
    }
    ASSERT_TRUE(seen["stats"].is_object());
    EXPECT_FLOAT_EQ(seen["stats"]["min"].get<float>(), static_cast<float>(least));
    EXPECT_FLOAT_EQ(seen["stats"]["max"].get<float>(), static_cast<float>(most));
    EXPECT_NEAR(seen["stats"]["mean"].get<double>(), sum / static_cast<double>(elements), 1e-6 * (1 + std::fabs(sum)));
}

// Every file that is named lies on the disk, as long as it says, and bytes with a place in one are there.
void expectPlaces(const json& seen, const fs::path& folder) {
    for (const json& file : seen["files"]) {
        std::error_code error;
        EXPECT_EQ(fs::file_size(folder / file["path"].get<std::string>(), error), file["bytes"]) << file["path"];
    }
    for (const json& tensor : seen["tensors"]) {
        if (tensor["file"].is_null()) continue;
        std::error_code error;
        const auto bytes = fs::file_size(folder / tensor["file"].get<std::string>(), error);
        EXPECT_FALSE(error) << tensor["file"];
        const bool isInside = !tensor["offset"].is_number() || tensor["offset"].get<std::uint64_t>() <= bytes;
        EXPECT_TRUE(isInside) << tensor["name"];
    }
}

std::size_t compare(const Family& family, const std::string& name) {
    SCOPED_TRACE(std::string(family.folder) + "/" + name);
    const fs::path path = test::shared() / "fixtures" / family.folder / name;
    const json wanted = json::parse(std::ifstream(path.string() + ".expected.json"));
    const auto run = test::runWb({"inspect", path.string(), "--json", "--stats", "--sha256"});
    const json seen = run.json();
    EXPECT_EQ(run.status, 0) << run.err;
    if (run.status != 0 || seen.is_discarded()) return 0;
    EXPECT_TRUE(seen.contains("checkpoint") && seen.contains("series"));
    const fs::path folder = fs::is_directory(path) ? path : path.parent_path();
    expectPlaces(seen, folder);
    // A program of ExecuTorch may have lost the names, which its note says.
    const bool hasNames =
        !wanted.contains("names_are") && wanted.value("note", json()).dump().find("match by sha256") == std::string::npos;
    const bool isTolerant = wanted.value("relative_tolerance", 0.0) != 0;
    std::size_t equal = 0;
    for (const json& one : wanted["tensors"]) {
        const auto found =
            std::ranges::find_if(seen["tensors"], [&](const json& s) { return isSame(one, s, hasNames, isTolerant, folder); });
        EXPECT_NE(found, seen["tensors"].end()) << one["name"];
        if (found == seen["tensors"].end()) continue;
        expectStatistics(one, *found);
        ++equal;
    }
    return equal;
}

class Fixtures : public testing::TestWithParam<Family> {};

TEST_P(Fixtures, AreAsTheirMakersSay) {
    WB_NEED_SHARED("fixtures");
    const Family& family = GetParam();
    const auto names = familyNames(family);
    EXPECT_EQ(names.size(), family.files);
    std::size_t equal = 0;
    for (const std::string& name : names) equal += compare(family, name);
    EXPECT_EQ(equal, family.tensors);
    std::cout << family.name << ": " << names.size() << " fixtures, " << equal << " tensors equal\n";
}

INSTANTIATE_TEST_SUITE_P(All, Fixtures, testing::ValuesIn(families), [](const auto& row) {
    std::string out;
    for (const char c : std::string_view(row.param.name))
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) out += c;
    return out;
});

} // namespace
} // namespace wb
