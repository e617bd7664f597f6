// SPDX-License-Identifier: MIT
#include "core/model/stored_files.h"

#include "core/io/range_source.h"

#include <algorithm>
#include <set>

namespace wb {
namespace {

bool hasFile(const Model& model, std::string_view name) {
    return name == io::baseName(model.path) || std::ranges::find(model.files, name, &ModelFile::name) != model.files.end();
}

// Files on a disk were indexed with their types, and missing ones have no source.
bool isDerived(const ModelFile& file) { return file.source && file.identity == io::Identity(); }

// The archive itself is in no list of files.
std::uint64_t bytesOnDisk(const Model& model, const std::string& name) {
    const auto found = std::ranges::find(model.files, name, &ModelFile::name);
    if (found != model.files.end()) return found->bytes;
    std::error_code error;
    const auto bytes = std::filesystem::file_size(model.path, error);
    return error ? 0 : bytes;
}

} // namespace

StoredPlace storedPlace(const Model& model, std::uint32_t file) {
    const ModelFile& own = model.files[file];
    StoredPlace place{own.name, 0, {}};
    if (!isDerived(own)) return place;
    const std::size_t made = place.file.rfind('#');
    if (made != std::string::npos && hasFile(model, std::string_view(place.file).substr(0, made))) {
        place.file.resize(made);
        place.shift.reset();
    }
    const std::string archive = io::baseName(model.path);
    if (!place.file.starts_with(archive + "/")) return place;
    place.member = place.file.substr(archive.size() + 1);
    place.file = archive;
    const auto* range = dynamic_cast<const io::RangeSource*>(own.source.get());
    if (range && place.shift) place.shift = range->extent().offset();
    else place.shift.reset();
    return place;
}

std::vector<StoredFile> storedFiles(const Model& model) {
    std::vector<StoredFile> files;
    std::set<std::string> seen;
    for (std::uint32_t i = 0; i < model.files.size(); ++i) {
        const std::string name = storedPlace(model, i).file;
        if (seen.insert(name).second)
            files.push_back({name, isDerived(model.files[i]) ? bytesOnDisk(model, name) : model.files[i].bytes});
    }
    return files;
}

} // namespace wb
