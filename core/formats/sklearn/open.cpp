// SPDX-License-Identifier: MIT
#include "core/formats/sklearn/sklearn.h"

#include <array>

namespace wb::sklearn {
namespace {

constexpr formats::Tasks taskNames{"sklearn.index", "sklearn.unpack"};

} // namespace

std::span<const worker::WorkerTask> tasks() { return formats::taskTable<taskNames, readIndex, unpack>(); }

Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options) {
    return formats::openFile(taskNames, path, options);
}

Result<ModelPtr> openAt(const std::filesystem::path& path, std::uint64_t begin, const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(formats::OpenedFile file, formats::openNamed(path));
    const std::string subject = file.source->name();
    std::vector<formats::OpenedFile> files;
    files.push_back(std::move(file));
    WB_TRY_ASSIGN(Model model, formats::askWorker(taskNames, subject, std::move(files), std::to_string(begin), options));
    model.path = path;
    model.folder = path.parent_path();
    return std::make_shared<const Model>(std::move(model));
}

} // namespace wb::sklearn
