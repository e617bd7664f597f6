// SPDX-License-Identifier: MIT
#include "core/convert/quantize/file_layout.h"

#include "core/base/split_name.h"
#include "core/io/byte_source.h"

#include <algorithm>
#include <limits>

namespace wb::quantize {
namespace {

std::uint64_t padded(std::uint64_t bytes) {
    return (bytes + gguf::writtenAlignment - 1) / gguf::writtenAlignment * gguf::writtenAlignment;
}

void addSplitPairs(std::vector<gguf::StoredPair>& pairs, std::uint32_t file, SplitKeys keys, const QuantizePlan& plan) {
    const auto count = gguf::makePair(splitCountKey, static_cast<std::uint16_t>(plan.files.size()));
    gguf::setPair(pairs, gguf::makePair(splitNumberKey, static_cast<std::uint16_t>(file)));
    if (keys == SplitKeys::Quantize) gguf::setPair(pairs, count);
    gguf::setPair(pairs, gguf::makePair(splitTensorsKey, static_cast<std::int32_t>(plan.tensors.size())));
    if (keys == SplitKeys::Split) gguf::setPair(pairs, count);
}

} // namespace

void removeSplitPairs(std::vector<gguf::StoredPair>& pairs) {
    for (const char* const key : {splitNumberKey, splitCountKey, splitTensorsKey}) gguf::removePair(pairs, key);
}

Result<void> divideTensors(const FileSplit& split, QuantizePlan& plan) {
    std::uint64_t bytes = 0, tensors = 0;
    std::uint32_t file = split.isFirstEmpty ? 1 : 0;
    for (PlannedTensor& tensor : plan.tensors) {
        const std::uint64_t own = padded(tensor.bytes);
        const bool isOver = split.bytes > 0 && tensors > 0 && (bytes > split.bytes || own > split.bytes - bytes);
        const bool isFull = split.tensors > 0 && tensors == split.tensors;
        if (isOver || isFull) ++file, bytes = tensors = 0;
        bytes += own;
        ++tensors;
        tensor.file = file;
    }
    constexpr std::uint64_t maxFiles = std::numeric_limits<std::uint16_t>::max();
    const std::uint64_t files = std::uint64_t{file} + 1;
    if (files > maxFiles || plan.tensors.size() > std::numeric_limits<std::int32_t>::max())
        return fail(ErrorCode::TooLarge, Reason("split.count"), About{plan.model->files[0].name},
                    WB_TEXT("{} would become {} files, but a split can have at most {}; choose a larger size."),
                    plan.model->files[0].name, files, maxFiles);
    plan.files.resize(files);
    return {};
}

Result<void> layOutFiles(const Model& model, std::vector<gguf::StoredPair> pairs, SplitKeys keys, QuantizePlan& plan) {
    std::vector<std::vector<PlannedTensor*>> tensors(plan.files.size());
    for (PlannedTensor& tensor : plan.tensors) tensors[tensor.file].push_back(&tensor);
    for (std::uint32_t file = 0; file < plan.files.size(); ++file) {
        if (keys != SplitKeys::None) addSplitPairs(pairs, file, keys, plan);
        std::vector<gguf::WrittenTensor> written;
        for (const PlannedTensor* tensor : tensors[file])
            written.push_back({model.tensors[tensor->source].storedName(), model.tensors[tensor->source].shape, tensor->to});
        const std::uint64_t alignment = file == 0 ? plan.alignment : gguf::writtenAlignment;
        WB_TRY_ASSIGN(gguf::Layout layout, gguf::layOut(pairs, written, alignment));
        for (std::size_t i = 0; i < written.size(); ++i) tensors[file][i]->offset = layout.offsets[i];
        plan.files[file] = {std::move(layout.header), layout.fileBytes};
        pairs.clear();
    }
    return {};
}

std::vector<std::filesystem::path> targetPaths(const QuantizePlan& plan, const std::filesystem::path& target) {
    if (!plan.keepSplit) return {target};
    std::filesystem::path stem = target;
    if (stem.extension() == ".gguf") stem.replace_extension();
    std::vector<std::filesystem::path> paths;
    for (std::size_t i = 0; i < plan.files.size(); ++i)
        paths.push_back(std::filesystem::path(stem) += splitSuffix(i + 1, plan.files.size()) + ".gguf");
    return paths;
}

} // namespace wb::quantize
