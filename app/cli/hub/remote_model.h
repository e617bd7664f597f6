// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"
#include "core/model/model.h"

namespace wb::cli {

// Opens a GGUF or safetensors file of a hub by its header alone, which at most three range requests fetch:
// "hf:owner/name[@rev]:file", "ms:…". The file may be omitted where the repository has only one. Its values cannot be read.
// Unsupported in a build without Qt.
Result<ModelPtr> openRemote(const Context& context, const std::string& id);

} // namespace wb::cli
