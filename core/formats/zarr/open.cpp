// SPDX-License-Identifier: MIT
#include "core/formats/zarr/zarr.h"

#include <algorithm>
#include <array>

namespace wb::zarr {
namespace {

namespace fs = std::filesystem;

constexpr formats::Tasks taskNames{"zarr.index", "zarr.unpack"};
constexpr int deepest = 16;

bool hasFile(const fs::path& folder, const char* name) {
    std::error_code ignored;
    return fs::exists(folder / name, ignored);
}

// A file below the folder that is opened when it is read: an array may have more chunks than a process may open files.
class ChunkFile final : public io::ByteSource {
public:
    ChunkFile(const io::BeneathDirectory& folder, std::string name, const io::FileSource& opened)
        : m_folder(folder), m_path(std::move(name)), m_name(opened.name()), m_identity(opened.identity()) {}

    std::uint64_t size() const override { return m_identity.bytes; }
    const std::string& name() const override { return m_name; }
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        WB_TRY_ASSIGN(const auto file, open());
        return file->readAt(offset, out);
    }
    Result<void> checkUnchanged() const override {
        WB_TRY(open());
        return {};
    }

private:
    Result<std::shared_ptr<io::FileSource>> open() const {
        WB_TRY_ASSIGN(auto file, m_folder.openFile(m_path));
        if (file->identity() == m_identity) return file;
        return fail(ErrorCode::Changed, Reason("zarr.changed"), About{m_name},
                    WB_TEXT("{} changed while it was being read; start again."), m_name);
    }

    io::BeneathDirectory m_folder;
    std::string m_path;
    std::string m_name;
    io::Identity m_identity;
};

// The regular files below the folder, by their names.
Result<std::vector<std::string>> filesBelow(const fs::path& folder, const formats::OpenOptions& options) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        if (options.progress.stop.stop_requested()) return std::unexpected(canceled());
        if (at.depth() >= deepest) at.disable_recursion_pending();
        std::error_code ignored;
        if (!at->is_regular_file(ignored) || at->is_symlink(ignored)) continue;
        if (names.size() == options.limits.filesPerModel)
            return fail(ErrorCode::TooLarge, Reason("zarr.file_count"), About{io::baseName(folder)},
                        WB_TEXT("{} contains more than {} files."), io::baseName(folder), options.limits.filesPerModel);
        names.push_back(io::pathText(at->path().lexically_relative(folder)));
    }
    std::ranges::sort(names);
    return names;
}

Result<ModelPtr> openAll(const fs::path& path, FormatId format, std::optional<std::string> version,
                         const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(const auto folder, io::BeneathDirectory::open(path));
    WB_TRY_ASSIGN(const auto names, filesBelow(path, options));
    const std::string own = io::baseName(path);
    std::string wish = own + "\n";
    std::vector<formats::OpenedFile> files;
    for (const std::string& name : names) {
        const auto opened = folder.openFile(name);
        if (!opened) continue; // a name that no file of a model may have
        ModelFile file{name, (*opened)->size(), (*opened)->identity(), nullptr};
        files.push_back({std::make_shared<ChunkFile>(folder, name, **opened), std::move(file)});
        wish += name + "\n";
    }
    WB_TRY_ASSIGN(Model model, formats::askWorker(taskNames, own, std::move(files), wish, options));
    model.path = model.folder = path;
    model.format = format;
    model.version = std::move(version);
    return std::make_shared<const Model>(std::move(model));
}

// A file that gives a checkpoint away, in the folder itself or in one of its first hundred folders.
bool hasStep(const fs::path& folder, const char* name) {
    std::error_code ignored;
    std::size_t looked = 0;
    for (fs::directory_iterator at(folder, ignored), end; !ignored && at != end && ++looked < 100; at.increment(ignored))
        if (std::error_code none; at->is_directory(none) && hasFile(at->path(), name)) return true;
    return false;
}

} // namespace

bool isZarr(const fs::path& folder) {
    return hasFile(folder, ".zarray") || hasFile(folder, ".zgroup") || hasFile(folder, "zarr.json");
}

bool isOcdbt(const fs::path& folder) { return hasFile(folder, "manifest.ocdbt"); }

bool isOrbax(const fs::path& folder) {
    return hasFile(folder, "_CHECKPOINT_METADATA") || hasFile(folder, "_METADATA") || hasFile(folder, "orbax.checkpoint") ||
           hasStep(folder, "_CHECKPOINT_METADATA");
}

Result<ModelPtr> openZarr(const fs::path& folder, const formats::OpenOptions& options) {
    return openAll(folder, FormatId::Zarr, hasFile(folder, "zarr.json") ? "3" : "2", options);
}

Result<ModelPtr> openOcdbt(const fs::path& folder, const formats::OpenOptions& options) {
    return openAll(folder, FormatId::Ocdbt, std::nullopt, options);
}

Result<ModelPtr> openOrbax(const fs::path& folder, const formats::OpenOptions& options) {
    return openAll(folder, FormatId::Orbax, std::nullopt, options);
}

std::span<const worker::WorkerTask> tasks() { return formats::taskTable<taskNames, readIndex, unpack>(); }

} // namespace wb::zarr
