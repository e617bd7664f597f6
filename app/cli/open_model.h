// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"
#include "core/model/model.h"

namespace wb::cli {

// formats::open for every command: what the model consists of may be no output of the command (io::outputIsInput). Names of the
// library were replaced by paths before (Command::models).
Result<ModelPtr> openModel(const Context& context, const std::string& path, formats::Strictness strictness);

} // namespace wb::cli
