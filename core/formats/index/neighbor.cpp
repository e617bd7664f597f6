// SPDX-License-Identifier: MIT
#include "core/formats/index/neighbor.h"

namespace wb::formats {

Result<ModelPtr> openWithNeighbor(const Tasks& tasks, const std::filesystem::path& path, const char* extension,
                                  const OpenOptions& options) {
    WB_TRY_ASSIGN(OpenedFile description, openNamed(path));
    const std::string subject = description.source->name();
    std::vector<OpenedFile> files;
    files.push_back(std::move(description));
    const std::filesystem::path folderPath = path.parent_path();
    WB_TRY_ASSIGN(const auto folder, io::BeneathDirectory::open(folderPath.empty() ? "." : folderPath));
    std::filesystem::path neighbor = path.filename();
    const std::string name = io::pathText(neighbor.replace_extension(extension));
    if (auto values = folder.openFile(name)) {
        ModelFile file{name, (*values)->size(), (*values)->identity(), nullptr};
        files.push_back({*std::move(values), std::move(file)});
    }
    WB_TRY_ASSIGN(Model model, askWorker(tasks, subject, std::move(files), {}, options));
    model.path = path;
    model.folder = folderPath;
    return std::make_shared<const Model>(std::move(model));
}

} // namespace wb::formats
