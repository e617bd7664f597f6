// SPDX-License-Identifier: MIT
#include "core/model/model.h"

#include "core/base/checked.h"

#include <algorithm>
#include <limits>

namespace wb {
namespace {

std::uint64_t saturatingSum(const std::vector<TensorInfo>& tensors, auto amountOf) {
    std::uint64_t sum = 0;
    for (const TensorInfo& tensor : tensors) {
        if (tensor.isUncounted()) continue;
        sum = checked::add(sum, amountOf(tensor)).value_or(std::numeric_limits<std::uint64_t>::max());
    }
    return sum;
}

} // namespace

ModelFile namedFile(const std::filesystem::path& path, std::shared_ptr<io::FileSource> source) {
    ModelFile file{io::pathText(path.filename()), source->size(), source->identity(), nullptr};
    if (const auto folder = io::BeneathDirectory::open(path.parent_path()))
        if (const auto again = folder->openFile(file.name); again && (*again)->identity() == file.identity) return file;
    file.source = std::move(source);
    return file;
}

std::uint64_t Model::parameters() const {
    return saturatingSum(tensors, [](const TensorInfo& tensor) { return tensor.shape.elements(); });
}

std::uint64_t Model::tensorBytes() const {
    return saturatingSum(tensors, [](const TensorInfo& tensor) { return tensor.bytes(); });
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
                    WB_TEXT("{} changed on disk since it was opened; open it again."), file.name);
    return source;
}

} // namespace wb
