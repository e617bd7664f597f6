// SPDX-License-Identifier: MIT
#include "core/memory/types.h"

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/memory/amounts.h"
#include "core/memory/table.h"
#include "core/memory/types_table.h"
#include "core/quant/mix/mix.h"

#include <algorithm>
#include <array>
#include <string>

namespace wb::memory {
namespace {

using quant::FileType;

WeightForm formFromName(std::string_view name) {
    constexpr std::array<std::pair<std::string_view, WeightForm>, 4> forms = {{{"fp8", WeightForm::Fp8},
                                                                               {"int8_rows", WeightForm::Int8Rows},
                                                                               {"int4_groups", WeightForm::Int4Groups},
                                                                               {"nf4", WeightForm::Nf4}}};
    const auto* const found = std::ranges::find(forms, name, &std::pair<std::string_view, WeightForm>::first);
    return found == forms.end() ? WeightForm::Mix : found->second;
}

const std::vector<std::string>& plainNames() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> read;
        for (const TableRow& row : tableRows(typesTable)) read.emplace_back(row.text(0));
        return read;
    }();
    return names;
}

std::vector<WeightType> makeTypes() {
    std::vector<WeightType> types;
    for (const TableRow& row : tableRows(typesTable)) {
        const auto file = quant::fileTypeFromName(row.text(1));
        types.push_back({plainNames()[types.size()].c_str(), file.value_or(FileType::F16), parseDouble(row.text(3)).value_or(0),
                         file.has_value(), formFromName(row.text(2))});
    }
    for (const quant::FileTypeInfo& row : quant::allFileTypes()) {
        const bool isPlain = row.type == FileType::F32 || row.type == FileType::F16 || row.type == FileType::BF16;
        if (!isPlain) types.push_back({row.name, row.type, textbookBytes(row.base)});
    }
    return types;
}

constexpr std::uint64_t fp8Block = 128, int4Group = 128, nf4Block = 64, nf4Scales = 256;

std::uint64_t groupsFromElements(std::uint64_t elements, std::uint64_t size) { return elements / size + (elements % size != 0); }

// Of a matrix of linear layers.
std::uint64_t linearBytes(WeightForm form, std::uint64_t rows, std::uint64_t columns) {
    const std::uint64_t elements = product(rows, columns), groups = groupsFromElements(columns, int4Group);
    switch (form) {
    case WeightForm::Fp8:
        return sum(elements, product(4, groupsFromElements(rows, fp8Block), groupsFromElements(columns, fp8Block)));
    case WeightForm::Int8Rows: return sum(elements, product(2, rows));
    case WeightForm::Int4Groups:
        return product(rows, sum(groupsFromElements(columns, 2), product(2, groups), groupsFromElements(groups, 2)));
    case WeightForm::Nf4:
        return sum(groupsFromElements(elements, 2), groupsFromElements(elements, nf4Block),
                   product(4, groupsFromElements(elements, nf4Block * nf4Scales)));
    case WeightForm::Mix: break;
    }
    return product(2, elements);
}

bool isLinear(const TensorInfo& tensor) { return tensor.name.starts_with("blk.") && tensor.shape.rows() > 1; }

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
    const auto found = std::ranges::find_if(types, [&](const WeightType& type) { return type.hasMix && type.file == *file; });
    return found == types.end() ? nullptr : &*found;
}

quant::PublishedDivergence typeDivergence(const WeightType& type) {
    return type.hasMix ? quant::publishedDivergence(type.file) : quant::PublishedDivergence();
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
    Weights weights = weightSizes(model, spec, types);
    weights.type = type.name;
    return weights;
}

Weights weightsIn(WeightForm form, const Model& model, const arch::ModelSpec& spec) {
    return weightSizes(model, spec, [form](const TensorInfo& tensor) {
        return linearBytes(isLinear(tensor) ? form : WeightForm::Mix, tensor.shape.rows(), tensor.shape.rowLength());
    });
}

} // namespace wb::memory
