// SPDX-License-Identifier: MIT
#include "tests/unit/cli/run_wb.h"
#include "tests/unit/support/safetensors_file.h"
#include "tests/unit/support/zip_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace wb::cli {
namespace {

namespace fs = std::filesystem;
using test::runWb;
using test::safetensorsFile;
using testing::HasSubstr;

class VerifyDiff : public testing::Test {
protected:
    const test::TemporaryFolder folder;
    const std::string intact =
        folder.file("intact.safetensors", safetensorsFile({{"a", "[2,2]", {1, 2, 3, 4}}, {"mine", "[1]", {1}}})).string();
    const std::string changed = folder.file("changed.safetensors", safetensorsFile({{"a", "[2,2]", {1, 2, 3, 5}}})).string();
};

TEST_F(VerifyDiff, VerifySaysWhetherTrainingCanResume) {
    WB_NEED_SHARED("fixtures/distributed/zero3_w2_bf16");
    EXPECT_EQ(runWb({"verify", (test::shared() / "fixtures/distributed/zero3_w2_bf16").string(), "--json"}).json()["resumable"],
              true);
}

TEST_F(VerifyDiff, VerifyPrintsItsContract) {
    const auto good = runWb({"verify", intact, "--json", "--deep"});
    EXPECT_EQ(good.status, 0);
    const auto json = good.json();
    EXPECT_EQ(json["verdict"], "intact");
    EXPECT_TRUE(json["files"][0]["expected"].is_null());
    EXPECT_TRUE(json["files"][0]["ok"].is_null());
    EXPECT_EQ(json["tensors"]["checked"], 2);
    EXPECT_TRUE(json["resumable"].is_null());
    for (const auto& check : json["checks"]) EXPECT_EQ(check["ok"], true);

    const auto hashed = runWb({"verify", intact, "--json", "--hash"}).json();
    const std::string hash = hashed["files"][0]["sha256"];
    EXPECT_EQ(hash.size(), 64u);
    std::string capitals = hash;
    for (char& c : capitals) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    const auto expected = runWb({"verify", intact, "--json", "--expect", "sha256:" + capitals});
    EXPECT_EQ(expected.status, 0);
    EXPECT_EQ(expected.json()["files"][0]["expected"], hash);
    EXPECT_EQ(expected.json()["files"][0]["source"], "option");
    const auto other = runWb({"verify", changed, "--json", "--expect", "sha256:" + hash});
    EXPECT_EQ(other.status, 4);
    EXPECT_EQ(other.json()["files"][0]["ok"], false);
}

TEST_F(VerifyDiff, VerifyRefusesWhatItCannotAnswer) {
    for (const char* word : {"sha256:12", "md5:00000000000000000000000000000000", "sha1"})
        EXPECT_EQ(runWb({"verify", intact, "--expect", word}).status, 2) << word;
    EXPECT_EQ(runWb({"verify", folder.path().string(), "--expect", "sha256:" + std::string(64, '0')}).status, 2);
    const auto missing = runWb({"verify", (folder.path() / "missing.gguf").string()});
    EXPECT_EQ(missing.status, 1);
    EXPECT_EQ(missing.errorLines(), 1);
    EXPECT_THAT(missing.err, HasSubstr("missing.gguf"));
}

// A deflated entry is unpacked by the worker.
TEST_F(VerifyDiff, VerifyComparesDeflatedEntries) {
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }";
    header.resize(117, ' ');
    const std::string array = std::string("\x93NUMPY\1\0\x76\0", 10) + header + "\n" + std::string(16, '\1');
    const std::string good =
        folder.file("good.npz", test::makeZip({{.name = "a.npy", .content = array, .deflate = true}})).string();
    EXPECT_EQ(runWb({"verify", good}).status, 0);
    const std::string bad =
        folder.file("bad.npz", test::makeZip({{.name = "a.npy", .content = array, .deflate = true, .crc = 1234}})).string();
    const auto damaged = runWb({"verify", bad, "--json"});
    EXPECT_EQ(damaged.status, 4);
    EXPECT_THAT(damaged.out, HasSubstr("a.npy"));
}

TEST_F(VerifyDiff, DiffPrintsItsContract) {
    const auto different = runWb({"diff", intact, changed, "--json", "--exit-code"});
    EXPECT_EQ(different.status, 3);
    const auto json = different.json();
    EXPECT_EQ(json["matched"], 1);
    EXPECT_EQ(json["only_a"][0], "mine");
    const auto pair = json["tensors"][0];
    EXPECT_EQ(pair["mapping"], "same");
    EXPECT_EQ(pair["equal"], false);
    EXPECT_EQ(pair["changed"], 0.25);
    EXPECT_EQ(pair["max_at"], (std::vector<int>{1, 1}));
    EXPECT_EQ(pair["rmse"], 0.5);
    EXPECT_EQ(json["summary"]["different"], 1);
    EXPECT_TRUE(json["tokenizer"].is_null());
    EXPECT_TRUE(json["template_equal"].is_null());

    EXPECT_EQ(runWb({"diff", intact, changed}).status, 0) << "the comparison was made";
    const auto same = runWb({"diff", intact, intact, "--json", "--exit-code"});
    EXPECT_EQ(same.status, 0);
    EXPECT_EQ(same.json()["tensors"][0]["snr_db"], "inf");
    EXPECT_THAT(runWb({"diff", intact, changed}).out, HasSubstr("1 different"));
}

TEST_F(VerifyDiff, DiffKeepsItsMap) {
    const std::string map = (folder.path() / "map.json").string();
    EXPECT_EQ(runWb({"diff", intact, changed, "--save-map", map}).status, 0);
    const auto again = runWb({"diff", intact, changed, "--map", map, "--json"});
    EXPECT_EQ(again.status, 0);
    EXPECT_EQ(again.out, runWb({"diff", intact, changed, "--json"}).out);
    EXPECT_EQ(runWb({"diff", intact, changed, "--map", intact}).status, 1);
    EXPECT_EQ(runWb({"diff", intact, changed, "--tensor", "nothing"}).status, 1);
    EXPECT_EQ(runWb({"diff", intact, changed, "--filter", "((("}).status, 2);
    const auto filtered = runWb({"diff", intact, changed, "--tensor", "mi*", "--json"}).json();
    EXPECT_EQ(filtered["matched"], 0);
    EXPECT_EQ(filtered["only_a"].size(), 1u);
}

// Facts of corpus/README.md about files of different programs with the same weights.
TEST(DiffOfFormats, FindsTheSameWeightsByItself) {
    WB_NEED_SHARED("corpus/face_detector");
    const fs::path corpus = test::shared() / "corpus", detector = corpus / "face_detector";
    const std::string torch = (detector / "models/pretrained/version-RFB-320.pth").string();
    const auto onnx = runWb({"diff", torch, (detector / "models/onnx/version-RFB-320.onnx").string(), "--json"}).json();
    EXPECT_EQ(onnx["matched"], 244);
    EXPECT_EQ(onnx["summary"]["equal"], 244);
    const auto tensorflow =
        runWb({"diff", (detector / "tf/export_models/RFB/variables/variables.index").string(), torch, "--json"}).json();
    EXPECT_EQ(tensorflow["summary"]["equal"], 209);
    const auto silero = runWb({"diff", (corpus / "silero_vad/silero_vad.jit").string(),
                               (corpus / "silero_vad/silero_vad_16k_op15.onnx").string(), "--json"})
                            .json();
    EXPECT_GE(silero["summary"]["equal"], 15);
}

// One network whose batch normalization was folded into its convolutions, in the formats of four runtimes.
TEST(DiffOfFormats, FindsTheSameFoldedWeights) {
    WB_NEED_SHARED("corpus/face_detector");
    const fs::path detector = test::shared() / "corpus/face_detector";
    const std::string caffe = (detector / "caffe/model/RFB-320/RFB-320.caffemodel").string();
    for (const char* other : {"models/onnx/version-RFB-320_simplified.onnx", "ncnn/data/version-RFB/RFB-320.param",
                              "MNN/model/version-RFB/RFB-320.mnn"}) {
        const auto json = runWb({"diff", caffe, (detector / other).string(), "--json"}).json();
        EXPECT_EQ(json["matched"], 104) << other;
        EXPECT_EQ(json["summary"]["equal"], 104) << other;
    }
    // TFLite folded by itself, all but one, and stores filters as OHWI and 1HWC.
    const auto json =
        runWb({"diff", caffe, (detector / "tflite/pretrained/version-RFB-320_without_postprocessing.tflite").string(), "--json"})
            .json();
    std::size_t filters = 0;
    for (const auto& pair : json["tensors"])
        filters += pair["a"].get<std::string>().ends_with(".0") && pair["max_abs"].get<double>() < 1.1e-3;
    EXPECT_EQ(filters, 51u);
}

// The network as it was trained, with batch normalizations, and as it was exported, without them.
TEST(DiffOfFormats, FindsNormalizationsThatWereFolded) {
    WB_NEED_SHARED("corpus/face_detector");
    const fs::path detector = test::shared() / "corpus/face_detector";
    const std::string torch = (detector / "models/pretrained/version-RFB-320.pth").string();
    const auto count = [](const auto& json, const std::string& mapping) {
        std::size_t found = 0;
        for (const auto& pair : json["tensors"]) {
            if (!pair["mapping"].template get<std::string>().starts_with(mapping)) continue;
            EXPECT_LT(pair["rel_rmse"].template get<double>(), 1e-2) << pair["a"];
            ++found;
        }
        return found;
    };
    for (const char* exported : {"models/onnx/version-RFB-320_simplified.onnx", "caffe/model/RFB-320/RFB-320.caffemodel"}) {
        const auto json = runWb({"diff", torch, (detector / exported).string(), "--json"}).json();
        EXPECT_EQ(json["matched"], 104) << exported;
        EXPECT_EQ(count(json, "folded"), 70u) << exported; // 35 weights and biases
        EXPECT_EQ(count(json, "same"), 34u) << exported;   // the heads have no normalization
        for (const auto& name : json["only_a"]) EXPECT_THAT(name.get<std::string>(), HasSubstr("num_batches_tracked"));
    }
    const auto tflite =
        runWb({"diff", torch, (detector / "tflite/pretrained/version-RFB-320_without_postprocessing.tflite").string(), "--json"})
            .json();
    EXPECT_GE(count(tflite, "folded"), 60u);
}

// Whoever quantizes wants to know where it cost most, and whether anything was not quantized.
TEST(DiffOfFormats, ComparesAQuantWithItsSource) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder folder;
    const fs::path source = test::shared() / "arch/llama-k256";
    const std::string quant = (folder.path() / "quant.gguf").string();
    ASSERT_EQ(runWb({"quantize", (source / "model.gguf").string(), quant, "Q4_K_M", "--quiet"}).status, 0);
    for (const std::string& other : {(source / "model.gguf").string(), (source / "hf").string()}) {
        const auto json = runWb({"diff", quant, other, "--json"}).json();
        EXPECT_TRUE(json["only_a"].empty() && json["only_b"].empty()) << other;
        EXPECT_EQ(json["matched"].get<std::size_t>(), json["tensors"].size());
        std::size_t quantized = 0;
        for (const auto& pair : json["tensors"]) {
            const std::string mapping = pair["mapping"], name = pair["a"];
            if (mapping.find("dequantized") == std::string::npos) {
                EXPECT_EQ(pair["equal"], true) << name; // norms stay as they are
                continue;
            }
            ++quantized;
            const double snr = pair["snr_db"].get<double>();
            EXPECT_TRUE(snr > 15 && snr < 45) << name << " " << snr; // 4 to 6 bits
            EXPECT_GT(pair["cosine"].get<double>(), 0.98) << name;
        }
        EXPECT_GT(quantized, 10u);
        EXPECT_EQ(json["summary"]["different"], quantized);
    }
    // The table is sorted by error, largest first.
    const std::string table = runWb({"diff", quant, (source / "hf").string()}).out;
    const auto json = runWb({"diff", quant, (source / "hf").string(), "--json"}).json();
    const auto worst = std::ranges::max_element(json["tensors"], {}, [](const auto& pair) {
        return pair["rel_rmse"].is_number() ? pair["rel_rmse"].template get<double>() : 0;
    });
    std::string row = table.substr(table.find("A   ")); // the heading
    row = row.substr(row.find('\n') + 1);
    EXPECT_TRUE(row.starts_with((*worst)["a"].get<std::string>())) << table;
}

TEST(DiffOfFormats, ComparesAFineTuneWithItsBase) {
    WB_NEED_SHARED("arch");
    const test::TemporaryFolder folder;
    const fs::path base = test::shared() / "arch/llama/hf", tuned = folder.path() / "tuned";
    fs::copy(base, tuned, fs::copy_options::recursive);
    fs::permissions(tuned / "model.safetensors", fs::perms::owner_write, fs::perm_options::add);
    { // the last byte of the file belongs to one tensor of BF16: another exponent
        std::fstream file(tuned / "model.safetensors", std::ios::in | std::ios::out | std::ios::binary);
        file.seekg(-1, std::ios::end);
        const char before = static_cast<char>(file.get());
        file.seekp(-1, std::ios::end);
        file.put(static_cast<char>(before ^ 1));
    }
    const auto json = runWb({"diff", tuned.string(), base.string(), "--json", "--exit-code"});
    EXPECT_EQ(json.status, 3);
    const auto document = json.json();
    EXPECT_EQ(document["summary"]["different"], 1);
    EXPECT_EQ(document["summary"]["equal"], document["matched"].get<int>() - 1);
    EXPECT_EQ(document["template_equal"].is_null() || document["template_equal"] == true, true);
    EXPECT_EQ(document["tokenizer"]["added"], 0);
    for (const auto& pair : document["tensors"])
        if (pair["equal"] == false) {
            EXPECT_GT(pair["changed"].get<double>(), 0);
            EXPECT_LT(pair["changed"].get<double>(), 0.1);
            EXPECT_GT(pair["cosine"].get<double>(), 0.5);
        }
}

TEST(DiffOfFormats, MeasuresTwoMomentsOfOneRun) {
    WB_NEED_SHARED("corpus/burn");
    const fs::path burn = test::shared() / "corpus/burn";
    const auto json = runWb({"diff", (burn / "mnist.pt").string(), (burn / "mnist.safetensors").string(), "--json"}).json();
    EXPECT_EQ(json["matched"], 20);
    const auto& tensors = json["tensors"];
    const auto weight = std::find_if(tensors.begin(), tensors.end(), [](const auto& pair) { return pair["a"] == "fc1.weight"; });
    ASSERT_NE(weight, tensors.end());
    EXPECT_NEAR((*weight)["rel_rmse"].get<double>(), 0.6259, 5e-5);
    EXPECT_NEAR((*weight)["cosine"].get<double>(), 0.80466, 5e-6);
    EXPECT_NEAR((*weight)["snr_db"].get<double>(), 4.0699, 5e-5);
}

} // namespace
} // namespace wb::cli
