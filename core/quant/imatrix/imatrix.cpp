// SPDX-License-Identifier: MIT
#include "core/quant/imatrix/imatrix.h"

#include "core/formats/gguf/gguf.h"
#include "core/quant/imatrix/imatrix_legacy.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace wb::quant {
namespace {

constexpr std::string_view sumsSuffix = ".in_sum2";
constexpr std::string_view countsSuffix = ".counts";
constexpr std::uint64_t maxValues = 1ull << 32;     // of all entries together; 384 experts in each of 60 layers have 378 million
constexpr std::uint64_t valuesAtATime = 1ull << 18; // of those that are inspected

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
    return fail(ErrorCode::Malformed, Reason("imatrix.sums"), About{model.files[0].name},
                WB_TEXT("The importance matrix {} has no matching sums and counts for {}; create it again."), model.files[0].name,
                name);
}

// Counts are complete numbers, ties away from zero; what no count can be is none.
float countFromStored(float stored) {
    constexpr float beyondCounts = 9223372036854775808.0f; // 2^63
    const float count = std::round(stored);
    return count > 0 && count < beyondCounts ? count : 0;
}

Result<ImatrixEntry> mapEntry(const Model& model, const TensorMap& map, const TensorInfo& sums, const std::string& weight) {
    const TensorInfo* const counts = findTensor(map, weight + std::string(countsSuffix));
    const bool paired = counts && counts->dtype == Dtype::F32 && sums.dtype == Dtype::F32 && counts->shape.elements() > 0 &&
                        sums.shape.elements() % counts->shape.elements() == 0 && sums.offset() && counts->offset();
    if (!paired) return brokenEntry(model, weight);
    const std::uint64_t count = sums.shape.elements();
    return ImatrixEntry{count, *sums.offset(), *counts->offset(), count / counts->shape.elements()};
}

// Means of the squared inputs a column; a matrix that was never used counts every column alike.
Result<void> divideByCounts(const io::ByteSource& source, const ImatrixEntry& entry, std::uint64_t first, std::span<float> values) {
    const std::uint64_t firstCount = first / entry.share;
    std::vector<float> seen((first + values.size() - 1) / entry.share - firstCount + 1);
    WB_TRY(source.readAt(entry.divisors + firstCount * sizeof(float), std::as_writable_bytes(std::span(seen))));
    for (std::size_t i = 0; i < values.size();) {
        const float count = countFromStored(seen[(first + i) / entry.share - firstCount]);
        const std::uint64_t end = std::min<std::uint64_t>(values.size(), i + entry.share - (first + i) % entry.share);
        for (; i < end; ++i) values[i] = count > 0 ? values[i] / count : 1.0f;
    }
    return {};
}

Result<void> readValues(const io::ByteSource& source, const ImatrixEntry& entry, std::uint64_t first, std::span<float> values) {
    if (values.empty()) return {};
    WB_TRY(source.readAt(entry.sums + first * sizeof(float), std::as_writable_bytes(values)));
    if (entry.share > 0) return divideByCounts(source, entry, first, values);
    for (float& value : values) value /= entry.calls;
    return {};
}

bool isUsable(float value) { return value >= 0 && value <= std::numeric_limits<float>::max(); }

// Without a way out of the loop, so that it is fast.
bool areUsable(std::span<const float> values) {
    std::size_t wrong = 0;
    for (const float value : values) wrong += !isUsable(value);
    return wrong == 0;
}

Result<void> readKeys(const Model& model, Imatrix& matrix) {
    const Value* const datasets = model.metadata.find("imatrix.datasets");
    const Value* const chunks = model.metadata.find("imatrix.chunk_count");
    if (!datasets || !chunks || !chunks->unsignedNumber() || !model.metadata.find("imatrix.chunk_size"))
        return fail(ErrorCode::Malformed, Reason("imatrix.no_keys"), About{model.files[0].name},
                    WB_TEXT("{} is a GGUF file, but not an importance matrix: it has no imatrix.* keys."), model.files[0].name);
    for (const Value& dataset : datasets->array() ? datasets->array()->first : std::vector<Value>())
        if (const std::string* text = dataset.string()) matrix.datasets.push_back(*text);
    constexpr std::uint64_t most = std::numeric_limits<std::int32_t>::max(); // the reference counts in 32 signed bits
    matrix.chunks = *chunks->unsignedNumber() > most ? 0 : *chunks->unsignedNumber();
    return {};
}

Result<Imatrix> readGguf(const Model& model) {
    Imatrix matrix;
    WB_TRY(readKeys(model, matrix));
    if (model.tensors.empty())
        return fail(ErrorCode::Malformed, Reason("imatrix.empty"), About{model.files[0].name},
                    WB_TEXT("The importance matrix {} is empty; create it again."), model.files[0].name);
    const TensorMap map = mapTensors(model);
    for (const TensorInfo& tensor : model.tensors) {
        const std::string& name = tensor.storedName();
        if (name.ends_with(sumsSuffix)) {
            const std::string weight = name.substr(0, name.size() - sumsSuffix.size());
            WB_TRY_ASSIGN(const ImatrixEntry entry, mapEntry(model, map, tensor, weight));
            matrix.entries.emplace(weight, entry);
        } else if (name.ends_with(countsSuffix) &&
                   !findTensor(map, name.substr(0, name.size() - countsSuffix.size()) + std::string(sumsSuffix))) {
            return brokenEntry(model, tensor.name);
        }
    }
    return matrix;
}

// No quantizer can do anything with such a value.
std::unexpected<Error> unusable(const Imatrix& matrix, const std::string& weight, float value) {
    if (std::isfinite(value))
        return fail(
            ErrorCode::Malformed, Reason("imatrix.negative"), About{matrix.file},
            WB_TEXT("The importance matrix {} has a negative value for {}, but mean squares are never negative; create it again."),
            matrix.file, weight);
    return fail(ErrorCode::Malformed, Reason("imatrix.not_finite"), About{matrix.file},
                WB_TEXT("The importance matrix {} has a NaN or infinite value for {}; create it again."), matrix.file, weight);
}

Result<void> checkValues(const Imatrix& matrix, const Progress& progress) {
    std::uint64_t total = 0, done = 0;
    for (const auto& [weight, entry] : matrix.entries) total += std::min(entry.count, maxValues + 1);
    if (total > maxValues)
        return fail(ErrorCode::TooLarge, Reason("imatrix.too_many"), About{matrix.file},
                    WB_TEXT("The importance matrix {} has {} values, more than any model has columns; create it again."),
                    matrix.file, total);
    std::vector<float> values(std::min(total, valuesAtATime));
    for (const auto& [weight, entry] : matrix.entries)
        for (std::uint64_t first = 0; first < entry.count; first += valuesAtATime) {
            WB_TRY(progress.at(done, total));
            const auto part = std::span(values).first(std::min(valuesAtATime, entry.count - first));
            WB_TRY(readValues(*matrix.source, entry, first, part));
            if (!areUsable(part)) return unusable(matrix, weight, *std::ranges::find_if_not(part, isUsable));
            done += part.size();
        }
    return {};
}

Result<Imatrix> readAny(std::shared_ptr<io::ByteSource> source, const std::stop_token& stop) {
    std::vector<std::byte> head(std::min<std::uint64_t>(source->size(), 16));
    WB_TRY(source->readAt(0, head));
    if (!gguf::sniff(head)) return readLegacyImatrix(*source, stop);
    formats::OpenOptions options;
    options.strictness = formats::Strictness::Strict;
    options.progress.stop = stop;
    options.limits.keptStringBytes = 1 << 20;
    WB_TRY_ASSIGN(const ModelPtr model, gguf::open(std::move(source), options));
    return readGguf(*model);
}

} // namespace

ColumnWeights Imatrix::find(const std::string& weight) const {
    const auto found = entries.find(weight);
    return found == entries.end() ? ColumnWeights() : ColumnWeights(*this, found->second);
}

Result<void> ColumnWeights::read(std::uint64_t first, std::span<float> values) const {
    WB_TRY(readValues(*m_matrix->source, *m_entry, first, values));
    if (areUsable(values)) return {};
    return fail(ErrorCode::Changed, Reason("imatrix.changed"), About{m_matrix->file},
                WB_TEXT("The importance matrix {} changed while in use; start again."), m_matrix->file);
}

Result<std::vector<float>> ColumnWeights::readAll() const {
    std::vector<float> values(size());
    if (!empty()) WB_TRY(read(0, values));
    return values;
}

Result<Imatrix> readImatrix(const std::filesystem::path& path, const Progress& progress) {
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(path));
    WB_TRY_ASSIGN(Imatrix matrix, readImatrix(source, progress));
    matrix.file = io::pathText(path);
    matrix.identity = source->identity();
    return matrix;
}

Result<Imatrix> readImatrix(std::shared_ptr<io::ByteSource> source, const Progress& progress) {
    WB_TRY_ASSIGN(Imatrix matrix, readAny(source, progress.stop));
    matrix.file = source->name();
    matrix.source = std::move(source);
    WB_TRY(checkValues(matrix, progress));
    return matrix;
}

std::uint64_t weightCount(const Shape& shape) { return shape.rowLength() * (shape.rank() > 2 ? shape[shape.rank() - 3] : 1); }

ColumnWeights weightsFor(const Imatrix* matrix, const TensorInfo& tensor) {
    const ColumnWeights weights = matrix ? matrix->find(tensor.storedName()) : ColumnWeights();
    return weights.size() == weightCount(tensor.shape) ? weights : ColumnWeights();
}

std::uint64_t firstWeight(std::uint64_t count, const Shape& shape, std::uint64_t row) {
    const std::uint64_t length = shape.rowLength();
    if (length == 0 || count < length) return 0;
    const std::uint64_t rowsPerMatrix = shape.rank() > 1 ? shape[shape.rank() - 2] : 1;
    return row / rowsPerMatrix % (count / length) * length;
}

std::span<const float> rowWeights(std::span<const float> weights, const Shape& shape, std::uint64_t row) {
    const std::uint64_t length = shape.rowLength();
    if (length == 0 || weights.size() < length) return {};
    return weights.subspan(firstWeight(weights.size(), shape, row), length);
}

void filterEntries(Imatrix& matrix, std::span<const std::string> texts, bool exclude) {
    if (texts.empty()) return;
    std::erase_if(matrix.entries, [&](const auto& entry) {
        return std::ranges::any_of(texts, [&](const std::string& text) { return entry.first.find(text) != std::string::npos; }) ==
               exclude;
    });
}

} // namespace wb::quant
