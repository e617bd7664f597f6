// SPDX-License-Identifier: MIT
#include "core/formats/dcp/dcp.h"
#include "core/formats/dcp/flat_form.h"
#include "core/formats/training/box_recipe.h"
#include "core/formats/training/opened_files.h"
#include "core/model/natural_order.h"

#include <algorithm>
#include <array>

namespace wb::dcp {
namespace {

using Path = std::filesystem::path;

constexpr const char* taskName = "dcp.open";
constexpr const char* metadataName = ".metadata";

Result<std::vector<std::byte>> runTask(const worker::TaskInput& input) {
    return formats::runIndexTask(input, readIndex, training::boxRecipeWire());
}

std::vector<std::string> dataNames(const Path& folder, std::uint64_t most) {
    std::vector<std::string> names;
    std::error_code error;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end && names.size() < most;
         at.increment(error)) {
        std::error_code none;
        std::string name = io::pathText(at->path().filename());
        if ((name.ends_with(".distcp") || name == "common.pt" || isFlatFile(name)) && at->is_regular_file(none))
            names.push_back(std::move(name));
    }
    std::ranges::sort(names, {}, [](const std::string& name) { return naturalKey(name); });
    return names;
}

} // namespace

bool isFolder(const Path& folder) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(folder / metadataName, ignored) ||
           std::filesystem::is_regular_file(folder / "pytorch_model_fsdp_rank0.bin", ignored);
}

Result<ModelPtr> openFolder(const Path& path, const formats::OpenOptions& options) {
    std::vector<std::string> names = dataNames(path, options.limits.filesPerModel);
    std::error_code ignored;
    const bool isFlat = !std::filesystem::exists(path / metadataName, ignored);
    if (isFlat) std::erase_if(names, [](const std::string& name) { return !isFlatFile(name); });
    else {
        std::erase_if(names, [](const std::string& name) { return isFlatFile(name); });
        names.insert(names.begin(), metadataName);
    }
    WB_TRY_ASSIGN(training::OpenedFiles opened, training::openFiles(path, names, options));
    if (opened.files.empty() || (!isFlat && opened.files.front().file.name != metadataName))
        return std::unexpected(asError(ErrorCode::NotReadable, opened.problems.front()));
    return training::openJoined(taskName, path, std::move(opened), options);
}

std::span<const worker::WorkerTask> tasks() {
    static const std::array all = {worker::WorkerTask{taskName, runTask}};
    return all;
}

} // namespace wb::dcp
