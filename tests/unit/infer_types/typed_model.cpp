// SPDX-License-Identifier: MIT
#include "tests/unit/infer_types/typed_model.h"

#include "core/convert/quantize/quantize_run.h"
#include "core/formats/open.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

namespace wb::test {
namespace {

using quant::FileType;

// Importance data in the legacy form, all columns alike: some types are not written without any.
std::shared_ptr<const quant::Imatrix> evenMatrix(const Model& model, const std::filesystem::path& file) {
    std::string bytes;
    const auto put = [&bytes](auto number) { bytes.append(reinterpret_cast<const char*>(&number), sizeof number); };
    put(static_cast<std::int32_t>(model.tensors.size()));
    for (const TensorInfo& tensor : model.tensors) {
        put(static_cast<std::int32_t>(tensor.name.size()));
        bytes += tensor.name;
        put(std::int32_t{1});
        const auto count = static_cast<std::int32_t>(quant::weightCount(tensor.shape));
        put(count);
        for (std::int32_t i = 0; i < count; ++i) put(1.0F);
    }
    std::ofstream(file, std::ios::binary) << bytes;
    auto matrix = quant::readImatrix(file);
    EXPECT_TRUE(matrix) << matrix.error().message();
    return matrix ? std::make_shared<const quant::Imatrix>(*std::move(matrix)) : nullptr;
}

} // namespace

std::vector<FileType> writtenTypes() {
    std::vector<FileType> types;
    std::set<Dtype> bases;
    for (const auto& info : quant::allFileTypes())
        if (bases.insert(info.base).second) types.push_back(info.type);
    return types;
}

ModelPtr modelInType(const ModelPtr& model, FileType type, const std::filesystem::path& folder, const std::string& name) {
    quantize::QuantizeRequest request;
    request.mix.fileType = type;
    request.mix.pure = true;
    request.allowRequantize = true;
    if (type != FileType::F32) request.matrix = evenMatrix(*model, folder / "even.dat");
    const auto plan = quantize::planQuantize(model, std::move(request));
    EXPECT_TRUE(plan) << plan.error().message();
    if (!plan) return nullptr;
    const auto outcome = quantize::runQuantize(*plan, folder / name, {}, {});
    EXPECT_TRUE(outcome) << outcome.error().message();
    if (!outcome) return nullptr;
    formats::OpenOptions options;
    options.strictness = formats::Strictness::Strict;
    auto written = formats::open(folder / name, options);
    EXPECT_TRUE(written) << written.error().message();
    return written ? *written : nullptr;
}

} // namespace wb::test
