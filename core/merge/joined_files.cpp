// SPDX-License-Identifier: MIT
#include "core/merge/joined_files.h"

namespace wb::merge {
namespace {

namespace fs = std::filesystem;

fs::path wholeFolder(const Model& model) {
    std::error_code error;
    const fs::path whole = fs::absolute(model.folder.empty() ? fs::path(".") : model.folder, error);
    return (error ? model.folder : whole).lexically_normal();
}

} // namespace

Result<std::uint32_t> joinFiles(Model& model, const Model& other) {
    const auto shift = static_cast<std::uint32_t>(model.files.size());
    const fs::path from = wholeFolder(model), folder = wholeFolder(other);
    for (std::uint32_t i = 0; i < other.files.size(); ++i) {
        ModelFile file = other.files[i];
        WB_TRY_ASSIGN(file.source, openFile(other, i));
        const fs::path whole = folder / fs::path(std::u8string(file.name.begin(), file.name.end()));
        const fs::path relative = whole.lexically_relative(from); // empty on another drive
        const std::u8string name = (relative.empty() ? whole : relative).generic_u8string();
        file.name.assign(name.begin(), name.end());
        model.files.push_back(std::move(file));
    }
    return shift;
}

} // namespace wb::merge
