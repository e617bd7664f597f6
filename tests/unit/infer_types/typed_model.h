// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"
#include "core/quant/mix/file_type.h"

#include <filesystem>
#include <vector>

namespace wb::test {

// One file type for each type of weights that `wb quantize` writes.
std::vector<quant::FileType> writtenTypes();

// The model with all matrices in the type, written to and opened from folder/name; null, with a failed expectation, where that
// fails.
ModelPtr modelInType(const ModelPtr& model, quant::FileType type, const std::filesystem::path& folder, const std::string& name);

} // namespace wb::test
