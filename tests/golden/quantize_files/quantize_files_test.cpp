// SPDX-License-Identifier: MIT
#include "core/convert/quantize/quantize_run.h"
#include "core/formats/gguf/gguf.h"
#include "core/io/digests/sha256.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

// Whole files against the reference tool's: every tensor's type and bytes (golden/quantize_files/expected.json).
namespace wb::quantize {
namespace {

namespace fs = std::filesystem;

constexpr const char* goldenFolder = "golden/quantize_files";

ModelPtr openStrict(const fs::path& path) {
    formats::OpenOptions options;
    options.strictness = formats::Strictness::Strict;
    auto model = gguf::open(path, options);
    EXPECT_TRUE(model) << (model ? "" : model.error().message());
    return model ? *model : nullptr;
}

std::string tensorHash(const Model& model, const TensorInfo& tensor) {
    const auto source = openFile(model, tensor.file());
    std::vector<std::byte> bytes(tensor.bytes());
    EXPECT_TRUE((*source)->readAt(*tensor.offset(), bytes));
    io::Sha256 hash;
    hash.update(bytes);
    return io::hexText(*hash.finish()).substr(0, 32);
}

void expectTensors(const fs::path& file, const nlohmann::json& expected, const std::string& what) {
    const ModelPtr model = openStrict(file);
    ASSERT_TRUE(model);
    ASSERT_EQ(model->tensors.size(), expected.size()) << what;
    for (const TensorInfo& tensor : model->tensors) {
        const auto& want = expected.at(tensor.name);
        const auto wantType = dtypeFromName(want.at(0).get<std::string>());
        ASSERT_TRUE(wantType == tensor.dtype)
            << what << " " << tensor.name << " is " << tensor.dtypeName() << ", not " << want.at(0);
        ASSERT_EQ(tensorHash(*model, tensor), want.at(1).get<std::string>()) << what << " " << tensor.name;
    }
}

Result<QuantizePlan> planFor(const ModelPtr& model, const fs::path& matrix, const std::string& type) {
    QuantizeRequest request;
    const std::size_t plus = type.find('+');
    request.mix.fileType = quant::fileTypeFromName(type.substr(0, plus)).value();
    if (plus != std::string::npos) {
        WB_TRY_ASSIGN(quant::Imatrix read, quant::readImatrix(matrix));
        request.matrix = std::make_shared<const quant::Imatrix>(std::move(read));
    }
    return planQuantize(model, std::move(request));
}

class WholeFile : public testing::TestWithParam<const char*> {};

TEST_P(WholeFile, EqualsTheReference) {
    WB_NEED_SHARED(goldenFolder);
    const auto folder = test::shared() / goldenFolder;
    const std::string name = GetParam();
    const auto all = nlohmann::json::parse(std::ifstream(folder / "expected.json"));
    const auto path = fs::exists(folder / name) ? folder / name : test::shared() / "corpus/llm" / name;
    const ModelPtr model = openStrict(path);
    ASSERT_TRUE(model);
    const test::TemporaryFolder out;
    for (const auto& [type, expected] : all.at(name).items()) {
        const auto plan = planFor(model, fs::path(path).replace_extension(".imatrix.gguf"), type);
        const bool refused = !plan || !plan->canExecute();
        ASSERT_EQ(refused, expected.contains("refused")) << type << (plan ? "" : plan.error().message());
        if (refused) continue;
        const auto target = out.path() / "out.gguf";
        const auto outcome = runQuantize(*plan, target, {0, true, false}, {});
        ASSERT_TRUE(outcome) << type << ": " << outcome.error().message();
        expectTensors(target, expected, type);
    }
}

INSTANTIATE_TEST_SUITE_P(Models, WholeFile, testing::Values("dense-gqa.gguf", "moe-8x.gguf", "odd-rows.gguf", "stories260K.gguf"),
                         [](const auto& test) {
                             std::string name = test.param;
                             for (char& c : name)
                                 if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                             return name;
                         });

} // namespace
} // namespace wb::quantize
