// SPDX-License-Identifier: MIT
#include "ui/inspect/document/change_check.h"

namespace wb::ui::inspect {

Result<void> checkUnchanged(const Model& model, const Progress& progress) {
    for (std::uint32_t file = 0; file < model.files.size(); ++file) {
        WB_TRY(progress.at(file, model.files.size()));
        if (model.files[file].identity == io::Identity()) continue; // it was missing when the model was opened
        WB_TRY(openFile(model, file));
    }
    return {};
}

} // namespace wb::ui::inspect
