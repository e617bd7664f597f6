// SPDX-License-Identifier: MIT
#include "core/base/ascii.h"
#include "core/formats/torch/torch.h"
#include "core/io/digests/sha256.h"
#include "core/model/danger.h"
#include "core/model/tensor_reader.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <set>

// Every file of fixtures/torch against what the library that made it says is inside.
namespace wb::torch {
namespace {

using nlohmann::json;

std::vector<std::string> fixtureNames() {
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(test::shared() / "fixtures/torch", ignored))
        if (const std::string name = entry.path().filename().string(); name.ends_with(".expected.json"))
            names.push_back(name.substr(0, name.size() - 14));
    std::ranges::sort(names);
    return names;
}

std::string tensorHash(const Model& model, const TensorInfo& tensor) {
    const auto reader = TensorReader::open(model, tensor);
    if (!reader) return reader.error().message();
    std::vector<std::byte> bytes(reader->byteCount(reader->elements()));
    if (const auto read = reader->readRaw(0, reader->elements(), bytes); !read) return read.error().message();
    io::Sha256 hash;
    hash.update(bytes);
    return io::hexText(*hash.finish());
}

// Opened as the worker does, but in this process.
Model open(const std::filesystem::path& path) {
    auto source = *io::FileSource::open(path);
    auto model = load(source, {});
    EXPECT_TRUE(model) << model.error().message();
    if (!model) return {};
    model->files.push_back({source->name(), source->size(), {}, source});
    return std::move(*model);
}

bool isSame(const Model& model, const TensorInfo& tensor, const json& expected) {
    if (ascii::lowered(tensor.dtypeName()) != expected["dtype"].get<std::string>()) return false;
    if (tensor.shape != Shape::make(expected["shape"].get<std::vector<std::uint64_t>>())) return false;
    if (expected["sha256"].is_null()) return !tensor.isReadable();
    if (tensor.dtype == Dtype::Unknown) { // no numbers, but bytes
        TensorInfo bytes = tensor;
        bytes.dtype = Dtype::U8;
        bytes.shape = *Shape::make({tensor.bytes()});
        return tensor.source.form() == TensorSource::Form::Stored &&
               tensorHash(model, bytes) == expected["sha256"].get<std::string>();
    }
    return tensorHash(model, tensor) == expected["sha256"].get<std::string>();
}

class TorchFixtures : public testing::TestWithParam<std::string> {};

TEST_P(TorchFixtures, HoldWhatTheirMakerSays) {
    const auto path = test::shared() / "fixtures/torch" / GetParam();
    const json expected = json::parse(std::ifstream(path.string() + ".expected.json"));
    const Model model = open(path);
    const bool isNameless = expected.contains("names_are"); // these are told apart by their values alone
    for (const json& one : expected["tensors"]) {
        const std::string name = one["name"];
        const auto isIt = [&](const TensorInfo& tensor) {
            return (isNameless || tensor.name == name) && isSame(model, tensor, one);
        };
        EXPECT_TRUE(std::ranges::any_of(model.tensors, isIt)) << name;
    }
    if (expected.contains("globals")) {
        std::set<std::string> globals;
        for (const ScannedFile& file : model.danger->files)
            if (file.member.empty() || file.member.ends_with("data.pkl") || file.member == "pickle" || file.member == "storages" ||
                file.member == "tensors")
                for (const DangerousName& name : file.globals) globals.insert(name.module + " " + name.name);
        EXPECT_EQ(globals, expected["globals"].get<std::set<std::string>>());
    }
    for (const json& group : expected.value("alias_groups", json::array()))
        for (const std::string name : group) {
            const auto tensor = std::ranges::find(model.tensors, name, &TensorInfo::name);
            ASSERT_NE(tensor, model.tensors.end());
            std::set<std::string> names{name};
            if (tensor->details) names.insert(tensor->details->aliases.begin(), tensor->details->aliases.end());
            EXPECT_EQ(names, group.get<std::set<std::string>>()) << name;
        }
}

TEST_P(TorchFixtures, AreCutAtEveryPlaceWithoutHarm) {
    const auto bytes = test::readFile(test::shared() / "fixtures/torch" / GetParam());
    const std::size_t step = std::max<std::size_t>(1, bytes.size() / 200);
    for (std::size_t length = 0; length < bytes.size(); length += step) {
        const auto source = std::make_shared<io::MemorySource>(
            "cut.pt", std::vector(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)));
        auto model = load(source, {});
        if (!model) continue;
        model->files.push_back({"cut.pt", length, {}, source});
        for (const TensorInfo& tensor : model->tensors) (void)TensorReader::open(*model, tensor);
    }
}

INSTANTIATE_TEST_SUITE_P(All, TorchFixtures, testing::ValuesIn(fixtureNames()), [](const auto& name) {
    std::string out;
    for (const char c : name.param) out += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    return out;
});
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(TorchFixtures);

TEST(TorchScript, InputsOutputsAndOperatorsAreMetadata) {
    WB_NEED_SHARED("fixtures/torch");
    for (const char* file : {"torchscript_script.pt", "torchscript_trace.pt", "torchscript_frozen.pt", "torchscript_lite.ptl"}) {
        SCOPED_TRACE(file);
        const Model model = open(test::shared() / "fixtures/torch" / file);
        const Value* const inputs = model.metadata.find("inputs");
        const Value* const operators = model.metadata.find("operators");
        ASSERT_TRUE(inputs && operators);
        EXPECT_EQ(summary(*inputs), R"(["x: Tensor"])");
        EXPECT_EQ(summary(*model.metadata.find("outputs")), R"(["Tensor"])");
        EXPECT_TRUE(operators->object()->find("matmul"));
        EXPECT_FALSE(operators->object()->find("device"));
        EXPECT_EQ(model.metadata.count, model.metadata.members.size());
    }
}

TEST(TorchLegacy, IsLookedForInNoMoreThanThereIs) {
    const auto start = test::toBytes("\x80\x02\x8A");
    for (std::size_t size = 0; size <= start.size(); ++size) EXPECT_FALSE(torch::sniffLegacy(std::span(start).first(size))) << size;
}

TEST(TorchStrict, RefusesWhatIsDamaged) {
    WB_NEED_SHARED("fixtures/torch/views_legacy.pt");
    auto bytes = test::readFile(test::shared() / "fixtures/torch/views_legacy.pt");
    bytes.resize(bytes.size() - 8);
    const auto source = std::make_shared<io::MemorySource>("cut.pt", bytes);
    formats::OpenOptions options;
    EXPECT_TRUE(load(source, options));
    options.strictness = formats::Strictness::Strict;
    EXPECT_EQ(load(source, options).error().code, ErrorCode::Malformed);
}

TEST(TorchCorpus, HoldsWhatItsReadmeSays) {
    WB_NEED_SHARED("corpus/burn");
    struct Expected {
        const char* file;
        std::size_t tensors;
        const char* version;
    };
    const auto find = [](const std::string& name) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(test::shared() / "corpus"))
            if (entry.path().filename() == name) return entry.path();
        return std::filesystem::path();
    };
    for (const auto& [file, tensors, version] :
         {Expected{"mnist.pt", 20, "zip"}, Expected{"complex_structure.pt", 6, "zip"}, Expected{"checkpoint.pt", 5, "zip"},
          Expected{"simple_legacy.pt", 3, "legacy"}, Expected{"legacy_uncloned_views.pt", 2, "legacy"},
          Expected{"pytorch_model.bin", 38, "legacy"}}) {
        if (std::string_view(file) == "pytorch_model.bin") {
            const Model model = open(test::shared() / "corpus/picklescan/data" / file);
            EXPECT_EQ(model.tensors.size(), tensors);
            EXPECT_EQ(model.danger->verdict(), Verdict::Clean);
            continue;
        }
        const Model model = open(find(file));
        EXPECT_EQ(model.tensors.size(), tensors) << file;
        EXPECT_EQ(model.version, version) << file;
        EXPECT_EQ(model.danger->verdict(), Verdict::Clean) << file;
        for (const TensorInfo& tensor : model.tensors) EXPECT_TRUE(TensorReader::open(model, tensor)) << tensor.name;
    }
}

std::string hashIn(const Model& model, std::string_view name) {
    const auto at = std::ranges::find(model.tensors, name, &TensorInfo::name);
    if (at == model.tensors.end()) return "absent";
    return at->isReadable() ? tensorHash(model, *at) : "unavailable";
}

// torch.save of torch 2.15 in the first form with pickle protocols that nobody needs; hashes as torch computes them.
TEST(TorchLegacy, IsKnownInEveryProtocol) {
    for (const char* file : {"proto1_legacy.pt", "proto4_legacy.pt", "proto5_legacy.pt"}) {
        const Model model = open(test::data() / "torch" / file);
        EXPECT_EQ(model.version, "legacy") << file;
        EXPECT_EQ(hashIn(model, "a"), "45a99655901702d55ab6284a18aed6a5e16677181d16c7a7517b68c2ae2c0c7a") << file;
        EXPECT_EQ(hashIn(model, "b.0"), "8e816b30ff17fba517bbc710f70f0ac337e438314a976e9fab949811d2d0d962") << file;
    }
}

TEST(TorchSparse, AddsUpEveryTypeThatTorchAddsUp) {
    const Model model = open(test::data() / "torch/coo_int.pt");
    EXPECT_EQ(hashIn(model, "c"), "da85557a684f9890accd93981140835a2714b04d0994e89a3a81cb4185e18765");
    EXPECT_EQ(hashIn(model, "b"), "b413f47d13ee2fe6c845b2ee141af81de858df4ec549a58b7970bb96645bc8d2"); // bool
    EXPECT_EQ(hashIn(model, "h"), "945266680e2e5b9d61577a4376ea65cd4a511b0a6f1058ce3ee1bd20417bf4a5"); // half
}

// A batch of compressed matrices is listed by its parts and fails nobody who reads the others.
TEST(TorchSparse, ListsBatchesWithoutValues) {
    const Model model = open(test::data() / "torch/bcsr.pt");
    EXPECT_EQ(hashIn(model, "b"), "unavailable");
    EXPECT_NE(hashIn(model, "b.values"), "unavailable");
}

TEST(TorchTypes, TakesBitsForTheirCodes) {
    const Model model = open(test::data() / "torch/dt_bits16.pt");
    EXPECT_EQ(model.tensors.at(0).dtype, Dtype::U16);
    EXPECT_EQ(hashIn(model, "bits16"), "36b1cfcb1c22f7068384959045048488e50b508dc5fa4f4ff269eec1087fa9f6");
}

} // namespace
} // namespace wb::torch
