// SPDX-License-Identifier: MIT
#include "core/formats/findings/findings.h"
#include "core/formats/tensorflow/tensorflow.h"

#include <algorithm>
#include <array>

namespace wb::tensorflow {
namespace {

namespace fs = std::filesystem;

constexpr formats::Tasks taskNames{"tensorflow.index"};

// The plain files of a folder, by name.
std::vector<std::string> listed(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end && names.size() < 100'000; at.increment(error))
        if (std::error_code ignored; at->is_regular_file(ignored)) names.push_back(io::pathText(at->path().filename()));
    std::ranges::sort(names);
    return names;
}

// Gathers the files of a model; all lie beneath one folder.
class Gatherer {
public:
    Gatherer(fs::path folder, const formats::OpenOptions& options) : m_folder(std::move(folder)), m_options(options) {}

    Result<void> add(const std::string& name) {
        if (m_files.size() >= m_options.limits.filesPerModel)
            return fail(ErrorCode::TooLarge, Reason("tensorflow.file_count"), About{name},
                        WB_TEXT("{} belongs to a model with more than {} files."), name, m_options.limits.filesPerModel);
        WB_TRY_ASSIGN(const auto beneath, io::BeneathDirectory::open(m_folder));
        WB_TRY_ASSIGN(auto source, beneath.openFile(name));
        m_files.push_back({source, ModelFile{name, source->size(), source->identity(), nullptr}});
        return {};
    }

    // A checkpoint's index and the data files next to it. Missing ones are found when their tensors are placed.
    Result<void> addBundle(const std::string& within, const std::string& indexName) {
        WB_TRY(add(within + indexName));
        const std::string prefix = indexName.substr(0, indexName.size() - std::string_view(".index").size()) + ".data-";
        for (const std::string& name : listed(m_folder / within))
            if (name.starts_with(prefix)) WB_TRY(add(within + name));
        return {};
    }

    Result<ModelPtr> open(const fs::path& path, const std::string& subject, std::string_view wish) {
        WB_TRY_ASSIGN(Model model, formats::askWorker(taskNames, subject, std::move(m_files), wish, m_options));
        model.path = path;
        model.folder = m_folder;
        return std::make_shared<const Model>(std::move(model));
    }

private:
    fs::path m_folder;
    const formats::OpenOptions& m_options;
    std::vector<formats::OpenedFile> m_files;
};

fs::path folderFromPath(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

Result<void> gatherSavedModel(Gatherer& gatherer, const fs::path& folder) {
    WB_TRY(gatherer.add("saved_model.pb"));
    std::error_code ignored;
    if (fs::exists(folder / "variables/variables.index", ignored)) return gatherer.addBundle("variables/", "variables.index");
    return {};
}

} // namespace

std::span<const worker::WorkerTask> tasks() { return formats::taskTable<taskNames, readIndex>(); }

bool isFolder(const fs::path& folder) {
    std::error_code ignored;
    if (fs::exists(folder / "saved_model.pb", ignored) || fs::exists(folder / "variables/variables.index", ignored)) return true;
    const auto names = listed(folder);
    const auto hasData = [&](const std::string& name) {
        return name.ends_with(".index") && std::ranges::any_of(names, [&](const std::string& other) {
                   return other.starts_with(name.substr(0, name.size() - 6) + ".data-");
               });
    };
    return std::ranges::any_of(names, hasData) ||
           (std::ranges::find(names, "checkpoint") != names.end() &&
            std::ranges::any_of(names, [](const std::string& n) { return n.ends_with(".meta"); }));
}

Result<ModelPtr> open(const fs::path& path, const formats::OpenOptions& options) {
    Gatherer gatherer(folderFromPath(path), options);
    const std::string name = io::baseName(path);
    if (name.ends_with(".index")) {
        WB_TRY(gatherer.addBundle("", name));
        return gatherer.open(path, name, {});
    }
    if (name == "saved_model.pb") {
        WB_TRY(gatherSavedModel(gatherer, folderFromPath(path)));
        return gatherer.open(path, name, "savedmodel");
    }
    return formats::openFile(taskNames, path, options);
}

Result<ModelPtr> openFolder(const fs::path& path, const formats::OpenOptions& options) {
    const fs::path folder = path.has_filename() ? path : path.parent_path();
    const std::string subject = io::baseName(folder);
    Gatherer gatherer(folder, options);
    std::error_code ignored;
    if (fs::exists(folder / "saved_model.pb", ignored)) {
        WB_TRY(gatherSavedModel(gatherer, folder));
        return gatherer.open(path, subject, "savedmodel");
    }
    if (fs::exists(folder / "variables/variables.index", ignored)) {
        WB_TRY(gatherer.addBundle("variables/", "variables.index"));
        return gatherer.open(path, subject, {});
    }
    const auto names = listed(folder);
    for (const std::string& name : names) {
        if (name.ends_with(".index")) WB_TRY(gatherer.addBundle("", name));
        // A V1 checkpoint has the name of its graph's file without ".meta", alone or with a number of files after it.
        if (!name.ends_with(".meta")) continue;
        const std::string stem = name.substr(0, name.size() - 5);
        for (const std::string& other : names)
            if (other == stem || (other.starts_with(stem + "-") && other.find("-of-") != std::string::npos))
                WB_TRY(gatherer.add(other));
    }
    return gatherer.open(path, subject, {});
}

} // namespace wb::tensorflow
