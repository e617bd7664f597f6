// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"
#include "core/model/model.h"

namespace wb::cli {

// formats::open for every command, of a path or of a model of the library (findLocalModel): what the model consists of may be no
// output of the command (io::outputIsInput).
Result<ModelPtr> openModel(const Context& context, const std::string& path, formats::Strictness strictness);

} // namespace wb::cli
