// SPDX-License-Identifier: MIT
#include "core/model/model.h"

#include "core/base/checked.h"
#include "core/model/checkpoint.h"
#include "core/model/parameters.h"

#include <algorithm>
#include <limits>
#include <unordered_set>

namespace wb {
namespace {

std::uint64_t saturatingSum(const std::vector<TensorInfo>& tensors, auto amountOf) {
    std::uint64_t sum = 0;
    for (const TensorInfo& tensor : tensors)
        sum = checked::add(sum, amountOf(tensor)).value_or(std::numeric_limits<std::uint64_t>::max());
    return sum;
}

std::uint64_t storedSum(const std::vector<TensorInfo>& tensors, auto amountOf) {
    return saturatingSum(tensors,
                         [&](const TensorInfo& tensor) { return tensor.isUncounted() ? std::uint64_t{0} : amountOf(tensor); });
}

// Whether a logical tensor counts instead of its parts: a packed weight does. The product of an adapter, which has no bits per
// weight, does not.
bool replacesParts(const TensorInfo& tensor) {
    return tensor.logical && tensor.details && !tensor.details->parts.empty() && tensor.details->bitsPerWeight;
}

bool isText(const TensorInfo& tensor) { return tensor.dtype == Dtype::Unknown && tensor.typeText == "STRING"; }

} // namespace

ModelFile namedFile(const std::filesystem::path& path, std::shared_ptr<io::FileSource> source) {
    ModelFile file{io::pathText(path.filename()), source->size(), source->identity(), nullptr};
    if (const auto folder = io::BeneathDirectory::open(path.parent_path()))
        if (const auto again = folder->openFile(file.name); again && (*again)->identity() == file.identity) return file;
    file.source = std::move(source);
    return file;
}

std::uint64_t Model::parameters() const {
    std::unordered_set<std::string_view> parts;
    for (const TensorInfo& tensor : tensors)
        if (replacesParts(tensor)) parts.insert(tensor.details->parts.begin(), tensor.details->parts.end());
    std::unordered_set<std::string_view> grouped; // of steps or checkpoints one counts
    const auto isOfOtherGroup = [&grouped](const TensorInfo& tensor) {
        return tensor.details && !tensor.details->group.empty() && !grouped.insert(tensor.name).second;
    };
    // The shares of ranks hold padding, and copies of what every rank has: there the joined tensors count alone.
    const bool isJoined = checkpoint && checkpoint->isJoined;
    return saturatingSum(tensors, [&](const TensorInfo& tensor) {
        const bool isOwn = !tensor.logical && !isJoined && !tensor.isUncounted() && !parts.contains(tensor.name);
        const bool isMade = isJoined ? tensor.logical : replacesParts(tensor);
        const bool counts = isOwn || (isMade && !(tensor.details && tensor.details->isRepeated));
        return counts && !isOfOtherGroup(tensor) && !isText(tensor) && !isTrainingState(tensor.name) ? tensor.shape.elements() : 0;
    });
}

bool isWeight(const Model& model, const TensorInfo& tensor) {
    if (!model.checkpoint) return !tensor.logical;
    return tensor.logical == model.checkpoint->isJoined && !isTrainingState(tensor.name);
}

std::uint64_t storedParameters(const Model& model) {
    return storedSum(model.tensors, [](const TensorInfo& tensor) { return tensor.shape.elements(); });
}

std::uint64_t Model::tensorBytes() const {
    return storedSum(tensors, [](const TensorInfo& tensor) { return tensor.bytes(); });
}

void sortProblems(std::vector<Problem>& problems) {
    std::ranges::stable_sort(problems, [](const Problem& a, const Problem& b) {
        if (a.severity != b.severity) return a.severity > b.severity;
        if (a.file != b.file) return a.file < b.file;
        return a.offset.value_or(0) < b.offset.value_or(0);
    });
}

Result<std::shared_ptr<io::ByteSource>> openFile(const Model& model, std::uint32_t index) {
    const ModelFile& file = model.files.at(index);
    if (file.source) return file.source;
    WB_TRY_ASSIGN(const auto folder, io::BeneathDirectory::open(model.folder));
    WB_TRY_ASSIGN(std::shared_ptr<io::FileSource> source, folder.openFile(file.name));
    if (source->identity() != file.identity)
        return fail(ErrorCode::Changed, Reason("model.changed"), About{file.name},
                    WB_TEXT("{} has changed on disk since it was opened; open it again."), file.name);
    return source;
}

} // namespace wb
