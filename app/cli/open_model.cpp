// SPDX-License-Identifier: MIT
#include "app/cli/open_model.h"

#include "core/formats/open.h"

namespace wb::cli {

Result<ModelPtr> openModel(const Context& context, const std::string& path, formats::Strictness strictness) {
    formats::OpenOptions options = context.openOptions();
    options.strictness = strictness;
    WB_TRY_ASSIGN(ModelPtr model, formats::open(std::filesystem::path(path), options));
    WB_TRY(context.files->alsoRead(*model));
    return model;
}

} // namespace wb::cli
