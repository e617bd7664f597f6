// SPDX-License-Identifier: MIT
#include "core/model/output_check.h"

#include "core/io/file_roles.h"

namespace wb {

// A file that was replaced since it was opened is identified by its name.
Result<void> checkNoModelFile(const Model& model, const std::filesystem::path& target) {
    io::FileRoles roles;
    for (const ModelFile& file : model.files) {
        roles.reads(file.identity);
        roles.reads(model.folder / std::filesystem::path(std::u8string(file.name.begin(), file.name.end())));
    }
    roles.writes(target);
    return roles.check();
}

} // namespace wb
