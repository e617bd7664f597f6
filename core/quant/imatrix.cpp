// SPDX-License-Identifier: MIT
#include "core/quant/imatrix.h"

#include "core/formats/gguf/gguf.h"
#include "core/model/tensor_reader.h"
#include "core/quant/imatrix_legacy.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace wb::quant {
namespace {

constexpr std::string_view sumsSuffix = ".in_sum2";
constexpr std::string_view countsSuffix = ".counts";
constexpr std::uint64_t mostValues = 256ull << 20; // of all entries together; the matrix of a 700 B model has about 20 million

Result<std::vector<float>> readValues(const Model& model, const TensorInfo& tensor) {
    WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(model, tensor));
    std::vector<float> values(reader.elements());
    std::vector<std::byte> scratch;
    WB_TRY(reader.readF32(0, values, scratch));
    return values;
}

using TensorMap = std::unordered_map<std::string, const TensorInfo*>;

TensorMap mapTensors(const Model& model) {
    TensorMap map;
    for (const TensorInfo& tensor : model.tensors) map.emplace(tensor.storedName(), &tensor);
    return map;
}

const TensorInfo* findTensor(const TensorMap& map, const std::string& name) {
    const auto found = map.find(name);
    return found == map.end() ? nullptr : found->second;
}

std::unexpected<Error> brokenEntry(const Model& model, const std::string& name) {
    return fail(ErrorCode::Malformed, WB_TEXT("The importance matrix {} has no matching sums and counts for {}; make it again."),
                model.files[0].name, name);
}

// Counts are whole numbers, ties away from zero; what no count can be is none.
float countOf(float stored) {
    constexpr float beyondCounts = 9223372036854775808.0f; // 2^63
    const float count = std::round(stored);
    return count > 0 && count < beyondCounts ? count : 0;
}

// Mean of the squared inputs a column; a matrix that was never used counts every column alike.
Result<std::vector<float>> readEntry(const Model& model, const TensorMap& map, const TensorInfo& sums, const std::string& weight) {
    const TensorInfo* const counts = findTensor(map, weight + std::string(countsSuffix));
    const bool paired = counts && counts->dtype == Dtype::F32 && sums.dtype == Dtype::F32 && counts->shape.elements() > 0 &&
                        sums.shape.elements() % counts->shape.elements() == 0;
    if (!paired) return brokenEntry(model, weight);
    WB_TRY_ASSIGN(std::vector<float> values, readValues(model, sums));
    WB_TRY_ASSIGN(const std::vector<float> seen, readValues(model, *counts));
    const std::size_t columns = values.size() / seen.size();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float count = countOf(seen[i / columns]);
        values[i] = count > 0 ? values[i] / count : 1.0f;
    }
    return values;
}

Result<void> readKeys(const Model& model, Imatrix& matrix) {
    const Value* const datasets = model.metadata.find("imatrix.datasets");
    const Value* const chunks = model.metadata.find("imatrix.chunk_count");
    if (!datasets || !chunks || !chunks->unsignedNumber() || !model.metadata.find("imatrix.chunk_size"))
        return fail(ErrorCode::Malformed, WB_TEXT("{} is a GGUF file but not an importance matrix; its imatrix.* keys are missing."),
                    model.files[0].name);
    for (const Value& dataset : datasets->array() ? datasets->array()->first : std::vector<Value>())
        if (const std::string* text = dataset.string()) matrix.datasets.push_back(*text);
    constexpr std::uint64_t most = std::numeric_limits<std::int32_t>::max(); // the reference counts in 32 signed bits
    matrix.chunks = *chunks->unsignedNumber() > most ? 0 : *chunks->unsignedNumber();
    return {};
}

Result<Imatrix> readGguf(const Model& model, const Progress& progress) {
    Imatrix matrix;
    WB_TRY(readKeys(model, matrix));
    if (model.tensors.empty())
        return fail(ErrorCode::Malformed, WB_TEXT("The importance matrix {} holds no values; make it again."), model.files[0].name);
    if (model.parameters() > mostValues)
        return fail(ErrorCode::TooLarge, WB_TEXT("The importance matrix {} holds {} values, more than any model has columns."),
                    model.files[0].name, model.parameters());
    const TensorMap map = mapTensors(model);
    for (const TensorInfo& tensor : model.tensors) {
        WB_TRY(progress.at(tensor.offset.value_or(0), model.tensorBytes()));
        const std::string& name = tensor.storedName();
        if (name.ends_with(sumsSuffix)) {
            const std::string weight = name.substr(0, name.size() - sumsSuffix.size());
            WB_TRY_ASSIGN(auto values, readEntry(model, map, tensor, weight));
            matrix.entries.emplace(weight, std::move(values));
        } else if (name.ends_with(countsSuffix) &&
                   !findTensor(map, name.substr(0, name.size() - countsSuffix.size()) + std::string(sumsSuffix))) {
            return brokenEntry(model, tensor.name);
        }
    }
    return matrix;
}

Result<void> checkFinite(const Imatrix& matrix) {
    for (const auto& [weight, values] : matrix.entries)
        if (!std::ranges::all_of(values, [](float v) { return std::isfinite(v); }))
            return fail(ErrorCode::Malformed, WB_TEXT("The importance matrix {} holds a value for {} that is not finite; make it again."),
                        matrix.file, weight);
    return {};
}

Result<Imatrix> readAny(std::shared_ptr<io::ByteSource> source, const Progress& progress) {
    std::vector<std::byte> head(std::min<std::uint64_t>(source->size(), 16));
    WB_TRY(source->readAt(0, head));
    if (!gguf::sniff(head)) return readLegacyImatrix(*source, progress);
    formats::OpenOptions options;
    options.strictness = formats::Strictness::Strict;
    options.progress = progress;
    options.limits.keptStringBytes = 1 << 20;
    WB_TRY_ASSIGN(const ModelPtr model, gguf::open(std::move(source), options));
    return readGguf(*model, progress);
}

} // namespace

std::span<const float> Imatrix::find(const std::string& weight) const {
    const auto found = entries.find(weight);
    return found == entries.end() ? std::span<const float>() : found->second;
}

Result<Imatrix> readImatrix(const std::filesystem::path& path, const Progress& progress) {
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(path));
    WB_TRY_ASSIGN(Imatrix matrix, readImatrix(source, progress));
    matrix.file = io::pathText(path);
    matrix.identity = source->identity();
    return matrix;
}

Result<Imatrix> readImatrix(std::shared_ptr<io::ByteSource> source, const Progress& progress) {
    const std::string name = source->name();
    WB_TRY_ASSIGN(Imatrix matrix, readAny(std::move(source), progress));
    matrix.file = name;
    WB_TRY(checkFinite(matrix));
    return matrix;
}

std::uint64_t weightCount(const Shape& shape) { return shape.rowLength() * (shape.rank() > 2 ? shape[shape.rank() - 3] : 1); }

std::span<const float> rowWeights(std::span<const float> weights, const Shape& shape, std::uint64_t row) {
    const std::uint64_t length = shape.rowLength();
    if (length == 0 || weights.size() < length) return {};
    const std::uint64_t rowsPerMatrix = shape.rank() > 1 ? shape[shape.rank() - 2] : 1;
    return weights.subspan(row / rowsPerMatrix % (weights.size() / length) * length, length);
}

void filterEntries(Imatrix& matrix, std::span<const std::string> texts, bool exclude) {
    if (texts.empty()) return;
    std::erase_if(matrix.entries, [&](const auto& entry) {
        return std::ranges::any_of(texts, [&](const std::string& text) { return entry.first.find(text) != std::string::npos; }) == exclude;
    });
}

} // namespace wb::quant
