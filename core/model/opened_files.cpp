// SPDX-License-Identifier: MIT
#include "core/model/opened_files.h"

namespace wb {

Model withOpenedFiles(const Model& model) {
    Model opened = model;
    for (std::uint32_t i = 0; i < opened.files.size(); ++i)
        if (auto source = openFile(model, i)) opened.files[i].source = *std::move(source);
    return opened;
}

} // namespace wb
