// SPDX-License-Identifier: MIT
#include "core/memory/types.h"

#include "core/base/ascii.h"
#include "core/quant/mix/mix.h"

#include <algorithm>

namespace wb::memory {
namespace {

using quant::FileType;

std::vector<WeightType> makeTypes() {
    std::vector<WeightType> types = {{"FP32", FileType::F32, 4},
                                     {"BF16", FileType::BF16, 2},
                                     {"FP16", FileType::F16, 2},
                                     {"INT8", FileType::Q8_0, 1},
                                     {"INT4", FileType::Q4_K_M, 0.5}};
    for (const quant::FileTypeInfo& row : quant::allFileTypes()) {
        const bool isPlain = row.type == FileType::F32 || row.type == FileType::F16 || row.type == FileType::BF16;
        if (!isPlain) types.push_back({row.name, row.type, textbookBytes(row.base)});
    }
    return types;
}

} // namespace

std::span<const WeightType> weightTypes() {
    static const std::vector<WeightType> types = makeTypes();
    return types;
}

const WeightType* weightTypeFromName(std::string_view name) {
    for (const WeightType& type : weightTypes())
        if (ascii::same(name, type.name)) return &type;
    const auto file = quant::fileTypeFromName(name);
    if (!file) return nullptr;
    const auto types = weightTypes();
    const auto found = std::ranges::find(types, *file, &WeightType::file);
    return found == types.end() ? nullptr : &*found;
}

std::optional<double> divergenceOf(const WeightType& type) {
    if (type.file == FileType::F32 || type.file == FileType::F16 || type.file == FileType::BF16) return 0;
    auto quality = quant::publishedQuality(type.file, false);
    if (!quality) quality = quant::publishedQuality(type.file, true);
    return quality ? std::optional(quality->divergence) : std::nullopt;
}

double textbookBytes(Dtype type) {
    const DtypeInfo& row = info(type);
    if (row.kind != DtypeKind::Block) return static_cast<double>(row.blockBytes) / row.blockElements;
    const std::string_view name = row.name;
    const std::size_t digit = name.find_first_of("123456789"); // the bits: Q4_K, IQ2_XXS, MXFP4
    return digit == std::string_view::npos ? 1 : (name[digit] - '0') / 8.0;
}

Result<Weights> weightsAs(const Model& model, const arch::ModelSpec& spec, const WeightType& type) {
    const std::vector<std::size_t> order = quant::quantizationOrder(model);
    quant::MixOptions options;
    options.fileType = type.file;
    WB_TRY_ASSIGN(const auto choices, quant::chooseTypes(model, order, options));
    std::vector<Dtype> types(model.tensors.size(), Dtype::Unknown);
    for (std::size_t i = 0; i < order.size(); ++i) types[order[i]] = choices[i].type;
    Weights weights = weightsOf(model, spec, types);
    weights.type = type.name;
    return weights;
}

} // namespace wb::memory
